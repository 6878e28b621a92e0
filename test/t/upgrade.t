#!/bin/bash
# ALTER EXTENSION UPDATE from each old version equals CREATE EXTENSION, and keeps releases of all kinds.
. test/t/tap.sh
. scripts/say.sh
. test/t/old_versions.sh
olds="0.1.0 0.2.0"
# shellcheck disable=SC2086
add_old_versions $olds

# Everything that the catalogs hold of the extension's objects, without their OIDs.
catalog() {
  value "
    WITH members AS (SELECT classid, objid FROM pg_depend
      WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
        AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'anonkit'))
    SELECT pg_describe_object(classid, objid, 0) AS object, obj_description(objid, classid::regclass::name),
      -- Defaults, as they are kept, tell where in the script they stood.
      (SELECT to_jsonb(p) - '{oid,proowner,proargdefaults}'::text[]
          || jsonb_build_object('arguments', pg_get_function_arguments(p.oid)) FROM pg_proc AS p WHERE classid = 'pg_proc'::regclass AND p.oid = objid),
      (SELECT to_jsonb(c) - '{oid,relowner,reltype,relfilenode,reltoastrelid,relfrozenxid,relminmxid}'::text[]
        FROM pg_class AS c WHERE classid = 'pg_class'::regclass AND c.oid = objid),
      CASE WHEN classid = 'pg_class'::regclass THEN pg_get_viewdef(objid) END,
      (SELECT jsonb_agg(to_jsonb(a) - '{attrelid,attoptions}'::text[] ORDER BY attnum) FROM pg_attribute AS a
        WHERE classid = 'pg_class'::regclass AND attrelid = objid),
      (SELECT initprivs FROM pg_init_privs AS i WHERE i.classoid = members.classid AND i.objoid = objid)
    FROM members ORDER BY pg_describe_object(classid, objid, 0) COLLATE \"C\"" &&
    value "SELECT extversion, extconfig IS NULL, extcondition IS NULL, extrelocatable FROM pg_extension WHERE extname = 'anonkit'"
}

# Shows the objects that differ, and how.
as_installed() { diff <(printf '%s\n' "$installed") <(catalog) | cut -c1-20000; [ "${PIPESTATUS[0]}" -eq 0 ]; }

fresh_database upgrade_new >/dev/null
installed=$(catalog)
like "the catalogs know the extension" "$installed" "function anon_publish"
fresh_database upgrade_old >/dev/null
value 'CREATE ROLE t_upgrade_stranger LOGIN' >/dev/null

for old in $olds; do
  is "version $old can be created" "$(install_old "$old")" ""
  like "$old: until the upgrade the new library refuses calls" "$(value "SELECT * FROM anon_capacity('pg_class', '{relname}')")" \
    "55000: the library of anonkit has version [0-9.]+, the extension in this database version $old"
  is "$old: and upgraded" "$(value 'ALTER EXTENSION anonkit UPDATE')" ""
  ok "$old: an upgrade gives what an installation gives" as_installed
done

# ---- Releases without a key, with the notes that the old versions wrote.
spec='{\"k\": 5, \"qi\": [\"age\"], \"method\": \"microaggregate\", \"sensitive\": [\"sickness\"]}'
figures=' rows=200 classes=40 smallest_class=5 mean_class=5 loss=1.25 dm=1000 avg=1\n suppressed=0 seconds=0.5'
value "CREATE TABLE t AS SELECT i % 50 AS age, 'x' || i % 3 AS sickness FROM generate_series(1, 200) AS i" >/dev/null
for old in $olds; do
  install_old "$old" >/dev/null
  # The query that anon_publish of that version wrote; its own function cannot run with today's module.
  value "CREATE MATERIALIZED VIEW r AS SELECT * FROM anon_release('t', '${spec//\\/}') AS release(age int, sickness text)" >/dev/null
  record="'anonkit: built=848700000000000 oid=' || 'r'::regclass::oid || ' xid=777' || E'$figures'"
  if [ "$old" = 0.1.0 ]; then
    value "DO \$\$ BEGIN EXECUTE format('COMMENT ON MATERIALIZED VIEW r IS %L', E'my words\n' || replace($record, E'\n', '')); END \$\$"
  else
    value "DO \$\$ BEGIN EXECUTE format('COMMENT ON COLUMN r.age IS %L', $record);
      COMMENT ON MATERIALIZED VIEW r IS E'my words\nMasked by anonkit: 200 rows of t in 40 classes of at least 5.'; END \$\$"
  fi
  before=$(value 'SELECT * FROM r ORDER BY age, sickness')
  is "$old: a release survives the upgrade" "$(value 'ALTER EXTENSION anonkit UPDATE'; value 'SELECT * FROM r ORDER BY age, sickness')" "$before"
  is "$old: its owner reads its figures in the old comment" \
    "$(value 'SELECT release, source, rows, classes, loss, seconds, built FROM anon_releases')" 'r|t|200|40|1.25|0.5|2026-11-22 22:00:00+00'
  is "$old: a stranger does not in the list" \
    "$(value 'SELECT release, rows, classes, loss, seconds FROM anon_releases' -U t_upgrade_stranger)" 'r|200|40||'
  is "$old: without a refresh, the comments are removed by hand" "$(value "BEGIN; COMMENT ON MATERIALIZED VIEW r IS NULL; COMMENT ON COLUMN r.age IS NULL;
    SELECT count(*) FROM pg_description WHERE objoid = 'r'::regclass; SELECT release, source, loss FROM anon_releases; ROLLBACK")" $'0\nr|t|'
  is "$old: it can be refreshed" "$(value "SELECT rows, smallest_class >= 5 FROM anon_refresh('r')")" "200|t"
  is "$old: which moves the figures" "$(value "SELECT loss IS NOT NULL, loss <> 1.25, current FROM anon_releases;
    SELECT count(*) FROM r_companion")" $'t|t|t\n1'
  is "$old: and leaves no figure in comments" "$(value "SELECT obj_description('r'::regclass) ~ '^my words
