-- A set beside other releases, its end, and forged descriptions of sets.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
CREATE SCHEMA clinic;
CREATE TABLE clinic.patients AS SELECT i AS id, 1930 + i * i % 23 AS born, i % 7 AS weight FROM generate_series(1, 300) AS i;
CREATE TABLE clinic.stays AS SELECT i AS stay, 1 + i * 7 % 290 AS patient, i * i % 5 AS days FROM generate_series(1, 500) AS i;
ALTER TABLE clinic.patients ADD PRIMARY KEY (id);
ALTER TABLE clinic.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES clinic.patients;
CREATE FUNCTION published(name text, beside text) RETURNS bigint LANGUAGE sql AS $$
  SELECT sum(rows)::bigint FROM anon_publish_set(name, '{"clinic.patients": {"qi": ["born"]}, "clinic.stays": {"qi": ["days"]}}', k => 3, beside => beside) $$;
SELECT anon_publish('one', 'clinic.patients', '{born,weight}', 3, method => 'mdav') \g /dev/null
SELECT throws_ok($$SELECT published('mine', 'refuse')$$, '23514', '"mine" and release "one" together violate P(k,all)', 'a release of a table refuses the set');
SELECT lives_ok($$SELECT published('mine', 'notice')$$, 'or is named');
SELECT throws_ok($$SELECT anon_publish('two', 'clinic.patients', '{born,weight}', 3, method => 'mdav', beside => 'refuse')$$, '23514', NULL, 'a set refuses a release');
SELECT throws_ok($$SELECT anon_refresh_set('mine', beside => 'refuse')$$, '23514', '"mine" and release "one" together violate P(k,all)', 'a refresh refuses, too');
SELECT anon_drop('one') \g /dev/null
SELECT throws_ok($$SELECT published('again', 'refuse')$$, '23514', '"again" and set "mine" are of the same table', 'a set refuses another one');
SELECT throws_ok($$SELECT published('again', 'perhaps')$$, '22023', 'beside must be one of ''notice'', ''refuse'', ''ignore''', 'other words');
SELECT throws_ok($$DROP TABLE clinic.patients$$, '2BP01', NULL, 'the source of a set cannot be dropped under it');
CREATE VIEW on_it AS SELECT count(*) AS n FROM mine.patients;
SELECT throws_ok($$SELECT anon_drop_set('mine')$$, '2BP01', NULL, 'nor a set under a view');
DROP VIEW on_it;
CREATE TABLE mine.other ();
SELECT throws_ok($$SELECT anon_drop_set('mine')$$, '2BP01', NULL, 'nor with a table that is not its own');
DROP TABLE mine.other;
SELECT lives_ok($$SELECT anon_drop_set('mine')$$, 'a set is dropped');
SELECT hasnt_schema('mine');
SELECT is_empty('SELECT FROM anon_releases', 'with its description');
SELECT throws_ok($$SELECT anon_drop_set('clinic')$$, '42809', 'schema "clinic" is not a set', 'other schemas are not');

-- Forged descriptions: a table of somebody else, another table of one's own, two views.
CREATE ROLE stranger;
SELECT published('mine', 'ignore') \g /dev/null
GRANT ALL ON SCHEMA mine, clinic TO stranger;
GRANT SELECT ON ALL TABLES IN SCHEMA clinic TO stranger;
SET ROLE stranger;
CREATE VIEW mine.forged AS SELECT anon_set_spec(ARRAY['clinic.patients'::regclass, 'clinic.stays'], ARRAY['mine.patients'::regclass, 'mine.stays'],
  '{"k": 1, "m": "all", "tables": {"1": {}, "2": {}}}') AS released;
SELECT is(count(*), 1::bigint, 'a view on others'' tables describes no set') FROM anon_releases WHERE release::text ~ 'mine';
RESET ROLE;
SELECT lives_ok($$SELECT anon_refresh_set('mine', beside => 'ignore')$$, 'and does not disturb the set');
CREATE VIEW mine.second AS SELECT anon_set_spec(ARRAY['clinic.patients'::regclass, 'clinic.stays'], ARRAY['mine.patients'::regclass, 'mine.stays'],
  '{"k": 1, "m": "all", "tables": {"1": {}, "2": {}}}') AS released;
SELECT throws_ok($$SELECT anon_refresh_set('mine')$$, '55000', 'schema "mine" has two descriptions of a set', 'two descriptions');
DROP VIEW mine.second;
DROP VIEW mine.forged;
-- A set with tables of its own in a schema of somebody else; a table twice; more tables than sets have.
SET ROLE stranger;
CREATE TABLE mine.a (x int);
CREATE TABLE mine.b (x int);
CREATE VIEW mine.forged AS SELECT anon_set_spec(ARRAY['clinic.patients'::regclass, 'clinic.stays'], ARRAY['mine.a'::regclass, 'mine.b'],
  '{"k": 1, "m": "all", "tables": {"1": {}, "2": {}}}') AS released;
SELECT is(count(*), 1::bigint, 'a view in another''s schema describes no set') FROM anon_releases WHERE release::text ~ 'mine';
RESET ROLE;
SELECT lives_ok($$SELECT anon_refresh_set('mine', beside => 'ignore')$$, 'and is not a second description');
CREATE SCHEMA theirs AUTHORIZATION stranger;
ALTER TABLE mine.a SET SCHEMA theirs;
ALTER TABLE mine.b SET SCHEMA theirs;
ALTER VIEW mine.forged SET SCHEMA theirs;
SELECT is(count(*), 1::bigint, 'in a schema of one''s own it does') FROM anon_release_info('theirs.forged');
ALTER SCHEMA theirs OWNER TO CURRENT_USER;
SELECT throws_ok($$SELECT anon_grant_set('theirs', 'stranger')$$, '42809', 'schema "theirs" is not a set', 'until the schema has another owner');
DROP VIEW theirs.forged;
DROP TABLE theirs.a, theirs.b;
DROP SCHEMA theirs;

