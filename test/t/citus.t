#!/bin/bash
# Blocks over the workers of Citus: the guide's path gives the release of one server, and every step
# runs where the rows are.
. test/t/tap.sh
if [ ! -e "$("${PG_CONFIG:-pg_config}" --pkglibdir)/citus.so" ]; then
  printf 'ok %d - Citus # skip it is not installed\n' $((++TESTS))
  done_testing
  exit
fi
. scripts/say.sh
. scripts/cluster.sh

# A coordinator and two workers, each in a cluster of its own, known to each other by their sockets.
nodes=()
stop_nodes() { for CLUSTER_DIR in "${nodes[@]}"; do stop_cluster; done; }
for node in 1 2 coordinator; do
  start_cluster 'shared_preload_libraries = citus' 'citus.shard_count = 8' 'max_connections = 60'
  nodes+=("$CLUSTER_DIR")
  trap stop_nodes EXIT
  value 'CREATE EXTENSION citus; CREATE EXTENSION anonkit'
done
value "SELECT citus_set_coordinator_host('${nodes[2]}', 5432); SELECT citus_add_node('${nodes[0]}', 5432);
  SELECT citus_add_node('${nodes[1]}', 5432)" >/dev/null
is "two workers" "$(value 'SELECT count(*) FROM citus_get_active_worker_nodes()')" 2

value "CREATE TABLE trips AS SELECT i AS id, 18 + i * i % 67 AS age, i * 7919 % 20011 AS km, i % 7 % 4 AS purpose
  FROM generate_series(1, 20000) AS i"
cuts=$(value "SELECT anon_blocks('trips', '{age,km}', 1250)")
scales=$(value 'SELECT ARRAY[stddev(age), stddev(km)]::float8[] FROM trips')
classes_of() {
  printf "SELECT id, age, km, purpose, block, anon_microaggregate_class(5, '%s'::float8[], 'error', age, km) OVER (PARTITION BY block) AS class FROM %s" \
    "$scales" "$1"
}
masked_of() {
  printf 'SELECT block, avg(age) OVER class AS age, avg(km) OVER class AS km, purpose FROM %s WINDOW class AS (PARTITION BY block, class)' "$1"
}
digest() { value "SELECT md5(string_agg(x::text, chr(10) ORDER BY x::text)) FROM ($1) AS x"; }

value "CREATE TABLE blocks_here AS SELECT trips.*, anon_block('$cuts', age, km) AS block FROM trips;
  CREATE TABLE masked_here AS $(masked_of "($(classes_of blocks_here)) AS c");
  CREATE TABLE blocks (LIKE blocks_here);
  CREATE TABLE classes (id int, age int, km int, purpose int, block int, class int);
  CREATE TABLE masked (LIKE masked_here);
  SELECT create_distributed_table('blocks', 'block');
  SELECT create_distributed_table('classes', 'block');
  SELECT create_distributed_table('masked', 'block')" >/dev/null
is "rows are distributed" "$(value "INSERT INTO blocks TABLE blocks_here; SELECT count(*) FROM blocks")" 20000

# on_workers NAME STATEMENT: the plan pulls no row to the coordinator, and the statement succeeds.
on_workers() {
  local plan
  plan=$(value "EXPLAIN (COSTS off) $2")
  like "$1: runs on the workers" "$plan" 'Task Count: 8'
  is "$1: pulls no rows" "$(grep -cE 'pulled to coordinator|Distributed Subplan' <<<"$plan")" 0
  is "$1: succeeds" "$(value "$2")" ""
}
on_workers "forming classes" "INSERT INTO classes $(classes_of blocks)"
on_workers "recoding" "INSERT INTO masked $(masked_of classes)"
is "the workers publish what one server publishes" "$(digest 'TABLE masked')" "$(digest 'TABLE masked_here')"
is "classes can be counted on the workers" "$(value 'SELECT min(rows) >= 5 FROM
  (SELECT count(*) AS rows FROM masked GROUP BY block, age, km) AS classes')" t
is "anon_audit reads a distributed table" "$(value "SELECT level >= 5 FROM anon_audit('masked', '{age,km}') WHERE model = 'k-anonymity'")" t
is "a distributed table is a source" "$(value "SELECT anon_blocks('blocks', '{age,km}', 1250)")" "$cuts"
is "whose rows have no place of one heap" "$(value "SELECT count(source) FROM anon_mdav('blocks', '{age,km}', 5)")" 0
is "workers place rows" "$(value "SELECT count(*) FROM blocks WHERE anon_block('$cuts', age, km) <> block")" 0
done_testing
