-- Tables with several rows a person: with unit every model counts persons.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
\ir ../data/admissions.sql

-- Five visits belong to one person.
CREATE TABLE visits (patient text, ward int, diagnosis text, cost int);
INSERT INTO visits SELECT 'p', 1, 'd' || i, 10 * i FROM generate_series(1, 5) AS i;
SELECT lives_ok($$SELECT anon_assert('visits', '{ward}', k => 5)$$, 'five rows are 5-anonymous rows');
SELECT throws_ok($$SELECT anon_assert('visits', '{ward}', k => 5, unit => '{patient}')$$, '23514',
  'relation "visits" violates k-anonymity', 'five visits of one person are not 5-anonymous');
SELECT throws_ok($$SELECT anon_assert('visits', '{ward}', '{diagnosis}', l => 2, unit => '{patient}')$$, '23514',
  'relation "visits" violates distinct l-diversity of column "diagnosis"', 'nor are five diagnoses of one person diverse');

-- Levels by hand: a ward of p (x, y), q (x, x), r (y); another of p (y), s (z, z).
TRUNCATE visits;
INSERT INTO visits VALUES ('p', 1, 'x', 10), ('p', 1, 'y', 50), ('q', 1, 'x', 20), ('q', 1, 'x', 20), ('r', 1, 'y', 30),
  ('p', 2, 'y', 40), ('s', 2, 'z', 40), ('s', 2, 'z', 90);
CREATE FUNCTION pg_temp.level(model text, sensitive text) RETURNS numeric LANGUAGE sql AS $$
  SELECT round(level::numeric, 6) FROM anon_audit('visits', '{ward}', array_remove(ARRAY[sensitive], NULL),
    unit => '{patient}') AS a WHERE a.model = $1 AND attribute IS NOT DISTINCT FROM sensitive
$$;
SELECT is(pg_temp.level('k-anonymity', NULL), 2::numeric, 'k: p and s');
SELECT is(pg_temp.level('distinct l-diversity', 'diagnosis'), 2::numeric, 'two values of two persons each');
SELECT is(pg_temp.level('(alpha,k)-anonymity', 'diagnosis'), 0.666667, 'x and y are values of two of three persons');
SELECT is(pg_temp.level('entropy l-diversity', 'diagnosis'), 2::numeric, 'x: p, q; y: p, r');
SELECT is(pg_temp.level('recursive (c,l)-diversity', 'diagnosis'), 1::numeric, 'as many have either');
SELECT is(pg_temp.level('(k,e)-anonymity', 'cost'), 30::numeric,
  '10 and 50 are both of p: 50 - 20 is the most between two persons in the first ward');
-- All: p (x, y, y), q x, r y, s z: x 4/3, y 5/3, z 1 of 4. Ward 2: y 1/2, z 1/2: 1/3 of x is missing.
SELECT is(pg_temp.level('t-closeness', 'diagnosis'), 0.333333, 't: each person weighs 1');
SELECT is(pg_temp.level('k-anonymity of histories', NULL), 1::numeric, 'only p was in both wards');
SELECT is((SELECT detail - 'class' FROM anon_audit('visits', '{ward}', unit => '{patient}') WHERE model = 'k-anonymity'),
  '{"size": 3, "persons": 2}', 'the worst class has three rows of two persons');
SELECT is((SELECT count(*) FROM anon_audit('visits', '{ward}', '{diagnosis}') WHERE model LIKE '%histories%'), 0::bigint,
  'without a unit there are no histories');
SELECT throws_ok($$SELECT anon_assert('visits', '{ward}', k => 2, unit => '{patient}', unit_rows => 'together')$$, '23514',
  'relation "visits" violates k-anonymity of histories', 'histories are asserted');
SELECT throws_like($$SELECT anon_assert('visits', '{ward}', k => 2, unit_rows => 'together')$$, '%needs a unit', 'of a unit');

SELECT is(pg_temp.level('dominance', NULL), 0.666667, 'two of three rows of the second ward are of s');
-- p has y in both wards, q x and r y in one, s z. Common to the wards of p is y alone.
SELECT is(pg_temp.level('joint values: fewest', 'diagnosis'), 1::numeric, 'both wards of p tell y');
SELECT is(pg_temp.level('joint values: single', 'diagnosis'), 0.25, 'of four persons');

