#!/bin/bash
# The boundary between C++ and the server, probed by a separate module (test/boundary). Any
# exception of C++ code becomes an ERROR, errors of the server pass unchanged, and no object is left
# behind.
. test/t/tap.sh
fresh_database boundary_t
server_module probe boundary
for function in 'probe_throw(text) RETURNS void' 'probe_call(text, int) RETURNS void' 'probe_rethrow(text) RETURNS void' 'probe_exhausted() RETURNS void' \
  'probe_attempt(text) RETURNS text' 'probe_depth() RETURNS int' \
  'probe_own(text) RETURNS int' 'probe_loop(float8) RETURNS void' 'probe_threads() RETURNS void' 'probe_live() RETURNS int'; do
  value "CREATE FUNCTION $function AS '$module', '${function%%(*}' LANGUAGE C STRICT"
done

# The error of a statement: SQLSTATE, message, detail, hint; then the number of C++ objects left.
value "CREATE FUNCTION raised(command text) RETURNS text LANGUAGE plpgsql AS \$\$
  DECLARE state text; message text; detail text; hint text; col text; tab text;
  BEGIN
    EXECUTE command;
    RETURN 'nothing';
  EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
      hint = PG_EXCEPTION_HINT, col = COLUMN_NAME, tab = TABLE_NAME;
    RETURN concat_ws('; ', state, message, nullif(detail, ''), nullif(hint, ''), nullif(tab, ''), nullif(col, ''));
  END \$\$;
  CREATE TABLE checked (a int NOT NULL)"
raised() { value "SELECT raised(\$q\$$1\$q\$), probe_live()"; }

while IFS='|' read -r what expected; do
  is "$what" "$(raised "SELECT probe_throw('$what')")" "$expected|0"
done <<'END'
nothing|nothing
bad_alloc|53200; out of memory; The anonymization core could not allocate memory.
int|XX000; unknown exception in the anonymization core
runtime_error|XX000; unexpected exception in the anonymization core; what it says
invalid_parameter|22023; the message; The detail.; The hint.
invalid_data|22000; the message; The detail.; The hint.
infeasible|22023; the message; The detail.; The hint.
promise_broken|23514; the message; The detail.; The hint.
out_of_memory|53200; the message; The detail.; The hint.
internal|XX000; the message; The detail.; The hint.
percent|XX000; %s %n; %d; %%
END
like "memory that nobody has" "$(raised "SELECT probe_throw('new')")" '^53200; out of memory; .*\|0$'
like "a failed assertion of the matrix library" "$(raised "SELECT probe_throw('eigen_assert')")" '^XX000; matrix assertion failed: .*\|0$'
is "the server lives" "$(value "SELECT count(*) FROM pg_stat_activity WHERE pid = pg_backend_pid()")" 1
is "a message too long is cut between letters" \
  "$(value "SELECT raised('SELECT probe_throw(''long'')') ~ '^XX000; é+; é+; é+\$'")" t
is "also for a client of another encoding" \
  "$(PGCLIENTENCODING=LATIN1 value "SELECT probe_throw('long')" | head -n 1 | iconv -f LATIN1 -t UTF-8 | LC_ALL=C.UTF-8 grep -c '^ERROR:  XX000: é*$')" 1

