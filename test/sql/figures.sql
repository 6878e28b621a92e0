-- Figures of risk and utility that were counted again from the rows.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

-- Person 1 has value a in class 1; person 2 has a in class 1 and b in class 2.
CREATE TABLE seen (person int, value text, class int);
INSERT INTO seen VALUES (1, 'a', 1), (2, 'a', 1), (2, 'c', 2), (3, 'b', 2), (3, 'd', 2);
SELECT is((SELECT value FROM anon_risk('seen', '{class}', '{value}', unit => '{person}') WHERE measure = 'certain_inferences'),
  2 / 3::float8, 'persons of whom a value is sure, not their rows in classes');
SELECT is((SELECT value FROM anon_risk('seen', '{class}', '{value}') WHERE measure = 'certain_inferences'),
  0.4::float8, 'records of which it is');

INSERT INTO seen VALUES (7, 'b', NULL);
SELECT is((SELECT value FROM anon_risk('seen', '{class}', '{value}', unit => '{person}', suppressed => '{}') WHERE measure = 'certain_inferences'),
  2 / 3::float8, 'persons who are left out are none of them');

-- A column that does not vary has no variance, whatever its rounding.
CREATE TABLE original AS SELECT i AS id, i % 7 AS age, 0.1::float8 AS same, 0.5::float8 AS half FROM generate_series(1, 41) AS i;
CREATE TABLE masked AS SELECT id, age / 2 * 2 AS age, 0.35::float8 AS same, 0.75::float8 AS half FROM original;
SELECT is((SELECT array_agg(value) FROM anon_utility('original', 'masked', '{age,same,half}') WHERE measure ~ '^variance' AND attribute IN ('same', 'half')),
  '{0,0,0,0}'::float8[], 'variances');
CREATE FUNCTION pg_temp.figures(column_name text) RETURNS text LANGUAGE sql AS $$
  SELECT string_agg(measure || round(value::numeric, 9), ' ' ORDER BY measure) FROM (
    SELECT measure, value FROM anon_utility('original', 'masked', ARRAY['age', column_name], key => '{id}') WHERE measure IN ('loss', 'correlation_change')
    UNION ALL SELECT measure, value FROM anon_linkage('original', 'masked', ARRAY['age', column_name]) WHERE measure IN ('expected', 'correct', 'single')
    UNION ALL SELECT measure, value FROM anon_infer('original', 'masked', ARRAY[column_name], '{age}') WHERE measure = 'nearest') AS f $$;
SELECT is(pg_temp.figures('same'), pg_temp.figures('half'), 'losses, links and inferences');

-- Ranges that reach beyond the original numbers cost no more than all of these.
SELECT FROM anon_publish('grid', 'original', '{age}', 5, 'mondrian', keep => '{id}', params => '{"outward": "grid", "widths": {"age": 4}}', beside => 'ignore');
SELECT is((SELECT round(value::numeric, 6) FROM anon_utility('original', 'grid', '{age}') WHERE measure = 'ncp' AND attribute = 'age'),
  (SELECT round(ncp::numeric / 100, 6) FROM anon_release_info('grid')), 'the ncp of a release by anon_utility');

-- Classes of a report's figures are those of the quasi-identifiers.
CREATE TABLE people AS SELECT i AS id, i * 7 % 40 AS age, i % 5 AS illness FROM generate_series(1, 80) AS i;
SELECT FROM anon_publish('released', 'people', '{age}', 5, sensitive => '{illness}', beside => 'ignore');
SELECT is((SELECT array_agg(round((f ->> 'value')::numeric, 6) ORDER BY f ->> 'measure') FROM jsonb_array_elements(anon_report('released', internal => true, format => 'json')::jsonb -> 'utility') AS f
    WHERE f ->> 'measure' IN ('dm', 'mean_class')),
  (SELECT ARRAY[round(dm::numeric, 6), round(mean_class::numeric, 6)] FROM anon_release_info('released')), 'discernibility and mean class of a report');

