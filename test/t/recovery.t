#!/bin/bash
# Events of a server, in a separate cluster: backends killed during a refresh, a restore by several
# jobs, a standby, pg_upgrade. Releases survive unchanged, and can be refreshed.
. test/t/tap.sh
. scripts/say.sh
. scripts/cluster.sh
# Rows committed before a kill must survive it.
start_cluster "synchronous_commit = on" "wal_level = replica" "max_wal_senders = 4" "max_prepared_transactions = 2" "log_min_messages = fatal"
standby=
leave() {
  [ -z "$standby" ] || pg pg_ctl stop -w -D "$standby" -m immediate >/dev/null 2>&1
  stop_cluster
}
trap leave EXIT
bindir=$("$PG_CONFIG" --bindir)

fresh_database recovery_t
value "CREATE ROLE t_ward LOGIN; GRANT CREATE ON SCHEMA public TO t_ward;
  CREATE TABLE people AS SELECT i AS id, i % 50 AS age, i * 7 % 101 AS pay, CASE WHEN i % 4 = 0 THEN 'north' ELSE 'south' END AS ward
  FROM generate_series(1, 400) AS i;
  ALTER TABLE people ENABLE ROW LEVEL SECURITY; CREATE POLICY north ON people TO t_ward USING (ward = 'north'); GRANT SELECT ON people TO t_ward;
  CREATE VIEW slow AS SELECT id, age, pay FROM people, LATERAL (SELECT pg_sleep(0.01 + id * 0)) AS waited"
# A session counts its writes when it ends, which may be after the next one has begun.
counted() { [ "$(value "SELECT pg_stat_get_tuples_inserted('people'::regclass)")" != 0 ]; }
eventually counted
value "SELECT anon_publish('numbers', 'people', '{age,pay}', 5, keep => '{id}');
  SELECT anon_publish('sums', 'people', '{age,pay}', 5, method => 'aggregate');
  SELECT anon_publish('again', 'numbers', '{age,pay}', 10, sensitive => '{id}', params => '{\"p\": 3}');
  SELECT anon_publish('waiting', 'slow', '{age,pay}', 5)" >/dev/null
value "SELECT anon_publish('north', 'people', '{age,pay}', 5, keep => '{ward}')" -U t_ward >/dev/null
releases="numbers sums again waiting north"
content() {
  local release
  for release in $releases; do value "SELECT '$release', count(*), md5(string_agg(r::text, chr(10) ORDER BY r::text)) FROM $release AS r"; done
  value 'SELECT release, source, spec, rows, classes, smallest_class, built FROM anon_releases ORDER BY release::text'
}
before=$(content)
is "five releases" "$(wc -l <<<"$before")" 10
is "all current" "$(value 'SELECT bool_and(current) FROM anon_releases')" t

# A backend that is killed takes the server down, which comes up again by itself.
answers() { [ "$(value 'SELECT 1')" = 1 ]; }
server_is_up() { eventually answers; }
find_victim() {
  pid=$(value "SELECT pid FROM pg_stat_activity WHERE query LIKE '%waiting%' AND pid <> pg_backend_pid() AND state = 'active'")
  [[ $pid =~ ^[0-9]+$ ]]
}
kill_during() {
  local pid
  value "$1" >/dev/null &
  eventually find_victim
  sleep "$2"
  as_cluster_user kill -9 "$pid"
  wait
}
for delay in 0.2 1 2; do
  kill_during "SELECT anon_refresh('waiting')" $delay
  ok "killed after $delay s of a refresh: the server is back" server_is_up
  is "killed after $delay s: every release as it was" "$(content)" "$before"
done
kill_during "SELECT anon_publish('unborn', 'slow', '{age}', 5, keep => '{id}') /* waiting */" 0.5
ok "killed while it publishes: the server is back" server_is_up
is "nothing is published" "$(value "SELECT to_regclass('unborn') IS NULL, count(*) FROM anon_releases")" 't|5'
is "and a refresh works" "$(value "SELECT rows FROM anon_refresh('numbers')")" 400
before=$(content)

# A refresh by two-phase commit: a crash between the phases loses nothing.
value "SELECT anon_publish('versions', 'people', '{age,pay}', 5, key => '{id}')" >/dev/null
value "BEGIN; INSERT INTO people SELECT i, i % 50, i * 7 % 101, 'north' FROM generate_series(401, 500) AS i;
  SELECT anon_refresh('versions'); SELECT anon_refresh('sums'); PREPARE TRANSACTION 'night'" >/dev/null
restart_cluster immediate
is "prepared, a version is not seen" "$(value "SELECT (SELECT count(*) FROM versions), (SELECT rows FROM anon_release_info('versions'))")" '400|400'
like "and readers wait for other new rows, also after a crash" "$(value "SET lock_timeout = 1; SELECT count(*) FROM sums")" '55P03'
value "COMMIT PREPARED 'night'" >/dev/null
is "until they are committed" "$(value "SELECT (SELECT count(*) FROM sums), (SELECT rows FROM anon_release_info('sums')),
  (SELECT count(*) > 400 FROM versions), (SELECT rows > 400 FROM anon_release_info('versions'))")" '500|500|t|t'
value "DELETE FROM people WHERE id > 400; SELECT anon_refresh('sums'); SELECT anon_drop('versions')" >/dev/null
before=$(content)

