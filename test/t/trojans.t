#!/bin/bash
# Code in relations, types and names of others: some cells of the matrix of trojans, all of which
# test/trojans/run tries; and the exploits that were found once.
. test/t/tap.sh
PGDATABASE=postgres value "DROP DATABASE IF EXISTS trojans_t WITH (FORCE)" -c "CREATE DATABASE trojans_t" >/dev/null
export PGDATABASE=trojans_t
ok "every 29th cell runs no foreign code as somebody else" test/trojans/walk 29 3

# Mallory's code notes its role. A superuser uses what is mallory's.
fresh_database trojans_exploits_t
value "CREATE SCHEMA mallory AUTHORIZATION t_trojan_owner; CREATE SEQUENCE mallory.runs; ALTER SEQUENCE mallory.runs OWNER TO t_trojan_owner;
  SET ROLE t_trojan_owner; GRANT USAGE ON SCHEMA mallory TO PUBLIC; GRANT ALL ON mallory.runs TO PUBLIC;
  CREATE TYPE mallory.mood AS ENUM ('sad', 'glad');
  CREATE FUNCTION mallory.note() RETURNS void LANGUAGE plpgsql AS \$\$ BEGIN
    IF current_user <> 't_trojan_owner' THEN PERFORM nextval('mallory.runs'); END IF; END \$\$;
  CREATE FUNCTION mallory.as_text(mallory.mood) RETURNS text LANGUAGE plpgsql AS \$\$ BEGIN PERFORM mallory.note(); RETURN 'x'; END \$\$;
  CREATE FUNCTION mallory.as_json(mallory.mood) RETURNS json LANGUAGE plpgsql AS \$\$ BEGIN PERFORM mallory.note(); RETURN '1'; END \$\$;
  CREATE CAST (mallory.mood AS text) WITH FUNCTION mallory.as_text(mallory.mood) AS IMPLICIT;
  CREATE CAST (mallory.mood AS json) WITH FUNCTION mallory.as_json(mallory.mood) AS IMPLICIT;
  CREATE FUNCTION mallory.is_valid(int) RETURNS boolean LANGUAGE plpgsql AS \$\$ BEGIN PERFORM mallory.note(); RETURN true; END \$\$;
  CREATE DOMAIN mallory.pounds AS int CHECK (mallory.is_valid(VALUE));
  CREATE TABLE mallory.people AS SELECT i AS id, 20 + i % 6 AS age, (ARRAY['sad', 'glad'])[1 + i % 2]::mallory.mood AS mood,
    (100 * i)::mallory.pounds AS income FROM generate_series(1, 24) AS i;
  CREATE FUNCTION mallory.row_text(mallory.people) RETURNS text LANGUAGE plpgsql AS \$\$ BEGIN PERFORM mallory.note(); RETURN 'x'; END \$\$;
  CREATE CAST (mallory.people AS text) WITH FUNCTION mallory.row_text(mallory.people) AS IMPLICIT;
  RESET ROLE; CREATE TABLE plain AS SELECT id, age, mood::varchar AS mood, income::int AS income FROM mallory.people;
  ALTER SEQUENCE mallory.runs RESTART"
# runs NAME STATEMENT: the statement succeeds, and mallory's code did not run in it as the caller.
runs() {
  value "ALTER SEQUENCE mallory.runs RESTART"
  local said
  said=$(value "$2")
  is "$1" "$(grep -o 'ERROR.*' <<<"${said:-ERROR: no row}")" ''
  is "$1: no code of mallory's" "$(value 'SELECT is_called FROM mallory.runs')" f
}
runs "a profile" "SELECT * FROM anon_profile('mallory.people')"
runs "a look that keeps an enum" "SELECT masked FROM anon_mdav('mallory.people', '{age}', 2, keep => '{mood}')"
is "shows its text" "$(value "SELECT DISTINCT masked->>'mood' FROM anon_mdav('mallory.people', '{age}', 2, keep => '{mood}') AS m ORDER BY 1")" "glad
sad"
runs "coarsening a domain" "SELECT masked FROM anon_microaggregate('mallory.people', '{age}', 2, keep => '{income}', coarsen => '{\"income\": {\"round\": 500}}')"
runs "linkage of an enum with a text" "SELECT * FROM anon_linkage('mallory.people', 'plain', '{age,mood}')"
runs "inference of an enum from a text" "SELECT * FROM anon_infer('mallory.people', 'plain', '{age}', '{mood}')"
runs "utility of an enum and a text" "SELECT * FROM anon_utility('mallory.people', 'plain', '{age,mood}')"
runs "an audit in a population" "SELECT * FROM anon_audit('mallory.people', '{age,mood}', population => 'plain')"
runs "versions of differing types" "SELECT * FROM anon_audit_versions('{mallory.people,plain}', '{age}', '{mood}', '{id}')"
runs "a report" "SELECT anon_report('mallory.people', qi => '{age}', asked => '{\"k-anonymity\": 2}')"
is "enum and text agree by their texts" "$(value "SELECT value FROM anon_audit_versions('{mallory.people,plain}', '{age}', '{mood}', '{id}') AS a
  WHERE measure = 'places'")" 24