-- All have HIV, and each something else.
CREATE TABLE infected AS
SELECT 'p' || i AS patient, 1 AS ward, diagnosis FROM generate_series(1, 5) AS i, unnest(ARRAY['HIV', 'other ' || i]) AS diagnosis;
SELECT throws_ok(format('SELECT anon_assert(''infected'', ''{ward}'', ''{diagnosis}'', unit => ''{patient}'', %s)', promise), '23514',
  format('relation "infected" violates %s of column "diagnosis"', model), promise || ': everybody has HIV')
FROM (VALUES ('p => 2', 'p-sensitivity'), ('l => 5', 'distinct l-diversity'), ('entropy_l => 4', 'entropy l-diversity'),
  ('c => 9, l => 2', 'recursive (c,l)-diversity')) AS v (promise, model);
SELECT lives_ok($$SELECT anon_assert('infected', '{ward}', '{diagnosis}', l => 6, entropy_l => 4)$$, 'though there are six values');
SELECT throws_ok($$SELECT anon_publish('infected_public', 'infected', '{ward}', 5, 'microaggregate', sensitive => '{diagnosis}',
  unit => '{patient}', l => 2)$$, NULL, 'no classes of persons were found that keep the promises', 'nor are they published');

-- A unit of two columns, and nulls.
SELECT is((SELECT level FROM anon_audit('visits', '{ward}', unit => '{patient,diagnosis}') WHERE model = 'k-anonymity'),
  2::float8, 'a unit may be several columns');
INSERT INTO visits VALUES (NULL, 1, 'x', 1), (NULL, 2, 'x', 1);
SELECT throws_ok($$SELECT anon_audit('visits', '{ward}', unit => '{patient}')$$, '22004',
  'unit column "patient" contains nulls', 'rows of nobody are an error');
SELECT throws_like($$SELECT anon_audit('visits', '{ward}', unit => '{nobody}')$$, 'column "nobody" does not exist', 'unknown');

-- The limits of the column: every class needs p persons, too.
DELETE FROM visits WHERE patient IS NULL;
SELECT results_eq($$SELECT attribute, frequencies, largest_p, max_clusters
    FROM anon_capacity('visits', '{diagnosis}', 2, unit => '{patient}')$$,
  $$VALUES ('diagnosis', '{3,3,2}'::bigint[], 3, 4::bigint), ('patient', '{3,2,2,1}', 4, 4), (NULL, NULL, 3, 4)$$, 'capacity');

-- Recounted in plain SQL, on admissions.
CREATE TABLE seen AS SELECT patient_id, age / 10 AS decade, sex, diagnosis, cost FROM admissions(600, 'heavy');
CREATE TEMP TABLE levels AS SELECT model, attribute, level::numeric FROM anon_audit('seen', '{decade,sex}', '{diagnosis,cost}',
  unit => '{patient_id}');
SELECT is((SELECT level FROM levels WHERE model = 'k-anonymity'),
  (SELECT min(n)::numeric FROM (SELECT count(DISTINCT patient_id) AS n FROM seen GROUP BY decade, sex) AS c), 'k');
SELECT is((SELECT level FROM levels WHERE (model, attribute) = ('distinct l-diversity', 'diagnosis')),
  (SELECT min(least(v.n, p.n - v.most + 1))::numeric FROM (SELECT decade, sex, count(*) AS n, max(holders) AS most
      FROM (SELECT decade, sex, diagnosis, count(DISTINCT patient_id) AS holders FROM seen GROUP BY 1, 2, 3) AS h GROUP BY 1, 2) AS v
    JOIN (SELECT decade, sex, count(DISTINCT patient_id) AS n FROM seen GROUP BY 1, 2) AS p USING (decade, sex)), 'l');
SELECT is((SELECT round(level, 9) FROM levels WHERE model = 'dominance'),
  (SELECT round(max(n / all_rows), 9) FROM (SELECT count(*) AS n, sum(count(*)) OVER (PARTITION BY decade, sex) AS all_rows
    FROM seen GROUP BY decade, sex, patient_id) AS s), 'dominance');
