-- recode 'calibrated': centroids, of which some cells become values of their class, so that joint frequencies come
-- near to those of the source.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
CREATE PROCEDURE pg_temp.make_persons(seed int) LANGUAGE plpgsql AS $$
BEGIN
  CALL hospital_table('discharges', rows => 2000, seed => seed);
  CREATE TABLE person AS
  SELECT row_number() OVER (ORDER BY ssn) AS id, date_part('year', birth_date)::int / 5 * 5 AS born, sex, left(postal_code, 3) AS zip,
    left(diagnosis, 1) AS chapter, diagnosis
  FROM discharges WHERE sex IS NOT NULL AND postal_code IS NOT NULL AND diagnosis IS NOT NULL;
END $$;

SET check_function_bodies = off;
CREATE FUNCTION pg_temp.publish(name text, params jsonb, OUT loss float8, OUT classes bigint) LANGUAGE sql AS $$
  SELECT loss, classes FROM anon_publish(name, 'person', '{born,sex,zip,chapter}', 5, sensitive => '{diagnosis}', keep => '{id}',
                                         beside => 'ignore', params => params) $$;
CREATE FUNCTION pg_temp.k_marginal(name regclass) RETURNS float8 LANGUAGE sql AS $$
  SELECT value FROM anon_utility('person', name, '{born,sex,zip,chapter}', queries => 0) WHERE measure = 'k_marginal' $$;
CREATE FUNCTION pg_temp.uniques(name regclass) RETURNS float8 LANGUAGE sql AS $$
  SELECT value FROM anon_linkage('person', name, '{born,sex,zip,chapter}') WHERE measure = 'unique_any_matches' $$;

SELECT plan(22);
-- Three tables; what follows is about the last one.
CREATE TEMP TABLE samples (seed int, name text, loss float8, classes bigint, apart float8, uniques float8);
DO $$
DECLARE seed int;
BEGIN
  FOREACH seed IN ARRAY '{4,6,5}'::int[] LOOP
    DROP TABLE IF EXISTS person, discharges CASCADE;
    CALL pg_temp.make_persons(seed);
    INSERT INTO samples
    SELECT seed, name, f.*, 1000 - pg_temp.k_marginal(name::regclass), pg_temp.uniques(name::regclass)
    FROM (VALUES ('means', '{}'::jsonb), ('calibrated', '{"recode": "calibrated"}')) AS v(name, params), pg_temp.publish(name, params) AS f;
  END LOOP;
END $$;
CREATE TEMP TABLE figures AS SELECT * FROM samples WHERE seed = 5;
SELECT is((SELECT count(DISTINCT classes) FROM figures), 1::bigint, 'the classes are those of centroids');
SELECT ok((SELECT loss FROM figures WHERE name = 'calibrated') > (SELECT loss FROM figures WHERE name = 'means'), 'more is lost');
SELECT cmp_ok((SELECT loss FROM figures WHERE name = 'calibrated'), '<', 1.5 * (SELECT loss FROM figures WHERE name = 'means'),
              'but not much');
SELECT cmp_ok((SELECT sum(apart) FROM samples WHERE name = 'calibrated'), '<',
              0.7 * (SELECT sum(apart) FROM samples WHERE name = 'means'), 'pairs of columns are nearer to those of the source');
SELECT cmp_ok((SELECT sum(uniques) FROM samples WHERE name = 'calibrated'), '<=',
              (SELECT sum(uniques) FROM samples WHERE name = 'means') / 4, 'and fewer unique records are published');
SELECT lives_ok($$ SELECT anon_assert('calibrated', '{born,sex,zip,chapter}', k => 5) $$, 'k is kept');

-- Every cell is that of the centroid or a value of its class.
CREATE TEMP TABLE class AS
SELECT m.born AS mean, m.sex AS mode_of_sex, m.zip AS mode_of_zip, m.chapter AS mode_of_chapter, c.born, c.sex, c.zip, c.chapter,
  array_agg(p.born) AS borns, array_agg(p.sex) AS sexes, array_agg(p.zip) AS zips, array_agg(p.chapter) AS chapters
