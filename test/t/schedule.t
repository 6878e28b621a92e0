#!/bin/bash
# Automatic refreshes: their history, the readers' view after a failure, and pg_cron.
. test/t/tap.sh
fresh_database schedule_t
value "CREATE ROLE t_job_owner LOGIN; CREATE ROLE t_job_reader; GRANT CREATE ON SCHEMA public TO t_job_owner;
  CREATE TABLE people AS SELECT i AS id, i * 7 % 50 AS age FROM generate_series(1, 100) AS i; GRANT SELECT ON people TO t_job_owner;
  SET ROLE t_job_owner;
  SELECT FROM anon_publish('r', 'people', '{age}', 5, key => '{id}', grant_to => '{t_job_reader}');
  SELECT FROM anon_publish('plain', 'people', '{age}', 5, grant_to => '{public}')"
as_owner() { value "SET ROLE t_job_owner" -c "$1"; }
runs() { value "SELECT status, sqlstate, version, rows, by FROM $1_history ORDER BY run DESC LIMIT 1"; }
reads() { value "SET ROLE t_job_reader; SELECT count(*) FROM $1"; }

like "only the owner" "$(value "CALL anon_refresh_job('r')")" '42501: only the owner of a release can run its job'
is "a job that succeeds" "$(as_owner "CALL anon_refresh_job('r')")" ''
is "is written down" "$(runs r)" 'success||2|100|postgres'
is "so is one of a release without a key" "$(as_owner "CALL anon_refresh_job('plain')") $(runs plain)" ' success|||100|postgres'
value 'CREATE TABLE kept AS SELECT * FROM people; TRUNCATE people'
like "a job that fails raises its error" "$(as_owner "CALL anon_refresh_job('r')")" '55000: more than half of the keys are gone'
is "and is written down" "$(runs r)" 'failure|55000|||postgres'
is "the last version stays" "$(reads r)" 100
like "on_failure 'withdraw'" "$(as_owner "CALL anon_refresh_job('r', 'withdraw')")" '55000: more than half'
like "nobody reads the release" "$(reads r)" '42501: permission denied for view r'
like "a second failure forgets nobody" "$(as_owner "CALL anon_refresh_job('r', 'withdraw')")" '55000: more than half'
like "readers of a release without a key" "$(as_owner "CALL anon_refresh_job('plain', 'withdraw')")" '22000: there are no rows'
like "are shut out too" "$(reads plain)" '42501: permission denied'
value 'INSERT INTO people SELECT * FROM kept'
as_owner "CALL anon_refresh_job('r', 'withdraw')"; as_owner "CALL anon_refresh_job('plain')"
is "until a run succeeds" "$(reads r) $(reads plain)" '100 100'
is "last success and failure are listed" "$(value "SELECT last_success > last_failure, schedule FROM anon_releases WHERE release = 'r'::regclass")" 't|'
value 'SET ROLE t_job_owner' -c "SELECT anon_refresh('plain')" -c "INSERT INTO plain_history (started, seconds, by, status, spec_fingerprint)
  VALUES (clock_timestamp(), 1, 'cron', 'failure', '')" >/dev/null
is "a failed run since is not current" "$(value "SELECT current, changes, rebuilt FROM anon_releases WHERE release = 'plain'::regclass")" 'f|0|f'
is "a reader does not see them" "$(value "SET ROLE t_job_reader; SELECT last_success FROM anon_releases WHERE release = 'r'::regclass")" ''
like "no history for readers" "$(value 'SET ROLE t_job_reader; SELECT * FROM r_history')" '42501: permission denied'
is "one fingerprint for one spec" "$(value 'SELECT count(DISTINCT spec_fingerprint), count(*) FROM r_history')" '1|5'
like "not within a transaction" "$(as_owner "BEGIN; CALL anon_refresh_job('r'); COMMIT")" '2D000: invalid transaction termination'
like "nothing but releases" "$(as_owner "CALL anon_refresh_job('r_places')")" '42809: "public.r_places" is not a release'
like "on_failure is one of two" "$(as_owner "CALL anon_refresh_job('r', 'panic')")" '22023: unknown value for "on_failure"'
like "no pg_cron: the crontab line" "$(as_owner "SELECT anon_schedule('r', '15 3 * * *')")" \
  '0A000: extension "pg_cron" is not installed.*HINT.*15 3 \* \* \* psql -d schedule_t -U t_job_owner -c "CALL public.anon_refresh_job'
