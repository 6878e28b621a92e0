#!/bin/bash
# The state of a release with a key: private, sealed, the same after a dump into another encoding, under any settings and
# after renamed labels; refused by name when it is altered.
. test/t/tap.sh
. test/state/state.sh

ok "the matrix of altered states: every cell is an error that names the table, or tells nothing" alter_states state_matrix

PGDATABASE=postgres value 'CREATE ROLE t_state_owner; CREATE ROLE t_state_reader' >/dev/null
fresh_database state_t >/dev/null
value 'GRANT CREATE ON SCHEMA public TO t_state_owner; GRANT t_state_reader TO t_state_owner'

# Privileges, and who may see what, from the first row on.
value "ALTER DEFAULT PRIVILEGES FOR ROLE t_state_owner GRANT ALL ON TABLES TO t_state_reader, PUBLIC;
  CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 50 AS age, 'v' || i * 11 % 7 AS job FROM generate_series(1, 100) AS i;
  ALTER TABLE people ADD PRIMARY KEY (id); ALTER TABLE people OWNER TO t_state_owner;
  SET ROLE t_state_owner; SELECT FROM anon_publish('r', 'people', '{age}', 5, sensitive => '{job}', key => '{id}')" >/dev/null
is "default privileges open neither places nor companion" "$(value "SELECT relname, (SELECT count(*) FROM aclexplode(relacl) AS a
  WHERE a.grantee <> relowner) FROM pg_class WHERE relname IN ('r_places', 'r_companion') ORDER BY 1")" $'r_companion|0\nr_places|0'
is "two tables beside the view" "$(value "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relname ~ '^r(_|$)' AND relkind IN ('r', 'v')")" \
  'r r_companion r_places'

is "another release of its name, after a rename" "$(value "ALTER VIEW r RENAME TO issued; SELECT rows FROM anon_publish('r', 'people', '{age}', 5, key => '{id}');
  SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relname ~ '^r_' AND relkind = 'r';
  SELECT rows FROM anon_refresh('r'); SELECT anon_drop('r'); SELECT count(*) FROM issued; ALTER VIEW issued RENAME TO r")" \
  $'100\nr_companion r_companion1 r_places r_places1\n100\n\n100'

# DROP of a type or a collation of its columns takes a release along, whole.
value "CREATE SCHEMA kinds; CREATE TYPE kinds.mood AS ENUM ('a', 'b', 'c'); CREATE COLLATION kinds.plain (LOCALE = 'C');
  CREATE TABLE moods AS SELECT i AS id, i % 20 AS age, (ARRAY['a', 'b', 'c'])[1 + i % 3]::kinds.mood AS mood, ARRAY['a']::kinds.mood[] AS past,
    'note' COLLATE kinds.plain AS note FROM generate_series(1, 60) AS i;
  SELECT FROM anon_publish('m', 'moods', '{age}', 3, method => 'mdav', sensitive => '{mood}', keep => '{past,note}', key => '{id}')" >/dev/null
for object in 'TYPE kinds.mood' 'COLLATION kinds.plain' 'SCHEMA kinds'; do
  is "DROP $object CASCADE" "$(value "BEGIN; DROP $object CASCADE; SELECT count(*) FROM pg_class WHERE relname ~ '^m(_|$)'; ROLLBACK")" 0
done
is "the release is as it was, and is dropped" "$(value "SELECT version FROM anon_refresh('m'); SELECT anon_drop('m');
  SELECT count(*) FROM pg_class WHERE relname ~ '^m(_|$)'; DROP TABLE moods")" $'2\n\n0'

is "VACUUM never locks readers out of a companion" "$(value "SELECT reloptions FROM pg_class WHERE relname = 'r_companion'")" '{vacuum_truncate=off}'

# Publications of all tables.
value 'CREATE PUBLICATION everything FOR ALL TABLES'
is "a refresh under a publication of all tables" "$(value "DELETE FROM people WHERE id = 1; SELECT version, vacant FROM anon_refresh('r')" 2>&1)" '2|1'
is "and a first version" "$(value "SELECT rows FROM anon_publish('s', 'people', '{age}', 5, key => '{id}'); SELECT anon_drop('s')")" 99
value 'DROP PUBLICATION everything'

