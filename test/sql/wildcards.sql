-- Suppressed cells as wildcards: k of a row and its risk by the rows that are compatible with it, against plain SQL.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
SELECT setseed(0.3);

CREATE TABLE blanked AS
SELECT i AS id, i / 3 AS person, CASE WHEN random() < 0.8 THEN (20 + 10 * random())::int END AS age,
  CASE WHEN random() < 0.8 THEN (ARRAY['north', 'south', 'west'])[1 + i % 3] END AS town,
  CASE WHEN random() < 0.8 THEN date '2000-01-01' + (3 * random())::int END AS born, i % 4 AS illness
FROM generate_series(1, 300) AS i;
CREATE TABLE starred AS SELECT id, person, coalesce(age, -1) AS age, coalesce(town, '*') AS town, born, illness FROM blanked;
CREATE VIEW compatible AS
SELECT a.id, a.person, count(*) AS k, count(DISTINCT b.person) AS persons FROM blanked AS a JOIN blanked AS b
  ON (a.age = b.age OR a.age IS NULL OR b.age IS NULL) AND (a.town = b.town OR a.town IS NULL OR b.town IS NULL)
    AND (a.born = b.born OR a.born IS NULL OR b.born IS NULL) GROUP BY a.id, a.person;

SELECT is(level, (SELECT min(k) FROM compatible)::float8, 'the fewest compatible rows')
FROM anon_audit('blanked', '{age,town,born}', wildcards => true) WHERE model = 'k-anonymity with wildcards';
SELECT is(level, (SELECT min(persons) FROM compatible)::float8, 'the fewest compatible persons')
FROM anon_audit('blanked', '{age,town,born}', unit => '{person}', wildcards => true) WHERE model = 'k-anonymity with wildcards';
CREATE VIEW classified AS SELECT * FROM blanked WHERE num_nulls(age, town, born) < 3;
SELECT cmp_ok((SELECT count(*) FROM classified), '<', (SELECT count(*) FROM blanked), 'some rows are suppressed');
SELECT results_eq($$ SELECT level, detail - 'suppressed' FROM anon_audit('starred', '{age,town,born}', suppressed => '{"age": "-1", "town": "*"}',
    wildcards => true, asked => '{"k-anonymity with wildcards": 25}') WHERE model = 'k-anonymity with wildcards' $$,
  $$ SELECT level, detail FROM anon_audit('classified', '{age,town,born}', wildcards => true, asked => '{"k-anonymity with wildcards": 25}')
    WHERE model = 'k-anonymity with wildcards' $$, 'cells of a text are wildcards, and suppressed rows are compatible with nobody');
SELECT is(detail -> 'records_short', to_jsonb((SELECT count(*) FROM compatible WHERE k < 25)), 'records that fall short')
FROM anon_audit('blanked', '{age,town,born}', asked => '{"k-anonymity with wildcards": 25}', wildcards => true) WHERE model = 'k-anonymity with wildcards';
SELECT is(detail -> 'class', (SELECT jsonb_build_object('age', age, 'town', town, 'born', born) FROM blanked JOIN compatible USING (id)
    WHERE k = level GROUP BY age, town, born ORDER BY age, town, born LIMIT 1), 'the worst row')
FROM anon_audit('blanked', '{age,town,born}', asked => '{"k-anonymity with wildcards": 25}', wildcards => true) WHERE model = 'k-anonymity with wildcards';
SELECT results_eq($$ SELECT model, attribute, level, detail FROM anon_audit('blanked', '{age,town,born}', '{illness}', wildcards => true)
    WHERE model <> 'k-anonymity with wildcards' $$,
  $$ SELECT model, attribute, level, detail FROM anon_audit('blanked', '{age,town,born}', '{illness}') $$, 'the classes of GROUP BY remain');
SELECT ok(level < 2, 'which are not 2-anonymous') FROM anon_audit('blanked', '{age,town,born}') WHERE model = 'k-anonymity';

CREATE FUNCTION pg_temp.risk(measure text, unit text[] DEFAULT NULL) RETURNS numeric LANGUAGE sql AS $$
  SELECT round(r.value::numeric, 9) FROM anon_risk('blanked', '{age,town,born}', unit => unit, threshold => 0.03, wildcards => true) AS r WHERE r.measure = $1 $$;
SELECT is(pg_temp.risk(measure), round(value, 9), measure)
FROM (SELECT max(1.0 / k), avg(1.0 / k), avg((1.0 / k > 0.03)::int), count(*) FILTER (WHERE k = 1) FROM compatible) AS r (a, b, c, d),
  LATERAL (VALUES ('prosecutor_max', a), ('prosecutor_mean', b), ('prosecutor_above_threshold', c), ('sample_uniques', d), ('journalist_mean', b)) AS v (measure, value);
SELECT is(pg_temp.risk(measure, '{person}'), round(value, 9), 'persons: ' || measure)
FROM (SELECT max(1.0 / persons), avg(1.0 / persons) FROM (SELECT DISTINCT c.person, b.age, b.town, b.born, c.persons FROM compatible AS c JOIN blanked AS b USING (id)) AS c)
  AS r (a, b), LATERAL (VALUES ('prosecutor_max', a), ('prosecutor_mean', b)) AS v (measure, value);
-- Without null, compatible rows are equal ones.
SELECT results_eq($$ SELECT measure, attribute, value FROM anon_risk('starred', '{age,town}', '{illness}', wildcards => true) $$,
  $$ SELECT measure, attribute, value FROM anon_risk('starred', '{age,town}', '{illness}') $$, 'no wildcard');

SELECT throws_ok($$ SELECT * FROM anon_risk('starred', '{age}', population => 'starred', wildcards => true) $$, '22023',
  'wildcards cannot be combined with population', 'a population');
SELECT throws_ok($$ SELECT * FROM anon_risk('starred', '{age}', population_size => 9999, wildcards => true) $$, '22023',
  'wildcards cannot be combined with population_size', 'the size of a population');
SELECT throws_ok($$ SELECT * FROM anon_risk('starred', '{age}', sampling_weight => 'id', wildcards => true) $$, '22023',
  'wildcards cannot be combined with sampling_weight', 'weights');
SELECT throws_ok($$ SELECT * FROM anon_audit('starred', '{age}', population => 'starred', wildcards => true) $$, '22023',
  'wildcards cannot be combined with population', 'a population of an audit');
SELECT throws_ok($$ SELECT * FROM anon_audit('starred', '{age}', functions => '{sum}', wildcards => true) $$, '22023',
  'wildcards cannot be combined with functions', 'aggregates');
SELECT throws_ok($$ SELECT anon_assert('starred', '{age}', spec => anon_spec(asked => '{"k-anonymity with wildcards": 3}')) $$, '0A000',
  'k-anonymity with wildcards of one relation cannot be asserted', 'it is no promise');
SET LOCAL anonkit.max_memory = '10MB';
CREATE VIEW many AS SELECT nullif(i % 1000, 0) AS a, nullif(i / 1000, 5) AS b FROM generate_series(1, 100000) AS i;
SELECT throws_ok($$ SELECT * FROM anon_audit('many', '{a,b}', wildcards => true) $$, '53400', NULL, 'memory is counted');
SELECT * FROM finish();
ROLLBACK;
