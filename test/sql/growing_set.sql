-- Sets that grow: anon_publish_set with a key, whose refresh adds whole new persons.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE ROLE grower;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO grower', current_database()); END $$;
CREATE SCHEMA clinic AUTHORIZATION grower;
SET ROLE grower;
CREATE TABLE clinic.patients (id int PRIMARY KEY, was int, sex text, born int);
CREATE TABLE clinic.stays (stay int PRIMARY KEY, was int, patient int REFERENCES clinic.patients, days int, outcome text);
CREATE TABLE clinic.drugs (stay int REFERENCES clinic.stays, was int, patient int REFERENCES clinic.patients, drug text);
-- The patients of a month with their stays and drugs. Some patients have none, and some drugs no stay.
CREATE FUNCTION clinic.arrive(first int, last int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO clinic.patients SELECT i, i, (ARRAY['f', 'm'])[1 + i % 2], 1930 + i * i % 23 FROM generate_series(first, last) AS i;
  INSERT INTO clinic.stays SELECT 10 * i + j, 10 * i + j, i, (i * i + j) % 5, 'o' || (i + j) % 4 FROM generate_series(first, last) AS i, generate_series(1, i % 4) AS j;
  INSERT INTO clinic.drugs SELECT CASE WHEN i % 5 > 0 THEN 10 * i + 1 END, i, i, 'd' || i * i % 3 FROM generate_series(first, last) AS i WHERE i % 4 > 0;
$$;
CREATE FUNCTION clinic.described() RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"clinic.patients": {"qi": ["sex", "born"], "keep": ["was"]},
  "clinic.stays": {"qi": ["days"], "sensitive": ["outcome"], "keep": ["was"]}, "clinic.drugs": {"qi": ["drug"], "keep": ["was"]}}'::jsonb $$;
CREATE FUNCTION clinic.audited() RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"patients": {"qi": ["sex", "born"]},
  "stays": {"qi": ["days"], "sensitive": ["outcome"]}, "drugs": {"qi": ["drug"]}}'::jsonb $$;
-- The rows of a set with their places, one text a table.
CREATE FUNCTION clinic.rows_of(name text, after int DEFAULT 0) RETURNS SETOF text LANGUAGE plpgsql AS $$ DECLARE one text; BEGIN
  FOREACH one IN ARRAY '{patients,stays,drugs}'::text[] LOOP
    RETURN QUERY EXECUTE format('SELECT %L || string_agg(ctid || t::text, %L ORDER BY ctid) FROM %I.%I AS t WHERE was > %s', one, ';', name, one, after);
  END LOOP;