# Logs of statements. The hashes and the secret are in no statement, parameter or plan.
value "ALTER SYSTEM SET log_statement = 'all'; ALTER SYSTEM SET log_parameter_max_length = -1; ALTER SYSTEM SET log_min_duration_statement = 0;
  SELECT pg_reload_conf()" >/dev/null
log_at=$(wc -c <"$PGHOST/log")
value "LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_verbose = on;
  SET auto_explain.log_analyze = on; SET debug_print_plan = on; SET client_min_messages = error;
  SELECT FROM anon_publish('logged', 'people', '{age}', 5, sensitive => '{job}', key => '{id}'); DELETE FROM people WHERE id = 2;
  SELECT FROM anon_refresh('logged'); SELECT anon_assert_history('logged')" >/dev/null
tail -c "+$log_at" "$PGHOST/log" >/tmp/state_t.log 2>/dev/null
is "the log has the statements" "$(grep -c 'INSERT INTO public.logged_places' /tmp/state_t.log | sed 's/[1-9][0-9]*/some/')" some
value "SELECT encode(substr(bytes, 5, 32), 'hex') FROM logged_companion WHERE item = 'state' UNION ALL SELECT encode(anon_person, 'hex') FROM logged_places" >/tmp/state_t.secrets
is "but no secret and no hash" "$(grep -ciF -f /tmp/state_t.secrets /tmp/state_t.log) $(wc -l </tmp/state_t.secrets)" '0 100'
value 'ALTER SYSTEM RESET ALL; SELECT pg_reload_conf()' >/dev/null
rm -f /tmp/state_t.log /tmp/state_t.secrets
value "SELECT anon_drop('logged')" >/dev/null

# Settings.
is "no setting of a session changes the state" "$(PGOPTIONS="-c quote_all_identifiers=on -c datestyle=German -c timezone=Asia/Tokyo -c intervalstyle=iso_8601
  -c bytea_output=escape -c extra_float_digits=-5" value "SELECT version, vacant, waiting FROM anon_refresh('r')")" '3|2|0'

# Snapshots.
like "an older snapshot" "$(psql -X -q -At -v VERBOSITY=verbose <<'SQL' 2>&1
BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM people;
\! psql -X -q -At -c "DELETE FROM people WHERE id = 3" -c "SELECT version FROM anon_refresh('r')"
SELECT anon_refresh('r');
SQL
)" '40001: the last version of the release is newer than this transaction'
is "a new one repeats its reads, too" "$(value "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT version, vacant FROM anon_refresh('r'); COMMIT")" '5|3'

# A reader refreshes and another session drops at the same time: neither waits for the other for ever.
psql -X -q -At -v VERBOSITY=verbose >/tmp/state_t.reader 2>&1 <<'SQL' &
BEGIN; SELECT count(*) > 0 FROM r; SELECT pg_sleep(1.5); SELECT version FROM anon_refresh('r'); COMMIT;
SQL
until_asleep
dropped=$(value "SELECT anon_drop('r')")
wait
is "no deadlock of anon_drop and a reader's refresh" "$(tr '\n' ' ' </tmp/state_t.reader)$dropped" 't  6 '
rm -f /tmp/state_t.reader
is "nothing is left" "$(value "SELECT count(*) FROM pg_class WHERE relname ~ '^r_'")" 0

# DROP of the source.
value "SELECT FROM anon_publish('r', 'people', '{age}', 5, key => '{id}'); DROP TABLE people CASCADE" >/dev/null
is "DROP of the source takes the state along" "$(value "SELECT count(*) FROM pg_class WHERE relname ~ '^r(_|$)'")" 0

# Enums whose values are renamed, in the key, as quasi-identifiers and published.
value "CREATE TYPE ward AS ENUM ('east', 'west', 'north'); CREATE TYPE stage AS ENUM ('I', 'II', 'III');
  CREATE TABLE patients AS SELECT i AS id, (ARRAY['east', 'west', 'north'])[1 + i % 3]::ward AS ward, 20 + i * 7 % 50 AS age,
    (ARRAY['I', 'II', 'III'])[1 + i * 11 % 3]::stage AS stage, 'v' || i % 7 AS job FROM generate_series(1, 120) AS i;
  SELECT FROM anon_publish('e', 'patients', '{age,stage}', 5, method => 'mondrian', sensitive => '{job}', keep => '{ward}', key => '{id,ward}')" >/dev/null