SELECT is((SELECT array_agg(round(level, 9) ORDER BY model) FROM levels WHERE model LIKE 'joint values: %' AND attribute = 'diagnosis'),
  (WITH s AS (SELECT DISTINCT patient_id, (decade, sex)::text AS class, diagnosis FROM seen),
    own AS (SELECT DISTINCT patient_id, class FROM s),
    numbers AS (SELECT patient_id, count(*) AS n FROM own GROUP BY 1),
    lasting AS (SELECT DISTINCT patient_id FROM s JOIN numbers USING (patient_id) GROUP BY patient_id, diagnosis, n HAVING count(*) = n),
    common AS (SELECT o.patient_id, v.diagnosis FROM own AS o JOIN (SELECT DISTINCT class, diagnosis FROM s) AS v USING (class)
      JOIN numbers AS n USING (patient_id) GROUP BY 1, 2, n.n HAVING count(*) = n.n),
    candidates AS (SELECT patient_id, count(*) AS c FROM common JOIN lasting USING (patient_id) GROUP BY 1)
   SELECT ARRAY[round(min(c), 9), round(avg((c = 1)::int), 9)] FROM candidates), 'joint values');
SELECT is((SELECT round(level, 9) FROM levels WHERE (model, attribute) = ('(alpha,k)-anonymity', 'diagnosis')),
  (SELECT round(max(v.n::numeric / c.n), 9)
   FROM (SELECT decade, sex, diagnosis, count(DISTINCT patient_id) AS n FROM seen GROUP BY 1, 2, 3) AS v
   JOIN (SELECT decade, sex, count(DISTINCT patient_id) AS n FROM seen GROUP BY 1, 2) AS c USING (decade, sex)), 'alpha');
SELECT is((SELECT level FROM levels WHERE (model, attribute) = ('(k,e)-anonymity', 'cost')),
  (SELECT min(w)::numeric FROM (SELECT a.decade, a.sex, coalesce(max(a.cost - b.cost) FILTER (WHERE
      a.patient_id <> b.patient_id), 0) AS w FROM seen AS a JOIN seen AS b USING (decade, sex) GROUP BY 1, 2) AS c), 'e');
CREATE FUNCTION pg_temp.t_of_persons() RETURNS numeric LANGUAGE sql AS $$
  WITH in_class AS (
    SELECT decade, sex, diagnosis, sum(1.0 / rows) AS weight FROM (
      SELECT *, count(*) OVER (PARTITION BY decade, sex, patient_id) AS rows FROM seen) AS s GROUP BY 1, 2, 3),
  in_all AS (
    SELECT diagnosis, sum(1.0 / rows) / (SELECT count(DISTINCT patient_id) FROM seen) AS share FROM (
      SELECT *, count(*) OVER (PARTITION BY patient_id) AS rows FROM seen) AS s GROUP BY 1)
  SELECT max(t) FROM (
    SELECT sum(abs(coalesce(weight, 0) / persons - share)) / 2 AS t
    FROM (SELECT decade, sex, count(DISTINCT patient_id) AS persons FROM seen GROUP BY 1, 2) AS c
    CROSS JOIN in_all LEFT JOIN in_class USING (decade, sex, diagnosis) GROUP BY decade, sex) AS by_class
$$;
SELECT is((SELECT round(level, 9) FROM levels WHERE (model, attribute) = ('t-closeness', 'diagnosis')),
  round(pg_temp.t_of_persons(), 9), 't');
SELECT is((SELECT level FROM levels WHERE model = 'k-anonymity of histories'),
  (SELECT min(n)::numeric FROM (SELECT count(*) AS n FROM (
     SELECT array_agg((decade, sex)::text ORDER BY decade, sex) AS history FROM seen GROUP BY patient_id) AS h
   GROUP BY history) AS c), 'histories');