-- The risks of a sweep are those of its release: of persons, and of the published records alone.
CREATE FUNCTION pg_temp.swept_and_audited(asked jsonb) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE swept text; audited text; BEGIN
    SELECT round(risk_max::numeric, 9) || ' ' || round(risk_mean::numeric, 9) INTO swept FROM anon_sweep('records', '{age,km}', '{3}', '{mdav}', params => asked);
    PERFORM anon_publish('risky', 'records', '{age,km}', 3, 'mdav', params => asked, keep => '{person}', beside => 'ignore');
    SELECT round(1 / max(level) FILTER (WHERE model = 'k-anonymity')::numeric, 9) || ' ' || round(max(level) FILTER (WHERE model = 'mean risk')::numeric, 9)
      INTO audited FROM anon_audit('risky', unit => CASE WHEN asked ? 'unit' THEN '{person}'::text[] ELSE '{}' END);
    PERFORM anon_drop('risky');
    RETURN CASE WHEN swept = audited THEN 'equal' ELSE swept || ' and ' || audited END;
  END $$;
CREATE TABLE records AS SELECT i / 3 AS person, i * i * 37 % 60 AS age, i * i * 11 % 90 AS km FROM generate_series(1, 300) AS i UNION ALL VALUES (1000, 5000, 5000);
SELECT is(pg_temp.swept_and_audited(asked), 'equal', 'risks of a sweep: ' || asked::text)
  FROM unnest('{"{}","{\"unit\": [\"person\"]}","{\"max_suppression\": 0.1}"}'::jsonb[]) AS asked;

-- A column that is named twice would count twice.
SELECT throws_ok('SELECT FROM anon_' || call, '42701', NULL, call) FROM unnest(ARRAY[$$utility('original', 'masked', '{age,half,age}')$$,
  $$linkage('original', 'masked', '{age,age}')$$, $$infer('original', 'masked', '{half}', '{age,age}')$$, $$risk('masked', '{age}', '{half,half}')$$]) AS call;

-- A column at the top of its hierarchy is (,): it spans the numbers of both relations, and hits nobody's value.
CREATE TABLE exact_ages AS SELECT i AS id, 20 + i * 7 % 13 AS age, (i * 13 % 17)::numeric AS weight, 's' || i % 3 AS illness, i * 3 % 11 AS day FROM generate_series(1, 48) AS i;
CREATE TABLE open_ages AS
SELECT id, int4range(NULL, NULL) AS age, CASE WHEN weight < 5 THEN numrange(NULL, 5) WHEN weight < 12 THEN numrange(5, 12) ELSE numrange(12, NULL) END AS weight, illness, day FROM exact_ages;
SELECT is((SELECT round(value::numeric, 9) FROM anon_utility('exact_ages', 'open_ages', '{age,weight}', queries => 0) WHERE measure = 'ncp' AND attribute = c), n, 'width of a cell without ends: ' || c)
FROM (VALUES ('age', 1.0::numeric), ('weight', (SELECT round(avg(CASE WHEN weight < 5 THEN 5 WHEN weight < 12 THEN 7 ELSE 4 END) / 16, 9) FROM exact_ages))) AS v (c, n);
SELECT is((SELECT value FROM anon_utility('exact_ages', 'open_ages', '{age}', queries => 0) WHERE measure = 'mean_masked'), 26::float8, 'its middle is that of the column');
SELECT is((SELECT value FROM anon_infer('exact_ages', 'open_ages', '{age}', '{illness}') WHERE measure = 'range_ends'), 0::float8, 'nobody has its ends');
SELECT is((SELECT value FROM anon_linkage('exact_ages', 'open_ages', '{age}', key => '{id}') WHERE measure = 'candidates'), 48::float8, 'it fits everybody');
SELECT is((SELECT value FROM anon_risk('open_ages', '{age,weight}', population => 'exact_ages') WHERE measure = 'k_map'),
  (SELECT min(n)::float8 FROM (SELECT count(*) AS n FROM open_ages GROUP BY age, weight) AS c), 'and contains the numbers of a population');
