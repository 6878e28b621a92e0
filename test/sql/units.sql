-- Tables with several rows a person: with unit every model counts persons.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
\ir ../data/admissions.sql

-- Five visits of one person are nobody else's.
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

-- A unit of two columns, and nulls.
SELECT is((SELECT level FROM anon_audit('visits', '{ward}', unit => '{patient,diagnosis}') WHERE model = 'k-anonymity'),
  2::float8, 'a unit may be several columns');
INSERT INTO visits VALUES (NULL, 1, 'x', 1), (NULL, 2, 'x', 1);
SELECT throws_ok($$SELECT anon_audit('visits', '{ward}', unit => '{patient}')$$, '22004',
  'unit column "patient" contains nulls', 'rows of nobody are an error');
SELECT throws_like($$SELECT anon_audit('visits', '{ward}', unit => '{nobody}')$$, 'column "nobody" does not exist', 'unknown');

-- What the column allows: every class needs p persons, too.
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
  (SELECT min(n)::numeric FROM (SELECT least(count(DISTINCT patient_id), count(DISTINCT diagnosis)) AS n FROM seen
    GROUP BY decade, sex) AS c), 'l');
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
SELECT is((SELECT round(level, 4) FROM levels WHERE (model, attribute) = ('t-closeness', 'diagnosis')),
  round(pg_temp.t_of_persons(), 4), 't');
SELECT is((SELECT level FROM levels WHERE model = 'k-anonymity of histories'),
  (SELECT min(n)::numeric FROM (SELECT count(*) AS n FROM (
     SELECT array_agg((decade, sex)::text ORDER BY decade, sex) AS history FROM seen GROUP BY patient_id) AS h
   GROUP BY history) AS c), 'histories');
SELECT * FROM finish();
ROLLBACK;
