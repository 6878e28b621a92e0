#!/bin/bash
# The steps of a distributed release one by one: what the proof refuses, what other roles can do between two steps, and
# what they can read on the workers.
. test/t/tap.sh
. scripts/say.sh
. scripts/cluster.sh
. scripts/citus.sh
if ! has_citus; then
  printf 'ok %d - Citus # skip it is not installed: ./test.sh citus builds it\n' $((++TESTS))
  done_testing
  exit
fi
start_citus
on_worker() { PGHOST=${NODES[0]} value "$@"; }
value 'CREATE TABLE people (id int, age int, n int, label text, share int, illness text)'
value "SELECT create_distributed_table('people', 'id');
  INSERT INTO people SELECT i, 18 + i * i % 67, i * 7 % 50, 'l' || i % 5, i % 2, 'ill' || i * i % 11 FROM generate_series(1, 2000) AS i" >/dev/null

# begins NAME OPTIONS [LAYOUT]; steps NAME STEP takes the steps before this one; step NAME takes the next.
begins() {
  value "SELECT FROM anonkit_distributed_begin('public', '$1', 'people', anonkit_distributed_options(tbl => 'people', $2),
    '{\"part_rows\": 600, \"sample\": 1000, \"parallel\": 2${3:-}}', '{}', 1)"
}
step() { value "SELECT anonkit_distributed_step('$1_state')" | sed '/^CONTEXT\|^LOCATION\|^PL/d'; }
steps() { while [ "$(value "SELECT facts ->> 'step' FROM $1_state WHERE part = 0")" != "$2" ]; do step "$1"; done; }
give_up() { value "DROP TABLE $1_state, $1_parts, $1_rows_1"; }

# ---- the proof --------------------------------------------------------------------------------------
# Rows that changed after the workers audited them.
for promise in 'l => 2' 'alpha => 0.9' "spec => anon_spec(entropy_l => 1.5)" "method => 'psensitive', p => 2" 't => 0.6'; do
  begins judged "qi => '{age,n,label,share}', k => 5, sensitive => '{illness}', ${promise/t => 0.6/method => \'tclose\', t => 0.6}"
  steps judged prove >/dev/null
  value "UPDATE judged_rows_1 AS r SET illness = 'ill1' FROM (SELECT anon_part, age, n, label, share FROM judged_rows_1 ORDER BY 1, 2, 3, 4, 5 LIMIT 1) AS c
    WHERE (r.anon_part, r.age, r.n, r.label, r.share) = (c.anon_part, c.age, c.n, c.label, c.share)"
  like "the proof measures $promise" "$(step judged)" '23514: the release was not made: .*column "illness" is not kept'
  give_up judged
done
begins judged "qi => '{age,n,label,share}', k => 5, sensitive => '{illness}', l => 2"
steps judged show >/dev/null
is "rows as the workers wrote them keep their promises, whatever their columns are called" "$(value "SELECT facts ->> 'step' FROM judged_state WHERE part = 0")" show
give_up judged
done_testing