# A policy on the state of a release, whose function PostgreSQL computes before it looks at privileges.
value "SET ROLE t_trojan_owner; CREATE FUNCTION mallory.is_visible() RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
    \$\$ BEGIN PERFORM mallory.note(); RETURN true; END \$\$;
  SELECT FROM anon_publish('mallory.keyed', 'mallory.people', '{age}', 4, key => '{id}');
  ALTER TABLE mallory.keyed_places ENABLE ROW LEVEL SECURITY; CREATE POLICY visible ON mallory.keyed_places USING (mallory.is_visible());
  ALTER SEQUENCE mallory.runs RESTART" >/dev/null
like "the history of a release is its owner's to audit" "$(value "SET ROLE t_trojan_stranger; SELECT * FROM anon_audit_history('mallory.keyed')")" '^ERROR:  42501'
is "others run nothing of it" "$(value 'SELECT is_called FROM mallory.runs')" f
like "a superuser is told of the policy" "$(value "SELECT * FROM anon_audit_history('mallory.keyed')")" '^ERROR:  55000.*keyed_places'
is "and runs nothing of it, either" "$(value 'SELECT is_called FROM mallory.runs')" f

# Types with functions of users are refused by name, with the way out.
value "CREATE EXTENSION IF NOT EXISTS citext; CREATE TABLE cities AS SELECT i AS id, i % 5 AS age, ('Town' || i % 3)::citext AS town FROM generate_series(1, 30) AS i"
like "a type that is not built in" "$(value "SELECT anon_assert('cities', '{age,town}', k => 2)")" \
  '42804: values of column "town" of type citext cannot be compared.*Cast the column to a built-in type in a view'
value "CREATE DOMAIN ctext AS citext; CREATE TYPE pair AS (a int, b citext); CREATE TYPE places AS RANGE (subtype = citext);
  CREATE TABLE made AS SELECT id, age, ARRAY[town] AS list, town::ctext AS domain, (1, town)::pair AS composite, places(town, town, '[]') AS range FROM cities"
for column in list domain composite range; do
  like "nor is one of such a type: $column" "$(value "SELECT anon_assert('made', '{age,$column}', k => 2)")" '^ERROR:  42804'
done
like "its texts may be kept" "$(value "SELECT DISTINCT masked->>'town' FROM anon_mdav('cities', '{age}', 2, keep => '{town}') AS m")" 'Town'
value "CREATE VIEW cities_of_texts AS SELECT id, age, lower(town::text) AS town FROM cities"
is "a cast in a view helps" "$(value "SELECT anon_assert('cities_of_texts', '{town}', k => 2)")" ''

# The extension's schema is renamed, and mallory takes the old name with functions of the same names.
PGDATABASE=postgres value "DROP DATABASE IF EXISTS trojans_moved_t WITH (FORCE)" -c "CREATE DATABASE trojans_moved_t" >/dev/null
export PGDATABASE=trojans_moved_t
value "CREATE SCHEMA old; CREATE EXTENSION anonkit SCHEMA old; ALTER SCHEMA old RENAME TO moved; CREATE SEQUENCE runs; GRANT ALL ON runs TO PUBLIC;
  CREATE SCHEMA old AUTHORIZATION t_trojan_owner; SET ROLE t_trojan_owner;
  CREATE FUNCTION old.anon_evaluate(tbl regclass, qi text[], k int, method text, sensitive text[], params jsonb, OUT measure text, OUT value float8)
    LANGUAGE plpgsql AS \$\$ BEGIN PERFORM nextval('public.runs'); END \$\$;
  CREATE FUNCTION old.anonkit_distributed_query(release regclass) RETURNS jsonb LANGUAGE plpgsql AS \$\$ BEGIN PERFORM nextval('public.runs'); END \$\$;
  CREATE FUNCTION old.anon_release_places(release regclass) RETURNS regclass LANGUAGE plpgsql AS \$\$ BEGIN PERFORM nextval('public.runs'); END \$\$;
  RESET ROLE; CREATE TABLE people AS SELECT i AS id, i % 7 AS age, i % 3 AS illness FROM generate_series(1, 40) AS i"
value "SELECT FROM moved.anon_publish('keyed', 'people', '{age}', 4, sensitive => '{illness}', key => '{id}')" >/dev/null
is "anon_sweep in a moved schema" "$(value "SELECT count(loss) FROM moved.anon_sweep('people', '{age}', '{2,4}')")" 2
like "anon_audit_history in a moved schema" "$(value "SELECT level FROM moved.anon_audit_history('keyed') WHERE model = 'k-anonymity'")" '^[0-9]+$'
like "a distributed release in a moved schema" "$(value "CALL moved.anon_refresh_distributed('people')")" \
  '^ERROR:  55000: the schema of anonkit has another name than at its installation.*Rename it to old again'
is "nobody who took the old name is called" "$(value 'SELECT is_called FROM runs')" f
is "all functions that call others by name look at the name first" "$(value "SELECT count(*) > 15, string_agg(proname, ' ') FILTER (WHERE
  strpos(prosrc, 'old.') < strpos(prosrc, 'pg_catalog.pg_extension') OR strpos(prosrc, 'pg_catalog.pg_extension') = 0)
  FROM pg_proc WHERE pronamespace = 'moved'::regnamespace AND strpos(prosrc, 'old.') > 0")" 't|'
done_testing
