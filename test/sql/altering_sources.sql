-- Sources whose code alters other relations while a call reads them: locks do not stop the session that holds them. Rows of other types, taken as those that were described,
-- ended the server.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE ROLE alterer;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO alterer', current_database()); END $$;
SET ROLE alterer;
CREATE SCHEMA ward;
CREATE FUNCTION ward.alters(id int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
  IF id = 5 AND current_setting('ward.statement', true) <> '' THEN EXECUTE current_setting('ward.statement'); END IF;
  RETURN id;
END $$;
CREATE TABLE ward.persons AS SELECT i AS id, 1930 + i % 20 AS born, 'a sex' || i % 2 AS sex FROM generate_series(1, 60) AS i;
CREATE VIEW ward.patients AS SELECT ward.alters(id) AS id, born, sex FROM ward.persons;
CREATE TABLE ward.stays AS SELECT i AS stay, 1 + i % 60 AS id, i::bigint % 4 AS days, 'a note' || i AS note FROM generate_series(1, 120) AS i;
CREATE TABLE ward.others AS SELECT * FROM ward.persons;
-- Each call, and what the code of its first relation does.
CREATE FUNCTION ward.throws(call text, statement text, relation text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('ward.statement', statement, true);
  RETURN NEXT throws_ok(call, '55000', format('relation "%s" was altered during the call', relation), left(call, 30) || ': ' || left(statement, 60));
  PERFORM set_config('ward.statement', '', true);
  RETURN NEXT lives_ok(call, 'without that it succeeds');
END $$;
CREATE FUNCTION ward.swap(relation text, a text, b text) RETURNS text LANGUAGE sql AS $$
  SELECT format('ALTER TABLE %1$s RENAME %2$I TO other; ALTER TABLE %1$s RENAME %3$I TO %2$I; ALTER TABLE %1$s RENAME other TO %3$I', relation, a, b) $$;
CREATE TABLE ward.of_stays AS SELECT ward.swap('ward.stays', 'days', 'note') AS statement UNION ALL SELECT ward.swap('ward.stays', 'id', 'note')
  UNION ALL SELECT 'ALTER TABLE ward.stays RENAME TO old; CREATE VIEW ward.stays AS SELECT stay, id, note AS days, days AS note FROM ward.old'
  UNION ALL SELECT 'ALTER SCHEMA ward RENAME TO old; CREATE SCHEMA ward; CREATE VIEW ward.stays AS SELECT stay, id, note AS days, days AS note FROM old.stays';
CREATE FUNCTION ward.publish_set() RETURNS text LANGUAGE sql AS $$ SELECT $q$SELECT anon_publish_set('published', '{"ward.patients": {"qi": ["born"], "key": ["id"]},
  "ward.stays": {"qi": ["days"], "keep": ["note"], "parent": "ward.patients", "parent_key": ["id"]}}', 3, beside => 'ignore')$q$ $$;
SELECT ward.throws(replace(ward.publish_set(), 'published', 'published_' || row_number() OVER ()), statement, 'stays') FROM ward.of_stays;
SELECT ward.throws($$SELECT count(*) FROM anon_audit_set('ward', '{"patients": {"qi": ["born"], "key": ["id"]}, "stays": {"qi": ["days"], "sensitive": ["note"], "parent": "patients",
  "parent_key": ["id"]}}')$$, statement, 'stays') FROM (SELECT statement FROM ward.of_stays ORDER BY statement LIMIT 1) AS s;
-- Digits are a part of a type.
CREATE TABLE ward.bills AS SELECT i AS bill, 1 + i % 60 AS id, (i % 4)::numeric(6, 2) AS price FROM generate_series(1, 120) AS i;
SELECT ward.throws($$SELECT anon_publish_set('billed', '{"ward.patients": {"qi": ["born"], "key": ["id"]}, "ward.bills": {"qi": ["price"], "parent": "ward.patients", "parent_key": ["id"]}}', 3,
  beside => 'ignore')$$, 'ALTER TABLE ward.bills ALTER price TYPE numeric(8, 3)', 'bills');
-- The written tables are audited by the names of keys that the sources had.
SELECT anon_publish_set('renamed', '{"ward.patients": {"qi": ["born"], "key": ["id"]}, "ward.stays": {"qi": ["days"], "parent": "ward.patients", "parent_key": ["id"]}}', 3,
  beside => 'ignore') \g /dev/null
SELECT ward.throws($$SELECT anon_refresh_set('renamed', beside => 'ignore')$$, 'ALTER VIEW ward.patients RENAME id TO other', 'patients');
-- A relation that is read twice alters itself, and one is read beside another.
SELECT ward.throws($$SELECT anon_publish('ward.released', 'ward.patients', '{born}', 3, method => 'mondrian', sensitive => '{sex}', key => '{id}', beside => 'ignore')$$, ward.swap('ward.patients', 'born', 'sex'), 'patients');
SELECT ward.throws($$SELECT count(*) FROM anon_audit_versions('{ward.patients,ward.others}', '{born}', '{sex}', '{id}')$$, ward.swap('ward.others', 'born', 'sex'), 'others');
-- The written rows are judged by a description of the source, which is made again.
SELECT anon_publish('ward.judged', 'ward.patients', '{born}', 3, method => 'mondrian', sensitive => '{sex}', beside => 'ignore') \g /dev/null
SELECT ward.throws($$SELECT anon_refresh('ward.judged')$$, ward.swap('ward.patients', 'born', 'sex'), 'patients');
-- The places of a release are described before its source is read, and read again when classes are withdrawn.
SELECT anon_publish('ward.placed', 'ward.patients', '{born}', 3, method => 'mondrian', sensitive => '{sex}', key => '{id}', beside => 'ignore') \g /dev/null
SELECT ward.throws($$SELECT anon_withdraw_class('ward.placed', '{7}')$$, ward.swap('ward.placed_places', 'born', 'sex'), 'placed_places');
-- Code of the source alters the places, or drops the release, after they were checked and before they are written.
INSERT INTO ward.persons SELECT 1000 + i, 1930 + i % 20, 'a sex' FROM generate_series(1, 60) AS i;
CREATE FUNCTION ward.corrupts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.sex := 'invented'; RETURN new; END $$;
CREATE FUNCTION ward.refuses_state(statement text, code text, message text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('ward.statement', statement, true);
  RETURN throws_ok($q$SELECT anon_refresh('ward.placed')$q$, code, message, left(statement, 60));
END $$;
SELECT ward.refuses_state(statement, '55000', 'the state of the release is not as the last refresh left it') FROM (VALUES
  ('CREATE TRIGGER corrupts BEFORE INSERT ON ward.placed_places FOR EACH ROW EXECUTE FUNCTION ward.corrupts()'),
  ('CREATE RULE copies AS ON INSERT TO ward.placed_places DO ALSO NOTHING'),
  ('ALTER TABLE ward.placed_places ADD CHECK (anon_weight > 2) NOT VALID'),
  ('ALTER TABLE ward.placed_places ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY')) AS s (statement);
SELECT ward.refuses_state('CREATE OR REPLACE VIEW ward.placed AS SELECT born::int4range, sex, 1::float8 AS weight FROM (SELECT int4range(born, born + 1) AS born, sex FROM ward.persons) AS p',
  '55000', 'relation "placed" was altered during the call');
SELECT ward.refuses_state($q$DO $d$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW ward.placed WITH (security_barrier) AS '
  || replace(pg_get_viewdef('ward.placed'::regclass), 'ward.patients', 'ward.persons'); END $d$$q$, '55000', 'relation "placed" was altered during the call');
SELECT ward.refuses_state('SELECT public.anon_drop(''ward.placed'')', '42P01', 'the relation was dropped during the call');
-- Without newcomers the weights alone are written.
SAVEPOINT leaves;
DELETE FROM ward.persons WHERE id > 1000 OR id = 60;
SELECT ward.refuses_state('CREATE TRIGGER corrupts BEFORE UPDATE ON ward.placed_places FOR EACH ROW EXECUTE FUNCTION ward.corrupts()', '55000',
  'the state of the release is not as the last refresh left it');
ROLLBACK TO leaves;
-- The index of places adds a trigger between two statements of a withdrawal, which would keep the values.
CREATE FUNCTION ward.keeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.sex := old.sex; RETURN new; END $$;
CREATE FUNCTION ward.ends(version int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE statement text := current_setting('ward.of_end', true);
BEGIN
  PERFORM set_config('ward.of_end', '', true);
  IF statement <> '' THEN EXECUTE statement; END IF;
  RETURN version;
END $$;
CREATE INDEX ends ON ward.placed_places (ward.ends(anon_until));
SELECT set_config('ward.statement', '', true), set_config('ward.of_end', 'SELECT ward.adds()', true);
CREATE FUNCTION ward.adds() RETURNS void LANGUAGE plpgsql AS $$ BEGIN CREATE TRIGGER keeps BEFORE UPDATE ON ward.placed_places FOR EACH ROW EXECUTE FUNCTION ward.keeps(); END $$;
SELECT throws_ok($$SELECT anon_withdraw_class('ward.placed', '{7}')$$, '55000', 'the state of the release is not as the last refresh left it', 'a trigger that an index adds');
SAVEPOINT ends;
DELETE FROM ward.persons WHERE id > 1000;
SELECT set_config('ward.of_end', 'SELECT ward.adds()', true);
SELECT throws_ok($$SELECT anon_withdraw_class('ward.placed', '{17}')$$, '55000', 'the state of the release is not as the last refresh left it', 'a trigger that an index adds at the end of a class');
ROLLBACK TO ends;
SELECT set_config('ward.of_end', '', true);
DROP INDEX ward.ends;
-- It writes the places themselves, after they were compared with their seal.
CREATE FUNCTION ward.refuses_places(call text, places text, statements text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$ DECLARE statement text; BEGIN
  FOREACH statement IN ARRAY statements LOOP
    PERFORM set_config('ward.statement', statement, true);
    RETURN NEXT throws_ok(call, '55000', format('relation "%s" was altered during the call', places), left(call, 30) || ': ' || left(statement, 60));
  END LOOP;
END $$;
CREATE TABLE ward.writes AS SELECT ARRAY[$$UPDATE ward.placed_places SET sex = 'invented'$$, 'UPDATE ward.placed_places SET sex = sex WHERE anon_class = 1',
  'DELETE FROM ward.placed_places WHERE anon_class = 1', 'TRUNCATE ward.placed_places', 'DO $d$ BEGIN DELETE FROM ward.placed_places; EXCEPTION WHEN OTHERS THEN NULL; END $d$',
  'INSERT INTO ward.placed_places SELECT anon_class, sha256(anon_person), anon_quasi, anon_met, born, sex, anon_since, anon_until, anon_weight FROM ward.placed_places'] AS statements;
SELECT ward.refuses_places($$SELECT anon_refresh('ward.placed')$$, 'placed_places', statements) FROM ward.writes;
SELECT ward.refuses_places($$SELECT anon_withdraw_class('ward.placed', '{7}')$$, 'placed_places', statements) FROM ward.writes;
SELECT ward.refuses_places($$SELECT anon_publish('ward.placed_beside', 'ward.patients', '{born}', 3, method => 'mondrian', sensitive => '{sex}', key => '{id}')$$, 'placed_beside_places',
  ARRAY[$$UPDATE ward.placed_beside_places SET sex = 'invented'$$]);
-- Locks of rows, and writes that are rolled back, change nothing. A transaction may write places itself several times.
SELECT set_config('ward.statement', 'DO $d$ BEGIN PERFORM FROM ward.placed_places FOR UPDATE; DELETE FROM ward.placed_places; RAISE EXCEPTION ''back''; EXCEPTION WHEN raise_exception THEN NULL; END $d$', true);
SAVEPOINT lives;
SELECT lives_ok($$SELECT anon_refresh('ward.placed')$$, 'rows are as they were');
DELETE FROM ward.persons WHERE id > 1040;
SELECT lives_ok($$SELECT anon_refresh('ward.placed')$$, 'another version of the same transaction');
SELECT lives_ok($$SELECT anon_withdraw_class('ward.placed', '{7}')$$, 'and a withdrawal');
SELECT lives_ok($$SELECT anon_assert_history('ward.placed')$$, 'all versions keep the promises');
ROLLBACK TO lives;
SELECT set_config('ward.statement', '', true);
SELECT lives_ok($$SELECT anon_refresh('ward.placed')$$, 'without that it succeeds');
DELETE FROM ward.persons WHERE id > 1000;
-- The rows of a release by swapping are verified with those of its source, whose code can change them then.
CREATE FUNCTION ward.of_new_rows(statement text) RETURNS text LANGUAGE sql AS $$
  SELECT format('DO $d$ BEGIN EXECUTE (SELECT format(%L, oid::regclass) FROM pg_class WHERE relname ~ ''^pg_temp_'' AND relkind = ''r'' LIMIT 1); EXCEPTION WHEN null_value_not_allowed THEN END $d$',
  statement) $$;
SELECT ward.throws($$SELECT anon_publish('ward.swapped', 'ward.patients', '{born}', 3, method => 'mondrian', recode => 'swap', sensitive => '{sex}', beside => 'ignore')$$,
  ward.of_new_rows('UPDATE %s SET born = 1'), 'swapped');
SELECT set_config('ward.statement', ward.of_new_rows('ALTER TABLE %s ALTER sex TYPE int USING 1'), true);
SELECT throws_ok($$SELECT anon_refresh('ward.swapped')$$, '55000', NULL, 'new rows of other types');
SELECT set_config('ward.statement', 'DROP VIEW ward.patients CASCADE', true);
SELECT throws_ok($$SELECT anon_assert_swap('ward.swapped')$$, '42P01', 'the relation was dropped during the call', 'a release that its source drops');
SELECT set_config('ward.statement', '', true);
-- The index of a table runs code of the owner between the exchanges of two tables.
CREATE FUNCTION ward.runs(statement text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE statement; END $$;
CREATE FUNCTION ward.is_indexed(born int4range) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
  IF current_setting('ward.of_index', true) <> '' THEN
    PERFORM ward.runs(format('ALTER TABLE %s ALTER days TYPE text', attrelid::regclass)) FROM pg_attribute
    WHERE attrelid::regclass::text ~ '^renamed.pg_temp_' AND attname = 'days';
    PERFORM set_config('ward.of_index', '', true);
  END IF;
  RETURN 1;
END $$;
CREATE INDEX ON renamed.patients (ward.is_indexed(born));
SELECT set_config('ward.of_index', 'on', true);
SELECT throws_ok($$SELECT anon_refresh_set('renamed', beside => 'ignore')$$, '55000', 'relation "stays" was altered during the call', 'rows of other types replace none');
SELECT set_config('ward.of_index', '', true);
SELECT lives_ok($$SELECT anon_refresh_set('renamed', beside => 'ignore')$$, 'without that they do');
-- And after its rows were exchanged, while a later table has its indexes built again.
CREATE FUNCTION ward.is_late(days int8range) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE statement text := current_setting('ward.of_index', true);
BEGIN
  PERFORM set_config('ward.of_index', '', true);
  IF statement <> '' THEN PERFORM ward.runs(statement); END IF;
  RETURN 1;
END $$;
DROP INDEX renamed.patients_is_indexed_idx;
CREATE INDEX ON renamed.stays (ward.is_late(days));
CREATE FUNCTION ward.exchanges(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('ward.of_index', statement, true);
  RETURN NEXT throws_ok($q$SELECT anon_refresh_set('renamed', beside => 'ignore')$q$, '55000', 'relation "patients" was altered during the call', statement);
  PERFORM set_config('ward.of_index', '', true);
  RETURN NEXT lives_ok($q$SELECT anon_refresh_set('renamed', beside => 'ignore')$q$, 'without that it succeeds');
END $$;
SELECT ward.exchanges($$UPDATE renamed.patients SET born = '[1,2)' WHERE id = 1$$);
SELECT ward.exchanges($$INSERT INTO renamed.patients SELECT 1000, '[1,2)'$$);
DROP INDEX renamed.stays_is_late_idx;
-- REFRESH CONCURRENTLY lets the index of a release run code that writes into the release, and that makes other releases.
CREATE TABLE ward.merging AS SELECT * FROM ward.persons;
SELECT anon_publish('ward.merged', 'ward.merging', '{born}', 3, method => 'mdav', keep => '{id,sex}', beside => 'ignore') \g /dev/null
SELECT anon_publish('ward.larger', 'ward.merging', '{born}', 20, method => 'mdav', beside => 'ignore') \g /dev/null
CREATE FUNCTION ward.is_merged(id int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE statement text := current_setting('ward.of_merge', true);
BEGIN
  PERFORM set_config('ward.of_merge', '', true);
  IF statement <> '' THEN PERFORM ward.runs(statement); END IF;
  RETURN id;
END $$;
CREATE UNIQUE INDEX ON ward.merged (id);
CREATE INDEX ON ward.merged (ward.is_merged(id));
UPDATE ward.merging SET sex = 'another';
CREATE FUNCTION ward.merges(statement text) RETURNS text LANGUAGE sql AS $merges$
  SELECT throws_ok(format($q$DO $d$ BEGIN PERFORM set_config('ward.of_merge', %L, true); PERFORM anon_refresh('ward.merged', concurrently => true); END $d$$q$, statement),
    '55000', 'relation "merged" was altered during the call', left(statement, 40)) $merges$;
SELECT ward.merges($$UPDATE ward.merged SET sex = 'invented' WHERE id < 31$$);
SELECT ward.merges($$INSERT INTO ward.merged SELECT 1000 + i, born, sex FROM ward.merged, generate_series(1, 3) AS i WHERE id = 7$$);
SELECT set_config('ward.of_merge', 'REFRESH MATERIALIZED VIEW ward.larger', true);
SELECT is((SELECT smallest_class FROM anon_refresh('ward.merged', concurrently => true)), 3::bigint, 'the figures are those of the release');
SELECT is((SELECT count(*) FROM ward.merged WHERE sex = 'another'), 60::bigint, 'which is the new one');
-- A relation that drops one that is named later, or itself: that ended the server.
CREATE FUNCTION ward.drops(call text, relation text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('ward.statement', format('DROP VIEW IF EXISTS %s CASCADE', relation), true);
  RETURN NEXT throws_ok(call, '42P01', NULL, left(call, 30) || ': ' || relation || ' is dropped');
  PERFORM set_config('ward.statement', '', true);
  RETURN NEXT lives_ok(call, 'without that it succeeds');
END $$;
CREATE TABLE ward.places AS SELECT i AS id, i % 20 + 1930 AS born, CASE WHEN i < 10 THEN 'early' ELSE 'late' END AS era FROM generate_series(0, 19) AS i;
CREATE VIEW ward.labels AS SELECT born, era FROM ward.places WHERE ward.alters(id) >= 0;
CREATE VIEW ward.inhabitants AS SELECT ward.alters(id) AS id, born FROM ward.persons;
CREATE VIEW ward.peers AS SELECT * FROM ward.persons;
CREATE VIEW ward.visits AS SELECT ward.alters(stay) AS stay, id, days FROM ward.stays;
SELECT ward.drops($$SELECT anon_publish('ward.labelled', 'ward.peers', '{born}', 3, method => 'mondrian', hierarchies => '{"born": {"table": "ward.labels"}}', beside => 'ignore')$$, 'ward.labels');
SELECT ward.drops($$SELECT anon_publish('ward.labelled_again', 'ward.peers', '{born}', 3, method => 'mondrian', sensitive => '{sex}', key => '{id}',
  hierarchies => '{"born": {"table": "ward.labels"}}', beside => 'ignore')$$, 'ward.peers');
SELECT ward.drops($$SELECT anon_publish('ward.mapped', 'ward.peers', '{born}', 3, method => 'datafly', hierarchies => '{"born": {"range": [5, 20]}}', k_map => 3, population => 'ward.inhabitants',
  beside => 'ignore')$$, 'ward.inhabitants');
SELECT ward.drops($$SELECT anon_publish_set('of_views', '{"ward.peers": {"qi": ["born"], "key": ["id"]}, "ward.visits": {"qi": ["days"], "parent": "ward.peers", "parent_key": ["id"]}}', 3,
  beside => 'ignore')$$, 'ward.peers');
-- The audit of a new set reads a table of labels, whose code can change the rows.
CREATE TABLE ward.wings AS SELECT i AS id, 'a note' || i AS note, 'wing ' || i % 9 AS wing FROM generate_series(1, 120) AS i;
CREATE VIEW ward.of_wings AS SELECT note, wing FROM ward.wings WHERE ward.alters(id) > 0;
CREATE VIEW ward.noted AS SELECT * FROM ward.stays;
CREATE FUNCTION ward.publish_labelled(name text) RETURNS text LANGUAGE sql AS $$ SELECT format($q$SELECT anon_publish_set(%L, '{"ward.peers": {"qi": ["born"], "key": ["id"]}, "ward.noted": {
  "qi": ["days"], "sensitive": ["note"], "protected": {"note": ["wing 1"]}, "hierarchies": {"note": {"table": "ward.of_wings"}}, "parent": "ward.peers", "parent_key": ["id"]}}', 3, alpha => 0.9,
  beside => 'ignore')$q$, name) $$;
SELECT ward.throws(ward.publish_labelled('labelled_' || number), format($q$DO $d$ BEGIN IF to_regclass('labelled_%1$s.noted') IS NOT NULL THEN %2$s; END IF; END $d$$q$, number,
  format(statement, format('labelled_%s.noted', number))), 'noted') FROM (VALUES (1, $$UPDATE %s SET note = 'a note1'$$), (2, 'TRUNCATE %s'),
  (3, 'CREATE TABLE ward.copied AS TABLE %1$s; TRUNCATE %1$s; INSERT INTO %1$s TABLE ward.copied')) AS s (number, statement);
-- A set that grows: neither the rows that are there nor the new ones change, whatever code of a source or of labels does.
CREATE VIEW ward.growing AS SELECT ward.alters(id) AS id, born, sex FROM ward.persons;
SELECT anon_publish_set('cohort', '{"ward.growing": {"qi": ["born"]}, "ward.noted": {"qi": ["days"], "sensitive": ["note"], "protected": {"note": ["wing 1"]},
  "hierarchies": {"note": {"table": "ward.of_wings"}}, "parent": "ward.growing", "parent_key": ["id"]}}', 3, alpha => 0.9, key => '{id}', beside => 'ignore') \g /dev/null
CREATE TABLE ward.in_cohort AS SELECT CASE WHEN s ~ 'noted' THEN 'noted' ELSE 'growing' END AS name, s AS statement FROM unnest(ARRAY[
  'UPDATE cohort.growing SET born = born WHERE id < 4', 'INSERT INTO cohort.noted SELECT * FROM cohort.noted', $$UPDATE cohort.noted SET note = 'a note' || id + id / 8 + 2$$, 'TRUNCATE cohort.noted']) AS s;  -- none of wing 1, which could break alpha
SELECT ward.refuses_places($$SELECT anon_refresh_set('cohort', beside => 'ignore')$$, name, ARRAY[statement]) FROM ward.in_cohort;
INSERT INTO ward.persons SELECT 3000 + i, 1930 + i % 20, 'a sex' FROM generate_series(1, 60) AS i;
INSERT INTO ward.stays SELECT 3000 + i, 3000 + i, i % 4, 'a note' || i FROM generate_series(1, 60) AS i;
SELECT ward.refuses_places($$SELECT anon_refresh_set('cohort', beside => 'ignore')$$, name, ARRAY[statement]) FROM ward.in_cohort;
SELECT ward.refuses_places($$SELECT anon_refresh_set('cohort', beside => 'ignore')$$, 'noted', ARRAY[$q$DO $d$ BEGIN
  EXECUTE (SELECT format('UPDATE %s SET note = %L', attrelid::regclass, 'a note2') FROM pg_attribute WHERE attrelid::regclass::text ~ '^cohort.pg_temp_' AND attname = 'note');
  EXCEPTION WHEN null_value_not_allowed THEN END $d$$q$]);
-- Code of labels adds a trigger or a constraint while the new rows are audited, after the tables were checked.
CREATE FUNCTION ward.of_batch(statement text) RETURNS text LANGUAGE sql AS $$ SELECT format('DO $d$ BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE relname ~ ''^pg_temp_'' AND relnamespace = ''cohort''::regnamespace) THEN %s; END IF; EXCEPTION WHEN duplicate_object THEN END $d$', statement) $$;
CREATE FUNCTION ward.invents() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.note := 'a note2'; RETURN new; END $$;
CREATE FUNCTION ward.refuses_batch(statement text, message text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('ward.statement', ward.of_batch(statement), true);
  RETURN throws_ok($q$SELECT anon_refresh_set('cohort', beside => 'ignore')$q$, '55000', message, left(statement, 60));
END $$;
SELECT ward.refuses_batch('CREATE TRIGGER invents BEFORE INSERT ON cohort.noted FOR EACH ROW EXECUTE FUNCTION ward.invents()', 'table "noted" of the set has the trigger "invents"');
SELECT ward.refuses_batch('CREATE RULE hides AS ON INSERT TO cohort.noted DO INSTEAD NOTHING', 'table "noted" of the set has a rule');
SELECT ward.refuses_batch('ALTER TABLE cohort.noted ADD CONSTRAINT shows CHECK (days IS NULL) NOT VALID', 'table "noted" of the set has the CHECK constraint "shows"');
SELECT set_config('ward.statement', '', true);
SELECT results_eq($$SELECT sum(rows) FROM anon_refresh_set('cohort', beside => 'ignore')$$, ARRAY[120::numeric], 'without that it grows');
DELETE FROM ward.persons WHERE id > 3000;
DELETE FROM ward.stays WHERE stay > 3000;
-- Labels that are others each time that they are read: the classes of a set are formed by the first ones, and the written rows are judged by the
-- next, before and after they join those of a set that grows.
CREATE SEQUENCE ward.readings;
CREATE TABLE ward.turn AS SELECT 9 AS reading;
CREATE VIEW ward.turning AS SELECT note, CASE WHEN (SELECT nextval('ward.readings')) < (SELECT reading FROM ward.turn) THEN wing ELSE 'wing 1' END AS wing FROM ward.wings;
CREATE FUNCTION ward.by_turning(name text, key text) RETURNS text LANGUAGE sql AS $$ SELECT format($q$SELECT anon_publish_set(%L, '{"ward.peers": {"qi": ["born"]}, "ward.noted": {"qi": ["days"],
  "sensitive": ["note"], "protected": {"note": ["wing 1"]}, "hierarchies": {"note": {"table": "ward.turning"}}, "parent": "ward.peers", "parent_key": ["id"]}}', 3, alpha => 0.9, key => %L,
  beside => 'ignore')$q$, name, key) $$;
CREATE FUNCTION ward.turns(call text, at int, message text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
  PERFORM setval('ward.readings', 1, false);
  UPDATE ward.turn SET reading = at;
  RETURN throws_ok(call, '23514', message, format('labels that turn at reading %s: %s', at, left(call, 30)));
END $$;
SELECT ward.turns(ward.by_turning('turned', NULL), 2, 'the tables violate A(alpha,m) of column "noted.note"');
UPDATE ward.turn SET reading = 9;
SELECT lives_ok(ward.by_turning('turned', '{id}'), 'without that it succeeds');
INSERT INTO ward.persons SELECT 3000 + i, 1930 + i % 20, 'a sex' FROM generate_series(1, 60) AS i;
INSERT INTO ward.stays SELECT 3000 + i, 3000 + i, i % 4, 'a note' || i FROM generate_series(1, 60) AS i;
SELECT ward.turns($$SELECT anon_refresh_set('turned', beside => 'ignore')$$, reading, 'the tables violate A(alpha,m) of column "noted.note"') FROM generate_series(2, 3) AS reading;
UPDATE ward.turn SET reading = 9;
SELECT lives_ok($$SELECT anon_refresh_set('turned', beside => 'ignore')$$, 'without that it grows');
DELETE FROM ward.persons WHERE id > 3000;
DELETE FROM ward.stays WHERE stay > 3000;
-- Labels of an enum are renamed between the reading of its values and the writing of a class.
CREATE TYPE ward.mood AS ENUM ('a secret', 'another secret');
CREATE TABLE ward.moody AS SELECT i AS id, 'a secret'::ward.mood AS mood FROM generate_series(1, 9) AS i;
CREATE VIEW ward.moods AS SELECT ward.alters(id) AS id, mood FROM ward.moody ORDER BY moody.id DESC;
SELECT set_config('ward.statement', $$ALTER TYPE ward.mood RENAME VALUE 'a secret' TO 'a public one'$$, true);
SELECT throws_ok($$SELECT masked FROM anon_mdav('ward.moods', '{id,mood}', 3)$$, '55000', 'labels of type ward.mood were renamed during the call', 'no label is in the message');
SELECT set_config('ward.statement', '', true);
SELECT lives_ok($$SELECT masked FROM anon_mdav('ward.moods', '{id,mood}', 3)$$, 'without that it succeeds');
-- Columns that are added in between do no harm.
SELECT set_config('ward.statement', 'ALTER TABLE ward.stays ADD more int', true);
SELECT lives_ok(ward.publish_set(), 'an added column');
SELECT is((SELECT count(*) FROM information_schema.columns WHERE table_schema = 'published' AND table_name = 'stays'), 3::bigint, 'is not published');

RESET ROLE;
SELECT finish();
ROLLBACK;
