#!/bin/bash
# The readers' wait during a refresh: a reader polls permanently, and its longest wait is printed. A
# table of ROWS rows (1,000,000) and four quasi-identifiers, 1 % new and 1 % gone.
#
#   bench/refresh.sh [ROWS]
set -euo pipefail
cd "$(dirname "$0")/.."
for part in say packages extension cluster; do . "scripts/$part.sh"; done
need_packages demo
build_extension
start_cluster "shared_buffers = 512MB" "work_mem = 256MB" "max_wal_size = 8GB"
rows=${1:-1000000}
sql() { psql -X -q -At -v ON_ERROR_STOP=1 "$@"; }
sql <<SQL
CREATE EXTENSION anonkit;
SELECT setseed(0.5) AS ignored \gset
CREATE TABLE people AS SELECT i AS id, 20 + (60 * random())::int AS age, (100 * random())::int AS score,
  (1000 * random() * random())::int AS pay, (365 * random())::int AS days, 'v' || (10 * random())::int AS s
  FROM generate_series(1, $rows) AS i;
ANALYZE people;
SQL

# polled NAME STATEMENT RELEASE: seconds of the statement, and the longest wait of a reader meanwhile.
polled() {
  local poll=$CLUSTER_DIR/poll.sql
  printf 'SELECT * FROM %s LIMIT 1;\n' "$3" >"$poll"
  chmod o+r "$poll"
  (cd "$CLUSTER_DIR" && exec "$("$PG_CONFIG" --bindir)/pgbench" -n -c 1 -T 100000 -R 200 -l --log-prefix="$CLUSTER_DIR/poll" -f "$poll" "$PGDATABASE") >/dev/null 2>&1 &
  local reader=$! seconds
  sleep 0.5
  seconds=$(sql -c '\timing' -c "$2" | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | awk '{ printf "%.1f", $1 / 1000 }')
  sleep 0.5
  kill "$reader"
  wait "$reader" 2>/dev/null || true
  printf '%-44s %8s s, a reader waited %s ms at most\n' "$1" "$seconds" \
    "$(cat "$CLUSTER_DIR"/poll.* | awk 'NF >= 6 && $3 > most { most = $3 } END { printf "%.1f", most / 1000 }')"
  rm -f "$CLUSTER_DIR"/poll.[0-9]*
}

changes="DELETE FROM people WHERE id % 100 = 7; INSERT INTO people SELECT id + $rows, age, score, pay, days, s FROM people WHERE id % 100 = 8 AND id <= $rows"
sql -c "CREATE TABLE nothing AS SELECT 1"
polled "anon_publish, key" "SELECT FROM anon_publish('keyed', 'people', '{age,score,pay,days}', 5, sensitive => '{s}', method => 'mdav', key => '{id}')" nothing
polled "anon_publish, no key" "SELECT FROM anon_publish('plain', 'people', '{age,score,pay,days}', 5, sensitive => '{s}', keep => '{id}', method => 'mdav')" nothing
sql -c "$changes"
polled "anon_refresh, key" "SELECT FROM anon_refresh('keyed')" keyed
polled "anon_refresh, no key" "SELECT FROM anon_refresh('plain')" plain
sql -c 'CREATE UNIQUE INDEX ON plain (id)'
polled "anon_refresh, no key, concurrently" "SELECT FROM anon_refresh('plain', true)" plain
