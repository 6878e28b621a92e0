#!/bin/bash
# anon_refresh_job: the history of a release, what it keeps of an error, and the rights that a failure withdraws.
. test/t/tap.sh
fresh_database schedule_t
roles=(t_job_owner t_job_reader t_job_other t_job_third t_job_all 't"job %s\ role')
for role in "${roles[@]}"; do value "CREATE ROLE \"${role//\"/\"\"}\" LOGIN"; done
value "GRANT CREATE ON SCHEMA public TO t_job_owner;
  CREATE TABLE people AS SELECT i AS id, i * 7 % 50 AS age FROM generate_series(1, 100) AS i; GRANT SELECT ON people TO t_job_owner;
  CREATE TABLE kept AS SELECT * FROM people;
  SET ROLE t_job_owner;
  SELECT FROM anon_publish('r', 'people', '{age}', 5, key => '{id}', grant_to => '{t_job_reader}');
  SELECT FROM anon_publish('plain', 'people', '{age}', 5, grant_to => '{public}')"
as_owner() { value "SET ROLE t_job_owner" -c "$1"; }
last_run() { as_owner "SELECT status, sqlstate, version, rows, by FROM anon_history('$1') ORDER BY run DESC LIMIT 1"; }
reads() { value "SET ROLE ${2:-t_job_reader}; SELECT count(age) FROM $1"; }
job() { as_owner "CALL anon_refresh_job('$1', '${2:-keep}')"; }
empty() { value 'TRUNCATE people'; }
fill() { value 'TRUNCATE people; INSERT INTO people SELECT * FROM kept'; }
# The source loses all rows, a job fails, and SQL is done by hand, before a job succeeds.
fail_and_succeed() { empty; job "$1" withdraw >/dev/null; [ -z "${2:-}" ] || as_owner "$2"; fill; job "$1"; }

# ---- history
like "only the owner" "$(value "CALL anon_refresh_job('r')")" '42501: only the owner of a release can run its job.*Become role t_job_owner first'
is "a job that succeeds" "$(job r)" ''
is "is written down" "$(last_run r)" 'success||2|100|postgres'
is "so is one of a release without a key" "$(job plain) $(last_run plain)" ' success|||100|postgres'
is "with its figures" "$(as_owner "SELECT figures->'rows', figures->'classes' IS NOT NULL, seconds > 0,
  started BETWEEN now() - interval '1 minute' AND now() FROM anon_history('plain')")" '100|t|t|t'
empty
like "a job that fails raises its error" "$(job r)" '55000: more than half of the keys are gone.*DETAIL:  The source has 0 rows'
is "and is written down" "$(last_run r)" 'failure|55000|||postgres'
is "with its message" "$(as_owner "SELECT message FROM anon_history('r') ORDER BY run DESC LIMIT 1")" 'more than half of the keys are gone'
is "the last version stays" "$(reads r)" 100
fill
is "one fingerprint for one spec" "$(as_owner "SELECT count(DISTINCT spec_fingerprint), min(length(spec_fingerprint)), count(*) FROM anon_history('r')")" '1|64|2'
is "the spec's, as anybody can compute it" "$(as_owner "SELECT count(*) FROM anon_history('r') AS h, anon_release_info('r') AS i
  WHERE h.spec_fingerprint = encode(sha256(convert_to(i.spec::text, 'UTF8')), 'hex')")" 2
like "no history for readers" "$(value "SET ROLE t_job_reader; SELECT * FROM anon_history('r')")" '42501: must be owner of view r'
like "and of nothing but releases" "$(as_owner "SELECT * FROM anon_history('people')")" '42809: "people" is not a release'
like "not within a transaction" "$(as_owner "BEGIN; CALL anon_refresh_job('r'); COMMIT")" '2D000: anon_refresh_job cannot run inside a transaction block'
like "nor in a function" "$(as_owner "DO 'BEGIN PERFORM 1; EXECUTE ''CALL anon_refresh_job(''''r'''')''; END'")" '2D000: anon_refresh_job cannot run'
is "but in a block that ends transactions" "$(as_owner "DO 'BEGIN CALL anon_refresh_job(''r''); END'") $(last_run r)" ' success||3|100|postgres'
like "not in a read-only session" "$(value 'SET ROLE t_job_owner' -c 'SET default_transaction_read_only = on' -c "CALL anon_refresh_job('r')")" '25006: cannot execute anon_refresh_job'
like "nothing but releases" "$(as_owner "CALL anon_refresh_job('r_places')")" '42809: "r_places" is not a release'
like "on_failure is one of two" "$(job r panic)" '22023: unknown value for "on_failure"'
like "and not null" "$(as_owner "CALL anon_refresh_job('r', NULL)")" '22023: unknown value for "on_failure"'
like "a canceled run" "$(value 'SET ROLE t_job_owner' -c "CREATE VIEW slow AS SELECT id, age FROM people, (SELECT pg_sleep(0.7)) AS pause;
  SELECT FROM anon_publish('late', 'slow', '{age}', 5); SELECT FROM anon_publish('late_r', 'slow', '{age}', 5, key => '{id}')" \
  -c 'SET statement_timeout = 100' -c "CALL anon_refresh_job('late')")" '57014: query canceled outside of anonkit, SQLSTATE 57014'
