#!/bin/bash
# The readers' wait during a refresh of ROWS rows (1,000,000) and four quasi-identifiers, 1 % new and 1 % gone. One
# reader polls the release, another a table without writers. Prints the longest wait of each, and the number of waits
# for a lock of more than 20 ms in the server's log. PostgreSQL's stock settings.
#
#   bench/refresh.sh [ROWS]
set -euo pipefail
cd "$(dirname "$0")/.."
for part in say packages extension cluster; do . "scripts/$part.sh"; done
need_packages demo
build_extension
start_cluster "log_lock_waits = on" "deadlock_timeout = 20ms"
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

# poll NAME RELATION: a reader until the end of its process; a line a statement in NAME.*, microseconds in column 3.
poll() {
  printf 'SELECT * FROM %s LIMIT 1;\n' "$2" >"$CLUSTER_DIR/$1.sql"
  chmod o+r "$CLUSTER_DIR/$1.sql"
  cd "$CLUSTER_DIR"
  exec "$("$PG_CONFIG" --bindir)/pgbench" -n -c 1 -T 100000 -R 200 -l --log-prefix="$1" -f "$1.sql" "$PGDATABASE" >/dev/null 2>&1
}

# longest NAME: the longest time from sending a statement to its answer, in ms, of a reader that has ended.
longest() {
  cat "$CLUSTER_DIR/$1".[0-9]* | awk 'NF == 7 && $3 - $7 > most { most = $3 - $7 } END { printf "%.0f", most / 1000 }'
  rm -f "$CLUSTER_DIR/$1".[0-9]*
}

lock_waits() { grep -c 'still waiting for AccessShareLock' "$CLUSTER_DIR/log" || true; }

# The processor time of this backend so far, in seconds.
sql -c "CREATE FUNCTION processor() RETURNS float8 LANGUAGE sql AS \$\$ SELECT (split_part(stat, ' ', 14)::int +
  split_part(stat, ' ', 15)::int) / 100.0 FROM pg_read_file('/proc/self/stat') AS stat \$\$"

# polled NAME STATEMENT RELEASE: seconds of the statement, of the processor and of the clock, and the waits meanwhile.
polled() {
  local readers=() before seconds
  before=$(lock_waits)
  poll reader "$3" & readers+=("$!")
  poll other nothing & readers+=("$!")
  sleep 0.5
  seconds=$(sql <<<"SELECT processor() AS cpu, clock_timestamp() AS clock \gset
    SET client_min_messages = warning; $2 \g /dev/null
    SELECT format('%9s %8s', round((processor() - :cpu)::numeric, 1), round(extract(epoch FROM clock_timestamp() - :'clock'), 1))")
  sleep 0.5
  kill "${readers[@]}"
  wait "${readers[@]}" 2>/dev/null || true
  printf '%-36s %s %12s %12s %12s\n' "$1" "$seconds" "$(longest reader)" "$(longest other)" $(($(lock_waits) - before))
}

printf '%-36s %9s %8s %12s %12s %12s\n' work processor s 'reader, ms' 'other, ms' 'lock waits'
changes="DELETE FROM people WHERE id % 100 = 7; INSERT INTO people SELECT id + $rows, age, score, pay, days, s FROM people WHERE id % 100 = 8 AND id <= $rows"
sql -c "CREATE TABLE nothing AS SELECT 1"
polled "plain materialized view" "CREATE MATERIALIZED VIEW bare AS SELECT id, age, score, pay, days, s FROM people" nothing
polled "anon_publish, key" "SELECT FROM anon_publish('keyed', 'people', '{age,score,pay,days}', 5, sensitive => '{s}', method => 'mdav', key => '{id}')" nothing
polled "anon_publish, no key" "SELECT FROM anon_publish('plain', 'people', '{age,score,pay,days}', 5, sensitive => '{s}', keep => '{id}', method => 'mdav')" nothing
sql -c "$changes"
polled "anon_refresh, key" "SELECT FROM anon_refresh('keyed')" keyed
polled "anon_refresh, no key" "SELECT FROM anon_refresh('plain')" plain
polled "REFRESH MATERIALIZED VIEW, no key" "REFRESH MATERIALIZED VIEW plain" plain
sql -c 'CREATE UNIQUE INDEX ON plain (id)'
polled "anon_refresh, no key, concurrently" "SELECT FROM anon_refresh('plain', true)" plain
