#!/bin/bash
# The steps of a distributed release one by one: what the proof refuses, what other roles can do between two steps, and
# what they can read on the workers.
. test/t/with_citus.sh
on_worker() { PGHOST=${NODES[0]} PGOPTIONS='-c citus.enable_ddl_propagation=off' value "$@"; }
value 'CREATE TABLE people (id int, age int, n int, label text, share int, illness text)'
value "SELECT create_distributed_table('people', 'id');
  INSERT INTO people SELECT i, 18 + i * i % 67, i * 7 % 50, 'l' || i % 5, i % 2, 'ill' || i * i % 11 FROM generate_series(1, 2000) AS i" >/dev/null

# begins NAME OPTIONS [LAYOUT]; steps NAME STEP takes the steps before this one; step NAME takes the next.
begins() {
  value "SELECT FROM anonkit_distributed_begin('public', '$1', 'people', anonkit_distributed_options(tbl => 'people', $2),
    '{\"part_rows\": 600, \"sample\": 1000, \"parallel\": 2${3:-}}', '{}', 1)"
}
step() { value "SELECT anonkit_distributed_step('$1_state')" | sed '/^CONTEXT\|^LOCATION\|^PL/d'; }
steps() {
  while [ "$(value "SELECT facts ->> 'step' FROM $1_state WHERE part = 0")" != "$2" ]; do [ "$(step "$1")" = t ] || return; done
}
give_up() { value "DROP TABLE $1_state, $1_parts, $1_rows_1"; }

# ---- the proof --------------------------------------------------------------------------------------
# Rows that changed after the workers audited them.
for promise in 'l => 2' 'alpha => 0.9' "spec => anon_spec(entropy_l => 1.5)" "method => 'psensitive', p => 2" 't => 0.6'; do
  begins judged "qi => '{age,n,label,share}', k => 5, sensitive => '{illness}', ${promise/t => 0.6/method => \'tclose\', t => 0.6}"
  steps judged prove
  value "UPDATE judged_rows_1 AS r SET illness = 'ill1' FROM (SELECT anon_part, age, n, label, share FROM judged_rows_1 ORDER BY 1, 2, 3, 4, 5 LIMIT 1) AS c
    WHERE (r.anon_part, r.age, r.n, r.label, r.share) = (c.anon_part, c.age, c.n, c.label, c.share)"
  like "the proof measures $promise" "$(step judged)" '23514: the release was not made: .*column "illness" is not kept'
  give_up judged