is "is written down, too" "$(last_run late)" 'failure|57014|||postgres'
as_owner "UPDATE r_companion SET at = CASE number WHEN 1 THEN 'infinity' ELSE '4714-11-24 00:00:00+00 BC' END::timestamptz, content = CASE number WHEN 1 THEN '[1, {}]' WHEN 2 THEN '{\"seconds\": 1e9, \"status\": 7, \"figures\": [1]}' END::jsonb
  WHERE item = 'run' AND number < 3"
is "content that the owner has rewritten is null" "$(as_owner "SELECT run, seconds, status, figures, rows FROM anon_history('r')
  WHERE started IS NOT NULL AND started::text <> ''" | head -n 2 | tr '\n' ' ')" '1|||| 2|1000000000||| '

as_owner 'ALTER TABLE late_companion ADD COLUMN more int'
like "a companion that is not as it was made is named" "$(job late)" '55000: the companion of release "late" is not as anonkit made it.*Table "late_companion" has other columns'
is "and lists no runs" "$(as_owner "SELECT count(*) FROM anon_history('late')")" 0

# ---- two first runs at once; a release with a key has its state in the companion
for release in late late_r; do
  if [ $release = late ]; then as_owner "DROP TABLE late_companion"; else as_owner "DELETE FROM late_r_companion WHERE item <> 'state'"; fi
  job $release >/dev/null & job $release >/dev/null; wait $!
  is "two first runs at once of $release are both written" "$(as_owner "SELECT array_agg(run), array_agg(status) FROM anon_history('$release')")" '{1,2}|{success,success}'
done

# ---- clocks that are set back: runs are compared by their numbers
rename() { as_owner "ALTER TABLE counted RENAME $1 TO $2"; }
fail() { rename age years; job clock >/dev/null; rename years age; }
shift_run() { as_owner "UPDATE clock_companion SET at = at + '$1' WHERE item = 'run' AND number = (SELECT max(number) FROM clock_companion WHERE item = 'run')"; }
state_of_clock() { as_owner "SELECT current FROM anon_release_info('clock')"; }
as_owner "CREATE TABLE counted AS TABLE people; SELECT FROM anon_publish('clock', 'counted', '{age}', 5)" >/dev/null
job clock; shift_run '1 year'
job clock
is "a later success is the last one, by a clock that was ahead before" "$(as_owner "SELECT last_success < now(), current FROM anon_release_info('clock')")" 't|t'
fail; shift_run '-1 year'
is "a failure by a clock that was set back makes rows out of date" "$(state_of_clock)" f
as_owner "SELECT FROM anon_refresh('clock')" >/dev/null
is "a refresh makes them current" "$(state_of_clock)" t
fail; shift_run '1 year'
is "a failure by a clock that was ahead" "$(state_of_clock)" f
as_owner "SELECT FROM anon_refresh('clock')" >/dev/null
is "makes no later rows out of date" "$(state_of_clock)" t
as_owner "DELETE FROM clock_companion WHERE item = 'run'"
fail
is "nor does a history that was deleted hide a failure" "$(state_of_clock)" f

# ---- names
long=$(printf 'n%.0s' {1..55})
as_owner "SELECT FROM anon_publish('${long}_1234567', 'people', '{age}', 5); SELECT FROM anon_publish('${long}_7654321', 'people', '{age}', 5)" >/dev/null
job "${long}_1234567"
is "releases whose names agree in 56 letters have their own histories" "$(as_owner "SELECT (SELECT count(*) FROM anon_history('${long}_1234567')),
  (SELECT count(*) FROM anon_history('${long}_7654321'))")" '1|0'
umlauts=$(printf 'ä%.0s' {1..31})
as_owner "SELECT FROM anon_publish('$umlauts', 'people', '{age}', 5)" >/dev/null
is "names of 62 bytes" "$(job "$umlauts") $(last_run "$umlauts")" ' success|||100|postgres'

