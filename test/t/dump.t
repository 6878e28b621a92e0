#!/bin/bash
# A database with releases, dumped and restored: every release is built again and audits clean.
. test/t/tap.sh
fresh_database dump_t
value 'CREATE SCHEMA "Odd ""schema"; CREATE SCHEMA an_on; DROP EXTENSION anonkit; CREATE EXTENSION anonkit SCHEMA an_on;
  CREATE ROLE t_dump_owner; CREATE ROLE t_dump_reader;
  CREATE TYPE "Odd ""schema".mood AS ENUM ('"'sad', 'glad'"');
  CREATE DOMAIN "Odd ""schema".word AS text;
  CREATE TABLE "Odd ""schema"."the ""table" (id int, "b"" c" int, born date, mood "Odd ""schema".mood, w "Odd ""schema".word, n numeric(7,2));'
value "INSERT INTO \"Odd \"\"schema\".\"the \"\"table\" SELECT i, i * 7 % 31, date '1970-01-01' + i * 11,
    (ARRAY['sad', 'glad'])[1 + i % 2]::\"Odd \"\"schema\".mood, 'w' || i, i / 7.0 FROM generate_series(1, 60) AS i;
  CREATE TABLE plain AS SELECT i AS a, i % 5 AS s FROM generate_series(1, 30) AS i;
  GRANT USAGE ON SCHEMA an_on TO PUBLIC; GRANT SELECT ON plain TO t_dump_owner; GRANT CREATE ON SCHEMA public TO t_dump_owner"
value "SELECT an_on.anon_publish('\"Odd \"\"schema\".\"a \"\"release\"', '\"Odd \"\"schema\".\"the \"\"table\"', ARRAY['b\" c', 'born', 'n'], 4,
    sensitive => '{mood}', keep => '{w}', grant_to => '{t_dump_reader}');
  SET ROLE t_dump_owner;
  SELECT an_on.anon_publish('mine', 'plain', '{a}', 3, sensitive => '{s}');
  COMMENT ON MATERIALIZED VIEW mine IS 'my own words';
  SELECT an_on.anon_refresh('mine')" >/dev/null
value "SET ROLE t_dump_owner; CREATE TABLE odd (a text, b text); INSERT INTO odd VALUES ('0', 'few'), ('1', 'few'), ('2', 'few'), ('3', 'some'), ('4', 'some');
  GRANT SELECT ON odd TO t_dump_reader;
  SELECT an_on.anon_publish('by_hierarchy', 'plain', '{a,s}', 3, method => 'mdav',
    params => '{\"recode\": \"hierarchy\", \"hierarchies\": {\"a\": {\"range\": [5, 10]}, \"s\": {\"table\": \"odd\"}}}')" >/dev/null
value "SET ROLE t_dump_owner; SELECT an_on.anon_publish('swapped', 'plain', '{a}', 3, 'mdav', sensitive => '{s}', recode => 'swap', class_column => 'class',
  grant_to => '{t_dump_reader}', beside => 'ignore')" >/dev/null