Masked by anonkit: 5-anonymous; 200 rows in [0-9]+ classes of at least [5-9].\$',
    col_description('r'::regclass, 1) ~ '^anonkit: built=[0-9]+ rows=200 classes=[0-9]+ smallest_class=[5-9]\$'")" 't|t'
  is "$old: and dropped" "$(value "SELECT anon_drop('r'); SELECT to_regclass('r_companion') IS NULL")" $'\nt'

  # A user's view on the list.
  install_old "$old" >/dev/null
  value "CREATE MATERIALIZED VIEW r AS SELECT * FROM anon_release('t', '${spec//\\/}') AS release(age int, sickness text)" >/dev/null
  value 'CREATE VIEW mine AS SELECT release, source, loss, seconds FROM anon_releases;
    CREATE VIEW everything AS SELECT * FROM anon_releases; CREATE VIEW audited AS SELECT * FROM anon_audit('"'t', '{age}'"')' >/dev/null
  like "$old: a view on a function with other arguments now is named" "$(value 'ALTER EXTENSION anonkit UPDATE')" \
    '2BP01: cannot replace function public.anon_audit'
  value "DROP VIEW audited; CREATE VIEW audited AS SELECT 1" >/dev/null
  is "$old: an upgrade under users' views" "$(value 'ALTER EXTENSION anonkit UPDATE')" ''
  value "SELECT anon_refresh('r')" >/dev/null
  is "$old: which show what they showed" "$(value 'SELECT release, source, loss > 0 FROM mine; SELECT release, rows FROM everything;
    SELECT count(*) > 0 FROM audited')" $'r|t|t\nr|200\nt'
  value 'DROP MATERIALIZED VIEW r; DROP VIEW mine, everything, audited; DROP VIEW IF EXISTS anon_releases_0_1_0' >/dev/null
  ok "$old: and the extension is as installed" as_installed
done

# ---- Hierarchies of version 0.1.0 were rows.
install_old 0.1.0 >/dev/null
value "INSERT INTO anon_hierarchy (name, owner, kind, height) VALUES ('zip', 'postgres', 'table', 1)" >/dev/null
value "INSERT INTO anon_hierarchy_leaf VALUES ('zip', '02138', NULL, '{*}')" >/dev/null
value "CREATE MATERIALIZED VIEW by_zip AS SELECT * FROM anon_release('t', '{\"k\": 5, \"qi\": [\"sickness\"], \"method\": \"mdav\",
  \"hierarchies\": {\"sickness\": \"zip\"}}') AS release(sickness text) WITH NO DATA" >/dev/null
scratch=$(mktemp -d)
pg_dump -Fc -f "$scratch/old" upgrade_old
like "hierarchies are spoken of" "$(value 'ALTER EXTENSION anonkit UPDATE')" "anon_hierarchy_leaf_0_1_0"
is "and left in tables" "$(value 'SELECT labels FROM anon_hierarchy_leaf_0_1_0')" "{*}"
is "that are nobody's but the owner's" "$(value "SELECT relacl = '{postgres=arwdDxt/postgres}' OR relacl IS NULL
  OR relacl::text NOT LIKE '%,%' FROM pg_class WHERE relname = 'anon_hierarchy_0_1_0'")" "t"
ok "outside of the extension" as_installed
is "their releases are listed" "$(value 'SELECT release FROM anon_releases')" by_zip
like "and refused with the way out" "$(value "SELECT anon_refresh('by_zip')")" \
  'Names of hierarchies were of version 0.1.0: publish such a release again'
remove_old_versions
PGDATABASE=postgres value 'DROP DATABASE IF EXISTS upgrade_restored'
PGDATABASE=postgres value 'CREATE DATABASE upgrade_restored'
like "a dump of 0.1.0 with hierarchies is refused by name" "$(pg_restore -d upgrade_restored "$scratch/old" 2>&1)" 'anon_hierarchy'
is "and restores all else" "$(value 'SELECT count(*) FROM t' -d upgrade_restored; value 'SELECT release FROM anon_releases' -d upgrade_restored)" $'200\nby_zip'
rm -r "$scratch"
PGDATABASE=postgres value 'DROP DATABASE upgrade_restored'
PGDATABASE=postgres value 'DROP DATABASE upgrade_old; DROP DATABASE upgrade_new; DROP ROLE t_upgrade_stranger'
done_testing
