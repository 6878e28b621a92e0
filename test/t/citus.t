#!/bin/bash
# Blocks over the workers of Citus: the guide's path gives the release of one server, and every step
# runs where the rows are.
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
is "two workers" "$(value 'SELECT count(*) FROM citus_get_active_worker_nodes()')" 2

# explained: every step's plan before the step itself.
explained() {
  awk '/^(INSERT INTO (blocks|classes|trips_public)|SELECT min\(size\))/ { step = "" ; within = 1 }
    within { step = step $0 "\n" } !within { print }
    within && /;$/ { printf "EXPLAIN (COSTS off) %s%s", step, step; within = 0 }'
}
page=$(mktemp)
{ sed -n '/^```pgsql/,/^```$/{/^```/!p}' docs/guide/servers.md | explained
  printf "CREATE TABLE division AS SELECT :'cuts'::jsonb AS cuts, :'scales'::float8[] AS scales;\n"
} >"$page"
status=0
output=$(psql -X -q -At -v ON_ERROR_STOP=1 -f "$page" 2>&1) || status=$?
rm "$page"
report "$status" "the statements of docs/guide/servers.md run" "$output"
is "every step runs in a task for each shard" "$(grep -c '  Task Count: 8' <<<"$output")" 4
is "rows move to their blocks from worker to worker" "$(grep -c 'INSERT/SELECT method: repartition' <<<"$output")" 1
is "no step pulls rows to the coordinator" "$(grep -cE 'pull(ed)? to coordinator|Distributed Subplan' <<<"$output")" 0

digest() { value "SELECT md5(string_agg(x::text, chr(10) ORDER BY x::text)) FROM ($1) AS x"; }
value "CREATE TABLE blocks_here AS TABLE blocks;
  CREATE TABLE classes_here AS SELECT *, anon_microaggregate_class(5, scales, 'error', age, km) OVER (PARTITION BY block) AS class
  FROM blocks_here, division;
  CREATE TABLE public_here AS SELECT round(avg(age) OVER class)::int AS age, round(avg(km) OVER class, 2) AS km, purpose, block
  FROM classes_here WINDOW class AS (PARTITION BY block, class)"
is "the workers publish what one server publishes" "$(digest 'TABLE trips_public')" "$(digest 'TABLE public_here')"
is "every row is published" "$(value 'SELECT count(*) FROM trips_release')" 20000
is "workers place rows" "$(value "SELECT count(*) FROM blocks, division WHERE anon_block(cuts, age, km) <> block")" 0
is "a GROUP BY on the workers has the levels of anon_audit" \
  "$(grep -E '^[0-9.]+\|[0-9.]+\|[0-9.]+$' <<<"$output" | tr '|' '\n' | xargs printf '%.6f\n')" \
  "$(value "SELECT level FROM anon_audit('trips_public', '{age,km}', '{purpose}')
    WHERE model IN ('k-anonymity', 'distinct l-diversity', 't-closeness')" | xargs printf '%.6f\n')"
is "audits of the shards have its k" "$(grep '^k-anonymity|' <<<"$output" | cut -d'|' -f3)" \
  "$(value "SELECT level FROM anon_audit('trips_public', '{age,km}') WHERE model = 'k-anonymity'")"
is "cuts of a distributed table are those of the same rows on one server" \
  "$(value "SELECT anon_blocks('blocks', '{age,km}', 1250)")" "$(value "SELECT anon_blocks('blocks_here', '{age,km}', 1250)")"
is "rows of a distributed source have no place of one heap" \
  "$(value "SELECT count(source) FROM anon_mdav('blocks', '{age,km}', 5)")" 0
value 'CREATE ROLE reader LOGIN'
as_reader() { PGUSER=reader value "$1" 2>&1; }
is "a reader who owns nothing reads the release" "$(as_reader 'SELECT count(*) FROM trips_release')" 20000
is "and no block" "$(as_reader 'SELECT count(block) FROM trips_public' | grep -c 'permission denied')" 1
is "nor the classes" "$(as_reader 'SELECT count(*) FROM classes' | grep -c 'permission denied')" 1
done_testing
