#!/bin/bash
# A release under changes of its source: it is refreshed and verified, or it stays unchanged.
. test/t/tap.sh
fresh_database refresh_t
value "CREATE TABLE people (id int, age int, pay int);
  INSERT INTO people SELECT i, i % 50, i * 7 % 101 FROM generate_series(1, 200) AS i;
  SELECT anon_publish('release', 'people', '{age,pay}', 5, keep => '{id}')" >/dev/null
content() { value 'SELECT md5(string_agg(r::text, chr(10))) FROM release AS r'; }
before=$(content)
stays() { is "$1: the old release is still there" "$(content)" "$before"; }

# The statement, the error of anon_refresh, and that of REFRESH if it is another.
for change in "TRUNCATE people|22000: there are no rows to anonymize" \
  "INSERT INTO people VALUES (201, NULL, 1)|22000: quasi-identifier \"age\" contains nulls" \
  "DELETE FROM people WHERE id > 4|22023: k is larger than the number of rows" \
  "ALTER TABLE people RENAME age TO years|42703: column \"age\" does not exist" \
  "ALTER TABLE people ALTER age TYPE bigint|42804: column \"age\" of release \"release\" would change its type from integer to bigint|42804: function return row and query-specified return row do not match" \
  "ALTER TABLE people ALTER id TYPE text|42804: column \"id\" of release \"release\" would change its type from integer to text|42804: function return row and query-specified return row do not match" \
  "ALTER TABLE people ADD later int; UPDATE people SET later = age; ALTER TABLE people DROP age; ALTER TABLE people RENAME later TO age|55000: the source's columns have another order than at publication" \
  "ALTER TABLE people DROP COLUMN id|42703: column \"id\" does not exist"; do
  IFS='|' read -r statement refused refused_to_refresh <<<"$change"
  value "$statement"
  like "$statement: anon_refresh" "$(value "SELECT anon_refresh('release')")" "$refused"
  like "$statement: REFRESH" "$(value 'REFRESH MATERIALIZED VIEW release')" "${refused_to_refresh:-$refused}"
  stays "$statement"
  value "BEGIN; DROP TABLE people CASCADE; ROLLBACK" >/dev/null
  value "ALTER TABLE people RENAME TO gone_$RANDOM$RANDOM;
    CREATE TABLE fresh AS SELECT i AS id, i % 50 AS age, i * 7 % 101 AS pay FROM generate_series(1, 200) AS i"
  value "DROP MATERIALIZED VIEW release; ALTER TABLE fresh RENAME TO people;
    SELECT anon_publish('release', 'people', '{age,pay}', 5, keep => '{id}')" >/dev/null
done
is "the same release each time" "$(content)" "$before"
value "CREATE TABLE measured AS SELECT i AS id, (i % 9 / 7.0)::numeric(6,2) AS a FROM generate_series(1, 100) AS i; SELECT anon_publish('exact', 'measured', '{a}', 5)" >/dev/null
value 'ALTER TABLE measured ALTER a TYPE numeric(8,4)'
like "digits are a part of a type" "$(value "SELECT anon_refresh('exact')")" '42804: column "a" of release "exact" would change its type from numeric\(6,2\) to numeric\(8,4\)'
value 'TRUNCATE measured'
for way in "anon_refresh('exact')" "anon_refresh('exact', concurrently => true)"; do
  like "$way says so before it reads a row" "$(value "SELECT $way")" '42804: column "a" of release "exact" would change its type'
done
value 'DROP TABLE measured CASCADE'

# A column that is dropped and added again is the last of its table.
value "CREATE TABLE moved AS SELECT i AS id, i % 50 AS age, i * 7 % 101 AS pay, i % 6 AS ill FROM generate_series(1, 200) AS i;
  SELECT anon_publish('by_order', 'moved', '{age,pay}', 5, sensitive => '{ill}', l => 2), anon_publish('by_name', 'moved', '{age,pay}', 5, sensitive => '{ill}', l => 2, key => '{id}')" >/dev/null
judged() { value "SELECT release, a.model, a.attribute, a.level FROM unnest('{by_order,by_name}'::regclass[]) AS release, anon_audit(release) AS a WHERE a.model ~ '^(k-anon|distinct)'"; }
audits=$(judged)
value "ALTER TABLE moved ADD later int; UPDATE moved SET later = age; ALTER TABLE moved DROP age; ALTER TABLE moved RENAME later TO age"
is "audits judge the columns that are named" "$(judged)" "$audits"
like "they are those of two releases" "$audits" 'by_order\|k-anonymity\|\|5.*by_name\|distinct l-diversity\|ill\|'
is "a release with a key goes on" "$(value "SELECT version, rows, stale, changed FROM anon_refresh('by_name')")" '2|200|0|0'
is "reports have the release's columns" "$(value "SELECT string_agg(c->>'name', ' ') FROM jsonb_array_elements(anon_report('by_order', format => 'json')::jsonb->'columns') AS c")" 'age pay ill'
value 'DROP TABLE moved CASCADE'

