#!/bin/bash
# Schedules by a real pg_cron, in a cluster of its own: it must be loaded with the server. And schemas that only bear
# its name.
. test/t/tap.sh
[ -e "$("$PG_CONFIG" --pkglibdir)/pg_cron.so" ] || { echo "1..0 # SKIP pg_cron is not installed"; exit; }
. scripts/say.sh
. scripts/cluster.sh
start_cluster "shared_preload_libraries = pg_cron" "cron.use_background_workers = on" "max_worker_processes = 20" || exit 1
as() { value "SET ROLE $1" -c "$2"; }
# A trojan says as whom it runs.
trojans="CREATE FUNCTION public.trojan() RETURNS boolean LANGUAGE plpgsql AS \$\$ BEGIN RAISE WARNING 'trojan as %', current_user; RETURN true; END \$\$;
  CREATE SCHEMA cron; GRANT USAGE ON SCHEMA cron TO PUBLIC;
  CREATE VIEW cron.job AS SELECT 1::bigint AS jobid, 'trojan'::text AS schedule, ''::text AS command, current_database()::text AS database,
    'owner'::text AS username, public.trojan() AS active, 'anonkit release ' || oid AS jobname FROM pg_class WHERE relname = 'good';
  GRANT SELECT ON cron.job TO PUBLIC;
  CREATE FUNCTION cron.schedule(text, text, text) RETURNS bigint LANGUAGE sql AS 'SELECT public.trojan()::int::bigint';
  CREATE FUNCTION cron.unschedule(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT public.trojan()'"
source_and_release="CREATE TABLE people AS SELECT i AS id, i * 7 % 50 AS age FROM generate_series(1, 100) AS i; GRANT SELECT ON people TO owner;
  GRANT CREATE ON SCHEMA public TO owner, stranger"
publish="SELECT FROM anon_publish('good', 'people', '{age}', 5, key => '{id}')"
listed="SELECT release, last_success IS NOT NULL, last_failure IS NOT NULL, schedule FROM anon_releases ORDER BY release::text"

value "CREATE ROLE owner LOGIN; CREATE ROLE stranger LOGIN; CREATE EXTENSION pg_cron; CREATE EXTENSION anonkit; $source_and_release;
  CREATE TABLE gone AS TABLE people; GRANT SELECT ON gone TO owner"
as owner "$publish; SELECT FROM anon_publish('bad', 'gone', '{age}', 5, key => '{id}')"
like "the missing GRANT is named" "$(as owner "SELECT anon_schedule('good', '15 3 * * *')")" '42501: role "owner" lacks USAGE on the schema.*GRANT USAGE ON SCHEMA cron TO owner;'
is "without it releases are listed" "$(as stranger "$listed")" $'bad|f|f|\ngood|f|f|'
value 'GRANT USAGE ON SCHEMA cron TO owner; REVOKE EXECUTE ON FUNCTION cron.schedule(text, text, text) FROM PUBLIC'
like "so is that of a function" "$(as owner "SELECT anon_schedule('good', '15 3 * * *')")" 'GRANT EXECUTE ON FUNCTION cron\.schedule\(.*text,.*text,.*text\) TO owner;'
value 'GRANT EXECUTE ON FUNCTION cron.schedule(text, text, text) TO PUBLIC'
like "only the owner schedules" "$(value "SELECT anon_schedule('good', '15 3 * * *')")" '42501: only the owner of a release can schedule it'
is "scheduled, and scheduled again" "$(as owner "SELECT anon_schedule('good', '15 3 * * *') > 0, anon_schedule('good', '* * * * *') > 0,
  anon_schedule('bad', '* * * * *', 'withdraw') > 0")" 't|t|t'
is "one job a release, run as its owner" "$(value 'SELECT count(*), min(username), max(username) FROM cron.job')" '2|owner|owner'
value 'TRUNCATE gone'
for ((i = 0; i < 75; i++)); do
  [ "$(value "SELECT count(*) FROM cron.job_run_details WHERE status IN ('succeeded', 'failed')")" -ge 2 ] && break
  sleep 1
done
is "a scheduled job that succeeds" "$(as owner "SELECT status, by FROM anon_history('good') ORDER BY run LIMIT 1")" 'success|owner'
is "and one that fails" "$(as owner "SELECT status, sqlstate FROM anon_history('bad') ORDER BY run LIMIT 1")" 'failure|55000'
is "pg_cron knows of both" "$(value "SELECT string_agg(DISTINCT status, ' ' ORDER BY status) FROM cron.job_run_details WHERE status IN ('succeeded', 'failed')")" 'failed succeeded'
is "so does the list of releases" "$(as owner "$listed")" $'bad|f|t|* * * * *\ngood|t|f|* * * * *'
is "others see neither" "$(as stranger "$listed")" $'bad|f|f|\ngood|f|f|'
(value "BEGIN; LOCK TABLE cron.job; SELECT pg_sleep(2)" >/dev/null) &
until_asleep
is "a list waits for no lock on pg_cron's table, and leaves schedules out" "$(as owner "SET lock_timeout = 1; $listed")" $'bad|f|t|\ngood|t|f|'
wait
value "UPDATE cron.job SET active = false WHERE jobname = 'anonkit release ' || 'good'::regclass::oid"
is "a job that is paused is no schedule" "$(as owner "$listed")" $'bad|f|t|* * * * *\ngood|t|f|'
is "taken off the schedule" "$(as owner "SELECT anon_unschedule('good'), anon_unschedule('good')")" 't|f'
value "INSERT INTO cron.job (schedule, command, nodeport, username, jobname) SELECT '1 1 1 1 1', 'SELECT 1', 5432, 'stranger', 'anonkit release ' || 'good'::regclass::oid;
  INSERT INTO cron.job (schedule, command, nodeport, database, username, jobname) SELECT '2 2 2 2 2', 'SELECT 1', 5432, 'elsewhere', 'owner', 'anonkit release ' || 'good'::regclass::oid"
is "two jobs bear its name" "$(value 'SELECT count(*) FROM cron.job')" 3
is "jobs of other roles and other databases do not count" "$(as owner "$listed")" $'bad|f|t|* * * * *\ngood|t|f|'
as owner "SELECT anon_drop('bad'); SELECT anon_drop('good')" >/dev/null
is "a drop ends the release's own schedule" "$(value "SELECT string_agg(schedule, ', ' ORDER BY schedule) FROM cron.job")" '1 1 1 1 1, 2 2 2 2 2'
as owner "$publish"
value "REVOKE USAGE ON SCHEMA cron FROM owner; DELETE FROM cron.job;
  INSERT INTO cron.job (schedule, command, nodeport, username, jobname) SELECT '3 3 3 3 3', 'SELECT 1', 5432, 'owner', 'anonkit release ' || 'good'::regclass::oid"
is "a drop does not need pg_cron" "$(as owner "SELECT anon_drop('good')")" ''

# The schema of pg_cron is renamed, and a stranger takes its name: all in a transaction, since pg_cron's own launcher
# would follow the name.
value 'GRANT CREATE ON DATABASE postgres TO stranger; GRANT USAGE ON SCHEMA cron TO owner; DELETE FROM cron.job'
as owner "$publish; SELECT anon_schedule('good', '4 4 4 4 4')" >/dev/null
renamed() { value "BEGIN; ALTER SCHEMA cron RENAME TO really; SET ROLE stranger; $trojans; SET ROLE $1" -c "$2" -c 'ROLLBACK'; }
is "a renamed pg_cron is still read" "$(renamed owner "$listed")" 'good|f|f|4 4 4 4 4'
is "by superusers, too" "$(renamed postgres "$listed")" 'good|f|f|4 4 4 4 4'
like "but not called: it would follow the name" "$(renamed owner "SELECT anon_schedule('good', '* * * * *')")" '55000: the schema of extension "pg_cron" was renamed'
like "nor to end a schedule" "$(renamed owner "SELECT anon_unschedule('good')")" '55000: the schema of extension "pg_cron" was renamed'
is "no trojan runs at a drop" "$(renamed postgres "SELECT anon_drop('good')")" ''

# pg_cron lives in one database. In another, a stranger takes its names.
value 'CREATE DATABASE "other %"'
export PGDATABASE="other %"
value "CREATE EXTENSION anonkit; $source_and_release; GRANT CREATE ON DATABASE \"other %\" TO stranger"
as owner "$publish"
as stranger "$trojans"
like "a statement for pg_cron's database" "$(as owner "SELECT anon_schedule('good', '15 3 * * *', 'withdraw')")" \
  '0A000: pg_cron runs the jobs of database "postgres" only.*SELECT cron.schedule_in_database\(.*'
statement=$(as owner "SELECT anon_schedule('good', '15 3 * * *', 'withdraw')" | sed -n 's/^HINT:  Let a superuser run there: //p')
like "can be run there" "$(PGDATABASE=postgres value "$statement")" '^[0-9]+$'
is "it is a job of the owner in this database" "$(PGDATABASE=postgres value "SELECT username, database, schedule FROM cron.job WHERE database = 'other %'")" 'owner|other %|15 3 * * *'
command=$(PGDATABASE=postgres value "SELECT command FROM cron.job WHERE database = 'other %'")
is "whose command runs the job" "$(PGUSER=owner value "$command")$(as owner "SELECT status, by FROM anon_history('good')")" 'success|owner'
is "no trojan runs at a list, an end of a schedule, or a drop" "$(value "$listed")$(as owner "SELECT anon_unschedule('good'), anon_drop('good')")" 'good|t|f|f|'
PGDATABASE=postgres value 'DROP EXTENSION pg_cron'
export PGDATABASE=postgres
like "loaded, but not created" "$(as owner "SELECT anon_schedule('good', '15 3 * * *')")" '0A000: extension "pg_cron" is not installed.*CREATE EXTENSION pg_cron;'
is "nothing crashed" "$(grep -cE 'terminated by signal|PANIC' "$CLUSTER_DIR/log")" 0
done_testing
