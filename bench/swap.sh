#!/bin/bash
# The price of swapping: releases of ROWS rows (1,000,000) with four quasi-identifiers and a sensitive column, k = 5, by means and by
# swapping, alternately in one run. Prints the processor seconds of each publication, and of anon_assert_swap, which is a part of a
# publication by swapping. For METHOD mondrian also strict Mondrian's ranges, and a grid with coins.
#
#   bench/swap.sh [ROWS [METHOD [ROUNDS]]]
set -euo pipefail
cd "$(dirname "$0")/.."
for part in say packages extension cluster; do . "scripts/$part.sh"; done
. bench/tables.sh
need_packages demo
build_extension
start_cluster "work_mem = 256MB" "anonkit.max_memory = 4GB"
create_extension
rows=${1:-1000000} method=${2:-mdav}
query -c 'SELECT setseed(0.5)' -c "CREATE TABLE people AS SELECT i AS id, 20 + (60 * random())::int AS age, (1000 * random())::int AS score,
  (100000 * random() * random())::int AS pay, (365 * random())::int AS days, 'v' || (10 * random())::int AS s
  FROM generate_series(1, $rows) AS i" -c 'ANALYZE people' >/dev/null

printf '%-28s %8s\n' "$rows rows, $method" processor
timed() { printf '%-28s %8s\n' "$1" "$(processor "$2")"; }
for ((round = 1; round <= ${3:-2}; round++)); do
  while read -r recode parameters; do
    timed "publish, $recode" "SELECT FROM anon_publish('r_$recode$round', 'people', '{age,score,pay,days}', 5, method => '$method', sensitive => '{s}', params => '$parameters', beside => 'ignore')"
  done < <(printf '%s\n' 'means {}' 'swap {"recode": "swap"}'
    [ "$method" != mondrian ] || printf '%s\n' 'ranges {"recode": "range"}' 'grid {"algorithm": "grid"}')
  timed "anon_assert_swap" "SELECT anon_assert_swap('r_swap$round')"
done
