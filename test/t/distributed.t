#!/bin/bash
# Releases of a distributed table: every method, promise, recoding and kind of column, what is refused, and what happens
# when a server fails.
. test/t/with_citus.sh
value "CREATE DOMAIN percent AS numeric CHECK (VALUE <= 100);
  CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
  CREATE TABLE cities (city text, region text, land text);
  INSERT INTO cities VALUES ('Rome', 'South', '*'), ('Oslo', 'North', '*'), ('Bern', 'South', '*'), ('Bonn', 'North', '*'), ('Kiel', 'North', '*');
  CREATE TABLE people (person int, age int, born date, seen timestamptz, income float8, share percent, city text, job varchar(20),
    feels mood, member boolean, illness text, note text)" >/dev/null
value "SELECT create_reference_table('cities'), create_distributed_table('people', 'person')" >/dev/null
value "INSERT INTO people
  SELECT i / 2, 18 + (i::bigint * i * 7919 % 67)::int, date '1950-01-01' + (i * 104729 % 9973),
    timestamptz '2024-01-01 00:00+00' + i * 37 % 5000 * interval '1 hour', (i::bigint * i * 31 % 100003) / 7.0, i * 7919 % 1000 / 10.0,
    (ARRAY['Rome', 'Oslo', 'Bern', 'Bonn', 'Kiel'])[1 + i % 11 % 5], 'job' || i % 13 % 7, (ARRAY['sad', 'ok', 'happy'])[1 + i % 7 % 3]::mood,
    i % 3 = 0, (ARRAY['flu', 'cold', 'gout', 'none', 'mumps'])[1 + (i::bigint * 31 % 17 % 5)::int], 'n' || i
  FROM generate_series(1, 3000) AS i"

# published NAME ARGUMENTS: makes a release of three parts or fewer, and prints rows, suppressed ones and promises.
published() {
  local failed
  failed=$(value "CALL anon_publish_distributed('$1', 'people', $2, part_rows => 1000)")
  [ -z "$failed" ] || { head -n 1 <<<"$failed"; return; }
  value "SELECT rows + suppressed, promises FROM anon_releases WHERE release = '$1'::regclass"
}
# keeps WHAT ARGUMENTS PROMISES AUDIT: the release has every row and these promises, and the coordinator's audit finds
# them kept.
keeps() {
  is "$1" "$(published m "$2")$(value "SELECT anon_assert('m'$4)")" "3000|$3"
  value "SELECT anon_drop('m')" >/dev/null
}
LABELS="hierarchies => '{\"city\": {\"table\": \"cities\"}, \"age\": {\"range\": [10, 50]}}'"

for method in microaggregate mondrian; do
  keeps "$method: numbers and dates" "'{age,born,seen}', 5, method => '$method'" '5-anonymous' ', k => 5'
  keeps "$method: all kinds of columns" "'{age,share,feels,member,city}', 5, method => '$method', keep => '{note}'" '5-anonymous' ', k => 5'
  keeps "$method: ranges, distinct values" "'{age,city,job}', 5, method => '$method', recode => 'range', l => 3, sensitive => '{illness}'" \
    '5-anonymous, 3-diverse' ', k => 5, l => 3'
  keeps "$method: medians, shares" "'{age,income}', 5, method => '$method', recode => 'median', alpha => 0.6, sensitive => '{illness}'" \
    '5-anonymous, (alpha,k)-anonymous with alpha = 0.6' ', k => 5, alpha => 0.6'
  keeps "$method: labels, entropy" "'{age,city}', 5, method => '$method', $LABELS, entropy_l => 2, sensitive => '{illness}'" \
    '5-anonymous, entropy 2-diverse' ', k => 5, entropy_l => 2'
done
keeps "mdav" "'{age,income}', 5, method => 'mdav'" '5-anonymous' ', k => 5'
keeps "vmdav" "'{age,income}', 5, method => 'vmdav'" '5-anonymous' ', k => 5'
keeps "univariate" "'{income}', 5, method => 'univariate'" '5-anonymous' ', k => 5'
keeps "psensitive" "'{age,income}', 5, method => 'psensitive', p => 2, sensitive => '{illness}'" '5-anonymous, 2-sensitive' ', k => 5, p => 2'
for method in incognito mingen datafly argus topdown; do
  keeps "$method" "'{age,city}', 5, method => '$method', $LABELS, spec => anon_spec(max_suppression => 0.1)" '5-anonymous' ', k => 5'