# ---- an error of somebody else's code may hold a cell
value "CREATE TABLE secrets AS SELECT i AS id, i % 10 AS age, 'secret-4711' AS word FROM generate_series(1, 50) AS i; GRANT SELECT ON secrets TO t_job_owner;
  CREATE TABLE mode AS SELECT 'none' AS mode; GRANT SELECT ON mode TO t_job_owner;
  SET ROLE t_job_owner;
  CREATE FUNCTION raised(word text) RETURNS int LANGUAGE plpgsql AS \$\$ BEGIN RAISE EXCEPTION 'cell %', word USING DETAIL = word, HINT = word, ERRCODE = 'AB123'; END \$\$;
  CREATE VIEW risky AS SELECT id, CASE mode WHEN 'cast' THEN word::int WHEN 'division' THEN 1 / (age - age) WHEN 'raise' THEN public.raised(word) ELSE age END AS age, word
  FROM secrets, mode;
  SELECT FROM anon_publish('risk', 'risky', '{age}', 5)" >/dev/null
for mode in cast:22P02 division:22012 raise:AB123; do
  value "UPDATE mode SET mode = '${mode%:*}'"
  error=$(job risk)
  like "an error by ${mode%:*}" "$error" "${mode#*:}: .* outside of anonkit, SQLSTATE ${mode#*:}"
  is "does not show the cell" "$(grep -c secret-4711 <<<"$error") $(as_owner "SELECT count(*) FROM risk_companion AS c WHERE c::text ~ 'secret-4711'")" '0 0'
done
like "anon_refresh shows its caller the error" "$(as_owner "SELECT anon_refresh('risk')")" 'cell secret-4711'

# ---- withdrawn rights
empty
like "on_failure 'withdraw'" "$(job r withdraw)" '55000: more than half'
like "nobody reads the release" "$(reads r)" '42501: permission denied for view r'
is "the run counts the rights" "$(as_owner "SELECT withdrawn FROM anon_history('r') ORDER BY run DESC LIMIT 1")" 1
like "a second failure forgets nobody" "$(job r withdraw)" '55000: more than half'
value "BEGIN; LOCK TABLE plain_companion IN SHARE MODE; SELECT pg_sleep(600)" >/dev/null &
until_asleep
like "a withdrawal that fails is said, where the run cannot be written down either" "$(value "SET ROLE t_job_owner" -c "SET lock_timeout = 200" -c "CALL anon_refresh_job('plain', 'withdraw')")" \
  '55P03: readers of release "plain" keep their rights after a failed refresh.*HINT:  Revoke SELECT by hand'
value "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()" >/dev/null
wait
is "and readers read" "$(reads plain)" 100
like "readers of a release without a key" "$(job plain withdraw)" '22000: there are no rows'
like "are shut out too" "$(reads plain)" '42501: permission denied'
is "the owner is not" "$(reads plain t_job_owner)" 100
fill
job r withdraw; job plain
is "until a run succeeds" "$(reads r) $(reads plain)" '100 100'
acls() { value "SELECT relacl FROM pg_class WHERE oid = 'plain'::regclass" && value "SELECT attname, attacl FROM pg_attribute WHERE attrelid = 'plain'::regclass AND attacl IS NOT NULL"; }
as_owner 'REVOKE SELECT ON plain FROM PUBLIC; GRANT SELECT ON plain TO t_job_reader WITH GRANT OPTION; GRANT SELECT (age) ON plain TO t_job_other;
  GRANT ALL ON plain TO t_job_all; GRANT SELECT ON plain TO "t""job %s\ role"'
value 'SET ROLE t_job_reader; GRANT SELECT ON plain TO t_job_third WITH GRANT OPTION; GRANT SELECT (age) ON plain TO t_job_other'
before=$(acls)
empty; job plain withdraw >/dev/null
for role in t_job_reader t_job_other t_job_third t_job_all '"t""job %s\ role"'; do
  like "grants of columns, by others and with other rights are withdrawn: $role" "$(reads plain "$role")" '42501: permission denied'
