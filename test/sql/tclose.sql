-- t-closeness as a promise: kept on what is published, whatever the algorithm and the kind of column.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(35);

CREATE TABLE people AS
SELECT i, (i * i * 37 % 1009)::int AS a, (i * i * 61 % 997)::int AS b,
  i % 5 AS five, 7 AS same, i * 13 % 10007 AS salary, 'value ' || i * i % 300 AS city,
  date '2000-01-01' + i % 365 AS day, NULLIF(i % 50, 0) AS gap, NULLIF(i % 50, 0)::text AS text_gap
FROM generate_series(1, 1003) AS i;

CREATE FUNCTION pg_temp.level(release regclass, qi text[], sensitive text[]) RETURNS float8 LANGUAGE sql AS $$
  SELECT max(level) FROM anon_audit(release, qi, sensitive) WHERE model = 't-closeness'
$$;
CREATE FUNCTION pg_temp.smallest(release regclass, qi text[]) RETURNS float8 LANGUAGE sql AS $$
  SELECT level FROM anon_audit(release, qi) WHERE model = 'k-anonymity'
$$;

-- Every algorithm keeps k and t where values are unlike, few, all alike, texts, or dates.
CREATE TEMP TABLE tried AS
SELECT algorithm, sensitive, row_number() OVER () AS nr
FROM unnest('{t_first,k_first,merge,sabre}'::text[]) AS algorithm,
  unnest('{salary,five,same,city,day}'::text[]) AS sensitive;
SELECT set_config('test.rows', count(*)::text, true) FROM tried, LATERAL anon_publish(
  'tried_' || nr, 'people', '{a,b}', 3, method => 'tclose', sensitive => ARRAY[sensitive],
  params => jsonb_build_object('t', 0.12, 'algorithm', algorithm)) \g /dev/null
SELECT ok(pg_temp.level(('tried_' || nr)::regclass, '{a,b}', ARRAY[sensitive]) <= 0.12
    AND pg_temp.smallest(('tried_' || nr)::regclass, '{a,b}') >= 3,
  format('%s keeps k and t of %s', algorithm, sensitive))
FROM tried ORDER BY nr;

-- Several columns, each with its own t.
SELECT is((SELECT rows FROM anon_publish('each', 'people', '{a,b}', 3, method => 'tclose', sensitive => '{salary,city}',
  params => '{"t_each": [0.1, 0.9]}')), 1003::bigint, 'no record is lost');
SELECT cmp_ok(pg_temp.level('each', '{a,b}', '{salary}'), '<=', 0.1::float8, 'the first column keeps its t');
SELECT cmp_ok(pg_temp.level('each', '{a,b}', '{city}'), '<=', 0.9::float8, 'the second keeps its own');

-- The project's own method is never worse than the paper's.
CREATE FUNCTION pg_temp.loss(method text, params jsonb) RETURNS float8 LANGUAGE sql AS $$
  SELECT value FROM anon_evaluate('people', '{a,b}', 3, method, '{salary}', params) WHERE measure = 'loss'
$$;
SELECT cmp_ok(pg_temp.loss('microaggregate', '{"t": 0.12}'), '<=',
  (SELECT min(pg_temp.loss('tclose', jsonb_build_object('t', 0.12, 'algorithm', algorithm)))
   FROM unnest('{t_first,k_first,merge,sabre}'::text[]) AS algorithm),
  'microaggregate with t loses no more than any of the algorithms');
SELECT is(pg_temp.loss('tclose', '{"t": 0.12, "algorithm": "best", "refine_seconds": 0.2}') <= pg_temp.loss('tclose', '{"t": 0.12}'),
  true, 'best loses no more than t_first');

-- A refresh keeps the promise too, and a look is the same partition.
UPDATE people SET salary = salary + 1 WHERE i % 2 = 0;
SELECT is((SELECT rows FROM anon_refresh('each')), 1003::bigint, 'refreshed');
SELECT cmp_ok(pg_temp.level('each', '{a,b}', '{salary}'), '<=', 0.1::float8, 'the promise is kept after the refresh');
SELECT is((SELECT count(DISTINCT class_id) FROM anon_tclose('people', '{a,b}', '{salary}', 3, 0.12))::float8,
  (SELECT value FROM anon_evaluate('people', '{a,b}', 3, 'tclose', '{salary}', '{"t": 0.12}') WHERE measure = 'classes'),
  'looking and evaluating agree');
SELECT is((SELECT count(*) FROM anon_tclose('people', '{a,b}', '{text_gap}', 3, 0.5)), 1003::bigint,
  'in a nominal column null is a value of its own');

-- Bad input.
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{salary}', 3, 0) $$, '22023', 't must be above 0 and at most 1');
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{salary}', 3, 1.5) $$, '22023', 't must be above 0 and at most 1');
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{salary}', 3) $$, '22023', 'method "tclose" needs t');
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{}', 3, 0.1) $$, '22023', 't-closeness needs a sensitive column');
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{a}', 3, 0.1) $$, '42701',
  'column "a" cannot be both quasi-identifier and sensitive column');
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{gap}', 3, 0.1) $$, '22000', 'sensitive column "gap" contains nulls');

SELECT * FROM finish();
ROLLBACK;