done
keeps "recursive diversity" "'{age,income}', 5, l => 2, c => 3, sensitive => '{illness}'" \
  '5-anonymous, recursively diverse with c = 3' ', k => 5, l => 2, c => 3'
keeps "(k,e)-anonymity" "'{age,income}', 5, e => 20, sensitive => '{share}'" '5-anonymous, (k,e)-anonymous with e = 20' ', k => 5, e => 20'
keeps "a mean risk" "'{age,income}', 5, spec => anon_spec(risk_mean => 0.1)" '5-anonymous, of mean risk 0.1' ', k => 5, risk_mean => 0.1'
keeps "withheld values" "'{age,income}', 5, transparent => true, l => 2, sensitive => '{illness}'" '5-anonymous, 2-diverse' ', k => 5, l => 2'
keeps "persons, who are in one part each" "'{age,city}', 5, unit => '{person}', keep => '{person}'" \
  '5-anonymous, of dominance 0.5 in persons' ", k => 5, unit => '{person}'"
keeps "only categories" "'{city,job}', 5" '5-anonymous' ', k => 5'
keeps "t-closeness to the whole table" "'{age,income}', 5, t => 0.4, sensitive => '{illness}'" '5-anonymous, 0.4-close' ', k => 5, t => 0.4'
keeps "t-closeness of codes, with nulls" "'{age,born}', 5, method => 'tclose', t => 0.5, sensitive => '{feels}', spec => anon_spec(categories => '{feels}')" \
  '5-anonymous, 0.5-close' ", k => 5, t => 0.5, categories => '{feels}'"
keeps "weights" "'{age,income}', 5, weights => '{2,1}'" '5-anonymous' ', k => 5'

# ---- what cannot be combined is refused by name, before any work -----------------------------------
refused() { like "refused: $1" "$(published r "$2")$(value "SELECT 'left' FROM pg_class WHERE relname LIKE 'r\\_%'")" "$3"; }
refused "t of numbers" "'{age}', 5, sensitive => '{income}', t => 0.3" '^ERROR:  0A000: .* cannot have t of ordered values: income$'
refused "t of persons" "'{age}', 5, sensitive => '{illness}', t => 0.3, unit => '{person}'" 'cannot have t together with unit'
refused "n" "'{age}', 5, sensitive => '{illness}', t => 0.3, spec => anon_spec(n => 50)" 'cannot have n$'
refused "beta-likeness" "'{age}', 5, sensitive => '{illness}', spec => anon_spec(beta => 2)" 'cannot have beta$'
refused "delta-disclosure" "'{age}', 5, sensitive => '{illness}', spec => anon_spec(delta => 2)" 'cannot have delta$'
refused "swapping" "'{age}', 5, recode => 'swap'" "cannot have recode 'swap'$"
refused "a secret seed" "'{age}', 5, spec => anon_spec(secret_seed => true)" 'cannot have secret_seed$'
refused "aggregates" "'{age,income}', 5, method => 'aggregate'" "cannot have .*method 'aggregate'$|cannot have .*$"
refused "histories of persons" "'{age}', 5, unit => '{person}', spec => anon_spec(unit_rows => 'together')" 'cannot have unit_rows$'
refused "persons of another column" "'{age}', 5, unit => '{note}'" 'not distributed by a column of unit$'
refused "hierarchies of one server" "'{age,city}', 5, hierarchies => '{\"city\": {\"table\": \"here\"}}'" 'does not exist$'
value 'CREATE TABLE here AS TABLE cities'
refused "hierarchies of one server's table" "'{age,city}', 5, hierarchies => '{\"city\": {\"table\": \"here\"}}'" 'not every server has the hierarchies of public.here$'
refused "a role that does not exist" "'{age}', 5, grant_to => '{nobody_here}'" '42704: grant_to names a role that does not exist$'
refused "nulls of k" "'{age}'" 'k must not be null$'
like "refused: a table of one server" "$(value "CALL anon_publish_distributed('r', 'here', '{city}', 5)")" '42809: public.here is not distributed by a column'
like "refused: a transaction block" "$(value "BEGIN; CALL anon_publish_distributed('r', 'people', '{age}', 5)")" '2D000: invalid transaction termination'
is "of tables nothing is left" "$(value "SELECT count(*) FROM pg_class WHERE relname LIKE 'r\\_%'")" 0
value 'CREATE ROLE guest LOGIN; GRANT SELECT ON people TO guest; GRANT CREATE ON SCHEMA public TO guest'
value 'CREATE POLICY own ON people TO guest USING (age > 30)'
value 'ALTER TABLE people ENABLE ROW LEVEL SECURITY'
like "refused: policies for rows" "$(PGUSER=guest value "CALL anon_publish_distributed('r', 'people', '{age}', 5)")" 'has policies for rows'
value 'ALTER TABLE people DISABLE ROW LEVEL SECURITY'
value 'DROP POLICY own ON people'
is "a role without more rights than it needs publishes" "$(PGUSER=guest published g "'{age,income}', 5, l => 2, sensitive => '{illness}'")" '3000|5-anonymous, 2-diverse'
is "and owns what it made" "$(value "SELECT string_agg(DISTINCT relowner::regrole::text, ' ') FROM pg_class WHERE relname IN ('g', 'g_rows_1', 'g_companion')")" guest
value 'ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO guest'
published d "'{age,income}', 5" >/dev/null
like "default privileges give no reader" "$(PGUSER=guest value 'SELECT count(*) FROM d')" 'permission denied'