done
# proves OPTIONS PROMISE LEVEL: the answer of the proof to rows that were formed with these options, and promise more.
proves() {
  begins judged "qi => '{age,label,share}', k => 5, $1"
  steps judged prove
  value "UPDATE judged_state SET facts = jsonb_set(facts, '{spec,$2}', '$3') WHERE part = 0"
  step judged
  give_up judged
}
ILLNESS="sensitive => '{illness}', l => 2, c => 3" YEARS="sensitive => '{n}', e => 2"
like "the proof measures c" "$(proves "$ILLNESS" c 0.1)" '23514: the release was not made: .*column "illness" is not kept'
is "which is kept" "$(proves "$ILLNESS" c 3)" t
like "the proof measures e" "$(proves "$YEARS" e 49.5)" '23514: the release was not made: .*column "n" is not kept'
is "which is kept" "$(proves "$YEARS" e 2)" t
is "by some columns" "$(proves "sensitive => '{illness,n}', e => 2" e 2)" t
for limit in "risk_mean => 0.15" "risk_above => 0.5, risk_threshold => 0.15" "risk_above => 0.5"; do
  name=${limit%% *}
  like "the proof measures $limit" "$(proves "spec => anon_spec($limit)" "$name" 0.001)" '23514: the release was not made: a limit of the risk is not kept'
  level=${limit#* => }
  is "which is kept" "$(proves "spec => anon_spec($limit)" "$name" "${level%%,*}")" t
done
begins judged "qi => '{age,n,label,share}', k => 5, sensitive => '{illness}', l => 2"
steps judged show
is "rows as the workers wrote them keep their promises, whatever their columns are called" "$(value "SELECT facts ->> 'step' FROM judged_state WHERE part = 0")" show
give_up judged

# ---- readers on the workers -------------------------------------------------------------------------
value 'CREATE ROLE reader LOGIN; CREATE ROLE owner LOGIN; GRANT CREATE ON SCHEMA public TO owner; GRANT SELECT ON people TO owner' >/dev/null
for node in "${NODES[@]}"; do PGHOST=$node value 'ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT SELECT ON TABLES TO reader, PUBLIC'; done
as_owner() { PGUSER=owner "$@"; }
# shards TABLE: privileges of others on its shards of one worker, and how many it has there.
shards() {
  on_worker "SET citus.show_shards_for_app_name_prefixes = '*';
    SELECT count(granted.grantee), count(DISTINCT c.oid) > 0 FROM pg_class AS c LEFT JOIN aclexplode(c.relacl) AS granted ON granted.grantee <> c.relowner
    WHERE c.relname ~ '^$1_[0-9]+$'"
}
as_owner begins shown "qi => '{age,n}', k => 5, keep => '{illness}'"
as_owner steps shown move
like "default privileges of a worker are those of new shards" "$(shards shown_parts)" '^[1-9][0-9]*\|t$'
as_owner step shown >/dev/null
is "before a row is copied they are revoked" "$(value 'SELECT count(*) FROM shown_parts') $(shards shown_parts) $(shards shown_rows_1)" '2000 0|t 0|t'
shard=$(on_worker "SET citus.show_shards_for_app_name_prefixes = '*'; SELECT relname FROM pg_class WHERE relname ~ '^shown_parts_[0-9]+$' LIMIT 1")
like "a reader of all tables of the role cannot read a part" "$(PGHOST=${NODES[0]} PGUSER=reader value "TABLE $shard")" '^ERROR:  42501: permission denied for table shown_parts'
as_owner steps shown show
as_owner step shown >/dev/null
is "nor the rows of the release" "$(shards shown_rows_1)" '0|t'
like "nor by way of the worker" "$(PGHOST=${NODES[0]} PGUSER=reader value 'SELECT count(*) FROM shown')" '^ERROR:  42501: permission denied'
as_owner value "SELECT anon_drop('shown')" >/dev/null
on_worker "CREATE FUNCTION grant_again() RETURNS event_trigger LANGUAGE plpgsql AS \$\$ DECLARE shard regclass; BEGIN
    FOR shard IN SELECT oid FROM pg_class WHERE relname ~ '^shown_parts_[0-9]+\$' LOOP EXECUTE format('GRANT SELECT ON %s TO reader', shard); END LOOP; END \$\$;
  CREATE EVENT TRIGGER grant_again ON ddl_command_end WHEN TAG IN ('REVOKE') EXECUTE FUNCTION grant_again()"
as_owner begins shown "qi => '{age,n}', k => 5"
as_owner steps shown move
like "rights that come back are an error" "$(as_owner step shown)" "^ERROR:  38000: tables of parts cannot be made private on server ${NODES[0]}:5432
DETAIL:  ERROR:  a private table has other readers than its owner"
is "and no row is copied" "$(value 'SELECT count(*) FROM shown_parts')" 0
on_worker 'DROP EVENT TRIGGER grant_again; DROP FUNCTION grant_again'
is "without them the call goes on" "$(as_owner step shown)" t
as_owner give_up shown

# ---- sources that are written between two steps ---------------------------------------------------------
begins written "qi => '{age,n}', k => 5, sensitive => '{illness}', l => 2"
steps written move
value "INSERT INTO people SELECT i, i % 90, i % 50, 'l', 1, 'ill' || i % 7 FROM generate_series(2001, 2100) AS i" >/dev/null
steps written show
is "rows that came before the copy are published" "$(step written)$(value 'SELECT count(*) FROM written')" 2100
value "SELECT anon_drop('written')" >/dev/null
begins written "qi => '{age,n}', k => 5"
steps written move
value 'ALTER TABLE people DROP n' -c 'ALTER TABLE people ADD n numeric(8, 3)' >/dev/null
like "columns that changed are an error" "$(step written)" '^ERROR:  55000: columns of public.people have changed since the call began
HINT:  DROP TABLE public.written_state, public.written_parts, public.written_rows_1; and call again\.$'
give_up written
begins written "qi => '{age,share}', k => 5"
steps written form
value 'ALTER TABLE people RENAME TO folk' -c 'TRUNCATE folk'
steps written show
is "a source that is renamed and emptied after the copy changes nothing" "$(step written)$(value 'SELECT count(*) FROM written')" 2100
value 'ALTER TABLE folk RENAME TO people' -c "SELECT anon_drop('written')" -c "INSERT INTO people SELECT i, 18 + i * i % 67, 'l', i % 2, 'ill' || i % 11, i % 9 FROM generate_series(1, 2000) AS i" >/dev/null

# ---- code of others on a worker ------------------------------------------------------------------------
shard_of() { on_worker "SET citus.show_shards_for_app_name_prefixes = '*'; SELECT relname FROM pg_class WHERE relname ~ '^$1_[0-9]+$' ORDER BY 1 LIMIT 1"; }
begins traps "qi => '{age,share}', k => 5"
steps traps form
shard=$(shard_of traps_parts)
on_worker "CREATE FUNCTION trap() RETURNS int LANGUAGE plpgsql AS \$\$ BEGIN RAISE EXCEPTION 'foreign code ran as %', current_user; END \$\$;
  ALTER TABLE $shard RENAME TO away; ALTER TABLE away OWNER TO owner;
  CREATE VIEW $shard AS SELECT anon_part, trap() AS age, share FROM away; ALTER VIEW $shard OWNER TO owner; GRANT SELECT ON $shard TO PUBLIC"
like "a shard that the owner of its schema replaced is not read" "$(step traps; value "CALL anonkit_distributed_steps('traps_state')")" 'DETAIL:  ERROR:  [a-z._0-9]* is no plain table of role'
on_worker "DROP VIEW $shard; ALTER TABLE away OWNER TO postgres; ALTER TABLE away RENAME TO $shard"
is "the call goes on when it is back" "$(step traps)" t
target=$(shard_of traps_rows_1)
key=$(on_worker "SET citus.show_shards_for_app_name_prefixes = '*'; SELECT min(anon_part) FROM $target")
is "a part that is refused keeps no rows of an earlier try" \
  "$(on_worker "SET citus.show_shards_for_app_name_prefixes = '*'; SELECT anonkit_distributed_part('$shard', '$target', $key, '$(value "SELECT facts -> 'spec' || '{\"k\": 5000}' FROM traps_state WHERE part = 0")') ? 'refused'; SELECT count(*) FROM $target")" $'t\n0'
give_up traps

# The owner of the extension's schema renames it on one server, and takes its name.
begins traps "qi => '{age,share}', k => 5"
steps traps move
on_worker "ALTER SCHEMA public RENAME TO elsewhere; CREATE SCHEMA public; GRANT ALL ON SCHEMA public TO PUBLIC"
for shard in $(on_worker "SET citus.show_shards_for_app_name_prefixes = '*'; SELECT relname FROM pg_class WHERE relname ~ '^traps_(parts|rows_1)_[0-9]+$'"); do
  on_worker "CREATE TABLE public.$shard ()"
done
on_worker "CREATE FUNCTION public.anonkit_distributed_private(VARIADIC regclass[]) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
  \$\$ BEGIN RAISE EXCEPTION 'foreign code ran as %', current_user; END \$\$"
like "a function under the name of anonkit's is not called" "$(step traps)" "^ERROR:  38000: tables of parts cannot be made private on server ${NODES[0]}:5432
DETAIL:  anonkit 0\.[0-9.]* is not in schema public there\."
on_worker "DROP SCHEMA public CASCADE; ALTER SCHEMA elsewhere RENAME TO public"
is "with its name again the call goes on" "$(step traps)" t
on_worker "SET allow_system_table_mods = on; UPDATE pg_extension SET extversion = '0.2.0' WHERE extname = 'anonkit'"
like "nor another version" "$(step traps; value "CALL anonkit_distributed_steps('traps_state')")" 'part [0-9]+ was not formed on server .*anonkit 0\.[0-9.]* is not in schema public there'
on_worker "SET allow_system_table_mods = on; UPDATE pg_extension SET extversion = (SELECT default_version FROM pg_available_extensions WHERE name = 'anonkit') WHERE extname = 'anonkit'"
steps traps show
is "with this one, too" "$(step traps)$(value 'SELECT count(*) FROM traps')" 2000
value "SELECT anon_drop('traps')" >/dev/null

# ---- names that others take ------------------------------------------------------------------------------
begins taken "qi => '{age,share}', k => 5"
steps taken show
as_owner value 'CREATE VIEW taken AS SELECT 1 AS age, 2 AS share'
like "a view of another role does not become the release" "$(step taken)" '^ERROR:  42P07: relation "taken" already exists'
is "when it is gone the call goes on" "$(as_owner value 'DROP VIEW taken')$(step taken)$(value 'SELECT count(*) FROM taken')" 2000
value "SELECT anon_drop('taken')" >/dev/null
value 'CREATE SCHEMA lent AUTHORIZATION owner' -c 'CREATE TABLE victim AS SELECT 1 AS anon_part, 2 AS age, 3 AS share' \
  -c "CALL anon_publish_distributed('lent.shown', 'people', '{age,share}', 5, part_rows => 600)"
value "SELECT FROM anonkit_distributed_again('lent.shown')"
steps lent.shown show
as_owner value 'DROP VIEW lent.shown' -c "CREATE VIEW lent.shown AS SELECT age, share FROM public.victim AS published
  WHERE anon_distributed_spec('people'::regclass, '{}', '{}')" -c 'GRANT SELECT ON lent.shown TO reader' >/dev/null
like "a release that the owner of its schema replaced is not refreshed" "$(step lent.shown)" '^ERROR:  42501: must be owner of release lent.shown'
is "nor a table dropped that it names, or a right given to its readers" \
  "$(value 'SELECT count(*) FROM victim') $(value "SELECT has_any_column_privilege('reader', 'lent.shown_rows_2', 'SELECT')")" '1 f'

# ---- replicas of shards ----------------------------------------------------------------------------------
# Each part is on two of three servers.
third() { value "SELECT citus_set_node_property('${NODES[2]}', 5432, 'shouldhaveshards', $1)" >/dev/null; }
# replicas: rows in all first replicas, in all second ones, and whether both of each shard have as many.
replicas() {
  value "SELECT sum(fewest), sum(most), bool_and(fewest = most) FROM (SELECT min(result::int) AS fewest, max(result::int) AS most
    FROM run_command_on_placements('twice_rows_1', 'SELECT count(*) FROM %s') GROUP BY shardid HAVING count(*) = 2) AS shards"
}
third true
export PGOPTIONS='-c citus.shard_replication_factor=2'
begins twice "qi => '{age,share}', k => 5" ', "part_rows": 100, "parallel": 1'
steps twice form
on_worker 'ALTER FUNCTION anonkit_distributed_part(regclass, regclass, int, jsonb) RENAME TO broken'
for _ in 1 2 3; do step twice >/dev/null; done
on_worker 'ALTER FUNCTION broken(regclass, regclass, int, jsonb) RENAME TO anonkit_distributed_part'
steps twice prove
is "all replicas of all parts are formed, although a server failed" "$(replicas)" '2000|2000|t'
steps twice show
is "and proven" "$(step twice)$(value 'SELECT count(*) FROM twice')" 2000
unset PGOPTIONS
third false
value "SELECT anon_drop('twice')" >/dev/null

# ---- another session --------------------------------------------------------------------------------------
begins busy "qi => '{age,share}', k => 5"
(value "BEGIN; SELECT FROM busy_state WHERE part = 0 FOR UPDATE; SELECT pg_sleep(600)" >/dev/null) &
until_asleep
is "another session's step is not said to be undone" "$(step busy)" 'ERROR:  55P03: another session makes this release'
value "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'" >/dev/null
wait
value 'DROP TABLE busy_state'
(value "BEGIN; SELECT FROM anonkit_distributed_begin('public', 'busy', 'people', anonkit_distributed_options(tbl => 'people', qi => '{age,share}', k => 5),
  '{}', '{}', 1); SELECT pg_sleep(1); COMMIT" >/dev/null) &
until_asleep
like "two calls that begin together do not both" "$(value "CALL anon_publish_distributed('busy', 'people', '{age,share}', 5)")" \
  '^ERROR:  55P03: another session makes this release'
wait
value 'DROP TABLE busy_state'

# ---- another owner ---------------------------------------------------------------------------------------
value "CALL anon_publish_distributed('given', 'people', '{age,share}', 5, part_rows => 600)" -c 'ALTER VIEW given OWNER TO owner' >/dev/null
like "a refresh that could not drop the old rows is refused" "$(as_owner value "CALL anon_refresh_distributed('given')")" '^ERROR:  42501: public.given_rows_1 is no plain table of role owner'
is "before any work" "$(value "SELECT to_regclass('given_state') IS NULL")" t
is "by the owner of view, rows and companion it is refreshed" "$(value 'ALTER TABLE given_rows_1 OWNER TO owner' -c 'ALTER TABLE given_companion OWNER TO owner')$(
  as_owner value "CALL anon_refresh_distributed('given')" -c 'SELECT count(*) FROM given')" 2000