enums() { value "SELECT version, rows, waiting, vacant, stale FROM anon_refresh('e')"; }
is "before" "$(enums)" '2|120|0|0|0'
value "ALTER TYPE ward RENAME VALUE 'east' TO 'orient'; ALTER TYPE stage RENAME VALUE 'II' TO '2'"
is "renamed values are the same values" "$(enums)" '3|120|0|0|0'
value "ALTER TYPE ward ADD VALUE 'east' BEFORE 'west'"
is "added values, even with a name that another had" "$(enums)" '4|120|0|0|0'
value "INSERT INTO patients VALUES (1, 'east', 30, 'I', 'v1')"
is "are others" "$(enums)" '5|120|1|0|0'
value "ALTER TYPE ward RENAME VALUE 'north' TO 'x'; ALTER TYPE ward RENAME VALUE 'west' TO 'north'"
like "exchanged names are refused" "$(enums)" '55000: the labels of an enum column are not those of the last refresh'
value "ALTER TYPE ward RENAME VALUE 'north' TO 'west'; ALTER TYPE ward RENAME VALUE 'x' TO 'north'"
is "until they are renamed back" "$(enums)" '6|120|1|0|0'
is "all versions keep their promise" "$(value "SELECT anon_assert_history('e')")" ''
value "DELETE FROM patients WHERE id = 1 AND ward = 'east'; SELECT anon_drop('e')" >/dev/null

# Encodings.
value "CREATE TYPE colour AS ENUM ('grün', 'weiß');
  CREATE TABLE words AS SELECT 'é' || i AS id, 'ü' || i % 40 AS patient, (ARRAY['grün', 'weiß'])[1 + i % 2]::colour AS colour, 20 + i * 7 % 50 AS age,
    'größe ' || i * 11 % 7 AS \"Job\", make_interval(days => i % 3) AS stay FROM generate_series(1, 160) AS i;
  SELECT FROM anon_publish('w', 'words', '{age,colour}', 4, method => 'mondrian', sensitive => '{Job}', keep => '{stay}', key => '{id,colour}', unit => '{patient}');
  INSERT INTO words VALUES ('ñ', 'ñ', 'grün', 30, 'groß', '1 day'); SELECT FROM anon_refresh('w')" >/dev/null
is "in UTF-8" "$(value "SELECT version, rows, waiting, vacant, stale FROM anon_refresh('w')")" '3|160|1|0|0'
moved=state_t
for encoding in latin1 win1252 utf8; do
  PGDATABASE=postgres value "CREATE DATABASE state_$encoding ENCODING '$encoding' LOCALE 'C' TEMPLATE template0"
  errors=$(pg_dump --encoding=UTF8 "$moved" 2>&1 | PGDATABASE=state_$encoding psql -X -q -v ON_ERROR_STOP=1 2>&1 >/dev/null)
  moved=state_$encoding
  is "dumped and restored into $encoding" "$errors" ''
  is "a refresh in $encoding continues" "$(PGDATABASE=$moved value "SELECT rows, waiting, vacant, stale FROM anon_refresh('w')")" '160|1|0|0'
done
is "and all versions keep their promise" "$(PGDATABASE=$moved value "SELECT anon_assert_history('w')")" ''
is "a restored release is dropped whole" "$(PGDATABASE=state_latin1 value "SELECT anon_drop('w'); SELECT count(*) FROM pg_class WHERE relname ~ '^w(_|$)'")" $'\n0'
is "also before its first refresh" "$(PGDATABASE=postgres value "CREATE DATABASE state_restored"; pg_dump --encoding=UTF8 state_t | PGDATABASE=state_restored psql -X -q >/dev/null 2>&1
  PGDATABASE=state_restored value "SELECT anon_drop('w'); SELECT count(*) FROM pg_class WHERE relname ~ '^w(_|$)'")" $'\n0'
for name in latin1 win1252 utf8 restored; do PGDATABASE=postgres value "DROP DATABASE state_$name" >/dev/null; done

