-- Measures of relations with nulls among numbers: against plain SQL, and against the release's own figures.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE TABLE people AS
SELECT i AS id, CASE WHEN i % 7 > 0 THEN (20 + i * 37 % 61)::float8 END AS age, CASE WHEN i % 150 > 1 THEN (i * 13 % 41)::float8 END AS hours,
  'd' || i % 5 AS illness, CASE WHEN i % 3 > 0 THEN i * 37 % 1001 END AS pay
FROM generate_series(1, 600) AS i;
CREATE TABLE released AS
SELECT 'means' AS release, p.* FROM anon_publish('means', 'people', '{age,hours}', 5, sensitive => '{illness,pay}', keep => '{id}',
  nulls => 'stratify') AS p
UNION ALL
SELECT 'ranges', p.* FROM anon_publish('ranges', 'people', '{age,hours}', 5, sensitive => '{illness,pay}', keep => '{id}',
  nulls => 'stratify', recode => 'range') AS p;
SELECT ok(bool_and(suppressed_cells > 0), 'a pattern of few records lost cells') FROM released;

-- ---- Statistics ---------------------------------------------------------------------------------
CREATE FUNCTION pg_temp.figure(found jsonb, measure text, attribute text DEFAULT NULL) RETURNS numeric LANGUAGE sql AS $$
  SELECT (one ->> 'value')::numeric FROM jsonb_array_elements(found) AS one
  WHERE one ->> 'measure' = $2 AND one ->> 'attribute' IS NOT DISTINCT FROM $3 $$;
CREATE TABLE found AS
SELECT r AS release, (SELECT jsonb_agg(to_jsonb(u)) FROM anon_utility('people', r::regclass, '{age,hours,illness}', key => '{id}') AS u) AS utility
FROM (VALUES ('means'), ('ranges')) AS releases (r);
SELECT ok(abs(pg_temp.figure(utility, 'mean_original', 'age') - (SELECT avg(age)::numeric FROM people)) < 1e-9
  AND abs(pg_temp.figure(utility, 'variance_masked', 'hours') - (SELECT variance(hours)::numeric FROM means)) < 1e-9
  AND abs(pg_temp.figure(utility, 'quantile_25_original', 'age')
    - (SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY age)::numeric FROM people)) < 1e-9, 'of the numbers alone')
FROM found WHERE release = 'means';
SELECT ok(abs(pg_temp.figure(utility, 'nulls_original', 'hours') - (SELECT avg((hours IS NULL)::int) FROM people)) < 1e-9
  AND abs(pg_temp.figure(utility, 'nulls_masked', 'hours') - (SELECT avg((hours IS NULL)::int) FROM means)) < 1e-9, 'and the share of nulls')
FROM found WHERE release = 'means';
-- Both functions leave out the pairs with a null.
SELECT ok(abs(pg_temp.figure(utility, 'correlation_original', 'age, hours') - (SELECT corr(age, hours)::numeric FROM people)) < 1e-9,
  'correlations of complete records') FROM found WHERE release = 'means';
SELECT ok(abs(pg_temp.figure((SELECT jsonb_agg(to_jsonb(u)) FROM anon_utility('people', 'means', '{age,hours}', key => '{id}') AS u), 'loss')
  - (SELECT loss::numeric FROM released WHERE release = 'means')) < 1e-3, 'the squared loss is that of the release');
SELECT ok(abs(100 * pg_temp.figure(utility, 'ncp') - (SELECT ncp::numeric FROM released WHERE release = 'ranges')) < 1e-2,
  'and so is the NCP') FROM found WHERE release = 'ranges';

-- ---- Attacks ------------------------------------------------------------------------------------
SELECT cmp_ok((SELECT value FROM anon_linkage('people', r::regclass, '{age,hours}', key => '{id}') WHERE measure = 'expected'), '<=', 0.2::float8,
  'k records are alike: ' || r) FROM (VALUES ('means'), ('ranges')) AS releases (r);
-- Each record of a table is among the nearest to itself, which are those with its cells.
SELECT ok(abs((SELECT value FROM anon_linkage('people', 'people', '{age,hours}', key => '{id}') WHERE measure = 'expected')
  - (SELECT count(*) FROM (SELECT FROM people GROUP BY age, hours) AS classes) / 600.0) < 1e-9, 'a null is nearest to a null');
SELECT is((SELECT value FROM anon_linkage('people', 'people', '{age,hours}') WHERE measure = 'unique_exact_matches'),
  (SELECT count(*)::float8 FROM (SELECT FROM people GROUP BY age, hours HAVING count(*) = 1) AS alone), 'and equals one');