-- Published: k, l and t of persons, recounted in plain SQL on the release, which keeps the unit.
CREATE TABLE stays AS SELECT * FROM admissions(500, 'heavy');
SELECT lives_ok($$SELECT anon_publish('stays_public', 'stays', '{age,zip}', 5, unit => '{patient_id}',
  sensitive => '{diagnosis}', keep => '{patient_id}', params => '{"l": 3, "t": 0.35}')$$, 'published with unit, l and t');
SELECT is((SELECT count(*) FROM stays_public), (SELECT count(*) FROM stays), 'all rows');
SELECT cmp_ok((SELECT min(n) FROM (SELECT count(DISTINCT patient_id) AS n FROM stays_public GROUP BY age, zip) AS c),
  '>=', 5::bigint, 'every class is of five persons');
SELECT cmp_ok((SELECT min(n) FROM (SELECT count(DISTINCT diagnosis) AS n FROM stays_public GROUP BY age, zip) AS c),
  '>=', 3::bigint, 'with three diagnoses');
SELECT cmp_ok((SELECT min(p.n - v.n) FROM (SELECT age, zip, diagnosis, count(DISTINCT patient_id) AS n FROM stays_public GROUP BY 1, 2, 3) AS v
    JOIN (SELECT age, zip, count(DISTINCT patient_id) AS n FROM stays_public GROUP BY 1, 2) AS p USING (age, zip)),
  '>=', 2::bigint, 'and two persons without each');
TRUNCATE seen;
INSERT INTO seen SELECT patient_id, dense_rank() OVER (ORDER BY age, zip), '', diagnosis, 0 FROM stays_public;
SELECT cmp_ok(pg_temp.t_of_persons(), '<=', 0.350000001, 'and t-close, each person weighing 1');
SELECT lives_ok($$SELECT anon_assert('stays_public', '{age,zip}', '{diagnosis}', k => 5, l => 3, t => 0.35,
  unit => '{patient_id}')$$, 'as anon_assert measures it');
SELECT lives_ok($$SELECT anon_refresh('stays_public')$$, 'refreshed');

-- Not published unless kept.
SELECT lives_ok($$SELECT anon_publish('plain_public', 'stays', '{age,zip}', 5, unit => '{patient_id}',
  sensitive => '{diagnosis}', params => '{"alpha": 0.9}')$$, 'a release without the unit');
SELECT hasnt_column('plain_public', 'patient_id', 'has no column of it');
SELECT is((SELECT spec->'unit' FROM anon_releases WHERE release = 'plain_public'::regclass), '["patient_id"]'::jsonb,
  'its spec has');
SELECT lives_ok($$SELECT anon_publish('param_public', 'stays', '{age,zip}', 3, params => '{"unit": ["patient_id"]}')$$,
  'as a parameter');

