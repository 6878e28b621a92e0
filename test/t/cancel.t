#!/bin/bash
# Long work can be cancelled, and is refused if it would need more memory than anonkit.max_memory; test/cancel/run
# measures every function. No time is asserted: the calls would take minutes.
. test/t/tap.sh
fresh_database cancel_t >/dev/null
value "CREATE TABLE distinct_values AS SELECT i AS id, i * 1.5::float8 AS x, 'c' || i AS c, 's' || i AS s FROM generate_series(1, 150000) i" >/dev/null
value "DO \$\$ BEGIN EXECUTE (SELECT format('CREATE TABLE wide AS SELECT %s FROM generate_series(1, 30000) i',
  string_agg(format('(hashint4(i * %s) & 3) AS q%s', j, j), ', ')) FROM generate_series(1, 30) j); END \$\$" >/dev/null

# cancelled NAME CALL, refused NAME CALL
cancelled() { like "$1 is cancelled" "$(value "SET statement_timeout = '1s'; SELECT count(*) FROM $2")" '^ERROR:  57014'; }
refused() { like "$1 refuses memory" "$(value "SET anonkit.max_memory = '24MB'; SELECT count(*) FROM $2")" '^ERROR:  53400'; }

cancelled anon_infer "anon_infer('distinct_values', 'distinct_values', '{c}', '{s}')"
cancelled anon_utility "anon_utility('distinct_values', 'distinct_values', '{x,c}', queries => 1000000)"
cancelled anon_risk "anon_risk('wide', '{$(seq -s, -f 'q%g' 1 30)}', largest_set => 5)"
value "CREATE TABLE persons AS SELECT i AS id FROM generate_series(1, 50) i; CREATE TABLE visits AS SELECT i % 50 + 1 AS id, i AS x
  FROM generate_series(1, 100000) i" >/dev/null
set='{"persons": {"key": ["id"]}, "visits": {"qi": ["x"], "parent": "persons", "parent_key": ["id"]}}'
cancelled anon_audit_set "anon_audit_set('public', '$set', largest_m => 2)"
refused anon_audit_set "anon_audit_set('public', '$set', largest_m => 2)"
refused "anon_audit_set with many rows a person" "anon_audit_set('public', '$set')"
refused anon_infer "anon_infer('distinct_values', 'distinct_values', '{c}', '{s}')"
refused anon_linkage "anon_linkage('distinct_values', 'distinct_values', '{x,c}')"
refused anon_utility "anon_utility('distinct_values', 'distinct_values', '{x,c}')"
refused anon_audit_versions "anon_audit_versions('{distinct_values,distinct_values}', '{x}', '{s}', '{id}')"
refused anon_risk "anon_risk('wide', '{$(seq -s, -f 'q%g' 1 30)}', largest_set => 8)"
done_testing
