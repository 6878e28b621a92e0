#!/bin/bash
# Long work can be cancelled, and is refused if it would need more memory than anonkit.max_memory; test/cancel/run
# measures every function. No time is asserted: the calls would take minutes.
. test/t/tap.sh
fresh_database cancel_t >/dev/null
value "CREATE TABLE distinct_values AS SELECT i AS id, i * 1.5::float8 AS x, 'c' || i AS c, 's' || i AS s FROM generate_series(1, 150000) i" >/dev/null
value "DO \$\$ BEGIN EXECUTE (SELECT format('CREATE TABLE wide AS SELECT %s FROM generate_series(1, 30000) i',
  string_agg(format('(hashint4(i * %s) & 3) AS q%s', j, j), ', ')) FROM generate_series(1, 30) j); END \$\$" >/dev/null

value "CREATE TABLE few AS SELECT i::float8 AS x, 's' || i AS s FROM generate_series(1, 40) i" >/dev/null
# No column tells records apart, so that each halving of the columns reads all of them.
value "DO \$\$ BEGIN EXECUTE (SELECT format('CREATE TABLE constants AS SELECT %s FROM generate_series(1, 40000) i',
  string_agg(format('(i %% 2 = 0) AS q%s', j), ', ')) FROM generate_series(1, 1500) j); END \$\$" >/dev/null

# cancelled NAME CALL, refused NAME CALL
cancelled() { like "$1 is cancelled" "$(value "SET statement_timeout = '1s'; SELECT count(*) FROM $2")" '^ERROR:  57014'; }
refused() { like "$1 refuses memory" "$(value "SET anonkit.max_memory = '24MB'; SELECT count(*) FROM $2")" '^ERROR:  53400'; }

cancelled anon_infer "anon_infer('distinct_values', 'distinct_values', '{c}', '{s}')"
cancelled anon_utility "anon_utility('distinct_values', 'distinct_values', '{x,c}', queries => 1000000)"
value "SELECT FROM anon_publish('swapped', 'distinct_values', '{x}', 5, 'mdav', sensitive => '{s}', recode => 'swap', class_column => 'class')" >/dev/null
like "anon_assert_swap is cancelled" "$(value "SET statement_timeout = '50ms'; SELECT anon_assert_swap('swapped')")" '^ERROR:  57014'
refused anon_assert_swap "anon_assert_swap('swapped')"
cancelled anon_risk "anon_risk('wide', '{$(seq -s, -f 'q%g' 1 30)}', largest_set => 5)"
# Thousands of patterns of suppressed cells.
value "CREATE VIEW blanked AS SELECT $(for j in $(seq 1 14); do printf '%snullif(q%d, 0) AS q%d' "${comma-}" "$j" "$j"; comma=', '; done) FROM wide" >/dev/null
cancelled "anon_audit with wildcards" "anon_audit('blanked', '{$(seq -s, -f 'q%g' 1 14)}', wildcards => true)"
value "CREATE TABLE persons AS SELECT i AS id FROM generate_series(1, 50) i; CREATE TABLE visits AS SELECT i % 50 + 1 AS id, i AS x
  FROM generate_series(1, 100000) i" >/dev/null
set='{"persons": {"key": ["id"]}, "visits": {"qi": ["x"], "parent": "persons", "parent_key": ["id"]}}'
cancelled anon_audit_set "anon_audit_set('public', '$set', largest_m => 2)"
refused anon_audit_set "anon_audit_set('public', '$set', largest_m => 2)"
value "CREATE TABLE events AS SELECT 1 + (hashint4(i) & 65535) AS id, hashint4(-i)::float8 AS x FROM generate_series(1, 1000000) i" >/dev/null
linked='{"distinct_values": {"qi": ["x", "c"], "key": ["id"]}, "events": {"qi": ["x"], "parent": "distinct_values", "parent_key": ["id"]}}'
cancelled anon_publish_set "anon_publish_set('made', '$linked', k => 2)"
refused anon_publish_set "anon_publish_set('made', '$linked', k => 2)"
value "CREATE TABLE bodies AS SELECT * FROM distinct_values WHERE id <= 9; CREATE TABLE deeds AS SELECT * FROM events WHERE id <= 9;
  SELECT anon_publish_set('grown', replace(replace('$linked', 'events', 'deeds'), 'distinct_values', 'bodies')::jsonb, k => 2);
  INSERT INTO bodies SELECT * FROM distinct_values WHERE id > 9; INSERT INTO deeds SELECT * FROM events WHERE id > 9" >/dev/null