value "SELECT anon_drop('given')" >/dev/null

# ---- a schema with another name ----------------------------------------------------------------------------
value 'CREATE SCHEMA early' -c "CALL anon_publish_distributed('early.shown', 'people', '{age,share}', 5, part_rows => 600)" -c "SELECT FROM anonkit_distributed_again('early.shown')" >/dev/null
steps early.shown show
is "a refresh that did not end begins anew when its schema has another name" "$(value 'ALTER SCHEMA early RENAME TO late' -c "CALL anon_refresh_distributed('late.shown')" \
  -c "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relnamespace = 'late'::regnamespace AND relkind IN ('r', 'v')")" 'shown shown_companion shown_rows_2'

# ---- a release with another name -----------------------------------------------------------------------------
# relations SCHEMA...: the tables and views there.
relations() {
  value "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relnamespace = ANY ('{$1}'::regnamespace[]) AND relkind IN ('r', 'v')"
}
value 'CREATE SCHEMA named' -c "CALL anon_publish_distributed('named.a', 'people', '{age,share}', 5, part_rows => 600)" -c "SELECT FROM anonkit_distributed_again('named.a')"
steps named.a form
is "a refresh that did not end begins anew when its release has another name" \
  "$(value 'ALTER VIEW named.a RENAME TO b' -c "CALL anon_refresh_distributed('named.b')"; relations named)" 'a_companion b b_rows_2'