# ---- names, and tables of few rows ---------------------------------------------------------------------
LONG=$(printf 'x%.0s' {1..50})
value "CREATE SCHEMA \"My Schema\"; CREATE TABLE \"My Schema\".\"The Trips\" (id int, \"A b\" int, \"quo\"\"ted\" text, km float8)"
value "SELECT create_distributed_table('\"My Schema\".\"The Trips\"', 'id');
  INSERT INTO \"My Schema\".\"The Trips\" SELECT i, i % 4, 'it''s ' || i % 2, i FROM generate_series(1, 12) AS i" >/dev/null
is "any names serve" "$(value "CALL anon_publish_distributed('\"My Schema\".\"The \"\"Public\"\" $LONG\"', '\"My Schema\".\"The Trips\"',
  ARRAY['A b', 'quo\"ted'], 3, keep => '{km}')")$(value "SELECT count(*) FROM \"My Schema\".\"The \"\"Public\"\" $LONG\"")" 12
is "and a refresh finds them" "$(value "CALL anon_refresh_distributed('\"My Schema\".\"The \"\"Public\"\" $LONG\"')")" ""
is "a search_path with hostile functions changes nothing" "$(value "CREATE SCHEMA hostile;
  CREATE FUNCTION hostile.format(text, VARIADIC text[]) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''hostile''; END';
  CREATE FUNCTION hostile.current_schema() RETURNS name LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''hostile''; END';
  CREATE DOMAIN hostile.regclass AS int; CREATE DOMAIN hostile.bool AS text CHECK (false)")$(PGOPTIONS='-c search_path=hostile,pg_catalog,public' value \
    "CALL public.anon_publish_distributed('public.calm_path', 'public.people'::pg_catalog.regclass, '{age,income}', 5, part_rows => 1500)")$(value 'SELECT count(*) FROM calm_path')" 3000
value 'CREATE TABLE nobody (id int, age int)'
value "SELECT create_distributed_table('nobody', 'id')" >/dev/null
like "no rows are an error" "$(value "CALL anon_publish_distributed('r', 'nobody', '{age}', 5)")" 'public.nobody has no rows'
value "INSERT INTO nobody SELECT 1, i FROM generate_series(1, 6) AS i"
is "shards without rows are none" "$(value "CALL anon_publish_distributed('few', 'nobody', '{age}', 3)")$(value 'SELECT count(*) FROM few')" 6
like "fewer rows than k are an error" "$(value "CALL anon_publish_distributed('fewer', 'nobody', '{age}', 9)")" '23514: the release was not made'