cancelled anon_refresh_set "anon_refresh_set('grown')"
refused anon_refresh_set "anon_refresh_set('grown')"
refused "anon_audit_set with many rows a person" "anon_audit_set('public', '$set')"
refused anon_infer "anon_infer('distinct_values', 'distinct_values', '{c}', '{s}')"
refused anon_linkage "anon_linkage('distinct_values', 'distinct_values', '{x,c}')"
refused anon_utility "anon_utility('distinct_values', 'distinct_values', '{x,c}')"
refused anon_audit_versions "anon_audit_versions('{distinct_values,distinct_values}', '{x}', '{s}', '{id}')"
refused anon_risk "anon_risk('wide', '{$(seq -s, -f 'q%g' 1 30)}', largest_set => 8)"
for call in "anon_audit('distinct_values', '{x}', '{s}')" "anon_assert('distinct_values', '{x}', '{s}', k => 1, p => 1)" \
  "anon_risk('distinct_values', '{x,c}', '{s}', largest_set => 0)" "anon_capacity('distinct_values', '{s}', 2)" \
  "anon_profile('distinct_values')" "anon_replay('distinct_values', '{x}', 3, sensitive => '{s}')"; do
  refused "${call%%(*}" "$call"
done
refused "anon_audit with a population" "anon_audit('distinct_values', '{x}', population => 'distinct_values')"
like "the audit of aggregates refuses memory" "$(value "SET anonkit.max_memory = '8MB';
  SELECT count(*) FROM anon_audit('distinct_values', '{x,id}', functions => '{sum}')")" '^ERROR:  53400'
answer=$(value "SET anonkit.max_memory = '24MB'; SELECT count(*) FROM anon_audit('distinct_values', '{x}', '{s}')")
like "the way out is one of an audit" "$answer" 'HINT:  Raise anonkit.max_memory, or measure a view of fewer rows or columns.'
is "no audit is refused that has room" "$(value "SET anonkit.max_memory = '64MB'; SELECT count(*) > 0 FROM anon_audit('distinct_values', '{x}', '{s}')")" t
like "a replay counts the two releases that it compares" "$(value "SET anonkit.max_memory = '48MB';
  SELECT count(*) FROM anon_replay('distinct_values', '{x}', 3, sensitive => '{s}')")" '^ERROR:  53400'
like "and the arrangements that it tries" "$(value "SET anonkit.max_memory = '48MB';
  SELECT count(*) FROM anon_replay('few', '{x}', 20, sensitive => '{s}', arrangements => 2000000000)")" '^ERROR:  53200: the arrangements of a class need too much memory'
cancelled anon_replay "anon_replay('few', '{x}', 20, sensitive => '{s}', arrangements => 1000000)"
value "ALTER TABLE distinct_values ADD night int DEFAULT 1; UPDATE distinct_values SET night = 2 WHERE id % 50 = 7" >/dev/null
nights="sensitive => '{s}', key => '{id}', arrivals => 'night'"
cancelled "anon_replay of arrivals" "anon_replay('distinct_values', '{x}', 3, $nights)"
refused "anon_replay of arrivals" "anon_replay('distinct_values', '{x}', 3, $nights)"
cancelled anon_replay_qi "anon_replay_qi('distinct_values', '{x}', 3)"
refused anon_replay_qi "anon_replay_qi('distinct_values', '{x}', 3)"
cancelled anon_explore "anon_explore('distinct_values', '{x,c}')"
refused anon_explore "anon_explore('distinct_values', '{x,id,c}', '{3}', '{mdav}', sensitive => '{s}')"
cancelled anon_profile "anon_profile('constants')"
done_testing