value "SELECT FROM anonkit_distributed_again('named.b')"
steps named.b form
is "a drop leaves none of its tables under the old name, or in the old schema" \
  "$(value 'ALTER VIEW named.b RENAME TO c' -c 'ALTER VIEW named.c SET SCHEMA late' -c "SELECT anon_drop('late.c')"; relations named)" ''
value "CALL anon_publish_distributed('named.a', 'people', '{age,share}', 5)" -c "CALL anon_publish_distributed('named.other', 'people', '{age,share}', 9)" \
  -c "SELECT FROM anonkit_distributed_again('named.a')"
steps named.a show
value 'ALTER VIEW named.a RENAME TO b' -c 'ALTER VIEW named.other RENAME TO a'
like "a refresh does not replace another release that took the name" "$(step named.a)" '^ERROR:  55000: named.a is not the release any more whose refresh this is'
is "which goes on with its own" "$(value "CALL anon_refresh_distributed('named.a')" -c 'SELECT min(n) > 8 FROM (SELECT count(*) AS n FROM named.a GROUP BY age, share) AS c' \
  -c "SELECT anon_drop('named.a')" -c "CALL anon_refresh_distributed('named.b')" -c "SELECT anon_drop('named.b')"; relations named)" t

value "CALL anon_publish_distributed('gone', 'people', '{age,share}', 5, part_rows => 600)"
(value "BEGIN; SELECT anon_drop('gone'); SELECT pg_sleep(1); COMMIT" >/dev/null) &
until_asleep
like "nor does a refresh that begins beside it" "$(value "CALL anon_refresh_distributed('gone')")" '^ERROR:  42P01: the release was dropped by another session'
wait
is "or ends at it" "$(value "SELECT count(*) FROM pg_class WHERE relname ~ '^gone'")" 0