CREATE SCHEMA many;
DO $$ BEGIN FOR i IN 1..1001 LOOP EXECUTE format('CREATE TABLE many.t%s ()', i); END LOOP; END $$;
CREATE FUNCTION is_set_of(sources int[], released int[]) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  EXECUTE format('CREATE VIEW many.v AS SELECT anon_set_spec(ARRAY[%s], ARRAY[%s], %L) AS released',
    (SELECT string_agg(format('%L::regclass', 'many.t' || i), ', ') FROM unnest(sources) AS i),
    (SELECT string_agg(format('%L::regclass', 'many.t' || i), ', ') FROM unnest(released) AS i),
    jsonb_build_object('tables', (SELECT jsonb_object_agg(i, '{}'::jsonb) FROM generate_series(1, cardinality(released)) AS i)));
  RETURN EXISTS (SELECT FROM anon_release_info('many.v'));
EXCEPTION WHEN feature_not_supported THEN RETURN false;
END $$;
CREATE FUNCTION up_to(n int) RETURNS int[] LANGUAGE sql AS 'SELECT array_agg(i) FROM generate_series(1, n) AS i';
DO $$ BEGIN ASSERT is_set_of(up_to(1000), up_to(1000)); DROP VIEW many.v; END $$;
SELECT pass('a set of 1000 tables');
SELECT ok(NOT is_set_of(up_to(1001), up_to(1001)), 'but not of more');
DROP VIEW IF EXISTS many.v;
SELECT ok(NOT is_set_of('{1,1}', '{3,4}'), 'nor of a source twice');
DROP VIEW IF EXISTS many.v;
SELECT ok(NOT is_set_of('{1,2}', '{3,3}'), 'nor with a released table twice');
DROP VIEW IF EXISTS many.v;
SELECT ok(NOT is_set_of('{1,2,5,5}', '{3,4}'), 'nor with a table of labels twice');
DROP VIEW IF EXISTS many.v;
SELECT throws_ok(format('SELECT anon_publish_set(%L, %L, k => 2)', 'too_many', (SELECT jsonb_object_agg('many.t' || i, '{}'::jsonb) FROM generate_series(1, 1001) AS i)),
  '54000', 'a set has at most 1000 tables', 'nor published');
DO $$ BEGIN FOR i IN 1..1001 LOOP EXECUTE format('DROP TABLE many.t%s', i); END LOOP; END $$;

-- A companion that was altered.
ALTER TABLE mine.anon_set_companion ADD more int;
SELECT throws_ok($$SELECT anon_refresh_set('mine', beside => 'ignore')$$, '55000', 'the companion of release "anon_set" is not as anonkit made it', 'an altered companion');
SELECT is(ncp, NULL, 'is not read') FROM anon_releases WHERE release::text ~ 'mine';
SELECT lives_ok($$SELECT anon_drop_set('mine')$$, 'and is dropped with its set');

CREATE SCHEMA forged;
CREATE TABLE forged.a (x int);
CREATE FUNCTION is_set(spec text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  EXECUTE format('CREATE VIEW forged.v AS SELECT anon_set_spec(ARRAY[''clinic.patients''::regclass], ARRAY[''forged.a''::regclass], %L)', spec);
  RETURN EXISTS (SELECT FROM anon_release_info('forged.v'));
EXCEPTION WHEN feature_not_supported THEN RETURN NULL;
END $$;
DO $$ BEGIN ASSERT is_set('{"k": 2, "m": "all", "tables": {"1": {}}}'); DROP VIEW forged.v; END $$;
SELECT pass('a sound spec');
CREATE TABLE forged_specs AS SELECT spec FROM (VALUES ('[]'), ('{}'), ('{"tables": []}'), ('{"tables": {"1": 7}}'), ('{"tables": {"2": {}}}'),
  ('{"tables": {"1": {"parent": "x"}}}'), ('{"tables": {"1": {"parent": 7}}}'), ('{"tables": {"1": {"hierarchies": {"x": {"table": 3}}}}}')) AS s (spec);
CREATE FUNCTION is_forged(spec text) RETURNS boolean LANGUAGE plpgsql AS $$ DECLARE made boolean := is_set(spec); BEGIN DROP VIEW forged.v; RETURN NOT made; END $$;
SELECT ok(is_forged(spec), 'no set: ' || spec) FROM forged_specs;

-- Two groups of persons with equal cells are one to readers.
CREATE SCHEMA equal_cells;
CREATE TABLE equal_cells.people (id int PRIMARY KEY, a int, b int);
INSERT INTO equal_cells.people VALUES (1, 0, 0), (2, 1, 1), (3, 1, 0), (4, 0, 0), (5, 0, 1);
CREATE TABLE equal_cells.stays (id int PRIMARY KEY, person int NOT NULL REFERENCES equal_cells.people, kind text);
INSERT INTO equal_cells.stays VALUES (1, 4, 'a'), (2, 5, 'a');
SELECT FROM anon_publish('equal_cells_release', 'equal_cells.people', '{a}', 2, recode => 'range', beside => 'ignore');
SELECT lives_ok($$SELECT * FROM anon_publish_set('equal_cells_set', '{"equal_cells.people": {"qi": ["b"]}, "equal_cells.stays": {"qi": ["kind"]}}', k => 2, m => '2',
  beside => 'refuse')$$, 'equal cells of several groups keep the promise together');

SELECT finish();
ROLLBACK;
