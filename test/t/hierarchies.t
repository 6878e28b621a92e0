#!/bin/bash
# Hierarchies are no state of the extension: no user's functions, tables or roles can interfere.
. test/t/tap.sh
fresh_database hierarchies_t
value "CREATE ROLE t_attacker LOGIN; CREATE ROLE t_owner LOGIN; GRANT CREATE ON SCHEMA public TO PUBLIC;
  CREATE TABLE people AS SELECT i AS id, i % 40 AS age, 'ward ' || i % 6 AS ward FROM generate_series(1, 120) AS i;
  CREATE TABLE wards AS SELECT DISTINCT ward, 'side ' || right(ward, 1)::int % 2 AS side FROM people;
  GRANT SELECT ON people, wards TO t_owner"
levels='{"age": {"range": [5, 10]}, "ward": {"table": "wards"}}'
publish="SELECT rows FROM anon_publish('NAME', 'people', '{age,ward}', 3, 'mdav', params => '{\"recode\": \"hierarchy\", \"hierarchies\": $levels}')"

# The catalogs: no table to write to, no function with another role's rights.
owned="SELECT count(*) FROM pg_depend AS d JOIN pg_extension AS e ON d.refobjid = e.oid AND e.extname = 'anonkit' AND d.deptype = 'e'"
is "the extension has no tables" "$(value "$owned JOIN pg_class AS c ON c.oid = d.objid AND c.relkind NOT IN ('v', 'c')")" 0
is "nobody is granted to write into its views" "$(value "$owned JOIN pg_class AS c ON c.oid = d.objid, aclexplode(c.relacl) AS a
  WHERE a.privilege_type <> 'SELECT' AND a.grantee <> c.relowner")" 0
is "no function runs with its definer's rights" "$(value "$owned JOIN pg_proc AS p ON p.oid = d.objid AND p.prosecdef")" 0

# Overloads of the functions that anonkit once called by name, and of those that it has.
value "CREATE TABLE taken (who text, how text); GRANT INSERT ON taken TO PUBLIC; GRANT SELECT ON taken TO PUBLIC"
for signature in 'anon_hierarchy_labels(hierarchy text, vals text[], OUT place bigint, OUT labels text[])' \
  'anon_hierarchy_labels(hierarchy text, vals int[], OUT place bigint, OUT labels text[])' \
  'anon_leaf_labels(hierarchy text, numbers boolean, keys text[], OUT place bigint, OUT labels text[])' \
  'anon_hierarchy_check(hierarchy text, kind text, rule jsonb, class text, OUT place bigint, OUT labels text[])' \
  'anon_label(vals text[], hierarchy jsonb, level int, OUT place bigint, OUT labels text[])' \
  'anon_label(vals int[], hierarchy jsonb, level int, OUT place bigint, OUT labels text[])' \
  'anon_hierarchy_levels(hierarchy jsonb, VARIADIC other text[], OUT place bigint, OUT labels text[])' \
  'anon_hierarchy_range(widths int[], origin numeric, low numeric, high numeric, OUT place bigint, OUT labels text[])' \
  'anon_release(tbl regclass, spec jsonb, VARIADIC tables oid[], OUT place bigint, OUT labels text[])' \
  'anon_release(tbl oid, spec jsonb, tables oid[], OUT place bigint, OUT labels text[])'; do
  value "CREATE FUNCTION $signature LANGUAGE plpgsql AS
    'BEGIN INSERT INTO taken VALUES (current_user, ''${signature%%(*}''); place := 1; labels := ''{mine,mine,mine}''; END'" -U t_attacker
done
is "a superuser generalises a text" "$(value "SELECT anon_generalize('02138', '{\"prefix\": 5}', 2)")" '021**'
is "a number" "$(value "SELECT anon_generalize(83, '{\"range\": [5]}', 1)")" '[80,85)'
is "a value of a table" "$(value "SELECT anon_generalize('ward 3', '{\"table\": \"wards\"}', 1)")" 'side 1'
is "many values" "$(value "SELECT labels FROM anon_hierarchy_labels('{\"prefix\": 2}'::jsonb, '{ab}'::varchar[])")" '{ab,a*,**}'
is "looks at a hierarchy" "$(value "SELECT count(*) FROM anon_hierarchy_levels('{\"table\": \"wards\"}')")" 3
is "builds some" "$(value "SELECT anon_hierarchy_fanout(0, 8, 2), anon_hierarchy_table('wards'), anon_hierarchy_auto('people', 'age', 2, 1)")" \
  '{"low": 0, "high": 8, "range": [2, 4]}|{"table": "public.wards"}|{"cuts": [[20]]}'