# ---- columns with other names ----------------------------------------------------------------------------------
value "CALL anon_publish_distributed('columns', 'people', '{age,share}', 5)" -c 'ALTER VIEW columns RENAME age TO years'
like "a refresh that the view could not show is refused" "$(value "CALL anon_refresh_distributed('columns')")" \
  '^ERROR:  55000: release public.columns has other columns than a refresh would publish
DETAIL:  It has years integer, share integer; a refresh has share integer, age integer\.'
is "before any work, and none when the column has its name again" "$(value "SELECT to_regclass('columns_state') IS NULL" \
  -c 'ALTER VIEW columns RENAME years TO age' -c "CALL anon_refresh_distributed('columns')" -c 'SELECT count(*) FROM columns')" $'t\n2000'
value "SELECT anon_drop('columns')" >/dev/null

# ---- a drop --------------------------------------------------------------------------------------------
value "CALL anon_publish_distributed('dropped', 'people', '{age,share}', 5, part_rows => 600)" -c "SELECT FROM anonkit_distributed_again('dropped')" >/dev/null
steps dropped form
is "a drop leaves no copy of the source, although a refresh did not end" \
  "$(value "SELECT to_regclass('dropped_parts') IS NULL, anon_drop('dropped'); SELECT count(*) FROM pg_class WHERE relname ~ '^dropped'")" $'f|\n0'