# Errors of the server below C++ frames.
is "SQLSTATE, detail and hint are kept" "$(raised "SELECT probe_call('DO \$x\$ BEGIN
  RAISE USING ERRCODE = ''AB123'', MESSAGE = ''m'', DETAIL = ''d'', HINT = ''h'', TABLE = ''t'', COLUMN = ''c''; END \$x\$', 5)")" \
  'AB123; m; d; h; t; c|0'
is "so is the column of a constraint" "$(raised "SELECT probe_call('INSERT INTO checked VALUES (NULL)', 2)")" \
  '23502; null value in column "a" of relation "checked" violates not-null constraint; Failing row contains (null).; checked; a|0'
is "through a C++ handler" "$(raised "SELECT probe_rethrow('SELECT 1/0')")" '22012; division by zero|0'
is "an error in an error" "$(raised "SELECT probe_call('SELECT probe_call(''SELECT 1/0'', 3)', 3)")" '22012; division by zero|0'
is "C++ in the server in C++" "$(raised "SELECT probe_call('SELECT probe_throw(''int'')', 3)")" \
  'XX000; unknown exception in the anonymization core|0'
is "an error without memory to carry it" "$(raised "SELECT probe_exhausted()")" 'P0001; no memory|0'
is "the session works on" "$(value "SELECT raised('SELECT probe_exhausted()'), length(repeat('x', 10000000))")" 'P0001; no memory|10000000'
like "the context tells the way" "$(value "SELECT probe_call('SELECT 1/0', 1)")" 'CONTEXT:  SQL statement "SELECT 1/0"'
is "no error, nothing alive" "$(raised "SELECT probe_call('SELECT 1', 9)")" 'nothing|0'
is "an error outside of a block ends its transaction only" "$(value "SELECT probe_call('SELECT 1/0', 1)" | head -n 1; value 'SELECT probe_live()')" \
  $'ERROR:  22012: division by zero\n0'

# Work in a subtransaction: the effects of an error are undone, and the session goes on.
one_session() { psql -X -q -At -v ON_ERROR_STOP=0 2>&1 | grep -v '^LOCATION' | paste -sd ' '; }
while IFS='|' read -r how expected rows; do
  is "an attempt that ends by $how" "$(value "SELECT probe_attempt('$how'), probe_live()" -c 'SELECT count(*) FROM checked' -c 'TRUNCATE checked' | paste -sd ' ')" \
    "$expected|0 $rows"
done <<'END'
nothing|no error; 0|1
backend error|P0001; after writing; 0|0
bad_alloc|53200; out of memory; 0|0
new|53200; out of memory; 0|0
out_of_memory|53200; the message; 0|0
int|XX000; unknown exception in the anonymization core; 0|0
END
is "an attempt without memory for its error raises another one, outside of its subtransaction" "$(one_session <<<"
  SELECT raised('SELECT probe_attempt(''exhausted'')') ~ '^53200; out of memory', probe_depth(), probe_live(); SELECT count(*) FROM checked;")" 't|1|0 0'

# Objects that a memory context owns.
is "gone after success" "$(one_session <<<"SELECT sum(probe_own('success')) FROM generate_series(1, 1000); SELECT probe_live();")" '1000000 0'
is "gone row by row" "$(value "SELECT max(probe_live()) < 3 FROM (SELECT probe_own('success') FROM generate_series(1, 1000) OFFSET 0) AS s")" t
is "gone after an error of the server" "$(raised "SELECT probe_own('backend error')")" 'P0001; after owning|0'
is "gone after an exception" "$(raised "SELECT probe_own('exception')")" 'XX000; unexpected exception in the anonymization core; after owning|0'
is "gone after an error without a block" "$(one_session <<<"SELECT probe_own('backend error'); SELECT probe_live();")" \
  'ERROR:  after owning 0'
is "gone after a rolled back subtransaction" "$(one_session <<<"BEGIN; SAVEPOINT s; SELECT probe_own('exception'); ROLLBACK TO s;
  SELECT probe_live(); COMMIT;" | sed 's/.*DETAIL/DETAIL/')" 'DETAIL:  after owning 0'

# Long loops.
is "a loop that is let be" "$(raised "SELECT probe_loop(10)")" 'nothing|0'
for timeout in 50 300; do
  answer=$(one_session <<<"\\set VERBOSITY verbose
    SET statement_timeout = $timeout; SET anonkit.progress_interval = 1;
    SELECT probe_loop(60000);
    SELECT probe_live();")
  like "statement_timeout after $timeout ms" "$answer" 'ERROR:  57014: canceling statement due to statement timeout 0$'
  is "soon" "$(grep -c 'probing: 5[0-9][0-9][0-9][0-9] of' <<<"$answer")" 0
done
is "a timeout that is trapped" "$(value "SET statement_timeout = 100" -c "DO \$\$ BEGIN PERFORM probe_loop(60000);
  EXCEPTION WHEN query_canceled THEN NULL; END \$\$" -c 'SELECT probe_live()')" 0

# Threads end before the memory that they read is freed, also where the server ends the session at once.
value "CREATE UNLOGGED TABLE emptied_by_a_crash AS SELECT 1 AS one; CHECKPOINT"
in_threads() {
  PGOPTIONS="-c client_connection_check_interval=10ms" psql -X -q -c '\set VERBOSITY verbose' -c "${1-}" -c 'SELECT probe_threads()' 2>&1 &
  client=$!
  until backend=$(value "SELECT pid FROM pg_stat_activity WHERE query = 'SELECT probe_threads()' AND state = 'active'") && [ -n "$backend" ] &&
    [ "$(value "SELECT count(*) FROM pg_ls_dir('/proc/$backend/task', true, false)")" = 3 ]; do sleep 0.02; done
}
like "a timeout ends threads" "$(value "SET statement_timeout = 300; SELECT probe_threads()")" '57014: canceling statement due to statement timeout'
like "so does a termination" "$(in_threads; value "SELECT pg_terminate_backend($backend)" >/dev/null; wait "$client")" \
  '57P01: terminating connection due to administrator command'
in_threads >/dev/null
kill -9 "$client"
wait "$client" 2>/dev/null
others_ended
is "and a client that is gone" "$(value "SELECT count(*) FROM pg_stat_activity WHERE pid = $backend")" 0
if [ "$(value "SELECT current_setting('server_version_num')::int >= 170000")" = t ]; then
  like "and a timeout of the transaction" "$(value "SET transaction_timeout = 300; SELECT probe_threads()")" '25P04: terminating connection due to transaction timeout'
fi
is "the server has not crashed" "$(value 'SELECT one FROM emptied_by_a_crash')" 1

# 20,000 errors.
answer=$(psql -X -q -At <<<"
  CREATE FUNCTION trap(rounds int) RETURNS void LANGUAGE plpgsql AS \$\$
  DECLARE command text; commands text[] := ARRAY['SELECT probe_throw(''int'')', 'SELECT probe_throw(''eigen_assert'')',
    'SELECT probe_throw(''internal'')', 'SELECT probe_call(''SELECT 1/0'', 5)', 'SELECT probe_own(''exception'')'];
  BEGIN
    FOR round IN 1..rounds LOOP
      FOREACH command IN ARRAY commands LOOP
        BEGIN EXECUTE command; EXCEPTION WHEN OTHERS THEN NULL; END;
      END LOOP;
    END LOOP;
  END \$\$;
  SELECT trap(200);
  SELECT sum(total_bytes) AS total, (SELECT (regexp_match(pg_read_file('/proc/self/statm'), '^\\d+ (\\d+)'))[1]::bigint * 4096) AS resident
  FROM pg_backend_memory_contexts \\gset before_
  SELECT trap(4000);
  SELECT sum(total_bytes) - :before_total,
    (SELECT (regexp_match(pg_read_file('/proc/self/statm'), '^\\d+ (\\d+)'))[1]::bigint * 4096) - :before_resident, probe_live()
  FROM pg_backend_memory_contexts" | grep '|')
printf '# after 20,000 trapped errors: contexts|resident|objects %s more\n' "$answer"
IFS='|' read -r contexts resident objects <<<"$answer"
ok "20,000 trapped errors: memory contexts are flat" test "$contexts" -lt 1000000
ok "20,000 trapped errors: resident memory is flat" test "$resident" -lt 2000000
is "20,000 trapped errors: no object is left" "$objects" 0
rm -f "$module"
done_testing