value "CREATE TABLE cases AS SELECT i AS id, i % 4 AS sort FROM generate_series(1, 40) AS i; CREATE TABLE calls AS SELECT i AS id, i % 3 AS hour FROM generate_series(1, 20) AS i;
  GRANT SELECT ON cases, calls TO t_dump_owner; DO \$\$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO t_dump_owner', current_database()); END \$\$;
  SET ROLE t_dump_owner; SELECT an_on.anon_publish_set('grown', '{\"cases\": {\"qi\": [\"sort\"], \"key\": [\"id\"]},
  \"calls\": {\"qi\": [\"hour\"], \"parent\": \"cases\", \"parent_key\": [\"id\"]}}', k => 3, key => '{id}')" >/dev/null
is "five releases" "$(value 'SELECT count(*), bool_and(current) FROM an_on.anon_releases')" '5|t'

# The figures but for the seconds, and the rows in their order.
content() {
  value "SELECT release, source, spec, rows, classes, smallest_class, round(loss::numeric, 6), built FROM an_on.anon_releases ORDER BY release::text"
  value 'SELECT md5(string_agg(r::text, chr(10))) FROM "Odd ""schema"."a ""release" AS r'
  value 'SELECT md5(string_agg(r::text, chr(10))) FROM mine AS r'
  value 'SELECT md5(string_agg(r::text, chr(10))) FROM by_hierarchy AS r'
  value 'SELECT md5(string_agg(r::text, chr(10))) FROM swapped AS r'
  value 'SELECT md5(string_agg(r::text, chr(10))) FROM grown.cases AS r'
  value "SELECT item, md5(bytes) FROM grown.anon_set_companion WHERE item = 'persons'"
  value "SELECT item, md5(bytes) FROM swapped_companion WHERE item IN ('secret', 'classes') ORDER BY item"
  value "SELECT relname, relacl, relowner::regrole FROM pg_class WHERE relname IN ('mine', 'odd', 'a \"release') ORDER BY 1"
}
before=$(content)
scratch=$(mktemp -d)
ok "pg_dump, custom format" pg_dump -Fc -f "$scratch/custom" dump_t
ok "pg_dump, plain format" pg_dump -Fp -f "$scratch/plain" dump_t
ok "a dump holds no row of a release but those of a set, only the companions'" test "$(grep '^COPY' "$scratch/plain" | grep -vc _companion)" -eq 7

for format in custom parallel plain; do
  PGDATABASE=postgres value 'DROP DATABASE IF EXISTS restore_t' >/dev/null
  PGDATABASE=postgres value 'CREATE DATABASE restore_t'
  if [ $format = plain ]; then
    ok "$format: restored" psql -X -q -v ON_ERROR_STOP=1 -o /dev/null -d restore_t -f "$scratch/plain"
  else
    ok "$format: restored" pg_restore --exit-on-error -j "$([ $format = custom ] && echo 1 || echo 2)" -d restore_t "$scratch/custom"
  fi
  PGDATABASE=restore_t
  is "$format: the same releases, with their figures, rights and owners" "$(content)" "$before"
  is "$format: known to have been built otherwise since" "$(value 'SELECT bool_or(current) FROM an_on.anon_releases')" f
  is "$format: a release audits clean" \
    "$(value "SELECT an_on.anon_assert('\"Odd \"\"schema\".\"a \"\"release\"', ARRAY['b\" c', 'born', 'n'], k => 4)")" ''
  is "$format: and is refreshed" "$(value "SELECT rows FROM an_on.anon_refresh('mine')")" 30
  is "$format: also one with a table of labels" "$(value "SELECT rows FROM an_on.anon_refresh('by_hierarchy')")" 30
  is "$format: the classes and the secret of one by swapping verify it" "$(value "SET ROLE t_dump_owner; SELECT an_on.anon_assert_swap('swapped')")" ''
  value "CREATE TABLE before AS SELECT * FROM swapped" >/dev/null
  is "$format: and it is refreshed" "$(value "SET ROLE t_dump_owner; SELECT rows FROM an_on.anon_refresh('swapped')")" 30
  is "$format: with the same rows" "$(value 'SELECT count(*) FROM (SELECT * FROM before EXCEPT ALL SELECT * FROM swapped) AS gone')" 0
  is "$format: and verified again" "$(value "SET ROLE t_dump_owner; SELECT an_on.anon_assert_swap('swapped')")" ''
  grown="SET ROLE t_dump_owner; SELECT an_on.anon_refresh_set('grown')"
  like "$format: a refresh of a set that grows tells a copy" "$(details "$grown")" 'set "grown" was restored or cloned.*Another database made the last version'
  value "INSERT INTO cases SELECT i, i % 2 FROM generate_series(41, 50) AS i" >/dev/null
  is "$format: a set goes on where it ended" "$(value "SET ROLE t_dump_owner; SELECT string_agg(rows::text, ',') FROM an_on.anon_refresh_set('grown')")" '10,0'
  is "$format: which this database made now" "$(details "$grown" | grep -c restored)" 0
  is "$format: with every person once" "$(value 'SELECT count(*) FROM grown.cases')" 50
  is "$format: its reader reads it" "$(value 'SET ROLE t_dump_reader; SELECT count(*) FROM swapped')" 30
  like "$format: and not its secret" "$(value 'SET ROLE t_dump_reader; SELECT * FROM swapped_companion')" '42501: permission denied for table swapped_companion'
  like "$format: which it depends on" "$(value 'DROP TABLE odd')" '2BP01: cannot drop table odd'
  like "$format: the owner's words are still there" "$(value "SELECT obj_description('mine'::regclass)")" '^my own words'
  is "$format: current again" "$(value "SELECT current FROM an_on.anon_release_info('mine')")" t
  PGDATABASE=dump_t
done

# A restore of data that violate the promise reports that, and restores the rest.
value "DELETE FROM plain WHERE a > 2"
pg_dump -Fc -f "$scratch/broken" dump_t
PGDATABASE=postgres value 'DROP DATABASE restore_t; ' >/dev/null
PGDATABASE=postgres value 'CREATE DATABASE restore_t'
like "a promise that can no longer be kept" "$(pg_restore -d restore_t "$scratch/broken" 2>&1)" 'k is larger than the number of rows'
export PGDATABASE=restore_t
like "leaves that release without rows" "$(value 'SELECT * FROM mine')" '55000: materialized view "mine" has not been populated'
is "and the other one whole" "$(value 'SELECT count(*) FROM "Odd ""schema"."a ""release"')" 60
export PGDATABASE=postgres
value 'DROP DATABASE restore_t'
value 'DROP DATABASE dump_t'
value 'DROP ROLE t_dump_owner, t_dump_reader'
rm -r "$scratch"
done_testing