# ---- arguments -----------------------------------------------------------------------------------------
for layout in 'part_rows => 0' 'sample => -1' 'parallel => 0'; do
  like "$layout is an error" "$(value "CALL anon_publish_distributed('few', 'people', '{age,share}', 5, $layout)")" '^ERROR:  22023: part_rows, sample and parallel must be at least 1'
done
is "before any work" "$(value "SELECT to_regclass('few_state') IS NULL")" t
value 'CREATE TYPE "point (x)" AS (x int)' -c 'CREATE TABLE spots (id int, age int, at "point (x)")' -c "SELECT create_distributed_table('spots', 'id')" >/dev/null
like "a user's type is one whatever its name" "$(value "CALL anon_publish_distributed('few', 'spots', '{age}', 5, keep => '{at}')")" \
  '^ERROR:  0A000: columns of types that users made cannot be moved between servers: at'
like "a table of the name of the steps' is one error" "$(value 'CREATE TABLE few_state (facts text)' -c "CALL anon_publish_distributed('few', 'people', '{age,share}', 5)")" \
  '^ERROR:  42P07: public.few_state already exists'
is "and stays" "$(value 'SELECT count(*) FROM few_state' -c 'DROP TABLE few_state' -c "SELECT to_regclass('few_parts') IS NULL")" $'0\nt'
is "so is a type of its name" "$(value 'CREATE DOMAIN few AS int' -c "CALL anon_publish_distributed('few', 'people', '{age,share}', 5)" | head -n 1)" \
  'ERROR:  42710: type "few" already exists'
is "and so are columns of the names of the steps' own" "$(value 'DROP DOMAIN few' -c 'CREATE TABLE marked (id int, anon_part int, anon_rows int)' \
  -c "SELECT create_distributed_table('marked', 'id')" >/dev/null
  for column in anon_part anon_rows; do value "CALL anon_publish_distributed('few', 'marked', '{$column}', 5)" | head -n 1; done)" \
  'ERROR:  42701: a distributed release cannot have a column called anon_part
ERROR:  42701: a distributed release cannot have a column called anon_rows'
like "a name has a schema at most" "$(value "CALL anon_publish_distributed('other.public.few', 'people', '{age,share}', 5)")" '^ERROR:  0A000: other.public.few is not a name with at most a schema'
is "before any work" "$(value "SELECT count(*) FROM pg_class WHERE relname ~ '^few'")" 0
name=$(printf 'ж%.0s' {1..30})
is "letters of several bytes are not cut in the middle of a table's name" "$(value "CALL anon_publish_distributed('$name', 'people', '{age,share}', 5, part_rows => 600)" \
  -c "CALL anon_refresh_distributed('$name')" -c "SELECT count(*) FROM $name")" 2000
stem=$(printf 'x%.0s' {1..40})
value "CALL anon_publish_distributed('${stem}_a', 'people', '{age,share}', 5, part_rows => 600)" -c "CALL anon_refresh_distributed('${stem}_a')"
like "two releases do not share names of tables" "$(value "CALL anon_publish_distributed('${stem}_b', 'people', '{age,share}', 5)")" \
  "^ERROR:  42P07: public.${stem}_rows_2 already exists
DETAIL:  Names of the tables of a distributed release begin with the first 40 bytes of its own\."
is "which is found before any work" "$(value "SELECT to_regclass('${stem}_state') IS NULL" -c "CALL anon_refresh_distributed('${stem}_a')" -c "SELECT count(*) FROM ${stem}_a")" $'t\n2000'
like "without a schema to create in, the call says so" "$(PGOPTIONS='-c search_path=' value "CALL public.anon_publish_distributed('few', 'public.people', '{age}', 5)")" \
  '^ERROR:  3F000: no schema has been selected to create in'