done
is "other rights stay" "$(value "SELECT has_table_privilege('t_job_all', 'plain', 'INSERT'), has_table_privilege('t_job_all', 'plain', 'SELECT')")" 't|f'
is "no one can grant meanwhile" "$(value 'SET ROLE t_job_reader; GRANT SELECT ON plain TO t_job_all' | grep -c 42501)" 1
# PostgreSQL 17 has the right MAINTAIN, m in access lists.
is "a dump has no such right" "$(pg_dump -t plain | grep -E '^(GRANT|REVOKE)' | sed 's/MAINTAIN,//')" 'GRANT INSERT,REFERENCES,DELETE,TRIGGER,TRUNCATE,UPDATE ON TABLE public.plain TO t_job_all;'
fill; job plain
is "all are restored as they were, with their grantors" "$(acls)" "$before"
fail_and_succeed plain 'REVOKE SELECT ON plain FROM "t""job %s\ role"' >/dev/null
like "a right that was revoked by hand meanwhile is not restored" "$(reads plain '"t""job %s\ role"')" '42501: permission denied'
is "those of others are" "$(reads plain t_job_reader)" 100
like "but a REVOKE beside other rights leaves no trace" "$(reads plain t_job_all)" '42501: permission denied'
as_owner 'GRANT SELECT ON plain TO t_job_all'
like "so that is said" "$(fail_and_succeed plain 'GRANT SELECT ON plain TO "t""job %s\ role"')" '01000: 1 withdrawn right to read release "plain" is not restored'
is "a right given by hand stays" "$(reads plain '"t""job %s\ role"')" 100
fail_and_succeed plain 'REVOKE SELECT (age) ON plain FROM t_job_other'
is "a column's right revoked by hand: its own grantor's alone" "$(value "SELECT attacl FROM pg_attribute WHERE attrelid = 'plain'::regclass AND attname = 'age'")" \
  '{t_job_other=r/t_job_reader}'
fail_and_succeed plain 'REVOKE SELECT ON plain FROM t_job_reader CASCADE'
is "with a grantor's right those that hang on it are gone" "$(acls | sed 's/Dxtm/Dxt/g')" '{t_job_owner=arwdDxt/t_job_owner,t_job_all=awdDxt/t_job_owner,"\"t\"\"job %s\\ role\"=r/t_job_owner"}'
as_owner 'REVOKE SELECT ON plain FROM "t""job %s\ role"; GRANT SELECT ON plain TO t_job_reader'
fail_and_succeed plain
like "a right that was revoked before the failure is not given" "$(reads plain '"t""job %s\ role"')" '42501: permission denied'
empty; job plain withdraw >/dev/null
value 'DROP OWNED BY t_job_reader; DROP ROLE t_job_reader; CREATE ROLE t_job_reader LOGIN'
fill
is "a role that was dropped, and made again" "$(job plain) $(reads plain | grep -c 42501)" ' 1'
as_owner 'GRANT SELECT ON plain TO t_job_reader'
empty; job plain withdraw >/dev/null
as_owner "UPDATE plain_companion SET content = content || '{\"cluster\": \"1\"}' WHERE item = 'withdrawn'"
fill; job plain
like "OIDs of another cluster's roles" "$(reads plain)" '42501: permission denied'
is "a forgotten withdrawal" "$(as_owner "SELECT count(*) FROM plain_companion WHERE item = 'withdrawn'")" 0
as_owner 'GRANT SELECT ON plain TO t_job_reader; GRANT SELECT ON r TO t_job_other'
empty; job plain withdraw >/dev/null; fill; job r
like "a success of another release restores nothing here" "$(reads plain)" '42501: permission denied'
as_owner "UPDATE plain_companion SET content = '{\"cluster\": [], \"grantees\": {}, \"columns\": [1e400, null]}' WHERE item = 'withdrawn'"
is "content that is no list of rights" "$(job plain) $(last_run plain)" ' success|||100|postgres'

# ---- no pg_cron
like "no pg_cron: the crontab line" "$(as_owner "SELECT anon_schedule('r', '15 3 * * *')")" \
  "0A000: extension \"pg_cron\" is not installed.*HINT.*: 15 3 \\* \\* \\* psql -X -q -d schedule_t -U t_job_owner -c \"CALL public.anon_refresh_job\\(CASE WHEN pg_catalog.to_regprocedure\\('public.anon_refresh_job\\(pg_catalog.regclass,pg_catalog.text\\)'\\)::pg_catalog.oid OPERATOR\\(pg_catalog.=\\) [0-9]+::pg_catalog.oid THEN 'public.r'::pg_catalog.regclass ELSE 'anonkit.has.moved.schedule.again'::pg_catalog.text::pg_catalog.regclass END, 'keep'::pg_catalog.text\\)\""
like "also where the session has set a database of pg_cron's" "$(value "SET cron.database_name = 'elsewhere'" -c 'SET ROLE t_job_owner' \
  -c "SELECT anon_schedule('r', '15 3 * * *')")" '0A000: extension "pg_cron" is not installed.*: 15 3 '
