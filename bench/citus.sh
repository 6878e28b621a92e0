#!/bin/bash
# anon_publish_distributed over two workers of Citus, beside anon_publish of the same rows on one server:
# ./bench/citus.sh [ROWS...], 10,000,000 by default. PART_ROWS (5000000) is the size of a part, WHAT the kinds
# of releases ("numbers mixed"). Prints losses and seconds, of the clock and of processors, and the clock of each step. With
# ALONE=no nothing is published on one server. All servers run on this machine,
# in throwaway clusters, and share its processors; one server works in one thread, or in THREADS.
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
PART_ROWS=${PART_ROWS:-5000000} WHAT=${WHAT:-numbers mixed} THREADS=${THREADS:-1} ALONE=${ALONE:-yes}

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

# measured NAME STATEMENT: a row of the table.
measured() {
  local before after clock
  before=$(all_processors)
  clock=$(seconds "$2")
  after=$(all_processors)
  printf '%-34s %9s %9.1f %11s %9s\n' "$1" "$clock" "$(awk "BEGIN { print $after - $before }")" \
    "$(query -c "SELECT coalesce(round(ncp::numeric, 4), round(loss::numeric, 5)) FROM anon_releases WHERE release = 'made'::regclass")" \
    "$(query -c "SELECT smallest_class FROM anon_releases WHERE release = 'made'::regclass")"
  query -c "SELECT anon_drop('made')" >/dev/null
}

# steps: the seconds of each step since the last call.
steps() {
  query -c "SELECT string_agg(format('%s %s s', replace(funcname, 'anonkit_distributed_', ''), round(total_time::numeric / 1000, 1)), ', '
      ORDER BY array_position('{spread,form,prove,show}', replace(funcname, 'anonkit_distributed_', '')))
    FROM pg_stat_user_functions WHERE funcname ~ '_distributed_(spread|form|prove|show)\$'" -c 'SELECT pg_stat_reset()' | head -n 1
}

# compare NAME TABLE ARGUMENTS: on one server and on the workers, by turns.
compare() {
  query >/dev/null <<SQL
CREATE TABLE spread (LIKE $2);
SELECT create_distributed_table('spread', 'id');
INSERT INTO spread TABLE $2;
SQL
  export PGOPTIONS="-c client_min_messages=warning -c anonkit.threads=$THREADS -c max_parallel_workers_per_gather=0"
  [ "$ALONE" = no ] || measured "$1: one server" "SELECT FROM anon_publish('made', '$2', $3, beside => 'ignore')"
  unset PGOPTIONS
  measured "$1: two workers" "CALL anon_publish_distributed('made', 'spread', $3, part_rows => $PART_ROWS)"
  note "$(steps)"
  query -c 'DROP TABLE spread'
}

start_citus 'work_mem = 64MB' 'anonkit.max_memory = 8GB' 'max_wal_size = 4GB' 'track_functions = pl' 'client_min_messages = warning' "anonkit.threads = 1"
[ $# -gt 0 ] || set -- 10000000
for rows in "$@"; do
  say "$rows rows, k = 5, parts of $PART_ROWS"
  printf '%-34s %9s %9s %11s %9s\n' release clock processor "loss or ncp" smallest
  for what in $WHAT; do
    case $what in
      numbers)
        make_table people "$rows" 2
        compare "2 numbers, means" people "'{c1,c2}', 5"
        ;;
      mixed)
        make_mixed people "$rows"
        compare "6 mixed, ranges, l = 3" people \
          "'{age,hours,sex,work,marital,region}', 5, recode => 'range', l => 3, sensitive => '{diagnosis}'"
        ;;
    esac
    query -c 'DROP TABLE people'
  done
done