# A state as version 0.2.0 left it: three tables.
value "SELECT anon_drop('w'); CREATE TABLE old AS SELECT 'é' || i AS id, 20 + i * 7 % 50 AS age, 'v' || i * 11 % 7 AS job FROM generate_series(1, 100) AS i;
  SELECT FROM anon_publish('o', 'old', '{age}', 5, sensitive => '{job}', key => '{id}'); INSERT INTO old VALUES ('new', 30, 'v1'); SELECT FROM anon_refresh('o')" >/dev/null
as_of_0_2() {
  value "CREATE FUNCTION pg_temp.number(bytes bytea, at int) RETURNS bigint LANGUAGE sql AS
    'SELECT sum(get_byte(bytes, at + i)::numeric * 256::numeric ^ i)::bigint FROM generate_series(0, 7) AS i';
  CREATE TABLE o_waiting AS SELECT substr(bytes, length(bytes) - 67, 32) AS person, 2 AS since FROM o_companion WHERE item = 'state';
  ALTER TABLE o_waiting ADD PRIMARY KEY (person); ALTER TABLE o_waiting ALTER since SET NOT NULL;
  CREATE TABLE o_secret (secret bytea NOT NULL, version int NOT NULL, classes bigint NOT NULL, present bigint NOT NULL, first_loss float8 NOT NULL,
    first_sst float8 NOT NULL, scales float8[], columns text NOT NULL, seal text NOT NULL);
  UPDATE o_places AS p SET anon_quasi = substr(sha256(secret || p.anon_person || '\\x00000000' || (SELECT string_agg(substr(float8send(old.age), i, 1), ''
    ORDER BY i DESC) FROM generate_series(1, 8) AS i)), 1, 8) FROM old, (SELECT substr(bytes, 5, 32) AS secret FROM o_companion WHERE item = 'state') AS s
    WHERE p.anon_person = sha256(secret || convert_to(old.id, 'UTF8') || '\\x00');
  INSERT INTO o_secret SELECT substr(bytes, 5, 32), 2, pg_temp.number(bytes, 40), pg_temp.number(bytes, 48), 0.1, 1, '{1}',
    convert_from(substr(bytes, 149, get_byte(bytes, 144)), 'UTF8'),
    (SELECT count(*) || ' ' || sum(hashtextextended(p::text, 0)) FROM o_places AS p) || ' ' ||
    (SELECT count(*) || ' ' || sum(hashtextextended(w::text, 0)) FROM o_waiting AS w) FROM o_companion WHERE item = 'state';
  DO \$\$ BEGIN EXECUTE format('CREATE OR REPLACE VIEW o WITH (security_barrier) AS SELECT places.age, places.job, places.anon_weight AS weight
    FROM o_places AS places WHERE places.anon_until IS NULL AND anon_release_spec(''old''::regclass, %L::jsonb, ''o_waiting''::regclass,
    ''o_secret''::regclass)', (SELECT spec FROM anon_release_info('o'))); END \$\$;
  ALTER TABLE o_places DROP CONSTRAINT o_places_pkey, ADD UNIQUE (anon_person, anon_since); GRANT SELECT ON o_places TO t_state_reader;
  DROP TABLE o_companion"
}
as_of_0_2
is "a release of version 0.2.0" "$(value "SELECT rows FROM anon_release_info('o'); SELECT count(*) FROM o")" $'100\n100'
like "its history is read after a refresh" "$(value "SELECT anon_assert_history('o')")" '55000: the state of release "o" is of version 0.2.0'
kept=$(value "SELECT md5(string_agg(r::text, ' ' ORDER BY r::text)) FROM o AS r")
value "UPDATE o_places SET anon_weight = 0.5 WHERE anon_class = 1"
like "which refuses a state that was altered" "$(value "SELECT anon_refresh('o')")" '55000: the state of the release is not as.*Table "o_places"'
value "UPDATE o_places SET anon_weight = 1 WHERE anon_class = 1; ALTER TABLE o_secret ALTER version TYPE text"
like "or tables that are not its own" "$(value "SELECT anon_refresh('o')")" '55000: the state of the release is not as.*Table "o_secret"'
value "ALTER TABLE o_secret ALTER version TYPE int USING version::int; ALTER VIEW o RENAME COLUMN job TO work"
is "and else moves it to the companion" "$(value "SELECT version, rows, waiting, vacant, stale FROM anon_refresh('o'); SELECT max(length(anon_quasi)) FROM o_places")" $'3|100|1|0|0\n8'
is "with the same rows" "$(value "SELECT md5(string_agg(r::text, ' ' ORDER BY r::text)) FROM o AS r")" "$kept"
is "in two tables, that only the owner may read" "$(value "SELECT relname, (SELECT count(*) FROM aclexplode(relacl) AS a
  WHERE a.grantee <> relowner), relreplident FROM pg_class WHERE relname ~ '^o_' AND relkind = 'r' ORDER BY 1")" $'o_companion|0|d\no_places|0|i'
is "and continues" "$(value "DELETE FROM old WHERE age = 27; SELECT version, waiting FROM anon_refresh('o'); SELECT anon_assert_history('o')")" '4|1'
value "DROP TABLE o_companion"
like "a state that is gone" "$(value "SELECT anon_refresh('o')")" '55000: the state of the release.*has no state'

# The owner knows the secret and can seal any state. Memory is taken for classes that the table has rows for.
value "CREATE TABLE few AS SELECT i AS id, 20 + i * 7 % 50 AS age, i % 9 AS day FROM generate_series(1, 100) AS i;
  SELECT FROM anon_publish('f', 'few', '{age}', 5, keep => '{day}', key => '{id}', weight_column => false);
  CREATE FUNCTION mixed(b bytea, c int) RETURNS bytea LANGUAGE sql AS
    'SELECT string_agg(set_byte(substr(b, i, 1), 0, get_byte(b, i - 1) # c), '''' ORDER BY i) FROM generate_series(1, length(b)) AS i';
  CREATE FUNCTION sealed(content bytea, secret bytea) RETURNS bytea LANGUAGE sql AS 'SELECT content || sha256(mixed(padded, 92) || sha256(mixed(padded, 54)
    || ''s''::bytea || content)) FROM (SELECT secret || decode(repeat(''00'', 32), ''hex'') AS padded) AS k';
  CREATE TABLE kept AS SELECT substr(bytes, 1, length(bytes) - 32) AS content, substr(bytes, 5, 32) AS secret FROM f_companion WHERE item = 'state'" >/dev/null
is "the seal in SQL" "$(value "SELECT sealed(k.content, k.secret) = c.bytes FROM kept AS k, f_companion AS c WHERE c.item = 'state'")" t
# The number of classes is at byte 41, and that of places at 73; ff ff ff 7e are two thousand millions.
value "UPDATE f_companion SET bytes = (SELECT sealed(overlay(overlay(content placing '\xffffff7e00000000' from 41) placing '\xffffff7e00000000' from 73), secret)
  FROM kept) WHERE item = 'state'"
for call in "anon_refresh('f')" "anon_assert_history('f')"; do
  like "more classes than the table can have: $call" "$(value "SELECT $call")" '55000: the state of the release.*Table "f_places" has fewer rows than the state has classes'
done
value "UPDATE f_companion SET bytes = (SELECT sealed(content, secret) FROM kept) WHERE item = 'state'"
is "the state as it was" "$(value "SELECT version FROM anon_refresh('f')")" 2
# A kept column becomes a quasi-identifier: the columns are the same, and the state has one scale.
value "DO \$\$ DECLARE def text := pg_get_viewdef('f'); spec text := (regexp_match(def, '''(\\{.*\\})''::jsonb'))[1]; BEGIN
  EXECUTE 'CREATE OR REPLACE VIEW f WITH (security_barrier) AS ' || replace(def, spec, (spec::jsonb || '{\"qi\": [\"age\", \"day\"], \"keep\": []}')::text); END \$\$"
like "columns in other roles" "$(value "SELECT anon_refresh('f')")" '55000: the source.s columns are not those that the release was made of'

export PGDATABASE=postgres
value 'DROP DATABASE state_t WITH (FORCE)' >/dev/null
value 'DROP OWNED BY t_state_owner, t_state_reader; DROP ROLE t_state_owner, t_state_reader' >/dev/null
done_testing