is "and nothing to take off" "$(as_owner "SELECT anon_unschedule('r')")" f
export PGDATABASE=postgres
value 'DROP DATABASE schedule_t'; value 'DROP ROLE t_job_owner, t_job_reader'

if [ ! -e "$("$PG_CONFIG" --pkglibdir)/pg_cron.so" ]; then
  printf 'ok %d - pg_cron # skip it is not installed\n' $((++TESTS))
  done_testing
  exit
fi
# A real pg_cron, in a cluster of its own: it must be loaded with the server.
answers=$(bash -c '
  . scripts/say.sh
  . scripts/cluster.sh
  start_cluster "shared_preload_libraries = pg_cron" "cron.use_background_workers = on" "max_worker_processes = 20" || exit 1
  run() { psql -X -q -At -v ON_ERROR_STOP=1 "$@"; }
  run -c "CREATE EXTENSION pg_cron" -c "CREATE EXTENSION anonkit" -c "CREATE ROLE owner LOGIN" \
    -c "GRANT CREATE ON SCHEMA public TO owner; GRANT USAGE ON SCHEMA cron TO owner" \
    -c "CREATE TABLE people AS SELECT i AS id, i * 7 % 50 AS age FROM generate_series(1, 100) AS i; GRANT SELECT ON people TO owner" \
    -c "CREATE TABLE gone AS TABLE people WITH NO DATA; GRANT SELECT ON gone TO owner; INSERT INTO gone TABLE people"
  run -c "SET ROLE owner" -c "SELECT FROM anon_publish('\''good'\'', '\''people'\'', '\''{age}'\'', 5, key => '\''{id}'\'')" \
    -c "SELECT FROM anon_publish('\''bad'\'', '\''gone'\'', '\''{age}'\'', 5, key => '\''{id}'\'')" \
    -c "SELECT anon_schedule('\''good'\'', '\''15 3 * * *'\'') > 0, anon_schedule('\''good'\'', '\''* * * * *'\'') > 0,
        anon_schedule('\''bad'\'', '\''* * * * *'\'', '\''withdraw'\'') > 0"
  run -c "TRUNCATE gone" -c "SELECT count(*), count(DISTINCT username) FROM cron.job"
  for ((i = 0; i < 75; i++)); do
    [ "$(run -c "SELECT count(*) FROM cron.job_run_details WHERE status IN ('\''succeeded'\'', '\''failed'\'')")" -ge 2 ] && break
    sleep 1
  done
  run -c "SELECT status, by FROM good_history ORDER BY run LIMIT 1" -c "SELECT status, sqlstate FROM bad_history ORDER BY run LIMIT 1" \
    -c "SELECT string_agg(DISTINCT status, '\'' '\'' ORDER BY status) FROM cron.job_run_details WHERE status IN ('\''succeeded'\'', '\''failed'\'')" \
    -c "SELECT release, last_success IS NOT NULL, last_failure IS NOT NULL, schedule FROM anon_releases ORDER BY release::text" \
    -c "SET ROLE owner" -c "SELECT anon_unschedule('\''good'\''), anon_unschedule('\''good'\''), anon_unschedule('\''bad'\'')" -c "SELECT count(*) FROM cron.job"
')
mapfile -t answer <<<"$answers"
is "scheduled, and scheduled again" "${answer[0]}" 't|t|t'
is "one job a release, run as its owner" "${answer[1]}" '2|1'
is "a scheduled job that succeeds" "${answer[2]}" 'success|owner'
is "and one that fails" "${answer[3]}" 'failure|55000'
is "pg_cron knows of both" "${answer[4]}" 'failed succeeded'
is "so does the list of releases" "${answer[5]} ${answer[6]}" 'bad|f|t|* * * * * good|t|f|* * * * *'
is "taken off the schedule" "${answer[7]} ${answer[8]}" 't|f|t 0'
done_testing