is "settings of literals change nothing" "$(PGOPTIONS='-c standard_conforming_strings=off -c escape_string_warning=off' value \
  "CALL anon_publish_distributed('literal', 'people', '{age,share}', 5)" -c "CALL anon_refresh_distributed('literal')" -c 'SELECT count(*) FROM literal')" 2000

is "nor do those of Citus" "$(PGOPTIONS='-c citus.subquery_pushdown=on -c citus.enable_ddl_propagation=off' value \
  "CALL anon_publish_distributed('apart', 'people', '{age,share}', 5, t => 0.9, sensitive => '{illness}', part_rows => 600)" -c 'SELECT count(*) FROM apart')" 2000
is "and no copy of the source stays on a worker" \
  "$(on_worker "SET citus.show_shards_for_app_name_prefixes = '*'; SELECT count(*) FROM pg_class WHERE relname ~ '^apart_parts'")" 0
is "the largest sample is one" "$(value "CALL anon_publish_distributed('last_sample', 'people', '{age,share}', 5, part_rows => 600, sample => 2147483647)" \
  -c 'SELECT count(*) FROM last_sample')" 2000
is "the largest seed is one" "$(value "CALL anon_publish_distributed('last_seed', 'people', '{age,share}', 5, t => 0.9, sensitive => '{illness}', part_rows => 600, spec => anon_spec(seed => 9223372036854775807))" \
  -c 'SELECT count(*) FROM last_seed')" 2000

# ---- labels of enums have other numbers on each server -----------------------------------------------------
value "DO \$\$ BEGIN EXECUTE (SELECT format('CREATE TYPE town AS ENUM (%s)', string_agg(quote_literal('t' || i), ', ')) FROM generate_series(1, 60) AS i); END \$\$" \
  -c 'CREATE TABLE towns (id int, age int, home town)' -c 'CREATE TABLE towns_again (id int, age int, home town)' >/dev/null
value "SELECT create_distributed_table('towns', 'id')" -c "SELECT create_distributed_table('towns_again', 'age', shard_count => 3)" \
  -c "INSERT INTO towns SELECT i, i * i % 67, ('t' || 1 + i * 7919 % 60)::town FROM generate_series(1, 3000) AS i" \
  -c 'INSERT INTO towns_again SELECT * FROM towns' >/dev/null
for towns in towns towns_again; do value "CALL anon_publish_distributed('${towns}_shown', '$towns', '{age,home}', 5, part_rows => 500, sample => 150)"; done
digest() { value "SELECT md5(string_agg(x::text, chr(10) ORDER BY x::text)) FROM (TABLE $1) AS x"; }
is "and a release does not depend on them" "$(digest towns_shown)" "$(digest towns_again_shown)"

# ---- texts of dates differ from server to server, too -------------------------------------------------------
value 'CREATE TABLE days (id int, home date, seen timestamptz)' -c "SELECT create_distributed_table('days', 'id')" \
  -c "INSERT INTO days SELECT i, date '2001-01-01' + i * 31 % 97, timestamptz '2001-01-01 00:00+00' + i * 37 % 83 * interval '1 hour' FROM generate_series(1, 3000) AS i" >/dev/null
DAYS="'days', '{home,seen}', 5, part_rows => 500, spec => anon_spec(categories => '{home,seen}')"
value "CALL anon_publish_distributed('days_here', $DAYS)"
PGOPTIONS='-c datestyle=German -c timezone=Asia/Tokyo' value "CALL anon_publish_distributed('days_there', $DAYS)"
is "nor does it on DateStyle and TimeZone" "$(digest days_there) $(value 'SELECT count(DISTINCT anon_part) FROM days_there_rows_1')" \
  "$(digest days_here) $(value 'SELECT count(DISTINCT anon_part) FROM days_here_rows_1')"

# ---- categories of any type ------------------------------------------------------------------------------
# A value without a hash or an equality has its text in the sample. Few rows are sampled, so the hash counts.
value 'CREATE TABLE kinds (id int, age int, bits bit(3), money money, at point, note xml, illness text)' -c "SELECT create_distributed_table('kinds', 'id')" \
  -c "INSERT INTO kinds SELECT i, i % 40, (i % 6)::bit(3), (i % 7)::money, point(i % 3, i % 2), ('<a>' || i % 4 || '</a>')::xml, 'i' || i % 7
  FROM generate_series(1, 600) AS i" >/dev/null