SELECT ok((SELECT value FROM anon_linkage('people', 'means', '{age,hours}', 'probabilistic') WHERE measure = 'records') = 600,
  'linkage by probabilities takes nulls');
SELECT is(array_agg(round(value::numeric, 9)), ARRAY[round(1 / 3.0, 9)], 'nulls of a sensitive number are guessed like a value')
FROM anon_infer('people', 'means', '{age,hours}', '{pay}', key => '{id}') WHERE measure = 'base';
SELECT ok(bool_and(value BETWEEN 0 AND 1) AND count(*) = 3, 'ranges and centroids of columns with nulls: ' || attribute)
FROM anon_infer('people', 'ranges', '{age,hours}', key => '{id}') WHERE measure IN ('range_ends', 'lonely_range_ends', 'solved_centroids')
GROUP BY attribute;

-- Sums of chances such as 1/3 have other last digits in another order.
CREATE TABLE shuffled AS SELECT * FROM people ORDER BY md5(id::text);
CREATE TABLE shuffled_means AS SELECT * FROM means ORDER BY md5(id::text);
SELECT results_eq(format($$SELECT measure, attribute, value FROM %s$$, format(call, 'shuffled', 'shuffled_means')),
  format($$SELECT measure, attribute, value FROM %s$$, format(call, 'people', 'means')), 'the order of the rows does not matter: ' || call)
FROM unnest(ARRAY[$$anon_infer('%s', '%s', '{hours,age}', '{illness,pay}')$$, $$anon_linkage('%s', '%s', '{age,illness}')$$,
  $$anon_linkage('%s', '%s', '{age,illness}', 'probabilistic', key => '{id}')$$]) AS c (call);

-- ---- Reports ------------------------------------------------------------------------------------
SELECT is(position('comparisons do without it' IN page), 0, 'a report compares columns with nulls: ' || internal)
FROM (VALUES (true), (false)) AS pages (internal), anon_report('ranges', internal => internal) AS page;
SELECT ok(position('>nulls<' IN anon_report('ranges', internal => true)) > 0,
  'and tells the owner how many there are');

-- Correlations are of the records that have all numbers, of which there may be fewer than k.
CREATE TABLE rarely AS SELECT id, (20 + id * 37 % 61)::float8 AS age, (id * 13 % 41)::float8 AS hours, CASE WHEN id % 200 = 7 THEN id % 101 END AS bonus
FROM people;
SELECT ok(suppressed_cells = 0, 'a sensitive number of three records') FROM anon_publish('rare', 'rarely', '{age,hours}', 5, sensitive => '{bonus}');
SELECT is(count(*) FILTER (WHERE one ->> 'measure' = 'correlation_original' AND one ->> 'attribute' = 'age, hours'), CASE WHEN internal THEN 1 ELSE 0 END::bigint,
  'a public page shows no statistic of fewer than k records: ' || internal)
FROM (VALUES (true), (false)) AS pages (internal), jsonb_array_elements(anon_report('rare', internal => internal, format => 'json')::jsonb -> 'utility') AS one
GROUP BY internal;
CREATE TABLE one_less AS SELECT id, CASE WHEN id <> 7 THEN 5::float8 END AS age, hours FROM rarely;
SELECT ok(position('5 to 6: 100 %' IN anon_report('one_less', qi => '{age,hours}', source => 'one_less')) > 0, 'and bars count no record without a number');
CREATE TABLE constant AS SELECT id, 5::float8 AS age, hours FROM rarely;
CREATE TABLE noisy AS SELECT id, age, hours FROM rarely;
SELECT is(position('Infinity' IN anon_report('noisy', qi => '{age}', source => 'constant', internal => true)), 0, 'a constant has no variance to keep');

-- ---- No numbers at all --------------------------------------------------------------------------
CREATE TABLE empty_column AS SELECT id, NULL::float8 AS age, hours FROM people;
SELECT is(array_agg(value), ARRAY[NULL::float8, NULL], 'a column of nulls has no mean')
FROM anon_utility('empty_column', 'empty_column', '{age,hours}') WHERE measure IN ('mean_original', 'mean_masked') AND attribute = 'age';
SELECT is((SELECT value FROM anon_utility('empty_column', 'empty_column', '{age,hours}') WHERE measure = 'k_marginal'), 1000::float8,
  'and equals itself');
CREATE TABLE empty_pay AS SELECT id, age, hours, NULL::int AS pay FROM people;
SELECT is(array_agg(round(value::numeric, 9)), ARRAY[round(1 / 3.0, 9)], 'a sensitive column that publishes no number')
FROM anon_infer('people', 'empty_pay', '{age,hours}', '{pay}') WHERE measure = 'nearest';
SELECT * FROM finish();
ROLLBACK;