value 'ALTER TABLE people RENAME TO persons; CREATE SCHEMA elsewhere; ALTER TABLE persons SET SCHEMA elsewhere'
is "a source that was renamed and moved is followed" "$(value "SELECT rows FROM anon_refresh('release')")" 200
is "and listed by its name" "$(value 'SELECT source FROM anon_releases')" elsewhere.persons
value 'ALTER MATERIALIZED VIEW release RENAME TO issued; ALTER MATERIALIZED VIEW issued SET SCHEMA elsewhere'
is "so is a release" "$(value "SELECT rows FROM anon_refresh('elsewhere.issued')")" 200
like "a source is not dropped under its release" "$(value 'DROP TABLE elsewhere.persons')" '2BP01: cannot drop table'
value 'CREATE UNIQUE INDEX ON elsewhere.issued (id)'
value 'REFRESH MATERIALIZED VIEW CONCURRENTLY elsewhere.issued'
is "REFRESH CONCURRENTLY works" "$(value 'SELECT count(*) FROM elsewhere.issued')" 200

# Many at once, and half-done.
is "a publication that is rolled back leaves nothing" "$(value "BEGIN; SELECT rows FROM anon_publish('r2', 'elsewhere.persons',
  '{age}', 5); ROLLBACK; SELECT to_regclass('r2') IS NULL")" $'200\nt'
is "what the same transaction inserted is published" "$(value "BEGIN; INSERT INTO elsewhere.persons VALUES (201, 1, 1);
  SELECT rows FROM anon_publish('r3', 'elsewhere.persons', '{age}', 5); SELECT rows FROM anon_refresh('r3'); COMMIT;
  SELECT count(*) FROM r3")" $'201\n201\n201'
is "two releases, refreshed by one statement" "$(value "SELECT release, r.rows FROM anon_releases, anon_refresh(release) AS r
  ORDER BY release::text")" $'elsewhere.issued|201\nr3|201'
is "publishing in a function" "$(value "CREATE FUNCTION nightly() RETURNS bigint LANGUAGE plpgsql AS \$\$
  DECLARE n bigint; BEGIN PERFORM anon_drop('r3'); SELECT rows INTO n FROM anon_publish('r3', 'elsewhere.persons', '{pay}', 3); RETURN n; END \$\$;
  SELECT nightly(), nightly()")" '201|201'
is "a release of a release" "$(value "SELECT rows FROM anon_publish('r4', 'r3', '{pay}', 10); SELECT anon_assert('r4', '{pay}', k => 10)")" 201
is "a hand-written view over anon_release is a release too" "$(value "CREATE MATERIALIZED VIEW r5 AS SELECT * FROM
  anon_release('elsewhere.persons', '{\"method\": \"mdav\", \"qi\": [\"age\"], \"k\": 4}') AS r (age int);
  SELECT rows FROM anon_refresh('r5')")" 201
like "but one that shows less is not" "$(value "CREATE MATERIALIZED VIEW r6 AS SELECT * FROM
  anon_release('elsewhere.persons', '{\"method\": \"mdav\", \"qi\": [\"age\"], \"k\": 4}') AS r (age int) LIMIT 6;
  SELECT rows FROM anon_refresh('r6')")" '42809: "r6" is not a release'

# The owner of a release has changed its columns.
value "SELECT anon_publish('r7', 'elsewhere.persons', '{age,pay}', 5, sensitive => '{id}', params => '{\"p\": 3}')" >/dev/null
value 'ALTER MATERIALIZED VIEW r7 RENAME age TO swap; ALTER MATERIALIZED VIEW r7 RENAME pay TO age;
  ALTER MATERIALIZED VIEW r7 RENAME swap TO pay; ALTER MATERIALIZED VIEW r7 RENAME id TO "a ""number"'