for kind in bits money at note; do
  for options in "l => 2, spec => anon_spec(categories => '{$kind}')" "t => 0.9, spec => anon_spec(categories => '{$kind}')"; do
    is "$kind is a category: $options" "$(value "CALL anon_publish_distributed('kind_shown', 'kinds', '{age,$kind}', 5, sensitive => '{illness}',
      part_rows => 200, sample => 3, $options)" -c 'SELECT count(*) FROM kind_shown' -c "SELECT anon_drop('kind_shown')")" 600
  done
done

# ---- collations under which different texts are equal -------------------------------------------------------
value "CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)" \
  -c 'CREATE TABLE cases (id int, person text COLLATE caseless, age int, illness text COLLATE caseless)' -c "SELECT create_distributed_table('cases', 'id')" \
  -c "INSERT INTO cases SELECT i % 40, (ARRAY['p', 'P'])[1 + i / 40 % 2] || i / 80, i % 40,
  CASE WHEN i % 40 < 20 THEN (ARRAY['flu', 'FLU'])[1 + i / 40 % 2] ELSE 'i' || i / 40 % 7 END FROM generate_series(0, 1199) AS i" >/dev/null
is "their values count once" "$(value "CALL anon_publish_distributed('cases_shown', 'cases', '{age}', 5, sensitive => '{illness}', l => 2, part_rows => 400)" \
  -c 'SELECT min(n) FROM (SELECT count(DISTINCT illness) AS n FROM cases_shown GROUP BY age) AS c' -c "SELECT anon_drop('cases_shown')")" 2
is "and so do persons" "$(value "CALL anon_publish_distributed('cases_shown', 'cases', '{age}', 20, unit => '{id,person}', keep => '{id,person}')" \
  -c 'SELECT min(n) >= 20 FROM (SELECT count(DISTINCT (id, person)) AS n FROM cases_shown GROUP BY age) AS c' -c "SELECT anon_drop('cases_shown')")" t

# ---- nulls ---------------------------------------------------------------------------------------------
value 'CREATE TABLE gaps (id int, age int, km numeric(8, 2))' -c "SELECT create_distributed_table('gaps', 'id')" \
  -c 'INSERT INTO gaps SELECT i, nullif(i % 40, 7), CASE WHEN i % 3 > 0 THEN i * 7 % 900 / 10.0 END FROM generate_series(1, 2000) AS i' \
  -c "CALL anon_publish_distributed('gaps_shown', 'gaps', '{age,km}', 5, part_rows => 600, spec => anon_spec(nulls => 'stratify'))" >/dev/null
like "without stratify they are refused" "$(value "CALL anon_publish_distributed('gaps_again', 'gaps', '{age,km}', 5)")" \
  '^ERROR:  22000: quasi-identifiers contain nulls
DETAIL:  Number of nulls: "age" 50, "km" 666\.
HINT:  Use spec => anon_spec\(nulls => .stratify.\)'
is "before a row is copied" "$(value "SELECT to_regclass('gaps_again_parts') IS NULL")" t
value 'CREATE TABLE wide (id int, age int, m numeric, f float8, d date)' -c "SELECT create_distributed_table('wide', 'id')" \
  -c "INSERT INTO wide SELECT i, i % 40, i % 30, i % 20, date '2000-01-01' + i % 90 FROM generate_series(1, 500) AS i" >/dev/null
for beyond in "m = 'NaN'" "m = 1e300" "m = '-1e400'" "f = 'Infinity'" "f = -1e200" "f = 1.5e308 * (id - 8)" "d = '-infinity'"; do
  like "so is $beyond" "$(value "UPDATE wide SET $beyond WHERE id IN (7, 9)" -c "CALL anon_publish_distributed('wide_shown', 'wide', '{age,m,f,d}', 5)")" \
    "^ERROR:  22000: column \"${beyond%% *}\" contains a value that is not a number from -1e140 to 1e140"
  value "UPDATE wide SET m = 1, f = 1, d = '2000-01-01'"
done
is "numbers as large as they may be are published" "$(value 'UPDATE wide SET f = 1e140, m = -1e140 WHERE id = 7' \
  -c "CALL anon_publish_distributed('wide_shown', 'wide', '{age,m,f,d}', 5, part_rows => 200)" -c 'SELECT count(*) FROM wide_shown')" 500
is "numbers of all types may be null" "$(value "SELECT rows, promises FROM anon_releases WHERE release = 'gaps_shown'::regclass")" '2000|5-anonymous'
done_testing