# ---- promises that parts cannot keep ----------------------------------------------------------------
# Below 30 everybody has one illness: the parts of the young join others.
value "CREATE TABLE skewed (id int, age int, illness text)"
value "SELECT create_distributed_table('skewed', 'id');
  INSERT INTO skewed SELECT i, i % 60, CASE WHEN i % 60 < 30 THEN 'flu' ELSE 'i' || i % 7 END FROM generate_series(1, 2400) AS i" >/dev/null
value "CALL anon_publish_distributed('joined', 'skewed', '{age}', 5, l => 2, sensitive => '{illness}', part_rows => 400)"
is "a part that cannot keep a promise joins its neighbour" "$(value "SELECT rows, promises FROM anon_releases WHERE release = 'joined'::regclass")" \
  '2400|5-anonymous, 2-diverse'
is "no row is lost or written twice" "$(value "SELECT count(*), count(DISTINCT illness) FROM joined")" '2400|8'
like "what all parts together cannot keep is an error" \
  "$(value "CALL anon_publish_distributed('never', 'skewed', '{age}', 5, l => 9, sensitive => '{illness}', part_rows => 400)")" \
  'ERROR:  23514: the release was not made: distinct l-diversity cannot be had'
is "and no release" "$(value "SELECT to_regclass('never') IS NULL")" t
value "CALL anon_publish_distributed('never', 'skewed', '{age}', 5, l => 3, sensitive => '{illness}', part_rows => 400)"
is "another call begins anew" "$(value 'SELECT count(*) FROM never')" 2400
is "and leaves nothing" "$(value "SELECT count(*) FROM pg_class WHERE relname LIKE 'never\\_parts%' OR relname LIKE 'never\\_state%'")" 0

# ---- servers that fail --------------------------------------------------------------------------------
CALL="CALL anon_publish_distributed('hard', 'people', '{age,income,born}', 5, l => 2, sensitive => '{illness}', part_rows => 300)"
on_worker() { PGHOST=${NODES[0]} value "$1"; }
break_worker() { on_worker "ALTER FUNCTION anonkit_distributed_part(regclass, regclass, int, jsonb) RENAME TO anon_broken"; }
mend_worker() { on_worker "ALTER FUNCTION anon_broken(regclass, regclass, int, jsonb) RENAME TO anonkit_distributed_part"; }
# stop_worker MODE, start_worker
stop_worker() { local CLUSTER_DIR=${NODES[0]} && pg pg_ctl stop -w -D "$CLUSTER_DIR/data" -m "$1" >/dev/null; }
start_worker() { local CLUSTER_DIR=${NODES[0]} && run_server; }
formed() { value "SELECT count(*) FILTER (WHERE formed) FROM hard_state WHERE part > 0"; }
tasks() { value "SELECT count(*) FROM hard_state WHERE part > 0"; }

# A worker whose extension is broken.
break_worker
failed=$(value "$CALL")
like "a part that fails is named, with its server" "$failed" "ERROR:  38000: part [0-9]+ was not formed on server ${NODES[0]}"
like "with the reason" "$failed" 'DETAIL:  .*anonkit_distributed_part.* does not exist'
like "and the way on" "$failed" 'HINT:  The same call forms the [0-9]+ of [0-9]+ parts that are missing'
is "nothing is published" "$(value "SELECT to_regclass('hard') IS NULL")" t
first=$(formed)
like "the other server's part is kept" "$first" '^[1-9]'
mend_worker
like "another session is told" "$(value "BEGIN; SELECT FROM hard_state WHERE part = 0 FOR UPDATE; SELECT pg_sleep(2)" >/dev/null &
  sleep 0.7; value "$CALL"; wait)" '55P03: another session makes this release'

# A worker that dies, and comes back.
(value "$CALL" >"$CLUSTER_DIR/call" 2>&1) &
for _ in {1..300}; do [ "$(formed)" -le "$first" ] || break; sleep 0.05; done
stop_worker immediate
wait
like "a dead worker is an error that says what" "$(cat "$CLUSTER_DIR/call")" 'ERROR: .*(was not formed on server|connection)'
is "nothing is published" "$(value "SELECT to_regclass('hard') IS NULL")" t
kept=$(formed)
like "while it is down, the call fails again" "$(value "$CALL")" 'ERROR: .*(was not formed on server|connection)'
start_worker
like "parts that were formed are kept" "$kept of $(tasks)" '^[1-9][0-9]* of [0-9]+$'