is "renamed columns do not matter" "$(value "SELECT rows FROM anon_refresh('r7')")" 201
current() { value "SELECT current FROM anon_releases WHERE release = '$1'::regclass"; }
is "its figures are current" "$(current r7)" t
value 'VACUUM FULL r7'
is "also after VACUUM FULL" "$(current r7)" t
value 'CREATE UNIQUE INDEX r7_id ON r7 ("a ""number")' && value 'CLUSTER r7 USING r7_id'
is "and after CLUSTER" "$(current r7)" t
value 'REFRESH MATERIALIZED VIEW CONCURRENTLY r7'
is "and after a refresh that changed nothing" "$(current r7)" t
value 'UPDATE elsewhere.persons SET age = age + 100'
value 'REFRESH MATERIALIZED VIEW CONCURRENTLY r7'
is "but not after one that changed rows" "$(current r7)" f
is "until anon_refresh" "$(value "SELECT rows FROM anon_refresh('r7')" && current r7)" $'201\nt'
value 'REFRESH MATERIALIZED VIEW r7'
is "nor after a plain refresh" "$(current r7)" f
is "a savepoint does not matter" "$(value "BEGIN; SAVEPOINT s; SELECT rows FROM anon_refresh('r7'); RELEASE s; COMMIT" && current r7)" $'201\nt'
value 'REFRESH MATERIALIZED VIEW r7 WITH NO DATA'
is "no figures of a release without data" "$(value "SELECT source, rows, current, built FROM anon_releases WHERE release = 'r7'::regclass")" 'elsewhere.persons|||'
is "which is built again" "$(value "SELECT rows FROM anon_refresh('r7')" && current r7)" $'201\nt'

# Rows that a concurrent refresh leaves as they were have earlier writers.
value "CREATE TABLE elsewhere.notes AS SELECT i AS id, i / 5 * 10 AS age, 0 AS note FROM generate_series(0, 199) AS i;
  SELECT anon_publish('r8', 'elsewhere.notes', '{age}', 5, keep => '{id,note}'); CREATE UNIQUE INDEX ON r8 (id)" >/dev/null
merge() { value "SELECT rows FROM anon_refresh('r8', concurrently => true); SELECT count(DISTINCT xmin::text) FROM r8"; rebuilt; }
rebuilt() { value "SELECT rebuilt FROM anon_releases WHERE release = 'r8'::regclass"; }
is "a concurrent refresh that changed nothing" "$(merge)" $'200\n1\nf'
value 'UPDATE elsewhere.notes SET note = 1 WHERE id < 9'
is "one that changed some rows" "$(merge)" $'200\n2\nf'
value 'VACUUM FULL r8'
is "and VACUUM FULL" "$(rebuilt)" f
value 'UPDATE elsewhere.notes SET note = 1 WHERE id BETWEEN 10 AND 19'
value 'REFRESH MATERIALIZED VIEW CONCURRENTLY r8'
is "but not by other means" "$(rebuilt)" t
is "until the next one verifies these rows, too" "$(merge)" $'200\n3\nf'
value "SELECT anon_drop('r8'); DROP TABLE elsewhere.notes" >/dev/null

# Changes of the source since then: rows written, also behind views and in partitions.
state() { others_ended && value "SELECT current, changes, rebuilt FROM anon_releases WHERE release = '$1'::regclass"; }
value "CREATE TABLE elsewhere.parts (id int, age int) PARTITION BY RANGE (id);
  CREATE TABLE elsewhere.low PARTITION OF elsewhere.parts FOR VALUES FROM (0) TO (100);
  CREATE TABLE elsewhere.high PARTITION OF elsewhere.parts FOR VALUES FROM (100) TO (200);
  INSERT INTO elsewhere.parts SELECT i, i % 40 FROM generate_series(0, 199) AS i;
  CREATE VIEW elsewhere.viewed AS SELECT p.* FROM (SELECT * FROM elsewhere.parts) AS p JOIN elsewhere.persons USING (id)"
others_ended
value "SELECT rows FROM anon_publish('of_parts', 'elsewhere.parts', '{age}', 5)" >/dev/null
value "SELECT rows FROM anon_publish('of_view', 'elsewhere.viewed', '{age}', 5)" >/dev/null
is "nothing has changed" "$(state of_parts) $(state of_view)" 't|0|f t|0|f'
value 'ANALYZE elsewhere.parts; VACUUM elsewhere.low; CREATE INDEX ON elsewhere.parts (age); SELECT count(*) FROM elsewhere.parts' >/dev/null
is "nor by vacuum, analyze, an index or a look" "$(state of_parts)" 't|0|f'
value 'UPDATE elsewhere.parts SET age = 1 WHERE id IN (1, 150); DELETE FROM elsewhere.parts WHERE id = 2'
is "two updates and a deletion in partitions" "$(state of_parts) $(state of_view)" 'f|3|f f|3|f'
is "a refresh of one" "$(value "SELECT rows FROM anon_refresh('of_parts')") $(state of_parts) $(state of_view)" '199 t|0|f f|3|f'
is "in the session that writes, at once" "$(value "UPDATE elsewhere.persons SET age = age WHERE id = 1;
  SELECT changes FROM anon_releases WHERE release = 'of_view'::regclass")" 4