SELECT throws_ok($$SELECT * FROM anon_audit('open_ages', '{age,weight}', functions => '{sum}')$$, '22000', 'column "age" contains a range without an end', 'an aggregate has no value');
SELECT ok((SELECT min(value) >= 0 FROM anon_utility('exact_ages', 'open_ages', '{weight,age,day}', queries => 0) WHERE measure ~ '^k_marginal'), 'no score is below 0');
-- Ranges of integers and dates lack an upper end if they are top-coded, or reach the last value of the type.
CREATE TABLE top_ages AS SELECT id, CASE WHEN age < 30 THEN int4range(20, 30) ELSE int4range(30, NULL) END AS age,
  CASE WHEN day < 9 THEN daterange('2020-01-01', '2020-01-10') ELSE daterange('2020-01-10', NULL) END AS day FROM exact_ages;
CREATE TABLE exact_days AS SELECT id, age, '2020-01-01'::date + day AS day FROM exact_ages;
SELECT is(array_agg(value ORDER BY attribute), (SELECT ARRAY[avg(CASE WHEN age < 30 THEN 24.5 ELSE 31 END), avg(CASE WHEN day < '2020-01-10' THEN
  '2020-01-05'::date - '2000-01-01'::date ELSE '2020-01-10'::date - '2000-01-01'::date + 0.5 END)] FROM exact_days)::float8[], 'a top code ends where the numbers end')
FROM anon_utility('exact_days', 'top_ages', '{age,day}') WHERE measure = 'mean_masked';
CREATE TABLE last_integer AS SELECT i AS id, 2147483640 + i AS age FROM generate_series(0, 7) AS i;
CREATE TABLE to_the_last AS SELECT id, int4range(2147483640, NULL) AS age FROM last_integer;
SELECT is((SELECT value FROM anon_infer('last_integer', 'to_the_last', '{age}', key => '{id}') WHERE measure = 'range_ends'), 0.25::float8,
  'the last value of a type is an end');
UPDATE open_ages SET age = 'empty' WHERE id = 3;
SELECT throws_ok($$SELECT * FROM anon_utility('exact_ages', 'open_ages', '{age}')$$, '22000', 'column "age" contains an empty range', 'an empty range is an error');

-- A number added to a column changes no variance, covariance or coefficient, however large it is.
CREATE TABLE shifted AS SELECT i AS id, i * i % 41 AS near, 9007199254740900 + i * i % 41 AS far, i % 17 AS other FROM generate_series(1, 400) AS i;
SELECT ok(abs(value / (SELECT var_samp(near)::float8 FROM shifted) - 1) < 1e-9, 'variance of ' || attribute || ', ' || measure)
FROM anon_utility('shifted', 'shifted', '{near,far,other}') WHERE measure LIKE 'variance\_%' AND attribute <> 'other';
SELECT is(count(*), 2::bigint, 'covariances of both with another column') FROM anon_utility('shifted', 'shifted', '{near,far,other}')
WHERE measure = 'covariance_original' AND attribute IN ('near, other', 'far, other')
  AND abs(value - (SELECT covar_samp(near, other) FROM shifted)) < 1e-9;
SELECT ok(abs(value - 1) < 1e-9, 'a shifted column is the same column') FROM anon_utility('shifted', 'shifted', '{near,far,other}')
WHERE measure = 'correlation_original' AND attribute = 'near, far';

-- Columns that depend on each other have axes without variance, and none with less.
CREATE TABLE dependent AS SELECT i AS id, i AS a, 3 * i + 1 AS b, -7 * i AS c, i / 3.0 AS d FROM generate_series(1, 29) AS i;
SELECT is(min(value) >= 0 AND min(value) < 1e-9, true, 'no variance is below 0: ' || measure)
FROM anon_utility('dependent', 'dependent', '{a,b,c,d}') WHERE measure LIKE 'eigenvalue%' GROUP BY measure;
SELECT is(max(abs(value)), 1::float8, 'no correlation exceeds 1')
FROM anon_utility('dependent', 'dependent', '{a,b,c,d}') WHERE measure LIKE 'correlation%ed' OR measure = 'correlation_original';

SELECT * FROM finish();
ROLLBACK;