END $$;
-- The tables of those who arrived after a patient, as a schema of their own.
CREATE FUNCTION clinic.part(name text, after int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  DROP SCHEMA IF EXISTS part CASCADE;
  CREATE SCHEMA part;
  EXECUTE format('CREATE TABLE part.patients AS SELECT * FROM %I.patients WHERE was > %s', name, after);
  EXECUTE format('CREATE TABLE part.stays AS SELECT s.* FROM %1$I.stays s JOIN part.patients ON patient = id', name);
  EXECUTE format('CREATE TABLE part.drugs AS SELECT s.* FROM %1$I.drugs s JOIN part.patients ON patient = id', name);
  ALTER TABLE part.patients ADD PRIMARY KEY (id);
  ALTER TABLE part.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES part.patients;
  ALTER TABLE part.drugs ADD FOREIGN KEY (stay) REFERENCES part.stays, ADD FOREIGN KEY (patient) REFERENCES part.patients;
END $$;

-- A first version, and a batch, for all m.
SELECT clinic.arrive(1, 200);
CREATE FUNCTION clinic.published(name text, m text) RETURNS bigint LANGUAGE sql AS $$
  SELECT sum(rows)::bigint FROM anon_publish_set(name, clinic.described(), k => 4, m => m, beside => 'ignore', key => '{id}') $$;
CREATE TABLE clinic.sets AS SELECT 'grown_' || m AS name, m, clinic.published('grown_' || m, m) AS rows FROM unnest('{0,1,2,3,all}'::text[]) AS m;
SELECT ok(bool_and(spec -> 'key' = '["id"]'), 'the spec has the key') FROM anon_releases;
CREATE TABLE clinic.old AS SELECT name, clinic.rows_of(name) AS content FROM clinic.sets;
-- Rows that persons gain, lose or change after they are published stay out.
INSERT INTO clinic.stays SELECT 10 * i + 9, 10 * i + 9, i, 3, 'o1' FROM generate_series(1, 100) AS i;
UPDATE clinic.patients SET born = 1999 WHERE id <= 20;
DELETE FROM clinic.drugs WHERE patient <= 30;
SELECT clinic.arrive(1001, 1100);
CREATE TABLE clinic.batch AS SELECT name, m, r.* FROM clinic.sets, anon_refresh_set(name::regnamespace, beside => 'ignore') AS r;
SELECT is_empty($$SELECT name FROM clinic.old o WHERE NOT EXISTS (SELECT FROM clinic.rows_of(name) AS now WHERE starts_with(now, o.content))$$, 'rows stay as they are, at their places');
CREATE FUNCTION clinic.added(name text) RETURNS TABLE (of text, rows bigint) LANGUAGE plpgsql AS $$ BEGIN
  RETURN QUERY EXECUTE format('SELECT ''patients'', count(*) FROM %1$I.patients WHERE was > 1000 UNION ALL SELECT ''stays'', count(*) FROM %1$I.stays WHERE was > 10000
    UNION ALL SELECT ''drugs'', count(*) FROM %1$I.drugs WHERE was > 1000', name);
END $$;
SELECT bag_eq('SELECT name, table_name, rows FROM clinic.batch', 'SELECT name, of, a.rows FROM clinic.sets, clinic.added(name) AS a', 'the figures are those of the new rows');
SELECT ok(bool_and(rows + withheld = (CASE table_name WHEN 'patients' THEN 100 WHEN 'stays' THEN 150 ELSE 75 END)), 'new persons come with all their rows, published or withheld') FROM clinic.batch;
SELECT ok(bool_and(loss BETWEEN 0 AND 1), 'and a loss') FROM clinic.batch;
SELECT is((SELECT count(*) FROM grown_all.stays WHERE was % 10 = 9), 0::bigint, 'persons who were published gain no rows');
SELECT is((SELECT count(*) FROM grown_all.patients WHERE was <= 1000), 200::bigint, 'nor a second pseudonym');

-- The batch alone keeps the promise, and so do all rows.
CREATE FUNCTION clinic.proves(name text, m text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN
  RETURN NEXT lives_ok(format('SELECT anon_assert_set(%L, clinic.audited(), k => 4, m => %L)', name, m), name || ' keeps its promise');
  PERFORM clinic.part(name, 1000);
  RETURN NEXT lives_ok(format('SELECT anon_assert_set(''part'', clinic.audited(), k => 4, m => %L)', m), 'and so does the batch alone');
  RETURN NEXT is((SELECT count(*) FROM part.patients), 100::bigint, 'of all new patients');
END $$;
SELECT clinic.proves(name, m) FROM clinic.sets;

-- Pseudonyms and links.
SELECT cmp_ok(min(id) FILTER (WHERE was > 1000), '>', max(id) FILTER (WHERE was <= 1000), 'pseudonyms of a batch are new') FROM grown_all.patients;
SELECT is(count(DISTINCT stay), count(*), 'of every table') FROM grown_all.stays;
SELECT cmp_ok(abs(corr(id, was)), '<', 6 / sqrt(count(*)), 'and in no order') FROM grown_all.patients WHERE was > 1000;
SELECT is_empty('SELECT s.was FROM grown_all.stays s JOIN grown_all.patients p ON id = patient JOIN clinic.stays c ON c.was = s.was WHERE c.patient <> p.was', 'stays have their patients');
SELECT is_empty('SELECT d.was FROM grown_all.drugs d JOIN grown_all.patients p ON id = patient WHERE d.was <> p.was', 'so have drugs');
SELECT is((SELECT count(*) FROM grown_all.drugs WHERE was > 1000 AND stay IS NULL), (SELECT count(*) FROM grown_all.drugs WHERE was > 1000 AND was % 5 = 0), 'with a stay or without');
SELECT fk_ok('grown_all', 'stays', 'patient', 'grown_all', 'patients', 'id');

-- Figures of all rows, for the owner.
SELECT is(r.rows, s.rows + (SELECT sum(b.rows)::bigint FROM clinic.batch b WHERE b.name = s.name), 'the list has all rows') FROM anon_releases r JOIN clinic.sets s ON release = (name || '.anon_set')::regclass;
SELECT ok(ncp > 0 AND ncp < 100, 'and their loss') FROM anon_releases WHERE release::text ~ 'grown_all';
SELECT ok(anon_report_set('grown_all', 1) ~ 'sex', 'a page');

-- Fewer than k wait. A person who was deleted and comes again is known.
SELECT clinic.arrive(2001, 2003);
DELETE FROM clinic.drugs;
DELETE FROM clinic.stays WHERE patient <= 50;
DELETE FROM clinic.patients WHERE id <= 50;
CREATE FUNCTION clinic.notice_of(statement text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('client_min_messages', 'notice', true);
  EXECUTE statement;
  RETURN NULL;
END $$;
CREATE TABLE clinic.kept AS SELECT clinic.rows_of('grown_all') AS content;
SELECT results_eq($$SELECT table_name, rows, withheld, loss FROM anon_refresh_set('grown_all', beside => 'ignore')$$,
  $$VALUES ('patients', 0::bigint, 0::bigint, NULL::float8), ('stays', 0, 0, NULL), ('drugs', 0, 0, NULL)$$, 'three persons wait');
SELECT results_eq($$SELECT clinic.rows_of('grown_all')$$, 'TABLE clinic.kept', 'and no row changes');
INSERT INTO clinic.patients SELECT i, i, 'f', 1950 FROM generate_series(1, 50) AS i;
SELECT is(sum(rows), 0::numeric, 'those who come again are no others') FROM anon_refresh_set('grown_all', beside => 'ignore');
SELECT clinic.arrive(2004, 2004);
SELECT is((SELECT rows FROM anon_refresh_set('grown_all', beside => 'ignore') WHERE table_name = 'patients'), 4::bigint, 'with a fourth they are a batch');
SELECT clinic.part('grown_all', 2000);
SELECT lives_ok($$SELECT anon_assert_set('part', clinic.audited(), k => 4)$$, 'which keeps the promise alone');

-- Promises on values: each batch keeps them.
SELECT clinic.arrive(3001, 3300);
SELECT anon_publish_set('diverse', clinic.described(), k => 3, alpha => 0.7, l => 2, beside => 'ignore', key => '{id}') \g /dev/null
SELECT clinic.arrive(3301, 3500);
SELECT anon_refresh_set('diverse', beside => 'ignore') \g /dev/null
SELECT clinic.part('diverse', 3300);
SELECT lives_ok($$SELECT anon_assert_set('part', clinic.audited(), k => 3, alpha => 0.7, l => 2)$$, 'a batch keeps alpha and l');
SELECT is((SELECT count(*) FROM part.patients), 200::bigint, 'all of it');
INSERT INTO clinic.patients SELECT i, i, 'f', 1950 FROM generate_series(3601, 3605) AS i;
INSERT INTO clinic.stays SELECT i, i, i, 1, 'o1' FROM generate_series(3601, 3605) AS i;
CREATE TABLE clinic.diverse AS SELECT clinic.rows_of('diverse') AS content;
SELECT throws_ok($$SELECT anon_refresh_set('diverse')$$, '22023', 'no groups of persons keep alpha and l', 'one that cannot is refused');
SELECT results_eq($$SELECT clinic.rows_of('diverse')$$, 'TABLE clinic.diverse', 'and no row changes');

-- A person of several rows in the root, and notes of a test or of the person alone.
CREATE VIEW clinic.visits AS SELECT stay, was, patient, days FROM clinic.stays;
CREATE TABLE clinic.tests AS SELECT stay AS test, stay FROM clinic.stays;
CREATE TABLE clinic.notes AS SELECT CASE WHEN stay % 3 > 0 THEN stay END AS test, patient, stay AS was, 't' || stay % 3 AS note FROM clinic.stays;
SELECT anon_publish_set('visited', '{"clinic.visits": {"qi": ["days"], "keep": ["was"], "person": ["patient"]}, "clinic.tests": {"parent": "clinic.visits", "parent_key": ["stay"], "key": ["test"]},
  "clinic.notes": {"qi": ["note"], "keep": ["was"], "parent": "clinic.tests", "parent_key": ["test"], "person_key": ["patient"]}}', k => 3, m => '1', beside => 'ignore', key => '{patient}') \g /dev/null
CREATE VIEW clinic.shown AS SELECT patient, was FROM visited.visits UNION ALL SELECT patient, was FROM visited.notes;
CREATE TABLE clinic.visited AS TABLE clinic.shown;
SELECT clinic.arrive(4001, 4100);
INSERT INTO clinic.tests SELECT stay, stay FROM clinic.stays WHERE patient > 4000;
INSERT INTO clinic.notes SELECT CASE WHEN stay % 3 > 0 THEN stay END, patient, stay, 't' || stay % 3 FROM clinic.stays WHERE patient > 4000;
INSERT INTO clinic.notes SELECT NULL, patient, 0, 't1' FROM clinic.stays WHERE patient < 3000;
SELECT anon_refresh_set('visited', beside => 'ignore') \g /dev/null
SELECT bag_eq('SELECT * FROM clinic.shown WHERE was < 40000', 'TABLE clinic.visited', 'persons above the root gain no rows');
SELECT is(count(DISTINCT patient), 75::bigint, 'new ones join') FROM clinic.shown WHERE was > 40000;
SELECT cmp_ok((SELECT min(patient) FROM clinic.shown WHERE was > 40000), '>', (SELECT max(patient) FROM clinic.visited), 'under new pseudonyms');
SELECT is(max(n), 1::bigint, 'one each') FROM (SELECT count(DISTINCT n.patient) AS n FROM clinic.shown n JOIN clinic.stays USING (was) GROUP BY stays.patient) AS p;
SELECT ok(count(*) > 0, 'some of them by notes of their own') FROM visited.notes WHERE was > 40000 AND test IS NULL;
SELECT is(sum(rows), 0::numeric, 'and only once') FROM anon_refresh_set('visited', beside => 'ignore');
SELECT lives_ok($$SELECT anon_assert_set('visited', '{"visits": {"qi": ["days"], "person": ["patient"]}, "tests": {"parent": "visits", "parent_key": ["stay"], "key": ["test"]},
  "notes": {"qi": ["note"], "parent": "tests", "parent_key": ["test"], "person_key": ["patient"]}}', k => 3, m => '1')$$, 'all together keep the promise');
-- A root of several rows a person has one of each at first, and several later.
CREATE VIEW clinic.some_visits AS SELECT stay, was, patient, days FROM clinic.stays WHERE patient > 4000 AND (patient > 4050 OR stay % 10 = 1);
CREATE VIEW clinic.first_visits AS SELECT * FROM clinic.some_visits WHERE patient <= current_setting('clinic.last')::int;
SET clinic.last = 4050;
CREATE VIEW clinic.first_tests AS SELECT t.* FROM clinic.tests t JOIN clinic.first_visits v ON v.stay = t.stay;
SELECT anon_publish_set('firsts', '{"clinic.first_visits": {"qi": ["days"], "keep": ["was"], "person": ["patient"]}, "clinic.first_tests": {"parent": "clinic.first_visits", "parent_key": ["stay"]}}',
  k => 3, beside => 'ignore', key => '{patient}') \g /dev/null
SELECT is(count(DISTINCT patient), count(*), 'one visit a patient') FROM firsts.first_visits;
SET clinic.last = 5000;
SELECT anon_refresh_set('firsts', beside => 'ignore') \g /dev/null
SELECT is(count(DISTINCT (v.patient, s.patient)), count(DISTINCT s.patient), 'one pseudonym a patient') FROM firsts.first_visits v JOIN clinic.stays s USING (was);
SELECT is(count(DISTINCT v.patient), count(DISTINCT s.patient), 'of one patient each') FROM firsts.first_visits v JOIN clinic.stays s USING (was);
SELECT cmp_ok(count(*), '>', count(DISTINCT patient), 'of several visits') FROM firsts.first_visits;

-- A source column that was dropped and added again keeps its place in a set that grows.
CREATE TABLE clinic.grows AS SELECT i AS id, i AS was, i % 3 AS sex FROM generate_series(1, 30) AS i;
CREATE TABLE clinic.hangs AS SELECT i AS was, 1 + i % 30 AS id, i % 2 AS days FROM generate_series(1, 60) AS i;
ALTER TABLE clinic.grows ADD PRIMARY KEY (id);
ALTER TABLE clinic.hangs ADD FOREIGN KEY (id) REFERENCES clinic.grows;
SELECT anon_publish_set('reordered', '{"clinic.grows": {"qi": ["sex"], "keep": ["was"]}, "clinic.hangs": {"qi": ["days"], "keep": ["was"]}}', k => 3, key => '{id}') \g /dev/null
ALTER TABLE clinic.hangs DROP was, DROP days, ADD days int, ADD was int;
INSERT INTO clinic.grows SELECT i, i, i % 3 FROM generate_series(101, 130) AS i;
INSERT INTO clinic.hangs (id, days, was) SELECT i, 1, 10 * i FROM generate_series(101, 130) AS i;
SELECT is((SELECT sum(rows) FROM anon_refresh_set('reordered', beside => 'ignore')), 60::numeric, 'a batch whose columns have another order');
SELECT results_eq('SELECT DISTINCT h.was = 10 * g.was, h.days FROM reordered.hangs h JOIN reordered.grows g USING (id) WHERE g.was > 100', $$VALUES (true, int4range(1, 2))$$, 'has its values under their names');

-- Rows that go from a person of the set to a new one do not come again, nor does what hangs on them.
CREATE SCHEMA moves;
CREATE TABLE moves.persons (id int PRIMARY KEY, sex int);
CREATE TABLE moves.visits (visit text PRIMARY KEY, id int REFERENCES moves.persons, kind int, cost int);
CREATE TABLE moves.tests (was int, visit text REFERENCES moves.visits, id int REFERENCES moves.persons, kind int);
CREATE FUNCTION moves.arrive(first int, last int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO moves.persons SELECT i, i % 2 FROM generate_series(first, last) AS i;
  INSERT INTO moves.visits SELECT 'v' || 10 * i + j, i, j, 10 * i + j FROM generate_series(first, last) AS i, generate_series(1, 2) AS j;
  INSERT INTO moves.tests SELECT 10 * i + j, CASE WHEN j < 3 THEN 'v' || 10 * i + j END, i, j FROM generate_series(first, last) AS i, generate_series(1, 3) AS j;
$$;
SELECT moves.arrive(1, 20);
CREATE TABLE moves.sets AS SELECT 'moved_' || m AS name, m FROM unnest('{0,1,2,all}'::text[]) AS m;
SELECT count(r) FROM moves.sets, anon_publish_set(name, '{"moves.persons": {"qi": ["sex"]}, "moves.visits": {"qi": ["kind"], "keep": ["cost"]}, "moves.tests": {"qi": ["kind"], "keep": ["was"],
  "parent": "moves.visits", "parent_key": ["visit"], "person_key": ["id"]}}', k => 3, m => m, beside => 'ignore', key => '{id}') AS r \g /dev/null
SELECT moves.arrive(101, 120);
UPDATE moves.visits SET id = 101 WHERE visit = 'v11';
UPDATE moves.tests SET id = 101 WHERE visit = 'v11';
UPDATE moves.visits SET id = 102 WHERE visit = 'v1031';
UPDATE moves.tests SET id = 102 WHERE visit = 'v1031';
CREATE TABLE moves.grown AS SELECT name, r.* FROM moves.sets, anon_refresh_set(name::regnamespace, beside => 'ignore') AS r;
CREATE FUNCTION moves.found(name text) RETURNS TABLE (found text) LANGUAGE plpgsql AS $$ BEGIN
  RETURN QUERY EXECUTE format('SELECT ''visit '' || cost FROM %1$I.visits GROUP BY cost HAVING count(*) > 1 UNION ALL SELECT ''test '' || was FROM %1$I.tests GROUP BY was HAVING count(*) > 1', name);
END $$;
SELECT is_empty('SELECT name, found FROM moves.sets, moves.found(name)', 'no row is there twice');
SELECT ok(bool_and(rows + withheld = (CASE table_name WHEN 'persons' THEN 20 WHEN 'visits' THEN 41 ELSE 61 END)), 'such rows count as withheld') FROM moves.grown;
SELECT is(rows, 40::bigint, 'one row moved between new persons, which is published') FROM moves.grown WHERE name = 'moved_0' AND table_name = 'visits';
SELECT lives_ok(format($$SELECT anon_assert_set(%L, '{"persons": {"qi": ["sex"]}, "visits": {"qi": ["kind"]}, "tests": {"qi": ["kind"]}}', k => 3, m => %L)$$, name, m), name || ' keeps its promise') FROM moves.sets;
-- A root of several rows a person, of which one is left: it is the person's row.
CREATE TABLE moves.stays AS SELECT i AS stay, 1 + i % 20 AS patient, i % 2 AS kind, i AS was FROM generate_series(1, 60) AS i;
CREATE TABLE moves.notes AS SELECT stay, 1 AS kind FROM moves.stays;
ALTER TABLE moves.stays ADD PRIMARY KEY (stay);
ALTER TABLE moves.notes ADD FOREIGN KEY (stay) REFERENCES moves.stays;
SELECT anon_publish_set('rooted', '{"moves.stays": {"qi": ["kind"], "keep": ["was"], "person": ["patient"]}, "moves.notes": {"qi": ["kind"]}}', k => 3, beside => 'ignore', key => '{patient}') \g /dev/null
UPDATE moves.stays SET patient = 100 WHERE stay = 7;
INSERT INTO moves.stays SELECT i, i, i % 2, i FROM generate_series(101, 110) AS i;
INSERT INTO moves.notes SELECT i, 1 FROM generate_series(101, 110) AS i;
SELECT is((SELECT sum(rows) FROM anon_refresh_set('rooted', beside => 'ignore')), 20::numeric, 'a new person with a known row alone waits');
INSERT INTO moves.stays SELECT i, i - 20, 0, i FROM generate_series(121, 130) AS i;
INSERT INTO moves.stays SELECT i, i, 0, i FROM generate_series(141, 150) AS i;
SELECT is((SELECT sum(rows) FROM anon_refresh_set('rooted', beside => 'ignore')), 10::numeric, 'also beside others');
INSERT INTO moves.stays SELECT i, 100 + i % 2 * 51, 1, i FROM generate_series(161, 170) AS i;
SELECT is((SELECT sum(rows) FROM anon_refresh_set('rooted', beside => 'ignore')), 0::numeric, 'fewer than k wait');
SELECT is_empty('SELECT was FROM rooted.stays GROUP BY was HAVING count(*) > 1', 'no row is there twice');
-- The list of rows, and its loss.
SELECT results_eq($$SELECT number, length(bytes) FROM rooted.anon_set_companion WHERE item = 'rows' ORDER BY number$$, $$VALUES (0::bigint, 72 + 16 * 80), (1, 72)$$, 'a hash a row of a table with a key');
DO $$ BEGIN
  DELETE FROM moved_all.anon_set_companion WHERE item = 'rows' AND number = 1;
END $$;
SELECT throws_ok($$SELECT anon_refresh_set('moved_all')$$, '55000', 'set "moved_all" has lost the list of its rows', 'it is missed');
-- A key of rows of another type.
ALTER TABLE moves.tests DROP CONSTRAINT tests_visit_fkey;
ALTER TABLE moves.tests ALTER visit TYPE int USING substr(visit, 2)::int;
ALTER TABLE moves.visits ALTER visit TYPE int USING substr(visit, 2)::int;
ALTER TABLE moves.tests ADD FOREIGN KEY (visit) REFERENCES moves.visits;
SELECT throws_ok($$SELECT anon_refresh_set('moved_0')$$, '42804', 'key "visit" of table "moves.visits" has changed its type from text to integer', 'no row comes twice under another key');

-- Persons with one row each in a root of several rows: readers of their batch take it for the person's.
CREATE SCHEMA ones;
CREATE TABLE ones.visits AS SELECT i AS visit, i % 12 AS patient, i % 2 AS days FROM generate_series(1, 24) AS i;
CREATE TABLE ones.tests AS SELECT visit, visit % 3 AS kind FROM ones.visits;
ALTER TABLE ones.visits ADD PRIMARY KEY (visit);
ALTER TABLE ones.tests ADD FOREIGN KEY (visit) REFERENCES ones.visits;
SELECT count(*) FROM unnest('{0,1,2}'::text[]) AS m, anon_publish_set('ones_' || m, '{"ones.visits": {"qi": ["days"], "person": ["patient"]}, "ones.tests": {"qi": ["kind"]}}', k => 3, m => m, beside => 'ignore', key => '{patient}') \g /dev/null
INSERT INTO ones.visits SELECT i, i, i FROM generate_series(101, 106) AS i;
INSERT INTO ones.tests SELECT i, i % 2 FROM generate_series(101, 106) AS i;
SELECT is(array_agg(DISTINCT rows), '{6}', 'a batch of such persons joins') FROM unnest('{0,1,2}'::text[]) AS m, anon_refresh_set(('ones_' || m)::regnamespace, beside => 'ignore') WHERE table_name = 'visits';
CREATE VIEW ones.batch AS SELECT v.patient, v.days, t.kind FROM ones_0.visits v JOIN ones_0.tests t USING (visit) WHERE upper(days) > 100;
SELECT cmp_ok(min(n), '>=', 3::bigint, 'and keeps k by the visit alone') FROM (SELECT count(*) AS n FROM ones.batch GROUP BY days) AS c;

-- Keys that are none.
SELECT throws_ok($$SELECT anon_publish_set('x', clinic.described(), k => 4, key => '{born}')$$, '22023', 'table "clinic.patients" has no key "born" that identifies persons', 'a column that is no key');
SELECT throws_ok($$SELECT anon_publish_set('x', clinic.described(), k => 4, key => '{nobody}')$$, '22023', 'table "clinic.patients" has no key "nobody" that identifies persons', 'no column');
SELECT throws_ok($$SELECT anon_publish_set('x', '{"clinic.visits": {"qi": ["days"], "person": ["patient"]}, "clinic.tests": {"parent": "clinic.visits", "parent_key": ["stay"]}}', k => 3, key => '{stay}')$$,
  '22023', 'table "clinic.visits" has no key "stay" that identifies persons', 'a key of rows, where persons have several');
CREATE VIEW clinic.floats AS SELECT id::float8 AS id, sex FROM clinic.patients;
CREATE VIEW clinic.float_stays AS SELECT patient::float8 AS patient, days FROM clinic.stays;
SELECT throws_ok($$SELECT anon_publish_set('x', '{"clinic.floats": {"qi": ["sex"], "key": ["id"]}, "clinic.float_stays": {"qi": ["days"], "parent": "clinic.floats", "parent_key": ["patient"]}}', k => 3, key => '{id}')$$,
  '42804', 'column "id" of type double precision cannot be part of a key', 'a type without one text');
CREATE VIEW clinic.nulls AS SELECT NULLIF(id, 7) AS id, sex FROM clinic.patients;
SELECT throws_ok($$SELECT anon_publish_set('x', '{"clinic.nulls": {"qi": ["sex"], "key": ["id"]}, "clinic.stays": {"qi": ["days"], "parent": "clinic.nulls", "parent_key": ["patient"]}}', k => 3, key => '{id}')$$,
  '22004', 'rows of table "clinic.nulls" have a null in the key "id"', 'a null key');
SELECT throws_ok($$SELECT anon_publish_set('x', clinic.described(), k => 4, key => '{id,was}')$$, '22023', 'table "clinic.patients" has a key of several columns', 'several columns');
CREATE TYPE clinic.code AS ENUM ('a', 'b', 'c');
CREATE TABLE clinic.coded AS SELECT code, 1 AS sex FROM unnest(enum_range(NULL::clinic.code)) AS code;
CREATE TABLE clinic.of_coded AS SELECT code, 2 AS days FROM clinic.coded;
SELECT throws_ok($$SELECT anon_publish_set('x', '{"clinic.coded": {"qi": ["sex"], "key": ["code"]}, "clinic.of_coded": {"qi": ["days"], "parent": "clinic.coded", "parent_key": ["code"]}}', k => 3, key => '{code}')$$,
  '22023', 'table "clinic.coded" has a key "code" of an enum', 'labels');
SELECT is_empty($$SELECT FROM pg_namespace WHERE nspname = 'x'$$, 'and nothing is published');

-- Objects that would change the rows added, and those that a set without a key refuses.
CREATE FUNCTION clinic.keep_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
SELECT clinic.arrive(5001, 5020);
CREATE FUNCTION clinic.refuses(attach text, message text, detach text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN
  EXECUTE attach;
  RETURN NEXT throws_ok('SELECT anon_refresh_set(''grown_all'')', '55000', message, attach);
  EXECUTE detach;
END $$;
SELECT clinic.refuses('CREATE TRIGGER filter BEFORE INSERT ON grown_all.stays FOR EACH ROW EXECUTE FUNCTION clinic.keep_out()', 'table "stays" of the set has the trigger "filter"', 'DROP TRIGGER filter ON grown_all.stays');
SELECT clinic.refuses('CREATE RULE filter AS ON INSERT TO grown_all.drugs DO INSTEAD NOTHING', 'table "drugs" of the set has a rule', 'DROP RULE filter ON grown_all.drugs');
SELECT clinic.refuses('ALTER TABLE grown_all.patients ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', 'table "patients" of the set has policies for its owner', 'ALTER TABLE grown_all.patients DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY');
SELECT clinic.refuses('ALTER TABLE grown_all.stays ADD CONSTRAINT later UNIQUE (was) DEFERRABLE INITIALLY DEFERRED', 'table "stays" of the set has the deferred constraint "later"', 'ALTER TABLE grown_all.stays DROP CONSTRAINT later');
SELECT clinic.refuses('ALTER TABLE grown_all.stays ADD CONSTRAINT of_owner CHECK (was > 0)', 'table "stays" of the set has the CHECK constraint "of_owner"', 'ALTER TABLE grown_all.stays DROP CONSTRAINT of_owner');
CREATE UNIQUE INDEX of_owner ON grown_all.stays (outcome) WHERE was > 50000;
SELECT throws_ok($$SELECT anon_refresh_set('grown_all')$$, '23505', NULL, 'an index of the owner');
DROP INDEX grown_all.of_owner;
ALTER TABLE grown_all.stays ALTER outcome SET NOT NULL;
UPDATE clinic.stays SET outcome = NULL WHERE patient > 5000;
SELECT throws_ok($$SELECT anon_refresh_set('grown_all')$$, '23502', 'column "outcome" of table "stays" is NOT NULL, and has a null', 'a null where the owner wants none');
ALTER TABLE grown_all.stays ALTER outcome DROP NOT NULL;
SELECT lives_ok($$SELECT anon_refresh_set('grown_all', beside => 'ignore')$$, 'without them it grows');

-- The state: for the owner alone, and lost by name.
RESET ROLE;
CREATE ROLE reader;
GRANT USAGE ON SCHEMA grown_all, clinic TO reader;
SET ROLE reader;
SELECT throws_ok('TABLE grown_all.anon_set_companion', '42501', NULL, 'nobody else reads the list of persons');
RESET ROLE;
SET ROLE grower;
SELECT anon_grant_set('grown_all', 'reader');
RESET ROLE;
SET ROLE reader;
SELECT throws_ok('TABLE grown_all.anon_set_companion', '42501', NULL, 'not even readers of the set');
RESET ROLE;
SET ROLE grower;
SELECT is(length(bytes), 72 + 32 * (SELECT count(*)::int FROM grown_all.patients), 'it has a hash a person') FROM grown_all.anon_set_companion WHERE item = 'persons';
SELECT clinic.arrive(6001, 6020);
CREATE TABLE clinic.saved AS SELECT item, number, at, content, bytes FROM grown_all.anon_set_companion;
CREATE FUNCTION clinic.loses(change text, detail text) RETURNS SETOF text LANGUAGE plpgsql AS $$ DECLARE message text; found text; BEGIN
  EXECUTE change;
  BEGIN
    PERFORM anon_refresh_set('grown_all');
  EXCEPTION WHEN object_not_in_prerequisite_state THEN GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, found = PG_EXCEPTION_DETAIL;
  END;
  RETURN NEXT is(message, 'set "grown_all" has lost the list of its persons', change);
  RETURN NEXT is(found, 'Table "anon_set_companion" has ' || detail || '.', 'and why');
  DELETE FROM grown_all.anon_set_companion;
  INSERT INTO grown_all.anon_set_companion (item, number, at, content, bytes) TABLE clinic.saved;
END $$ ;
SELECT clinic.loses('DELETE FROM grown_all.anon_set_companion', 'none');
SELECT clinic.loses($$UPDATE grown_all.anon_set_companion SET bytes = substr(bytes, 1, 100) WHERE item = 'persons'$$, 'one that no refresh wrote');
SELECT clinic.loses($$UPDATE grown_all.anon_set_companion SET bytes = substr(bytes, 1, 72) WHERE item = 'persons'$$, 'one that no refresh wrote');
SELECT clinic.loses($$UPDATE grown_all.anon_set_companion SET bytes = overlay(bytes PLACING '\xff' FROM 73 FOR 1) WHERE item = 'persons'$$, 'one that no refresh wrote');
SELECT anon_refresh_set('grown_all', beside => 'ignore') \g /dev/null
SELECT clinic.arrive(7001, 7020);
-- An older companion beside newer tables knows fewer persons.
SELECT clinic.loses($$UPDATE grown_all.anon_set_companion c SET bytes = s.bytes FROM clinic.saved s WHERE c.item = 'persons' AND s.item = 'persons'$$, 'that of another version');
SELECT clinic.loses('SELECT', 'that of another version');
COMMENT ON VIEW grown_all.anon_set IS 'of the owner';
SELECT anon_drop_set('grown_all') \g /dev/null
SELECT hasnt_schema('grown_all');

-- A key of another type. Persons whose keys have other texts then are missing, and would come again.
CREATE SCHEMA keyed;
CREATE TABLE keyed.persons (id date, born int);
INSERT INTO keyed.persons SELECT date '2020-01-01' + i, 1930 + i % 7 FROM generate_series(1, 60) AS i;
CREATE TABLE keyed.visits AS SELECT i AS visit, date '2020-01-01' + 1 + i % 60 AS id, i % 3 AS days FROM generate_series(1, 90) AS i;
ALTER TABLE keyed.persons ADD UNIQUE (id);
SELECT anon_publish_set('dated', '{"keyed.persons": {"qi": ["born"], "key": ["id"]}, "keyed.visits": {"qi": ["days"], "parent": "keyed.persons", "parent_key": ["id"]}}', k => 4, key => '{id}') \g /dev/null
CREATE FUNCTION keyed.take(type text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  EXECUTE format('ALTER TABLE keyed.persons ALTER id TYPE %1$s USING id::%1$s', type);
  EXECUTE format('ALTER TABLE keyed.visits ALTER id TYPE %1$s USING id::%1$s', type);
END $$;
SELECT keyed.take('timestamp');
SELECT throws_ok($$SELECT anon_refresh_set('dated')$$, '42804', 'key "id" of table "keyed.persons" has changed its type from date to timestamp without time zone', 'no person comes twice');
SELECT keyed.take('date');
DELETE FROM keyed.visits WHERE id < '2020-01-10';
DELETE FROM keyed.persons WHERE id < '2020-01-10';
INSERT INTO keyed.persons SELECT date '2022-01-01' + i, 1930 FROM generate_series(1, 5) AS i;
SELECT is((SELECT sum(rows) FROM anon_refresh_set('dated')), 5::numeric, 'the type of before does, and persons may have left');
INSERT INTO keyed.persons SELECT date '2023-01-01' + i, 1930 FROM generate_series(1, 5) AS i;
ALTER TABLE dated.visits SET UNLOGGED;
SELECT throws_ok($$SELECT anon_refresh_set('dated')$$, '55000', 'table "visits" of a set that grows is unlogged', 'new persons never follow rows that a crash may have taken');
ALTER TABLE dated.visits SET LOGGED;
SELECT is((SELECT sum(rows) FROM anon_refresh_set('dated')), 5::numeric, 'they follow those of a logged table');
SELECT anon_drop_set('dated') \g /dev/null
ALTER TABLE keyed.persons ALTER id TYPE int USING id - date '2020-01-01';
ALTER TABLE keyed.visits ALTER id TYPE int USING id - date '2020-01-01';
SELECT anon_publish_set('spelt', '{"keyed.persons": {"qi": ["born"], "key": ["id"]}, "keyed.visits": {"qi": ["days"], "parent": "keyed.persons", "parent_key": ["id"]}}', k => 4, key => '{id}') \g /dev/null
SELECT keyed.take('text');
SELECT is((SELECT sum(rows) FROM anon_refresh_set('spelt', beside => 'ignore')), 0::numeric, 'a type with the same texts does, too');
CREATE COLLATION keyed.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
ALTER TABLE keyed.persons ALTER id TYPE text COLLATE keyed.any_case;
CREATE FUNCTION keyed.detail_of(statement text) RETURNS text LANGUAGE plpgsql AS $$ DECLARE detail text; BEGIN
  EXECUTE statement;
  RETURN NULL;
EXCEPTION WHEN datatype_mismatch THEN
  GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
  RETURN detail;
END $$;
SELECT is(keyed.detail_of($$SELECT anon_refresh_set('spelt', beside => 'ignore')$$), 'Under its collation, equal values may have different texts.', 'an error of a text says what is wrong with it');
RESET ROLE;
SELECT finish();
ROLLBACK;