value 'REFRESH MATERIALIZED VIEW of_parts'
is "built by other means" "$(state of_parts)" 'f|0|t'
value "SELECT rows FROM anon_refresh('of_parts')" >/dev/null
value 'TRUNCATE elsewhere.low, elsewhere.high'
is "emptied" "$(state of_parts)" 'f|199|f'
value "SELECT pg_stat_reset()" >/dev/null
is "statistics that lost count" "$(state of_view)" '||f'
value 'DROP TABLE elsewhere.parts CASCADE' >/dev/null
is "six digits, and a whole number as it is" "$(value "SELECT anon_publish('many', 'elsewhere.persons', '{age}', 100) IS NULL;
  SELECT dm::text = (SELECT sum(n * n)::text FROM (SELECT count(*) AS n FROM many GROUP BY age) AS c), length(loss::text) <= 8,
    age < interval '1 minute' FROM anon_releases WHERE release = 'many'::regclass")" $'f\nt|t|t'
like "psql lists the release with a sentence alone" "$(value '\dm+ many' | cut -d'|' -f 8)" \
  '^Masked by anonkit: 100-anonymous; 201 rows in 2 classes of at least [0-9]+[.]$'
value "SELECT anon_drop('many')" >/dev/null

# By others in the meantime: the release is built and proved on one state of its source.
value "SELECT anon_publish('sums', 'elsewhere.persons', '{age,pay}', 5, method => 'aggregate')" >/dev/null
value "BEGIN; REFRESH MATERIALIZED VIEW sums; SELECT pg_sleep(1.5); INSERT INTO elsewhere.persons VALUES (500, 3, 3), (501, 4, 4); COMMIT" >/dev/null &
until_asleep
is "a source that changes while a refresh waits" "$(value "SELECT rows FROM anon_refresh('sums')")" 203
wait

# Readers wait for the exchange of rows alone.
scratch=$(mktemp)
value "CREATE TABLE many AS SELECT i AS id, i % 50 AS age FROM generate_series(1, 500) AS i;
  CREATE VIEW seen AS SELECT * FROM many;
  SELECT FROM anon_publish('late', 'seen', '{age}', 5, keep => '{id}')"
like "concurrently needs a unique index" "$(value "SELECT anon_refresh('late', concurrently => true)")" '55000: cannot refresh materialized view "public.late" concurrently'
# The n-th reading of a gated source waits until the gate is open for n.
value "CREATE TABLE gate AS SELECT 99 AS open; CREATE SEQUENCE arrivals;
  CREATE FUNCTION pass() RETURNS int LANGUAGE plpgsql AS \$\$ DECLARE number int := nextval('public.arrivals'); BEGIN
    WHILE (SELECT open FROM public.gate) < number LOOP PERFORM pg_sleep(0.01); END LOOP; RETURN 1; END \$\$;
  CREATE VIEW gated AS SELECT many.* FROM many, public.pass()"
open_gate() { value "UPDATE gate SET open = $1"; }
arrived() { for _ in {1..1200}; do [ "$(value "SELECT is_called AND last_value >= $1 FROM arrivals")" != t ] || return 0; sleep 0.05; done; }
value "SELECT FROM anon_publish('held', 'gated', '{age}', 5); SELECT setval('arrivals', 1, false)" >/dev/null
open_gate 0
(value "SELECT anon_refresh('held')" >/dev/null) &
arrived 1
is "a reader does not wait while a release is computed" "$(value "SET lock_timeout = 1; SELECT count(*) FROM held")" 500
like "another refresh does" "$(value "SET lock_timeout = 1; SELECT anon_refresh('held')")" '55P03: canceling statement due to lock timeout'
open_gate 99
wait
value "SELECT anon_drop('held')" >/dev/null
value "SELECT FROM anon_publish('late_sums', 'gated', '{id,age}', 5, method => 'aggregate'); SELECT setval('arrivals', 1, false)" >/dev/null
open_gate 1
(value "SELECT anon_refresh('late_sums')" >/dev/null) &
arrived 2
is "nor while what was written is checked, for which aggregates read the source again" \
  "$(value "SET lock_timeout = 1; SELECT count(*) FROM late_sums")" 500