# A worker whose files cannot grow, as on a full disk.
value "CREATE TABLE wide (id int, age int, note text); ALTER TABLE wide ALTER note SET STORAGE EXTERNAL"
value "SELECT create_distributed_table('wide', 'id');
  INSERT INTO wide SELECT i, i % 50, repeat(md5(i::text), 200) FROM generate_series(1, 8000) AS i" >/dev/null
WIDE="CALL anon_publish_distributed('narrow', 'wide', '{age}', 5, keep => '{note}', part_rows => 4000)"
stop_worker fast
(ulimit -f 18000 && start_worker)
like "a full disk is an error" "$(value "$WIDE")" 'ERROR: .*(could not (extend|write)|File too large)'
is "and no release" "$(value "SELECT to_regclass('narrow') IS NULL")" t
stop_worker fast
start_worker
is "with room again, the same call publishes" "$(value "$WIDE")$(value "SELECT count(*) FROM narrow")" 8000

# A shard that moves between two calls, and a session that is cancelled.
like "a cancelled call keeps what it has" "$(PGOPTIONS='-c statement_timeout=150ms' value "$CALL")" '57014: canceling statement'
moved=$(value "SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'block_writes')
  FROM citus_shards AS s, citus_get_active_worker_nodes() AS a, pg_dist_node AS n
  WHERE s.table_name = 'hard_parts'::regclass AND n.nodename = a.node_name AND n.nodename <> s.nodename ORDER BY s.shardid LIMIT 1")
is "a shard moves to the other worker" "$moved" ""
is "the same call goes on, and publishes" "$(value "$CALL")" ""
is "every row" "$(value 'SELECT count(*) FROM hard')" 3000
is "with its promises" "$(value "SELECT anon_assert('hard', k => 5, l => 2)")" ""
is "and leaves nothing of the steps" "$(value "SELECT count(*) FROM pg_class WHERE relname IN ('hard_parts', 'hard_state')")" 0
like "a finished release is not made twice" "$(value "$CALL")" '42P07: relation "hard" already exists'
published hard_again "'{age,income,born}', 5, l => 2, sensitive => '{illness}'" >/dev/null
value "SELECT anon_drop('hard_again')" >/dev/null
value "${CALL/hard/calm}"
digest() { value "SELECT md5(string_agg(x::text, chr(10) ORDER BY x::text)) FROM (TABLE $1) AS x"; }
is "its rows are those of a call without failures" "$(digest hard)" "$(digest calm)"

# ---- readers during a refresh ---------------------------------------------------------------------------
value "INSERT INTO people SELECT * FROM people WHERE age > 40"
after=$(value 'SELECT count(*) FROM people')
(value "CALL anon_refresh_distributed('hard')" >"$CLUSTER_DIR/call" 2>&1) &
counts=
while jobs -r | grep -q refresh_distributed; do counts+="$(value 'SELECT count(*) FROM hard') "; done
wait
is "the refresh succeeds" "$(cat "$CLUSTER_DIR/call")" ""
is "a reader sees one whole version" "$(tr ' ' '\n' <<<"$counts $(value 'SELECT count(*) FROM hard')" | grep . | sort -nu | tr '\n' ' ')" "3000 $after "
like "a refresh by function is refused" "$(value "SELECT anon_refresh('hard')")" "HINT:  CALL anon_refresh_distributed"
like "a report has the statement" "$(value "SELECT anon_report('hard')")" 'CALL public.anon_publish_distributed\(&#39;public.hard&#39;'
# remote STATEMENT: what workers are asked of the published rows, once each, without the names of shards.
remote() {
  value "SET citus.log_remote_commands = on; SET client_min_messages = notice; $1" 2>&1 | grep -aE '^NOTICE: .* issuing SELECT.*hard_rows' |
    sed -E 's/^NOTICE: .* issuing //; s/_[0-9]{5,}//g; s/\{.*//' | sort -u
}
for statement in "FROM anon_audit('hard', '{age,income,born}', '{illness}')" "anon_report('hard')" "FROM anon_risk('hard', '{age,income,born}')" \
  "anon_assert('hard', '{age,income,born}', '{illness}', l => 2)"; do
  is "workers count rows: $statement" "$(remote "SELECT $statement" | grep -vc 'GROUP BY')" 0
  like "and are asked" "$(remote "SELECT $statement")" 'GROUP BY'
done
value "CREATE TABLE copied AS TABLE hard" >/dev/null
is "levels are those of the rows" "$(value "SELECT model, attribute, level FROM anon_audit('hard', '{age,income,born}', '{illness}')")" \
  "$(value "SELECT model, attribute, level FROM anon_audit('copied', '{age,income,born}', '{illness}')")"

# ---- the source's columns in another order --------------------------------------------------------------
columns() { value "SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'hard'::regclass AND attnum > 0"; }
before="$(columns) $(value "SELECT max(upper(age)) < 150 FROM hard")"
value 'ALTER TABLE people ADD years int' -c 'UPDATE people SET years = age' -c 'ALTER TABLE people DROP age' -c 'ALTER TABLE people RENAME years TO age'
is "a column that was dropped and added again is refreshed" "$(value "CALL anon_refresh_distributed('hard')")" ""
is "in its place" "$(columns) $(value "SELECT max(upper(age)) < 150 FROM hard")" "$before"

# ---- jobs ---------------------------------------------------------------------------------------------
JOB="CALL anon_refresh_job('hard')"
runs() { value "SELECT string_agg(concat_ws(' ', run, status, sqlstate, rows, message), ';' ORDER BY run) FROM anon_history('hard')"; }
is "a job refreshes" "$(value "$JOB")$(runs)" "1 success $after"
value "INSERT INTO people SELECT * FROM people WHERE age > 70"
now=$(value 'SELECT count(*) FROM people')
break_worker
failed=$(value "$JOB")
like "a job that fails names the part and the server" "$failed" "ERROR:  38000: part [0-9]+ was not formed on server ${NODES[0]}"
is "and no reason of the server's" "$(grep -c anonkit_distributed_part <<<"$failed")" 0
like "it is in the history" "$(runs)" "^1 success $after;2 failure 38000 part [0-9]+ was not formed on server [^ ;]*$"
is "readers keep the last version" "$(value 'SELECT count(*) FROM hard')" "$after"
mend_worker
like "a job that is cancelled is in the history" "$(PGOPTIONS='-c statement_timeout=50ms' value "$JOB")$(runs)" '57014.*;3 failure 57014 query canceled'
is "the next job goes on" "$(value "$JOB")$(runs | tr ';' '\n' | tail -n 1)" "4 success $now"
is "readers see its rows" "$(value 'SELECT count(*) FROM hard')" "$now"
is "lists tell of both" "$(value "SELECT last_success > last_failure FROM anon_releases WHERE release = 'hard'::regclass")" t
like "only the owner runs it" "$(PGUSER=guest value "$JOB")" '42501: only the owner of a release can run its job'
like "a job inside a transaction is refused" "$(value "BEGIN; $JOB")" 'cannot run inside a transaction block'
like "rights on other servers are not withdrawn" "$(value "CALL anon_refresh_job('hard', on_failure => 'withdraw')")" \
  "0A000: release \"hard\" is distributed, and cannot have on_failure 'withdraw'"
like "nor by a schedule" "$(value "SELECT anon_schedule('hard', '15 3 * * *', 'withdraw')")" '0A000: release "hard" is distributed'
line=$(value "SELECT anon_schedule('hard', '15 3 * * *')" | sed -n 's/^HINT: .*: 15 3 \* \* \* //p')
like "a schedule is a line for crontab" "$line" '^psql .*anon_refresh_job'
is "which runs" "$(PGOPTIONS='-c client_min_messages=warning' bash -c "$line" 2>&1)$(runs | tr ';' '\n' | tail -n 1)" "5 success $now"
is "a drop leaves nothing" "$(value "SELECT anon_drop('hard')")$(value "SELECT count(*) FROM pg_class WHERE relname LIKE 'hard%'")" 0
done_testing
