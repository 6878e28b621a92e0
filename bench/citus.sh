#!/bin/bash
# A release by blocks over two workers of Citus, beside the same statements on one server: ./bench/citus.sh [ROWS...],
# 1,000,000 and 10,000,000 by default. Prints the loss and each step's seconds, of the clock and of processors; dies if a
# step pulls rows to the coordinator. All servers run on this machine, in throwaway clusters, and share its processors.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
for part in say packages extension cluster citus; do . "scripts/$part.sh"; done
. bench/tables.sh
need_packages demo
if ! has_citus; then
  PG_CONFIG=$(scripts/build_citus.sh | tail -n 1)
  export PG_CONFIG
fi
build_extension || die "the extension does not build"

# require_pushed STATEMENT: its plan leaves the rows on the workers.
require_pushed() {
  local plan
  plan=$(query -c "EXPLAIN (COSTS off) $1")
  if ! grep -q 'Task Count: 8' <<<"$plan" || grep -qE 'pull(ed)? to coordinator|Distributed Subplan' <<<"$plan"; then
    die "rows are pulled to the coordinator: $plan"
  fi
}

# all_processors: the processor time of all servers so far, of their ended sessions, too.
all_processors() {
  local node postmaster
  sleep 0.5  # until the sessions of the last step have ended
  for node in "${NODES[@]}"; do
    postmaster=$(head -n 1 "$node/data/postmaster.pid")
    awk -v of="$postmaster" '$4 == of { print ($14 + $15) / 100 } $1 == of { print ($16 + $17) / 100 }' \
      /proc/[0-9]*/stat 2>/dev/null || true
  done | awk '{ sum += $1 } END { print sum }'
}

# measure STATEMENT: seconds of the clock and of all processors.
measure() {
  local before
  before=$(all_processors)
  printf ' %9s' "$(seconds "$1")"
  awk -v before="$before" -v after="$(all_processors)" 'BEGIN { printf " %9.2f", after - before }'
}

# step NAME TEMPLATE: a statement for tables whose names end in @, on one server and on the workers.
step() {
  require_pushed "${2//@/_spread}"
  printf '%-28s' "$1"
  measure "${2//@/_here}"
  measure "${2//@/_spread}"
  printf '\n'
}

# loss_of SUFFIX: SSE in % of SST, of the classes in a table.
loss_of() {
  query -c "SELECT round((100 * sum(sse1 / sst1 + sse2 / sst2) / 2)::numeric, 5)
    FROM (SELECT block, var_pop(c1) * count(*) AS sse1, var_pop(c2) * count(*) AS sse2
      FROM classes$1 GROUP BY block, class) AS c,
      (SELECT var_pop(c1) * count(*) AS sst1, var_pop(c2) * count(*) AS sst2 FROM people_here) AS whole"
}

# make_tables ROWS: the source on one server and over the workers, and empty tables for each step.
make_tables() {
  local suffix
  make_table people_here "$1" 2
  for suffix in _here _spread; do
    query <<SQL
CREATE TABLE blocks$suffix (id int, c1 float8, c2 float8, block int);
CREATE TABLE classes$suffix (c1 float8, c2 float8, block int, class int);
CREATE TABLE masked$suffix (c1 float8, c2 float8, block int);
SQL
  done
  query >/dev/null <<SQL
CREATE TABLE people_spread (LIKE people_here);
SELECT create_distributed_table('people_spread', 'id');
SELECT create_distributed_table(t, 'block') FROM unnest('{blocks_spread,classes_spread,masked_spread}'::regclass[]) AS t;
INSERT INTO people_spread TABLE people_here;
CREATE VIEW sample AS SELECT c1, c2 FROM people_spread TABLESAMPLE bernoulli (2) REPEATABLE (1);
SQL
}

# Blocks of about 62,500 rows, which are 1,250 of a sample of 2 %.
run_rows() {
  say "$1 rows x 2, k = 5, the default method in blocks of 62,500: seconds of one server, and of two workers"
  printf '%-28s %9s %9s %9s %9s\n' step one processor workers processor
  make_tables "$1"
  local cuts scales class
  scales=$(query -c "SELECT ARRAY[stddev(c1), stddev(c2)]::float8[] FROM people_spread")
  cuts=$(query -c "SELECT anon_blocks('sample', '{c1,c2}', 1250)")
  class="anon_microaggregate_class(5, '$scales'::float8[], 'error', c1, c2) OVER (PARTITION BY block)"
  step "scales" "SELECT stddev(c1), stddev(c2) FROM people@"
  printf '%-28s %9s %9s' "cuts, from a sample of 2 %" - -
  measure "SELECT anon_blocks('sample', '{c1,c2}', 1250)"
  printf '\n'
  step "a block for each row" \
    "INSERT INTO blocks@ SELECT id, c1, c2, anon_block('$cuts', c1, c2) FROM people@"
  step "classes" "INSERT INTO classes@ SELECT c1, c2, block, $class FROM blocks@"
  step "recoding" "INSERT INTO masked@ SELECT avg(c1) OVER class, avg(c2) OVER class, block FROM classes@
    WINDOW class AS (PARTITION BY block, class)"
  step "counting classes" "SELECT min(rows) FROM (SELECT count(*) AS rows FROM masked@ GROUP BY block, c1, c2) AS c"
  printf '%-28s %9s %9s %9s\n' "loss, SSE in % of SST" "$(loss_of _here)" "" "$(loss_of _spread)"
  note "smallest class: $(query -c "SELECT min(rows) FROM (SELECT count(*) AS rows FROM masked_spread GROUP BY c1, c2) AS c")"
  [ "$1" -gt 1000000 ] || note "loss of one call, not divided: $(query -c 'SET client_min_messages = warning' \
    -c "CREATE TEMP TABLE made AS SELECT FROM anon_publish('whole', 'people_here', '{c1,c2}', 5, params => '{\"block_size\": $1}')" \
    -c "SELECT round(loss::numeric, 5) FROM anon_release_info('whole')")"
  query -c 'DROP TABLE people_here, people_spread, blocks_here, blocks_spread, classes_here, classes_spread, masked_here,
    masked_spread CASCADE' 2>/dev/null
}

start_citus 'work_mem = 64MB' 'max_wal_size = 4GB'
[ $# -gt 0 ] || set -- 1000000 10000000
for rows in "$@"; do run_rows "$rows"; done