open_gate 99
wait
value "SELECT anon_drop('late_sums')" >/dev/null
(value "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM many; SELECT pg_sleep(3); SELECT count(*) FROM late" >"$scratch") &
until_asleep
value "SELECT anon_refresh('late')" >/dev/null
wait
is "a reader with an older snapshot sees the new rows" "$(tail -n 1 "$scratch")" 500
like "a release that this session reads is not refreshed" "$(value "BEGIN; DECLARE c CURSOR FOR SELECT * FROM late; FETCH c;
  SELECT anon_refresh('late')")" '55006: cannot REFRESH MATERIALIZED VIEW "late" because it is being used'
value "SELECT FROM anon_publish('versions', 'many', '{age}', 5, key => '{id}')" >/dev/null
versions() { value "SELECT count(*), md5(string_agg(c::text, chr(10) ORDER BY c::text)) FROM versions_companion AS c"; }
before=$(versions)
for call in "anon_publish('unwritten', 'many', '{age}', 5)" "anon_publish('unwritten', 'many', '{age}', 5, key => '{id}')" "anon_refresh('late')" \
  "anon_refresh('late', concurrently => true)" "anon_refresh('versions')" "anon_withdraw_class('versions', '{1}')" "anon_drop('late')" \
  "anon_drop('versions')" "anon_context('versions', '{\"recipient\": \"a reader\"}')" "anon_publish_set('unwritten', '{}', 5)" \
  "anon_refresh_set('public')" "anon_grant_set('public', 'postgres')" "anon_drop_set('public')" "anon_schedule('late', '0 3 * * *')" \
  "anon_unschedule('late')"; do
  like "nothing is written in a transaction that may not write: $call" "$(value "BEGIN READ ONLY; SELECT $call; COMMIT")" \
    "25006: cannot execute ${call%%(*}\(\) in a read-only transaction"
done
is "and the state is as it was" "$(versions)" "$before"
value "SELECT anon_drop('versions')" >/dev/null
# Rows that another session writes into the places of a release, while its source is read, are not published.
value "SELECT FROM anon_publish('followed', 'gated', '{age}', 5, key => '{id}'); SELECT setval('arrivals', 1, false)" >/dev/null
open_gate 0
(value "SELECT anon_refresh('followed')" >"$scratch") &
arrived 1
value 'UPDATE followed_places SET age = age'
open_gate 99
wait
like "places that another session writes meanwhile" "$(cat "$scratch")" '55000: relation "followed_places" was altered during the call'
value "SELECT anon_drop('followed')" >/dev/null
value 'CREATE UNIQUE INDEX ON late (id); INSERT INTO many VALUES (500, 1)'
like "a unique index must hold" "$(value "SELECT anon_refresh('late')")" '23505: could not create unique index'
is "or the old rows stay, and no other table" "$(value "SELECT count(*), (SELECT count(*) FROM pg_class WHERE relname LIKE 'pg_temp%') FROM late")" '500|0'
value 'DELETE FROM many WHERE id > 400'
value "SELECT setval('arrivals', 1, false)" >/dev/null
open_gate 0
(value "BEGIN; SELECT anon_refresh('late', concurrently => true); SELECT pass(); COMMIT" >/dev/null) &
arrived 1
is "and keeps no reader waiting" "$(value "SET lock_timeout = 1; SELECT count(*) FROM late")" 500
open_gate 99
wait
is "until the new rows are there" "$(value 'SELECT count(*) FROM late')" 400
is "what was computed is written once" "$(value "BEGIN; SELECT rows FROM anon_refresh('late'); DELETE FROM many WHERE id > 300; REFRESH MATERIALIZED VIEW late; SELECT count(*) FROM late; ROLLBACK")" $'400\n300'
rm "$scratch"
# The check reads the source again, and its error names the release, not the rows beside it. Every reading of this source
# finds greater numbers, outside all the ranges of the one before.
value "CREATE TABLE growth AS SELECT 0 AS step; CREATE SEQUENCE readings; CREATE TABLE base AS SELECT i AS a, i * 7 % 31 AS b FROM generate_series(1, 30) AS i;
  ALTER TABLE base ALTER a SET NOT NULL; ALTER TABLE base ALTER b SET NOT NULL;
  CREATE VIEW growing AS SELECT a + step * nextval('readings') AS a, b + step * nextval('readings') AS b FROM base, growth;
  SELECT anon_publish('calm', 'growing', '{a,b}', 3, method => 'aggregate'); UPDATE growth SET step = 1000" >/dev/null
like "a failed check names the release" "$(value "SELECT anon_refresh('calm')")" '23514: relation "calm" violates'
done_testing