FROM means AS m JOIN calibrated AS c USING (id) JOIN person AS p USING (id) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
SELECT is((SELECT count(*) FROM class), (SELECT classes FROM figures LIMIT 1), 'each class has one row of cells');
SELECT is_empty($$ SELECT FROM class WHERE born <> mean AND born <> ALL (borns) OR sex <> mode_of_sex AND sex <> ALL (sexes)
  OR zip <> mode_of_zip AND zip <> ALL (zips) OR chapter <> mode_of_chapter AND chapter <> ALL (chapters) $$,
  'cells are centroids or values of the class');
SELECT isnt_empty($$ SELECT FROM class WHERE zip <> mode_of_zip $$, 'and some are others than the mode');

-- Rows and columns in another order, and a refresh.
CREATE TABLE shuffled AS SELECT * FROM person ORDER BY md5(id::text);
SELECT set_eq($$ SELECT to_jsonb(c) - 'diagnosis' FROM calibrated AS c $$,
  $$ SELECT masked FROM anon_microaggregate('shuffled', '{chapter,zip,born,sex}', 5, keep => '{id}', recode => 'calibrated') $$,
  'the order of rows and columns changes nothing');
CREATE TEMP TABLE before AS TABLE calibrated;
SELECT lives_ok($$ SELECT anon_refresh('calibrated') $$, 'it is refreshed');
SELECT set_eq($$ TABLE calibrated $$, $$ TABLE before $$, 'to the rows that it had');
SELECT is((SELECT promises FROM anon_releases WHERE release = 'calibrated'::regclass), '5-anonymous', 'its promise is k-anonymity');

-- With promises, and other methods.
SELECT lives_ok($$ SELECT pg_temp.publish('with_l', '{"recode": "calibrated", "l": 3, "t": 0.4}') $$, 'with l and t');
SELECT lives_ok($$ SELECT pg_temp.publish('unseen', '{"recode": "calibrated", "l": 2, "transparent": true}') $$, 'transparent');
SELECT lives_ok($$ SELECT pg_temp.publish('cut', '{"recode": "calibrated", "method": "mondrian"}') $$, 'by Mondrian''s classes');
SELECT lives_ok($$ SELECT pg_temp.publish('divided', '{"recode": "calibrated", "duplicates": "divide"}') $$, 'with equal records divided');
CREATE TABLE few AS SELECT * FROM person ORDER BY id LIMIT 60;
SELECT set_eq($$ SELECT * FROM anon_replay('few', '{born,sex}', 5, sensitive => '{chapter}', l => 2, recode => 'calibrated') $$,
  $$ SELECT * FROM anon_replay('few', '{born,sex}', 5, sensitive => '{chapter}', l => 2) $$, 'a replay tells of its classes as of those of centroids');

-- Refused combinations.
SELECT throws_ok($$ SELECT anon_publish('keyed', 'person', '{born,sex,zip}', 5, key => '{id}', recode => 'calibrated') $$, '0A000',
  'recode ''calibrated'' cannot be combined with a key', 'a key');
SELECT throws_ok($$ SELECT anon_replay_qi('person', '{born,sex}', 5, 'mdav', params => '{"recode": "calibrated"}') $$, '0A000', NULL, 'a replay of cells');
SELECT throws_ok($$ SELECT anon_publish('full', 'person', '{born,sex,zip}', 5, method => 'incognito', recode => 'calibrated') $$, '22023', NULL,
  'a method with cells of its own');
SELECT throws_ok($$ SELECT anon_publish('tree', 'person', '{born,sex,zip}', 5, recode => 'calibrated',
  hierarchies => '{"zip": {"mask": 1}}') $$, '22023', NULL, 'hierarchies of quasi-identifiers');
SELECT * FROM finish();
ROLLBACK;