# Several jobs restore. A release of a release waits for the other; a policy for the owner wants --enable-row-security.
scratch=$PGHOST/scratch
as_cluster_user mkdir "$scratch"
ok "dumped" pg pg_dump -Fd -j 2 -f "$scratch/dump" recovery_t
value 'CREATE DATABASE restored'
PGDATABASE=restored
ok "restored by two jobs" pg pg_restore --exit-on-error --enable-row-security -j 2 -d restored "$scratch/dump"
is "every release as it was" "$(content)" "$before"
is "known to be built otherwise" "$(value 'SELECT bool_or(current) FROM anon_releases')" f
is "and refreshed" "$(value "SELECT rows FROM anon_refresh('again')")" 400
PGDATABASE=recovery_t
value 'CREATE DATABASE half_restored'
like "without --enable-row-security" "$(pg pg_restore -j 2 -d half_restored "$scratch/dump" 2>&1)" \
  'query would be affected by row-level security policy for table "people"'
is "only the release of that role is empty" "$(PGDATABASE=half_restored value "SELECT string_agg(relname, ',') FROM pg_class
  WHERE relkind = 'm' AND NOT relispopulated")" north
value 'DROP DATABASE half_restored'
value 'DROP DATABASE restored'

# A standby reads and audits, and refuses all writing functions clearly.
standby=$PGHOST/standby
ok "a standby" pg pg_basebackup -h "$PGHOST" -U postgres -D "$standby" -R -c fast
echo "port = 5433" | as_cluster_user tee -a "$standby/postgresql.conf" >/dev/null
ok "starts" pg pg_ctl start -w -D "$standby" -l "$standby/log"
on_standby() { PGPORT=5433 value "$@"; }
is "it is in recovery" "$(on_standby 'SELECT pg_is_in_recovery()')" t
is "it has every release" "$(PGPORT=5433 content)" "$before"
is "they are as they were built; a standby counts no changes" "$(on_standby 'SELECT bool_and(NOT rebuilt AND changes IS NULL) FROM anon_releases WHERE release IN (
  SELECT r FROM unnest(ARRAY['"'numbers', 'sums'"']::regclass[]) AS r)')" t
is "it asserts" "$(on_standby "SELECT anon_assert('numbers', '{age,pay}', k => 5)")" ''
is "it audits" "$(on_standby "SELECT level >= 5 FROM anon_audit('numbers', '{age,pay}') WHERE model = 'k-anonymity'")" t
is "it looks" "$(on_standby "SELECT count(*) FROM anon_mdav('people', '{age,pay}', 5)")" 400
is "it evaluates" "$(on_standby "SELECT value FROM anon_evaluate('people', '{age,pay}', 5) WHERE measure = 'rows'")" 400
like "it does not publish" "$(on_standby "SELECT anon_publish('new', 'people', '{age}', 5)")" '25006: cannot execute anon_publish\(\) during recovery'
like "it does not refresh" "$(on_standby "SELECT anon_refresh('numbers')")" '25006: cannot execute anon_refresh\(\) during recovery'
like "it does not drop" "$(on_standby "SELECT anon_drop('numbers')")" '25006: cannot execute anon_drop\(\) during recovery'
value "SELECT anon_publish('copied', 'people', '{age,pay}', 5, key => '{id}')" >/dev/null
is "what is refreshed arrives" "$(value "DELETE FROM people WHERE id > 390; SELECT rows FROM anon_refresh('numbers')")" 390
arrived() { [ "$(on_standby 'SELECT count(*) FROM numbers')" = 390 ]; }
eventually arrived
is "with its figures" "$(on_standby "SELECT rows, rebuilt FROM anon_release_info('numbers')")" '390|f'
ok "it is promoted" pg pg_ctl promote -w -D "$standby"
is "and refreshes" "$(on_standby "SELECT rows FROM anon_refresh('sums')")" 390
refreshed_copy="SET client_min_messages = notice; SELECT rows > 300 FROM anon_refresh('copied')"
like "where a release over time is a copy" "$(on_standby "$refreshed_copy")" 'state of release "copied" was restored or cloned'
is "which it is not where it was made" "$(value "$refreshed_copy" | grep -cE 'restored or cloned|^t$')" 1
value "SELECT anon_drop('copied')" >/dev/null
pg pg_ctl stop -w -D "$standby" -m immediate >/dev/null
standby=

# pg_upgrade: from this version to this version, if no other is installed.
if [ -x "$bindir/pg_upgrade" ]; then
  before=$(content)
  rebuilt=$(value 'SELECT release, rebuilt FROM anon_releases ORDER BY 1::text')
  pg pg_ctl stop -w -D "$CLUSTER_DIR/data" >/dev/null
  pg initdb -D "$CLUSTER_DIR/upgraded" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync >/dev/null
  upgrade() { cd "$scratch" && as_cluster_user env -u PGHOST bash -c "cd '$scratch' && exec '$bindir/pg_upgrade' -U postgres -b '$bindir' -B '$bindir' -d '$CLUSTER_DIR/data' -D '$CLUSTER_DIR/upgraded' -s '$scratch'"; }
  ok "pg_upgrade" upgrade
  grep -vE '^(wal_level|max_wal_senders)' "$CLUSTER_DIR/data/postgresql.conf" | tail -n 12 |
    as_cluster_user tee -a "$CLUSTER_DIR/upgraded/postgresql.conf" >/dev/null
  as_cluster_user mv "$CLUSTER_DIR/data" "$CLUSTER_DIR/old"
  as_cluster_user mv "$CLUSTER_DIR/upgraded" "$CLUSTER_DIR/data"
  ok "the upgraded cluster starts" run_server
  is "every release as it was" "$(content)" "$before"
  is "by whom it was" "$(value 'SELECT release, rebuilt FROM anon_releases ORDER BY 1::text')" "$rebuilt"
  is "a refresh works" "$(value "SELECT rows FROM anon_refresh('sums')")" 390
else
  ok "pg_upgrade # SKIP $bindir has none" true
fi
done_testing