is "masks" "$(value "SELECT count(*) FROM anon_mdav('people', '{age,ward}', 3, recode => 'hierarchy', hierarchies => '$levels')")" 120
is "publishes" "$(value "${publish/NAME/by_superuser}")" 120
is "refreshes" "$(value "SELECT rows FROM anon_refresh('by_superuser')")" 120
is "and no function of an attacker has run" "$(value 'SELECT count(*) FROM taken')" 0

# A release reads the table that it was published with, even if another table takes its name.
is "a role publishes" "$(value "${publish/NAME/by_owner}" -U t_owner)" 120
is "as a release" "$(value "SELECT count(*) FROM anon_releases WHERE release::text = 'by_owner'")" 1
value "ALTER TABLE wards RENAME TO labels"
value "CREATE TABLE wards (ward text, side text)" -U t_attacker
is "another table of that name changes nothing" "$(value "SELECT rows FROM anon_refresh('by_owner')")" 120
is "as everybody sees" "$(value "SELECT spec->'hierarchies'->'ward'->>'table' FROM anon_release_info('by_owner')")" public.labels
like "nobody drops it under the release" "$(value 'DROP TABLE labels')" '2BP01: cannot drop table labels'
value 'ALTER ROLE t_owner RENAME TO t_renamed; CREATE ROLE t_owner LOGIN'
is "a role of the owner's old name gets nothing" "$(value "SELECT has_table_privilege('t_owner', 'labels', 'SELECT')")" f
is "and the owner, renamed, keeps the release" "$(value "SELECT rows FROM anon_refresh('by_owner')" -U t_renamed)" 120

# A schema of another name.
publish=${publish/wards/labels}
value "CREATE SCHEMA first; DROP EXTENSION anonkit CASCADE; CREATE EXTENSION anonkit SCHEMA first; SET search_path = first, public;
  ${publish/NAME/moved}" >/dev/null
value 'ALTER SCHEMA first RENAME TO second'
is "the schema of the extension is renamed" "$(value "SELECT second.anon_generalize('ward 3', '{\"table\": \"labels\"}', 1)")" 'side 1'
is "a release with hierarchies is refreshed" "$(value "SELECT rows FROM second.anon_refresh('second.moved')")" 120

# The count of memory includes hierarchies.
value "CREATE TABLE many AS SELECT i AS id, i % 10 AS a, 'v' || i AS leaf FROM generate_series(1, 60000) AS i;
  CREATE TABLE leaves AS SELECT leaf, left(leaf, 3) AS l1, left(leaf, 2) AS l2 FROM many"
limited() { PGOPTIONS='-c anonkit.max_memory=1MB' value "SELECT second.anon_generalize('v1', '{\"table\": \"$1\"}', 1)"; }
like "a table of labels beyond anonkit.max_memory is refused" "$(limited leaves)" '53400: anonymization needs more memory than anonkit.max_memory allows'
is "a small one is not" "$(limited labels | head -n 1)" 'ERROR:  22000: a value has no leaf in the hierarchy'
like "so are the labels of a column's values" "$(PGOPTIONS='-c anonkit.max_memory=20MB' value "SELECT count(*) FROM
  second.anon_mdav('many', '{leaf}', 20000, recode => 'hierarchy', hierarchies => '{\"leaf\": {\"prefix\": 40}}')")" '53400: anonymization needs more memory'
value "DO 'BEGIN EXECUTE (SELECT format(\$\$CREATE TABLE wide (%s)\$\$, string_agg(\$\$c\$\$ || i || \$\$ int\$\$, \$\$,\$\$)) FROM generate_series(1, 101) AS i); END'"
like "a table too wide is refused" "$(value "SELECT second.anon_hierarchy_table('wide')")" '22023: a table of labels must have 1 to 100 columns'

value 'DROP OWNED BY t_attacker, t_owner, t_renamed CASCADE; DROP ROLE t_attacker, t_owner, t_renamed'
done_testing
