#!/bin/bash
# Blocks divide a table among workers, sessions and servers, and every division of the work gives
# one result.
. test/t/tap.sh
fresh_database blocks_t
value "CREATE TABLE trips AS SELECT i AS id, 18 + i * i % 67 AS age, i * 7919 % 20011 AS km, i % 7 % 4 AS purpose
    FROM generate_series(1, 20000) AS i;
  CREATE TABLE division AS SELECT anon_blocks('trips', '{age,km}', 2500) AS cuts,
    ARRAY[stddev(age), stddev(km)]::float8[] AS scales FROM trips;
  ANALYZE trips"
cuts=$(value 'SELECT cuts FROM division')
scales=$(value 'SELECT scales FROM division')

# classes_of RELATION: statement that forms classes block by block.
classes_of() {
  printf "SELECT id, age, km, purpose, block, anon_microaggregate_class(5, '%s'::float8[], 'error', age, km) OVER (PARTITION BY block) AS class FROM %s" \
    "$scales" "$1"
}
# masked_of RELATION: statement that recodes them.
masked_of() {
  printf 'SELECT avg(age) OVER class AS age, avg(km) OVER class AS km, purpose FROM %s WINDOW class AS (PARTITION BY block, class)' "$1"
}
digest() { value "SELECT md5(string_agg(x::text, chr(10) ORDER BY x::text)) FROM ($1) AS x"; }

# ---- one server ----------------------------------------------------------------------------------
value "CREATE TABLE blocks AS SELECT trips.*, anon_block('$cuts', age, km) AS block FROM trips;
  CREATE TABLE classes AS $(classes_of blocks);
  CREATE TABLE masked AS $(masked_of classes)"
is "the table has eight blocks" "$(value 'SELECT count(DISTINCT block) FROM blocks')" 8
is "the masked table is k-anonymous" "$(value "SELECT anon_assert('masked', '{age,km}', k => 5)")" ""
whole=$(digest 'TABLE masked')

parallel='SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
  SET max_parallel_workers_per_gather = 2'
like "workers place rows" "$(value "$parallel; EXPLAIN SELECT block, anon_block('$cuts', age, km) FROM blocks")" 'Gather'
is "into the blocks of the leader" "$(value "$parallel;
  SELECT count(*) FROM blocks WHERE anon_block('$cuts', age, km) <> block")" 0

value 'CREATE TABLE classes_2 (LIKE classes)'
for share in 0 1 2; do
  value "INSERT INTO classes_2 $(classes_of "blocks WHERE block % 3 = $share")" &
done
wait
is "sessions that share the blocks form the classes of one" "$(value 'SELECT count(*) FROM
  ((TABLE classes EXCEPT TABLE classes_2) UNION ALL (TABLE classes_2 EXCEPT TABLE classes)) AS d')" 0

# ---- rights --------------------------------------------------------------------------------------
value 'DROP ROLE IF EXISTS t_blocks' >/dev/null
value 'CREATE ROLE t_blocks LOGIN; GRANT SELECT ON blocks TO t_blocks; ALTER TABLE blocks ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own ON blocks TO t_blocks USING (block <= 4)'
like "anon_blocks needs SELECT" "$(value "SELECT anon_blocks('trips', '{age,km}')" -U t_blocks)" '42501: permission denied'
is "and sees the rows of the caller" "$(value "SELECT anon_blocks('blocks', '{age,km}', 2500)" -U t_blocks)" \
  "$(value "CREATE VIEW some_blocks AS SELECT * FROM blocks WHERE block <= 4; SELECT anon_blocks('some_blocks', '{age,km}', 2500)")"
# A name may not reach the query as anything but a name.
value "CREATE TABLE odd AS SELECT i AS \"x\"\", pg_sleep(9)--\" FROM generate_series(1, 8) AS i"
is "a column's name is a name" "$(value "SELECT anon_blocks('odd', ARRAY['x\", pg_sleep(9)--'], 4) -> 'cuts' -> 'at'")" 4.5

# ---- several servers: postgres_fdw -----------------------------------------------------------------
fdw=$(value "SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'")
if [ "$fdw" = 1 ]; then
  value "CREATE EXTENSION postgres_fdw; CREATE TABLE spread (LIKE blocks) PARTITION BY LIST (block)"
  for node in 1 2; do
    (fresh_database "blocks_node_$node" && value 'CREATE TABLE blocks (id int, age int, km int, purpose int, block int)') >/dev/null
    value "CREATE SERVER node_$node FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$PGHOST', dbname 'blocks_node_$node');
      CREATE USER MAPPING FOR CURRENT_USER SERVER node_$node;
      CREATE FOREIGN TABLE spread_$node PARTITION OF spread
        FOR VALUES IN ($(seq -s, "$node" 2 8)) SERVER node_$node OPTIONS (table_name 'blocks', batch_size '1000');
      CREATE FOREIGN TABLE masked_$node (age numeric, km numeric, purpose int) SERVER node_$node OPTIONS (table_name 'masked')"
  done
  value "INSERT INTO spread SELECT trips.*, anon_block('$cuts', age, km) FROM trips;
    CREATE VIEW masked_nodes AS TABLE masked_1 UNION ALL TABLE masked_2"
  for node in 1 2; do
    PGDATABASE=blocks_node_$node value "CREATE MATERIALIZED VIEW masked AS $(masked_of "($(classes_of blocks)) AS c")"
    is "server $node has blocks of its own" \
      "$(PGDATABASE=blocks_node_$node value 'SELECT string_agg(DISTINCT block::text, chr(32) ORDER BY block::text) FROM blocks')" \
      "$(seq -s' ' "$node" 2 8)"
  done
  is "the servers publish together what one publishes" "$(digest 'TABLE masked_nodes')" "$whole"
  is "the first server audits it" "$(value "SELECT anon_assert('masked_nodes', '{age,km}', k => 5)")" ""
  is "the source may be on another server" "$(value "SELECT anon_blocks('spread', '{age,km}', 2500)")" "$cuts"
  is "a window function over foreign tables gives the same classes" "$(digest "$(classes_of spread)")" "$(digest 'TABLE classes')"
  value 'DROP VIEW masked_nodes; DROP EXTENSION postgres_fdw CASCADE'
  for node in 1 2; do value "DROP DATABASE blocks_node_$node WITH (FORCE)"; done
else
  ok "postgres_fdw is not installed # SKIP" true
fi

value 'DROP OWNED BY t_blocks; DROP ROLE t_blocks'
done_testing