is "and nothing to take off" "$(as_owner "SELECT anon_unschedule('r')")" f
like "a schedule that would end the line" "$(as_owner "SELECT anon_schedule('r', E'* * * * * id\n* * * * *')")" '22023: the schedule has a character'
# A line is what cron makes of it: a shell's command, with % without its backslash.
hard="x=y %1 'a' \"b\" \$HOME; id"
value "CREATE DATABASE \"${hard//\"/\"\"}\""
export PGDATABASE=$hard
value "CREATE SCHEMA \"an on %d\"; CREATE EXTENSION anonkit SCHEMA \"an on %d\"; CREATE TABLE people AS SELECT i AS id, i % 10 AS age FROM generate_series(1, 50) AS i;
  GRANT CREATE ON SCHEMA public TO \"t\"\"job %s\ role\"; GRANT SELECT ON people TO PUBLIC; GRANT USAGE ON SCHEMA \"an on %d\" TO PUBLIC"
as_hard() { value "SET ROLE \"t\"\"job %s\ role\"; SET search_path = \"an on %d\", public" -c "$1"; }
as_hard "SELECT FROM anon_publish('public.\"q\"\"%\\ ''r''\"', 'people', '{age}', 5)"
line=$(as_hard "SELECT anon_schedule('public.\"q\"\"%\\ ''r''\"', '* * * * *', 'withdraw')" | sed -n 's/^HINT:.*: \(\* \* \* \* \* .*\)/\1/p')
like "the line of hard names" "$line" '^\* \* \* \* \* PGDATABASE='
is "has no bare %" "$(sed 's/\\%//g' <<<"$line" | grep -c %)" 0
run_line() { (unset PGUSER PGDATABASE; sh -c "$(sed -e 's/^\* \* \* \* \* //' -e 's/\\%/%/g' <<<"$line")" 2>&1); }
run_line >/dev/null
is "runs" "$(as_hard "SELECT status, by FROM anon_history('public.\"q\"\"%\\ ''r''\"')")" 'success|t"job %s\ role'
# The schema of the extension is renamed, and a stranger takes its name.
value "ALTER SCHEMA \"an on %d\" RENAME TO moved; GRANT CREATE ON DATABASE \"${hard//\"/\"\"}\" TO t_job_other"
value "SET ROLE t_job_other; CREATE SCHEMA \"an on %d\"; GRANT USAGE ON SCHEMA \"an on %d\" TO PUBLIC; SET search_path = \"an on %d\";
  CREATE FUNCTION anon_refresh(regclass, boolean DEFAULT false) RETURNS int LANGUAGE plpgsql AS \$\$ BEGIN RAISE WARNING 'trojan as %', current_user; RETURN 1; END \$\$;
  CREATE FUNCTION anon_release_info(regclass) RETURNS int LANGUAGE sql AS 'SELECT \"an on %d\".anon_refresh(\$1)';
  CREATE FUNCTION anon_history_row(regclass) RETURNS int LANGUAGE sql AS 'SELECT \"an on %d\".anon_refresh(\$1)'"
is "nobody who takes the old name of the extension's schema is called" "$(as_hard "CALL moved.anon_refresh_job('public.\"q\"\"%\ ''r''\"')" &&
  as_hard "SELECT status FROM moved.anon_history('public.\"q\"\"%\ ''r''\"')" && value 'SELECT count(*) FROM moved.anon_releases')" $'success\nsuccess\n1'
like "a line for the old name is an error" "$(run_line)" 'schema "an on %d" does not exist|improper relation name|procedure .* does not exist'
value "SET ROLE t_job_other; CREATE PROCEDURE \"an on %d\".anon_refresh_job(regclass, text) LANGUAGE plpgsql AS \$\$ BEGIN RAISE WARNING 'trojan as %', current_user; END \$\$"
is "and calls nobody who takes it, procedure and all" "$(run_line)" 'ERROR:  improper relation name (too many dotted names): anonkit.has.moved.schedule.again'
value "ALTER ROLE \"t\"\"job %s\ role\" RENAME TO \"a
b\""
like "no line has a line break" "$(value 'SET ROLE "a
b"' -c "SELECT moved.anon_schedule('public.\"q\"\"%\ ''r''\"', '* * * * *')")" 'No crontab line is possible'
value 'ALTER ROLE "a
b" RENAME TO "t""job %s\ role"'
value 'DROP OWNED BY "t""job %s\ role"; DROP OWNED BY t_job_other'
PGDATABASE=schedule_t value 'DROP OWNED BY "t""job %s\ role"'
export PGDATABASE=postgres
value "DROP DATABASE \"${hard//\"/\"\"}\""; value 'DROP DATABASE schedule_t'
for role in "${roles[@]}"; do value "DROP ROLE \"${role//\"/\"\"}\""; done
done_testing
