-- t-closeness as a promise: releases satisfy it, for any algorithm and kind of column.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(102);

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

-- Every algorithm keeps k and t for values that differ, are few, are all equal, are texts, or
-- dates.
CREATE TEMP TABLE tried AS
SELECT algorithm, sensitive, row_number() OVER () AS nr
FROM unnest('{t_first,k_first,merge,sabre,best}'::text[]) AS algorithm,
  unnest('{salary,five,same,city,day}'::text[]) AS sensitive;
SELECT set_config('test.rows', count(*)::text, true) FROM tried, LATERAL anon_publish(
  'tried_' || nr, 'people', '{a,b}', 3, method => 'tclose', sensitive => ARRAY[sensitive],
  params => jsonb_build_object('t', 0.12, 'algorithm', algorithm)
    || CASE algorithm WHEN 'best' THEN '{"refine": "fast", "refine_seconds": 0.2}' ELSE '{}' END::jsonb, beside => 'ignore') \g /dev/null
SELECT ok(pg_temp.level(('tried_' || nr)::regclass, '{a,b}', ARRAY[sensitive]) <= 0.12
    AND pg_temp.smallest(('tried_' || nr)::regclass, '{a,b}') >= 3,
  format('%s keeps k and t of %s', algorithm, sensitive))
FROM tried ORDER BY nr;

-- Several columns, each with its own t.
SELECT is((SELECT rows FROM anon_publish('each', 'people', '{a,b}', 3, method => 'tclose', sensitive => '{salary,city}',
  params => '{"t_each": [0.1, 0.9]}')), 1003::bigint, 'no record is lost');
SELECT cmp_ok(pg_temp.level('each', '{a,b}', '{salary}'), '<=', 0.1::float8, 'the first column keeps its t');
SELECT cmp_ok(pg_temp.level('each', '{a,b}', '{city}'), '<=', 0.9::float8, 'the second keeps its own');

-- Columns of all three kinds at once: ordered, nominal, and along a hierarchy; by every algorithm.
CREATE TABLE quarters (city text, quarter text, half text);
INSERT INTO quarters SELECT DISTINCT city, 'quarter ' || i * i % 300 % 4, 'half ' || i * i % 300 % 2 FROM people;
CREATE TEMP TABLE kinds AS
SELECT algorithm, row_number() OVER () AS nr FROM unnest('{t_first,k_first,merge,sabre,best}'::text[]) AS algorithm;
SELECT set_config('test.rows', count(*)::text, true) FROM kinds, LATERAL anon_publish(
  'kinds_' || nr, 'people', '{a,b}', 3, method => 'tclose', sensitive => '{salary,text_gap,city}',
  params => jsonb_build_object('t_each', '{0.15,0.7,0.35}'::float8[], 'algorithm', algorithm, 'hierarchies', '{"city": {"table": "quarters"}}'::jsonb)
    || CASE algorithm WHEN 'best' THEN '{"refine": "fast", "refine_seconds": 0.2}' ELSE '{}' END::jsonb, beside => 'ignore') \g /dev/null
SELECT lives_ok(format('SELECT anon_assert(%L, ''{a,b}'', %L, k => 3, t => %s, hierarchies => %L)', 'kinds_' || nr,
    ARRAY[sensitive], t, CASE sensitive WHEN 'city' THEN '{"city": {"table": "quarters"}}' ELSE '{}' END),
  format('%s keeps k and the t of %s', algorithm, sensitive))
FROM kinds, (VALUES ('salary', 0.15), ('text_gap', 0.7), ('city', 0.35)) AS v (sensitive, t) ORDER BY nr, sensitive;
SELECT cmp_ok(min(classes), '>', 5::bigint, 'in more than a few classes')
FROM kinds JOIN anon_releases ON release = ('kinds_' || nr)::regclass;

-- Ties on 10,000 records, of which neither k nor the cluster size is a divisor: 5 distinct values, all equal, 300 texts.
CREATE TABLE many AS
SELECT i, (i::bigint * i * 37 % 10007)::int AS a, (i::bigint * i * 61 % 9973)::int AS b,
  i % 5 AS five, 7 AS same, 'value ' || i::bigint * i % 300 AS city
FROM generate_series(1, 10000) AS i;
CREATE TEMP TABLE ties AS
SELECT algorithm, sensitive, row_number() OVER () AS nr
FROM unnest('{t_first,k_first,merge,sabre,best}'::text[]) AS algorithm, unnest('{five,same,city}'::text[]) AS sensitive;
SELECT set_config('test.rows', count(*)::text, true) FROM ties, LATERAL anon_publish(
  'ties_' || nr, 'many', '{a,b}', 7, method => 'tclose', sensitive => ARRAY[sensitive],
  params => jsonb_build_object('t', 0.15, 'algorithm', algorithm)
    || CASE algorithm WHEN 'best' THEN '{"refine": "fast", "refine_seconds": 0.2}' ELSE '{}' END::jsonb, beside => 'ignore') \g /dev/null
SELECT lives_ok(format('SELECT anon_assert(%L, ''{a,b}'', %L, k => 7, t => 0.15)', 'ties_' || nr, ARRAY[sensitive]),
  format('%s keeps k and t of %s in 10,000 records', algorithm, sensitive))
FROM ties ORDER BY nr;

-- Algorithm 1 on the classes of V-MDAV.
SELECT set_eq($$ SELECT source, class_id FROM anon_tclose('people', '{a,b}', '{same}', 3, 0.1, 'merge', gamma => 1.1) $$,
  $$ SELECT source, class_id FROM anon_vmdav('people', '{a,b}', 3, 1.1, duplicates => 'divide') $$, 'gamma: where nothing is to be merged, the classes of V-MDAV');
