#!/bin/bash
# ALTER EXTENSION UPDATE from the last version equals CREATE EXTENSION, and keeps releases.
. test/t/tap.sh
. scripts/say.sh
old=0.1.0
folder=$("${PG_CONFIG:-pg_config}" --sharedir)/extension
module=$("${PG_CONFIG:-pg_config}" --pkglibdir)/anonkit.so
script=$folder/anonkit--$old.sql
installer=(); [ -w "$folder" ] || installer=(as_root)
# Another symbol stands for functions that the module no longer has: no test calls them before the
# upgrade.
old_script() {
  local symbol replaced=()
  for symbol in $(grep -oE "'MODULE_PATHNAME', '[a-z_]+'" test/data/anonkit--$old.sql | grep -oE "anon_[a-z_]+" | sort -u); do
    nm -D --defined-only "$module" | grep -qw "$symbol" ||
      replaced+=(-e "s/'MODULE_PATHNAME', '$symbol'/'MODULE_PATHNAME', 'anon_release'/")
  done
  sed -e '' "${replaced[@]}" test/data/anonkit--$old.sql
}
temporary=$(mktemp)
trap '"${installer[@]}" rm -f "$script" "$temporary"' EXIT
old_script >"$temporary"
"${installer[@]}" install -m 644 "$temporary" "$script"

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
value 'DROP EXTENSION anonkit' >/dev/null
is "version $old can be created" "$(value "CREATE EXTENSION anonkit VERSION '$old'")" ""
is "and upgraded" "$(value 'ALTER EXTENSION anonkit UPDATE')" ""
ok "an upgrade gives what an installation gives" as_installed

value "DROP EXTENSION anonkit; CREATE EXTENSION anonkit VERSION '$old'" >/dev/null
value "CREATE TABLE t AS SELECT i % 50 AS age, 'x' || i % 3 AS sickness FROM generate_series(1, 200) AS i" >/dev/null
# The query that anon_publish of that version wrote; its own function cannot run with today's module.
value "CREATE MATERIALIZED VIEW r AS SELECT * FROM anon_release('t',
  '{\"k\": 5, \"qi\": [\"age\"], \"method\": \"microaggregate\", \"sensitive\": [\"sickness\"]}') AS release(age int, sickness text)" >/dev/null
before=$(value 'SELECT * FROM r ORDER BY age, sickness')
is "a release survives the upgrade" "$(value 'ALTER EXTENSION anonkit UPDATE'; value 'SELECT * FROM r ORDER BY age, sickness')" "$before"
is "it is listed" "$(value 'SELECT release, source FROM anon_releases')" "r|t"
is "it can be refreshed" "$(value "SELECT rows, smallest_class >= 5 FROM anon_refresh('r')")" "200|t"
is "and dropped" "$(value "SELECT anon_drop('r')")" ""

value "DROP EXTENSION anonkit; CREATE EXTENSION anonkit VERSION '$old'" >/dev/null
value "INSERT INTO anon_hierarchy (name, owner, kind, height) VALUES ('zip', 'postgres', 'table', 1)" >/dev/null
value "INSERT INTO anon_hierarchy_leaf VALUES ('zip', '02138', NULL, '{*}')" >/dev/null
like "hierarchies are spoken of" "$(value 'ALTER EXTENSION anonkit UPDATE')" "anon_hierarchy_leaf_0_1_0"
is "and left in tables" "$(value 'SELECT labels FROM anon_hierarchy_leaf_0_1_0')" "{*}"
is "that are nobody's but the owner's" "$(value "SELECT relacl = '{postgres=arwdDxt/postgres}' OR relacl IS NULL
  OR relacl::text NOT LIKE '%,%' FROM pg_class WHERE relname = 'anon_hierarchy_0_1_0'")" "t"
ok "outside of the extension" as_installed
done_testing
