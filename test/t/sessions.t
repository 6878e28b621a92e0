#!/bin/bash
# Long work in a session: it can be stopped at any time, is reported, and is refused if it needs too
# much memory. The session stays usable after any end.
. test/t/tap.sh
fresh_database sessions_t
columns=a,b,c,d,e,f,g,h,i,j,k,l
value "SELECT setseed(0.5); CREATE TABLE noise AS SELECT $(printf 'random() AS %s, ' {a..k}) random() AS l
  FROM generate_series(1, 300000); ANALYZE noise"
long="SELECT count(*) FROM anon_mdav('noise', '{$columns}', 3)"

# psql's answer to several commands in one session, one line each.
session() { psql -X -q -At -v VERBOSITY=verbose -v ON_ERROR_STOP=0 2>&1 | grep --line-buffered -v '^LOCATION'; }
# A call that ends soon has not got far in its classes. test/work/ counts the work between two questions.
far() { sed -n 's/.*mdav: \(29[0-9]\{4\}\|300000\) of.*/\1/p' <<<"$1"; }

# Wherever the work is when its time is up: reading, ordering, building the index, forming classes.
for timeout in 100 300 600 1000 2000; do
  answer=$(session <<<"SET statement_timeout = $timeout; SET anonkit.progress_interval = 1;
    $long;
    SET statement_timeout = 0;
    SELECT count(*) FROM anon_mdav('pg_am', '{amname}', 2) LIMIT 1;")
  like "statement_timeout after $timeout ms" "$answer" 'ERROR:  57014: canceling statement due to statement timeout'
  is "soon" "$(far "$answer")" ''
  like "and the session works on" "$answer" $'\n[1-9][0-9]*$'
done

# Threads end with the call, and the session works on.
threads="SELECT count(*) FROM anon_microaggregate('noise', '{$columns}', 3, block_size => 20000)"
for timeout in 1000 2000 4000; do
  answer=$(session <<<"SET anonkit.threads = 4;
    SET statement_timeout = $timeout;
    $threads;
    SET statement_timeout = 0;
    SELECT count(*) FROM anon_mdav('pg_am', '{amname}', 2) LIMIT 1;
    SELECT count(*) FROM pg_ls_dir('/proc/self/task');")
  like "statement_timeout after $timeout ms of threads" "$answer" 'ERROR:  57014: canceling statement due to statement timeout'
  like "and no thread is left" "$answer" $'\n[1-9][0-9]*\n1$'
done

# In the background, with its backend's number in the file pid.
scratch=$(mktemp -d)
in_background() {
  rm -f "$scratch/pid"
  session >"$scratch/answer" <<<"SELECT pg_backend_pid() \\g $scratch/pid
    $1
    SELECT 'alive';" &
  JOB=$!
  until [ -s "$scratch/pid" ]; do sleep 0.05; done
  until [ "$(value "SELECT state FROM pg_stat_activity WHERE pid = $(cat "$scratch/pid") AND query LIKE '%$2%'")" = active ]; do sleep 0.05; done
  sleep 1
}
in_background "SET anonkit.progress_interval = 50; $long;" anon_mdav
is "what runs can be seen, without a cell" "$(value "SELECT query FROM pg_stat_activity WHERE pid = $(cat "$scratch/pid")")" "$long;"
value "SELECT pg_cancel_backend($(cat "$scratch/pid"))" >/dev/null
wait "$JOB"
is "cancelled soon" "$(far "$(cat "$scratch/answer")")" ''
is "a cancel" "$(grep -vE 'NOTICE|^CONTEXT:  SQL statement "SELECT source[.]' "$scratch/answer")" $'ERROR:  57014: canceling statement due to user request\nalive'

in_background "SELECT * FROM anon_publish('never', 'noise', '{$columns}', 3);" anon_publish
value "SELECT pg_cancel_backend($(cat "$scratch/pid"))" >/dev/null
wait "$JOB"
like "a cancelled publication" "$(cat "$scratch/answer")" '57014.*alive$'
is "leaves nothing" "$(value "SELECT to_regclass('never') IS NULL AND NOT EXISTS (SELECT FROM anon_releases)")" t

in_background "SET anonkit.progress_interval = 50; $long;" anon_mdav
value "SELECT pg_terminate_backend($(cat "$scratch/pid"))" >/dev/null
wait "$JOB"
is "terminated soon" "$(far "$(cat "$scratch/answer")")" ''
like "a termination" "$(cat "$scratch/answer")" '57P01: terminating connection due to administrator command'
is "ends one session only" "$(value 'SELECT 1')" 1

# A cancel that is trapped.
is "trapped in a function" "$(session <<<"SET client_min_messages = notice; SET statement_timeout = 700;
  DO \$\$ BEGIN PERFORM count(*) FROM anon_mdav('noise', '{$columns}', 3);
  EXCEPTION WHEN query_canceled THEN RAISE NOTICE 'stopped'; END \$\$;" | head -n 1)" 'NOTICE:  00000: stopped'

# Progress, of work that goes on until two classes are reported.
in_background "SET anonkit.progress_interval = 50; $long;" anon_mdav
until [ "$(grep -c 'mdav: [1-9]' "$scratch/answer")" -gt 1 ]; do sleep 0.1; done
value "SELECT pg_cancel_backend($(cat "$scratch/pid"))" >/dev/null
wait "$JOB"
answer=$(cat "$scratch/answer")
like "progress is reported" "$answer" 'NOTICE:  00000: anonkit: mdav: [0-9]+ of 300000 \([0-9]+ %\)'
is "at most once an interval" "$(session <<<"SET anonkit.progress_interval = '1h'; SET statement_timeout = 4000; $long;" | grep -v '^CONTEXT')" \
  'ERROR:  57014: canceling statement due to statement timeout'
is "and only upwards" "$(sed -n 's/.*mdav: \([0-9]*\) of.*/\1/p' <<<"$answer")" \
  "$(sed -n 's/.*mdav: \([0-9]*\) of.*/\1/p' <<<"$answer" | sort -n)"
is "0 turns it off" "$(session <<<"SET anonkit.progress_interval = 0; SET statement_timeout = 1500; $long;" | grep -v '^CONTEXT')" \
  'ERROR:  57014: canceling statement due to statement timeout'
is "anybody may set it" "$(value "SELECT count(*) FROM anon_release_info(0); SET anonkit.progress_interval = 1;
  SHOW anonkit.progress_interval")" $'0\n1ms'

# The stage, as other sessions see it.
in_background "SET anonkit.progress_interval = 0; $long;" anon_mdav
for _ in {1..600}; do
  stage=$(value "SELECT wait_event_type, wait_event FROM pg_stat_activity WHERE pid = $(cat "$scratch/pid")")
  [[ $stage == Extension* ]] && break  # it may wait for a page before
  sleep 0.1
done
like "the stage is a wait event" "$stage" '^Extension\|(Extension|Anonkit[A-Z][A-Za-z]+)$'
value "SELECT pg_cancel_backend($(cat "$scratch/pid"))" >/dev/null
wait "$JOB"

# Stage and percentage in application_name, which other sessions see as long as the call runs.
shown_name() { value "SELECT application_name FROM pg_stat_activity WHERE pid = $(cat "$scratch/pid")"; }
long_name=$(printf 'nightly%.0s' {1..8})
in_background "SET anonkit.progress_interval = 0; SET anonkit.show_progress = on; SET application_name = '$long_name'; $long;
  SELECT application_name FROM pg_stat_activity WHERE pid = pg_backend_pid();" anon_mdav
for _ in {1..600}; do
  [[ $(shown_name) != *%* ]] || break
  sleep 0.1
done
like "stage and percentage end the name of the application" "$(shown_name)" '^nightlynight[a-z]* \[anonkit: [a-z ]+ [0-9]+ %\]$'
is "which has the length that a name may have" "$(shown_name | wc -c)" 64
value "SELECT pg_cancel_backend($(cat "$scratch/pid"))" >/dev/null
wait "$JOB"
is "the name is as before when the call has ended" "$(grep -v 57014 "$scratch/answer" | head -n 1)" "$long_name"
rm -r "$scratch"
is "and ends with the call" "$(session <<<"SET anonkit.progress_interval = 0; SET statement_timeout = 300; $long; RESET statement_timeout;
  SELECT wait_event FROM pg_stat_activity WHERE pid = pg_backend_pid();" | tail -n 1)" ''

# Durations in the server's log, of calls that take as long as a superuser has set.
is "not for everybody to set" "$(session <<<"CREATE ROLE t_sessions_reader; SELECT count(*) FROM anon_release_info(0); SET ROLE t_sessions_reader; SET anonkit.log_min_duration = 0;" | tail -n 1)" \
  'ERROR:  42501: permission denied to set parameter "anonkit.log_min_duration"'
value 'DROP ROLE IF EXISTS t_sessions_reader' >/dev/null
of_duration() { session <<<"SET anonkit.log_min_duration = '$1'; SELECT count(*) FROM anon_mdav('noise_few', '{c1}', 3);" >/dev/null
  grep -c 'LOG:  \(00000: \)\{0,1\}anonkit: 30 rows of noise_few: reading [0-9.]* s' "$PGHOST/log"; }
value 'CREATE TABLE noise_few AS SELECT i AS c1 FROM generate_series(1, 30) AS i' >/dev/null
is "a line for each" "$(of_duration 0)" 1
is "none below" "$(of_duration 1h)" 1
value 'DROP TABLE noise_few' >/dev/null

# Memory.
answer=$(session <<<"SET anonkit.max_memory = '8MB'; $long; SET anonkit.max_memory = '1GB';
  SELECT count(*) FROM anon_mdav('pg_am', '{amname}', 1) LIMIT 1;")
like "too much memory is refused" "$answer" 'ERROR:  53400: anonymization needs more memory than anonkit.max_memory allows'
like "with a hint" "$answer" 'HINT:  Raise anonkit.max_memory'
like "and the session works on" "$answer" $'\n[1-9][0-9]*$'

# The count approximates the server process's peak, apart from shared buffers. Their number depends on other sessions.
of_process() { printf "substring(pg_read_file('/proc/self/status') FROM '%s:\\\\s+(\\\\d+)')::int / 1024" "$1"; }
resident_peak="($(of_process VmHWM) - $(of_process RssShmem))"
counted() {
  local peak
  peak=$(session <<<"SET client_min_messages = 'warning'; SELECT $resident_peak AS before \\gset
    SELECT count(*) FROM $2 \\g /dev/null
    SELECT $resident_peak - :before;")
  answer=$(session <<<"SET anonkit.max_memory = '$((peak / 2))MB'; SELECT count(*) FROM $2;
    SET anonkit.max_memory = '$((peak * 17 / 10))MB'; SELECT count(*) FROM $2;")
  like "$1: half of its peak of $peak MB is too little" "$answer" 'ERROR:  53400'
  like "$1: 170 % is enough" "$answer" $'\n300000$'
}
value "CREATE TABLE spread AS SELECT $(printf 'random() AS %s, ' {a..f}) random() AS g FROM generate_series(1, 300000)"
counted "mdav, 2 columns" "anon_mdav('spread', '{a,b}', 5)"
counted "mdav, 6 columns" "anon_mdav('spread', '{a,b,c,d,e,f}', 50)"
counted "microaggregate" "anon_microaggregate('spread', '{a,b}', 5)"
counted "tclose" "anon_tclose('spread', '{a,b}', '{g}', 5, t => 0.3)"
counted "mondrian" "anon_mondrian('spread', '{a,b,c,d,e}', 5)"
counted "aggregate" "anon_aggregate('spread', '{a,b,c}', 5, algorithm => 'greedy')"

# Pairs of 150 rows with 150 sensitive values are 1.7 million counts, of which passes count as many as fit.
value "CREATE TABLE persons AS SELECT 1 AS id; CREATE TABLE findings AS SELECT 1 AS id, i AS x, i AS s FROM generate_series(1, 150) AS i"
set='{"persons": {"key": ["id"]}, "findings": {"qi": ["x"], "sensitive": ["s"], "parent": "persons", "parent_key": ["id"]}}'
is "an audit of related tables keeps to its memory" "$(session <<<"SET anonkit.progress_interval = 0; SET anonkit.max_memory = '32MB'; SELECT $resident_peak AS before \\gset
  SELECT count(*) FROM anon_audit_set('public', '$set', largest_m => 2) \\g /dev/null
  SELECT $resident_peak - :before <= 48;")" t
value "DROP TABLE findings; DROP TABLE persons"

# 20,000 errors of every kind, trapped in one session. A CREATE that fails costs the server itself a
# few hundred bytes in its caches, so these publications fail earlier.
value "CREATE TABLE small AS SELECT i AS a, i::text AS t, CASE WHEN i < 90 THEN i END AS gap, 'NaN'::float8 AS nan, 1e308 * (i % 2) AS big,
    '{}'::json AS j FROM generate_series(1, 100) AS i;
  CREATE TABLE nothing (a int);
  CREATE FUNCTION trap(rounds int) RETURNS void LANGUAGE plpgsql AS \$\$
  DECLARE command text; commands text[] := ARRAY[
    'SELECT anon_mdav(''small'', ''{a}'', 0)', 'SELECT * FROM anon_mdav(''small'', ''{a}'', 101)',
    'SELECT * FROM anon_mdav(''small'', ''{gap}'', 3)', 'SELECT * FROM anon_mdav(''small'', ''{a,nan}'', 3, ''{t}'')',
    'SELECT * FROM anon_mdav(''small'', ''{big,t}'', 3, standardize => ''none'')', 'SELECT * FROM anon_mdav(''small'', ''{j}'', 3)',
    'SELECT * FROM anon_mdav(''nothing'', ''{a}'', 3)', 'SELECT anon_publish(''r'', ''small'', ''{j}'', 3, keep => ''{t}'')',
    'SELECT * FROM anon_release(''small'', ''{"method": "mdav", "qi": ["a"], "k": 3, "keep": ["t"]}'') AS r (a int)',
    'SELECT anon_assert(''small'', ''{a}'', ''{t}'', p => 3)',
    'SELECT * FROM anon_audit(''nothing'', ''{a}'')', 'SELECT anon_refresh(''small'')'];
  BEGIN
    FOR round IN 1..rounds LOOP
      FOREACH command IN ARRAY commands LOOP
        BEGIN
          EXECUTE command;
          RAISE 'no error: %', command USING ERRCODE = 'assert_failure';
        EXCEPTION WHEN OTHERS THEN NULL;
        END;
      END LOOP;
    END LOOP;
  END \$\$"
memory="SELECT sum(used_bytes) AS used, sum(total_bytes) AS total FROM pg_backend_memory_contexts"
resident="SELECT (regexp_match(pg_read_file('/proc/self/statm'), '^\\d+ (\\d+)'))[1]::bigint * 4096 AS resident"
answer=$(session <<<"SET client_min_messages = error;
  SELECT trap(100); $memory \\gset before_
  $resident \\gset before_
  SELECT trap(1667); $memory \\gset after_
  $resident \\gset after_
  SELECT 'used', :after_used - :before_used; SELECT 'total', :after_total - :before_total;
  SELECT 'resident', :after_resident - :before_resident;")
printf '# after 20,004 trapped errors: %s bytes more\n' "${answer//$'\n'/, }"
growth() { sed -n "s/^$1|//p" <<<"$answer"; }
for what in used total resident; do
  ok "20,000 trapped errors: memory $what is flat" test "$(growth $what)" -lt 2000000
done
done_testing