SELECT set_eq($$ SELECT source, class_id FROM anon_tclose('people', '{a,b}', '{same}', 3, 0.1, 'merge') $$,
  $$ SELECT source, class_id FROM anon_mdav('people', '{a,b}', 3) $$, 'without gamma those of MDAV');
SELECT set_config('test.rows', rows::text, true) FROM anon_publish('by_vmdav', 'people', '{a,b}', 3, method => 'tclose',
  sensitive => '{salary}', params => '{"t": 0.12, "algorithm": "merge", "gamma": 0.5}') \g /dev/null
SELECT cmp_ok(pg_temp.level('by_vmdav', '{a,b}', '{salary}'), '<=', 0.12::float8, 'merging keeps t after V-MDAV too');
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{salary}', 3, 0.12, gamma => 0.2) $$, '22023',
  $$gamma of method "tclose" needs algorithm 'merge'$$);
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{salary}', 3, 0.12, 'merge', gamma => -1) $$, '22023',
  'gamma must be a finite number of at least 0');

-- (n,t)-closeness: the west has 1 and 2, the east 3 and 4, so no class is near the relation's
-- distribution.
CREATE TABLE towns AS
SELECT region, town, illness FROM (VALUES ('west', 1, 1), ('west', 1, 2), ('west', 2, 1), ('west', 2, 2),
  ('east', 3, 3), ('east', 3, 4), ('east', 4, 3), ('east', 4, 3)) AS v (region, town, illness);
CREATE FUNCTION pg_temp.n_t(n int, qi text[] DEFAULT '{region,town}') RETURNS float8 LANGUAGE sql AS $$
  SELECT level FROM anon_audit('towns', qi, '{illness}', n => n) WHERE model = '(n,t)-closeness'
$$;
SELECT is(pg_temp.n_t(NULL), NULL, 'without n there is no (n,t)-closeness');
SELECT is(pg_temp.n_t(5), pg_temp.level('towns', '{region,town}', '{illness}'), 'no region has 5 records: the whole is the only superset');
-- Town 3 has 3 and 4, town 4 has 3 twice, their region 3, 3, 3 and 4. So a quarter has to move by one of three steps.
SELECT is(pg_temp.n_t(4), 1::float8 / 12, 'the regions have 4');
SELECT is(pg_temp.n_t(4, '{town,region}'), pg_temp.n_t(5), 'supersets are the records that agree in the first columns');
SELECT is(pg_temp.n_t(1, '{town}'), pg_temp.n_t(5), 'a single column has no beginning');
SELECT is((SELECT detail ->> 'n' FROM anon_audit('towns', '{region,town}', '{illness}', n => 4) WHERE model = '(n,t)-closeness'), '4',
  'the audit says what n was');
SELECT lives_ok($$ SELECT anon_assert('towns', '{region,town}', '{illness}', n => 4, t => 0.1) $$, 'n weakens what t asks');
SELECT throws_ok($$ SELECT anon_assert('towns', '{region,town}', '{illness}', t => 0.1) $$, '23514',
  'relation "towns" violates t-closeness of column "illness"');
SELECT throws_ok($$ SELECT anon_assert('towns', '{region,town}', '{illness}', n => 5, t => 0.1) $$, '23514',
  'relation "towns" violates (n,t)-closeness of column "illness"');
SELECT throws_ok($$ SELECT anon_assert('towns', '{region,town}', '{illness}', n => 4) $$, '22023', '(n,t)-closeness needs t beside n');
SELECT throws_ok($$ SELECT anon_audit('towns', '{region,town}', '{illness}', n => 0) $$, '22023', 'n must be an integer of at least 1');
SELECT throws_ok($$ SELECT anon_audit('towns', '{region,town}', n => 4) $$, '22023', '(n,t)-closeness needs a sensitive column');

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
SELECT throws_ok(format($$ SELECT anon_tclose('people', '{a,b}', '{salary}', 3, %L::float8) $$, t), '22023',
  't must be above 0 and at most 1', 't = ' || t)
FROM unnest('{-0.1,1.0000001,1.5,NaN,Infinity}'::text[]) AS t;
SELECT throws_ok(format($$ SELECT anon_tclose('people', '{a,b}', '{salary,city}', 3, t_each => %L) $$, t_each), '22023')
FROM unnest('{"{0.1}","{0.1,0}","{0.1,1.1}","{0.1,0.1,0.1}","{0.1,NULL}"}'::text[]) AS t_each;
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{salary,city}', 3, t => 0.3, t_each => '{0.3,0.3}') $$, '22023', 't and t_each cannot be given together');
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{salary}', 3) $$, '22023', 'method "tclose" needs t');
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{}', 3, 0.1) $$, '22023', 't-closeness needs a sensitive column');
SELECT throws_ok($$ SELECT anon_tclose('people', '{a,b}', '{a}', 3, 0.1) $$, '42701',
  'column "a" cannot be both quasi-identifier and sensitive column');
SELECT throws_ok(format($$ SELECT anon_tclose('people', '{a,b}', '{gap}', 3, 0.1, %L) $$, algorithm), '22000',
  'sensitive column "gap" contains nulls', algorithm || ' refuses nulls of an ordered column')
FROM unnest('{t_first,k_first,merge,sabre,best}'::text[]) AS algorithm;

SELECT * FROM finish();
ROLLBACK;
