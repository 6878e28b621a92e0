#!/bin/bash
# The price of swapping: releases of ROWS rows (1,000,000) with four quasi-identifiers and a sensitive column, k = 5, by means and by
# swapping, alternately in one run. Prints the processor seconds and the seconds of the clock of each publication, and of anon_assert_swap,
# which is a part of a publication by swapping.
#
#   bench/swap.sh [ROWS [METHOD [ROUNDS]]]
set -euo pipefail
cd "$(dirname "$0")/.."
for part in say packages extension cluster; do . "scripts/$part.sh"; done
need_packages demo
build_extension || exit
start_cluster "work_mem = 256MB" "anonkit.max_memory = 4GB"
rows=${1:-1000000} method=${2:-mdav}
sql() { psql -X -q -At -v ON_ERROR_STOP=1 "$@"; }
sql <<SQL
CREATE EXTENSION anonkit;
SELECT setseed(0.5) AS ignored \gset
CREATE TABLE people AS SELECT i AS id, 20 + (60 * random())::int AS age, (1000 * random())::int AS score,
  (100000 * random() * random())::int AS pay, (365 * random())::int AS days, 'v' || (10 * random())::int AS s
  FROM generate_series(1, $rows) AS i;
ANALYZE people;
CREATE FUNCTION processor() RETURNS float8 LANGUAGE sql AS \$\$ SELECT (split_part(stat, ' ', 14)::int +
  split_part(stat, ' ', 15)::int) / 100.0 FROM pg_read_file('/proc/self/stat') AS stat \$\$;
SQL

# timed NAME STATEMENT: a line of processor seconds and seconds.
timed() {
  sql <<SQL
SET client_min_messages = warning;
SELECT processor() AS before, clock_timestamp() AS start \gset
$2 \g /dev/null
SELECT format('%-28s %8s %8s', '$1', round((processor() - :before)::numeric, 2), round(extract(epoch FROM clock_timestamp() - :'start')::numeric, 2));
SQL
}

printf '%-28s %8s %8s\n' "$rows rows, $method" processor clock
for ((round = 1; round <= ${3:-2}; round++)); do
  for recode in centroid swap; do
    timed "publish, $recode" "SELECT FROM anon_publish('r_$recode$round', 'people', '{age,score,pay,days}', 5, method => '$method', sensitive => '{s}', recode => '$recode', beside => 'ignore')"
  done
  timed "anon_assert_swap" "SELECT anon_assert_swap('r_swap$round')"
done
