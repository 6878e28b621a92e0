#!/bin/bash
# A release over two workers of Citus: the statements of the guide, its readers, its plans, and its rows beside those of
# one server.
. test/t/with_citus.sh
is "two workers" "$(value 'SELECT count(*) FROM citus_get_active_worker_nodes()')" 2

# ---- the guide ------------------------------------------------------------------------------------
page=$(mktemp)
sed -n '/^```pgsql/,/^```$/{/^```/!p}' docs/guide/servers.md >"$page"
status=0
output=$(psql -X -q -At -v ON_ERROR_STOP=1 -f "$page" 2>&1) || status=$?
rm "$page"
report "$status" "the statements of docs/guide/servers.md run" "$output"
like "the release keeps its promises" "$(grep -m 1 '|' <<<"$output")" '^20000\|[0-9]+\|5\|0\.00[0-9]+\|5-anonymous, 2-diverse$'
is "a refresh publishes the new rows, and so does a job" "$(grep -E '^(success\|)?21000$' <<<"$output")" $'21000\nsuccess|21000'
is "an audit finds the promises kept" "$(value "SELECT anon_assert('trips_public', k => 5, l => 2)")" ""
is "nothing is left of the steps" \
  "$(value "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relkind IN ('r', 'v') AND relname LIKE 'trips_public%'")" \
  'trips_public trips_public_companion trips_public_rows_3'

# ---- readers --------------------------------------------------------------------------------------
as_reader() { PGUSER=analyst value "$1" 2>&1; }
is "a reader who owns nothing reads the release" "$(as_reader 'SELECT count(*) FROM trips_public')" 21000
like "and no number of a part" "$(as_reader 'SELECT anon_part FROM trips_public_rows_3')" 'permission denied'
like "nor the figures" "$(as_reader 'SELECT * FROM trips_public_companion')" 'permission denied'
is "or in lists" "$(as_reader "SELECT loss IS NULL AND dm IS NULL FROM anon_releases WHERE release = 'trips_public'::regclass")" t
like "nobody else refreshes it" "$(as_reader "CALL anon_refresh_distributed('trips_public')")" '42501: must be owner'
like "or drops it" "$(as_reader "SELECT anon_drop('trips_public')")" '42501: must be owner'

# ---- what crosses the wire ------------------------------------------------------------------------
explained() {
  psql -X -q -At -c "LOAD 'auto_explain'" -c 'SET auto_explain.log_min_duration = 0' -c 'SET auto_explain.log_nested_statements = on' \
    -c 'SET client_min_messages = log' -c "$1" 2>&1
}
plans=$(explained "CALL anon_publish_distributed('explained', 'trips', '{age,km}', 5, part_rows => 2500, l => 2, sensitive => '{purpose}',
  alpha => 0.7, spec => anon_spec(entropy_l => 1.5))")
is "rows move to their parts from worker to worker" "$(grep -c 'INSERT/SELECT method: repartition' <<<"$plans")" 1
is "no step pulls rows to the coordinator" "$(grep -cE 'pull(ed)? to coordinator' <<<"$plans")" 0
is "a sum of all rows is a task for each shard" "$(grep -A 40 'Query Text: SELECT coalesce(sum(n), 0) AS rows' <<<"$plans" |
  grep -m 1 'Task Count' | tr -dc 0-9)" "$(value "SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = 'explained_rows_1'::regclass")"
is "each part has a shard of its own" "$(value "SELECT count(*) = count(DISTINCT get_shard_id_for_distribution_column('explained_rows_1', anon_part))
  FROM (SELECT DISTINCT anon_part FROM explained_rows_1) AS p")" t
is "and each worker has some" "$(value "SELECT count(DISTINCT nodename) FROM citus_shards WHERE table_name = 'explained_rows_1'::regclass")" 2

# ---- beside one server ----------------------------------------------------------------------------
value 'CREATE TABLE trips_here AS TABLE trips'
digest() { value "SELECT md5(string_agg(x::text, chr(10) ORDER BY x::text)) FROM ($1) AS x"; }
value "CALL anon_publish_distributed('in_one', 'trips', '{age,km}', 5, keep => '{purpose}')"
value "SELECT FROM anon_publish('here', 'trips_here', '{age,km}', 5, keep => '{purpose}')"
is "one part is the release of one server" "$(digest 'TABLE in_one')" "$(digest 'TABLE here')"
is "with its loss" "$(value "SELECT round(loss::numeric, 6) FROM anon_releases WHERE release = 'in_one'::regclass")" \
  "$(value "SELECT round(loss::numeric, 6) FROM anon_releases WHERE release = 'here'::regclass")"
value "CREATE TABLE shuffled (LIKE trips)"
value "SELECT create_distributed_table('shuffled', 'km', shard_count => 3); INSERT INTO shuffled SELECT * FROM trips_here ORDER BY md5(id::text)" >/dev/null
value "CALL anon_publish_distributed('parts', 'trips', '{age,km}', 5, keep => '{purpose}', part_rows => 4000)"
value "CALL anon_publish_distributed('parts_again', 'shuffled', '{age,km}', 5, keep => '{purpose}', part_rows => 4000)"
is "other places and another order of the rows change nothing" "$(digest 'TABLE parts_again')" "$(digest 'TABLE parts')"
value "CALL anon_publish_distributed('known', 'trips', '{age,km}', 5, keep => '{id}', part_rows => 4000)"
is "the loss is that of the published cells" "$(value "SELECT round(loss::numeric, 7) FROM anon_releases WHERE release = 'known'::regclass")" \
  "$(value "CREATE TABLE known_here AS TABLE known;
    SELECT round((100 * (sum((t.age - p.age) ^ 2) / max(s.age) + sum((t.km - p.km) ^ 2) / max(s.km)) / 2 / (count(*) - 1))::numeric, 7)
    FROM trips_here AS t JOIN known_here AS p USING (id), (SELECT var_samp(age) AS age, var_samp(km) AS km FROM trips_here) AS s")"

# ---- blocks by hand ---------------------------------------------------------------------------------
is "cuts of a distributed table are those of the same rows on one server" \
  "$(value "SELECT anon_blocks('trips', '{age,km}', 1250)")" "$(value "SELECT anon_blocks('trips_here', '{age,km}', 1250)")"
is "rows of a distributed source have no place of one heap" \
  "$(value "SELECT count(source) FROM anon_mdav('trips', '{age,km}', 5)")" 0
is "the coordinator does not know what is written on the workers" \
  "$(value "SELECT FROM anon_publish('plain', 'trips', '{age,km}', 5)" >/dev/null;
    value "SELECT current, changes FROM anon_releases WHERE release = 'plain'::regclass")" '|'
done_testing