-- Each method, counted from its rows.
CREATE TABLE plain AS SELECT patient_id, age, zip, sex, diagnosis, cost FROM admissions(150, 'heavy');
CREATE FUNCTION pg_temp.fewest(call text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE fewest bigint;
BEGIN
  EXECUTE format('SELECT min(n) FROM (SELECT count(DISTINCT p.patient_id) AS n FROM %s AS m JOIN plain AS p ON p.ctid = m.source
    WHERE class_id IS NOT NULL GROUP BY class_id) AS c', call) INTO fewest;
  RETURN fewest;
END $$;
SELECT cmp_ok(pg_temp.fewest(format('anon_%s, unit => ''{patient_id}'')', call)), '>=', 4::bigint, call)
FROM (VALUES
  ($$mdav('plain', '{age,zip}', 4$$), ($$mdav('plain', '{age,zip}', 4, refine => 'fast'$$),
  ($$vmdav('plain', '{age,zip}', 4$$), ($$vmdav('plain', '{age,zip}', 4, 1.1$$),
  ($$microaggregate('plain', '{age,zip}', 4$$), ($$microaggregate('plain', '{age}', 4$$),
  ($$microaggregate('plain', '{age,zip}', 4, recode => 'range'$$),
  ($$microaggregate('plain', '{age,zip}', 4, sensitive => '{diagnosis}', entropy_l => 2.5, alpha => 0.8$$),
  ($$microaggregate('plain', '{age,zip}', 4, sensitive => '{cost}', e => 500, t => 0.3$$),
  ($$mondrian('plain', '{age,zip,sex}', 4$$), ($$mondrian('plain', '{age,zip}', 4, algorithm => 'relaxed'$$),
  ($$mondrian('plain', '{age,zip}', 4, sensitive => '{diagnosis}', l => 3$$),
  ($$tclose('plain', '{age,zip}', '{cost}', 4, 0.3$$), ($$tclose('plain', '{age,zip}', '{cost}', 4, 0.3, 'merge'$$),
  ($$tclose('plain', '{age,zip}', '{diagnosis}', 4, 0.4, 'best', refine => 'fast'$$),
  ($$psensitive('plain', '{age,zip}', '{diagnosis}', 4, 2$$),
  ($$psensitive('plain', '{age,zip}', '{diagnosis}', 4, 2, 'microaggregation'$$)) AS methods (call);
SELECT cmp_ok(pg_temp.fewest(format(
    'anon_%s(''plain'', ''{age,zip}'', ''{"age": {"range": [5, 10, 20, 40]}, "zip": {"range": [100, 500, 1000]}}'', 4, unit => ''{patient_id}'')', method)),
  '>=', 4::bigint, method) FROM unnest(ARRAY['incognito', 'mingen', 'datafly', 'argus', 'topdown']) AS method;
SELECT is((SELECT max(k_reached) FROM anon_lattice('plain', '{age,zip}', '{"age": {"range": [5, 10, 20, 40]}, "zip": {"range": [100, 500, 1000]}}', 4,
  unit => '{patient_id}', frontier => false)), 150::bigint, 'the top of the lattice is one class of all persons');

-- Histories: k persons agree in how many rows in which classes, and as few rows as can be are left out.
CREATE FUNCTION pg_temp.fewest_histories(release regclass) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE fewest bigint;
BEGIN
  EXECUTE format('SELECT min(n) FROM (SELECT count(*) AS n FROM (SELECT array_agg((age, zip)::text ORDER BY (age, zip)::text) AS history
    FROM %s GROUP BY patient_id) AS h GROUP BY history) AS c', release) INTO fewest;
  RETURN fewest;
END $$;
SELECT throws_ok($$SELECT anon_publish('histories', 'stays', '{age,zip}', 5, unit => '{patient_id}', keep => '{patient_id}',
  params => '{"unit_rows": "together"}')$$, NULL, 'too few persons have as many rows as others', 'rows are not left out unasked');
SELECT lives_ok(format($$SELECT anon_publish('histories_%s', 'stays', '{age,zip}', 5, method => '%1$s', unit => '{patient_id}',
  keep => '{patient_id}', params => '{"unit_rows": "together", "max_suppression": 0.2}')$$, method), method || ' keeps histories together')
FROM unnest(ARRAY['microaggregate', 'mondrian', 'mdav']) AS method;
SELECT cmp_ok(pg_temp.fewest_histories('histories_' || method), '>=', 5::bigint, method || ': five persons share each history')
FROM unnest(ARRAY['microaggregate', 'mondrian', 'mdav']) AS method;
SELECT lives_ok($$SELECT anon_assert('histories_mdav', '{age,zip}', k => 5, unit => '{patient_id}', unit_rows => 'together')$$,
  'as anon_assert measures it');
SELECT is((SELECT count(DISTINCT patient_id) FROM histories_mdav), (SELECT count(DISTINCT patient_id) FROM stays), 'everybody is published');
SELECT is((SELECT rows::bigint + suppressed::bigint FROM anon_releases WHERE release = 'histories_mdav'::regclass),
  (SELECT count(*) FROM stays), 'rows that are left out are counted');
SELECT lives_ok($$SELECT anon_publish('histories_l', 'stays', '{age,zip}', 5, unit => '{patient_id}', sensitive => '{diagnosis}',
  keep => '{patient_id}', params => '{"unit_rows": "together", "max_suppression": 0.3, "l": 3}')$$, 'with another promise');
SELECT lives_ok($$SELECT anon_assert('histories_l', '{age,zip}', '{diagnosis}', k => 5, l => 3, unit => '{patient_id}',
  unit_rows => 'together')$$, 'which all classes keep');
SELECT lives_ok($$SELECT anon_refresh('histories_l')$$, 'refreshed');

-- Promises that units exclude are refused by name.
CREATE TABLE of_one AS SELECT 'one' AS patient_id, i AS age FROM generate_series(1, 20) AS i;
SELECT throws_like(format('SELECT anon_%s, unit => ''{patient_id}'')', call), message, call) FROM (VALUES
  ($$microaggregate('plain', '{age}', 4, unit_rows => 'together', n => 5, t => 0.3, sensitive => '{cost}'$$, '%(n,t)%'),
  ($$univariate('plain', '{age}', 4$$, 'method "univariate" cannot be combined with a unit'),
  ($$aggregate('plain', '{age}', 4$$, 'method "aggregate" cannot be combined with a unit'),
  ($$kpqr('plain', '{age}', '{cost}', 4, 2, 0.2, 0.5$$, 'method "kpqr" cannot be combined with a unit'),
  ($$microaggregate('plain', '{age}', 4, sensitive => '{cost}', q => 0.2, p => 2$$, '(k,p,q,r)-anonymity cannot be promised with a unit'),
  ($$microaggregate('plain', '{age}', 4, sensitive => '{cost}', t => 0.2, n => 20$$, '(n,t)-closeness cannot be promised with a unit'),
  ($$mdav('plain', '{age}', 151$$, 'k is larger than the number of units'),
  ($$microaggregate('of_one', '{age}', 4$$, 'k is larger than the number of units'),
  ($$incognito('plain', '{age}', '{"age": {"range": [5, 10, 20]}}', 4, sensitive => '{cost}', t => 0.2$$,
    'full-domain generalisation promises persons k, p, l, dominance and limits of risk alone')) AS refused (call, message);
UPDATE plain SET patient_id = NULL WHERE age < 20;
SELECT throws_like($$SELECT anon_mdav('plain', '{age}', 4, unit => '{patient_id}')$$,
  'unit column "patient_id" contains nulls', 'a row of nobody');

-- The physical order of the rows does not matter.
CREATE TABLE shuffled AS SELECT * FROM stays ORDER BY admissions_hash('o' || patient_id || '.' || visit);
SELECT lives_ok($$SELECT anon_publish('shuffled_public', 'shuffled', '{age,zip}', 5, unit => '{patient_id}',
  sensitive => '{diagnosis}', keep => '{patient_id}', params => '{"l": 3, "t": 0.35}')$$, 'published in another order');
SELECT bag_eq('SELECT patient_id, age, zip, diagnosis FROM stays_public',
  'SELECT patient_id, age, zip, diagnosis FROM shuffled_public', 'the same release');
-- Columns that differ in case alone: the unit is kept if this column is, and not another one.
CREATE TABLE cases AS SELECT i AS id, 'p' || i / 4 AS "ID", i % 40 AS a, chr(65 + i % 3) AS s FROM generate_series(0, 199) AS i;
SELECT is((SELECT rows FROM anon_publish('kept_upper', 'cases', '{a}', 5, sensitive => '{s}', unit => '{id}', keep => '{ID}', l => 2)),
  200::bigint, 'unit id, kept ID');
SELECT is((SELECT rows FROM anon_publish('kept_lower', 'cases', '{a}', 5, sensitive => '{s}', unit => '{ID}', keep => '{id}', l => 2)),
  200::bigint, 'unit ID, kept id');
SELECT is((SELECT count(*) FROM anon_audit('kept_lower') WHERE model = 'k-anonymity of histories'), 0::bigint,
  'readers have no unit, and rows are counted');
SELECT is((SELECT rows FROM anon_publish('kept_unit', 'cases', '{a}', 5, sensitive => '{s}', unit => '{ID}', keep => '{ID}', l => 2)),
  200::bigint, 'unit ID, kept ID');
SELECT is((SELECT count(*) FROM anon_audit('kept_unit') WHERE model = 'k-anonymity of histories'), 1::bigint,
  'persons are counted');
SELECT * FROM finish();
ROLLBACK;
