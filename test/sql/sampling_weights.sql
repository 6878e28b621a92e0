-- Sampling weights: risk in the population and statistics of it, against plain SQL.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
SELECT setseed(0.7);

CREATE TABLE sample AS
SELECT i AS id, (20 + 30 * random())::int AS age, (ARRAY['north', 'south', NULL])[ceil(3 * random() * random())] AS town,
  (1000 + 2000 * random())::int AS income, (1 + 40 * random() * random())::numeric(8, 3) AS w, 25.0::float8 AS even, 1::smallint AS one,
  i % 70 AS person, (5 + i % 70)::bigint AS person_w
FROM generate_series(1, 200) AS i;
CREATE TABLE masked AS SELECT id, age / 10 * 10 AS age, town, income / 100 * 100 AS income, w, even, one FROM sample ORDER BY random();

CREATE FUNCTION pg_temp.risk(measure text, weight text DEFAULT 'w', population bigint DEFAULT NULL) RETURNS numeric LANGUAGE sql AS $$
  SELECT round(r.value::numeric, 6) FROM anon_risk('sample', '{age,town}', threshold => 0.05, sampling_weight => weight,
    population_size => population) AS r WHERE r.measure = $1 $$;

-- The individual risk is the integral of p u^(f-1) / (p + (1-p) u), here by midpoints.
CREATE TABLE classes AS SELECT count(*) AS f, sum(w)::float8 AS total FROM sample GROUP BY age, town;
CREATE TABLE risks AS
SELECT f, total, (SELECT avg(f / total * ((i - 0.5) / 20000) ^ (f - 1) / (f / total + (1 - f / total) * ((i - 0.5) / 20000)))
  FROM generate_series(1, 20000) AS i) AS risk FROM classes;
SELECT is(pg_temp.risk(measure), round(value::numeric, 6), measure)
FROM (SELECT sum(total), max(1 / total), sum(f / total) / sum(f), sum(f) FILTER (WHERE 1 / total > 0.05) / sum(f), sum(1 / total) FILTER (WHERE f = 1),
    max(risk), sum(f * risk) / sum(f), sum(f) FILTER (WHERE risk > 0.05) / sum(f), sum(f * risk) FROM risks) AS r (a, b, c, d, e, f, g, h, i),
  LATERAL (VALUES ('population', a), ('journalist_max', b), ('journalist_mean', c), ('marketer', c), ('journalist_above_threshold', d),
    ('population_uniques', e), ('individual_risk_max', f), ('individual_risk_mean', g), ('individual_risk_above_threshold', h),
    ('expected_matches', i)) AS v (measure, value);
SELECT is(pg_temp.risk(measure), pg_temp.risk(measure, NULL), 'a prosecutor knows the sample: ' || measure)
FROM unnest('{records,prosecutor_max,prosecutor_mean,prosecutor_above_threshold,sample_uniques,special_uniques,suda_max}'::text[]) AS measure;

-- A weight of 1/f for everybody says what the size of the population says.
SELECT is(pg_temp.risk(measure, 'even'), pg_temp.risk(measure, NULL, 5000), 'equal weights are a sampling fraction: ' || measure)
FROM unnest('{population_uniques_pitman,population_uniques_zayatz,population_uniques_snb,journalist_mean_pitman,journalist_mean_snb}'::text[]) AS measure;
SELECT is(pg_temp.risk('population', 'even'), 5000.0, 'and its size');
SELECT is(pg_temp.risk(journalist, 'one'), pg_temp.risk(prosecutor), 'a sample of everybody: ' || journalist)
FROM (VALUES ('journalist_max', 'prosecutor_max'), ('individual_risk_max', 'prosecutor_max'), ('individual_risk_mean', 'prosecutor_mean'),
  ('individual_risk_above_threshold', 'prosecutor_above_threshold'), ('population_uniques', 'sample_uniques')) AS v (journalist, prosecutor);

-- A person counts once, with one weight.
SELECT is((SELECT round(value::numeric, 6) FROM anon_risk('sample', '{town}', unit => '{person}', sampling_weight => 'person_w') WHERE measure = 'journalist_max'),
  (SELECT round(1 / min(total), 6) FROM (SELECT sum(person_w) AS total FROM (SELECT DISTINCT town, person, person_w FROM sample) AS p GROUP BY town) AS c),
  'the weights of persons');
SELECT throws_ok($$ SELECT * FROM anon_risk('sample', '{town}', unit => '{person}', sampling_weight => 'w') $$, '22000',
  'a person has several sampling weights', 'a person of several weights');

-- Values that are no weights are refused together, and so are columns that have none.
CREATE TABLE wrong AS SELECT 1 AS age, w, w::float8 AS f, w::numeric AS n, 'x' AS t, current_date AS d
FROM unnest('{2,NULL,0.5,-3,0,NaN,1}'::numeric[]) AS w;
SELECT throws_ok(format($$ SELECT * FROM anon_risk('wrong', '{age}', sampling_weight => %L) $$, c), '22000',
  format('column "%s" has values that are no sampling weights', c), 'weights below 1, null or not finite, ' || c) FROM unnest('{w,f,n}'::text[]) AS c;
CREATE FUNCTION pg_temp.detail_of(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE detail text;
BEGIN EXECUTE call; RETURN NULL;
EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL; RETURN detail; END $$;
SELECT is(pg_temp.detail_of($$ SELECT * FROM anon_risk('wrong', '{age}', sampling_weight => 'w') $$),
  'Number of nulls: 1, of numbers below 1 or not finite: 4.', 'and counted');
UPDATE wrong SET f = CASE WHEN f = 2 THEN 'Infinity'::float8 ELSE 1 END;
SELECT throws_ok($$ SELECT * FROM anon_utility('wrong', 'wrong', '{age}', sampling_weight => 'f') $$, '22000',
  'column "f" has values that are no sampling weights', 'infinity');
UPDATE wrong SET f = 9e14;
SELECT throws_ok($$ SELECT * FROM anon_risk('wrong', '{age}', sampling_weight => 'f') $$, '22003',
  'the sampling weights of column "f" are too large', 'a population above 1e15');
SELECT throws_ok(format($$ SELECT * FROM anon_risk('wrong', '{age}', sampling_weight => %L) $$, c), '42804',
  format('sampling weights in column "%s" are not numbers', c), c) FROM unnest('{t,d}'::text[]) AS c;
SELECT throws_ok($$ SELECT * FROM anon_risk('wrong', '{age}', sampling_weight => 'nobody') $$, '42703', 'column "nobody" does not exist', 'no column');
SELECT throws_ok($$ SELECT * FROM anon_risk('sample', '{age}', population_size => 9999, sampling_weight => 'w') $$, '22023',
  'sampling_weight cannot be combined with population_size', 'two sizes of the population');
SELECT throws_ok($$ SELECT * FROM anon_risk('sample', '{age}', population => 'sample', sampling_weight => 'w') $$, '22023',
  'sampling_weight cannot be combined with population', 'two populations');
CREATE DOMAIN weight AS numeric CHECK (value >= 1);
CREATE VIEW of_a_domain AS SELECT age, town, w::weight AS w FROM sample;
SELECT is((SELECT round(value::numeric, 6) FROM anon_risk('of_a_domain', '{age,town}', sampling_weight => 'w') WHERE measure = 'individual_risk_mean'),
  pg_temp.risk('individual_risk_mean'), 'a view, and a domain');

-- Statistics of the population.
CREATE FUNCTION pg_temp.utility(measure text, attribute text, weight text DEFAULT 'w') RETURNS numeric LANGUAGE sql AS $$
  SELECT round(u.value::numeric, 6) FROM anon_utility('sample', 'masked', '{age,town,income}', '{id}', 'income', sampling_weight => weight) AS u
  WHERE u.measure = $1 AND u.attribute IS NOT DISTINCT FROM $2 $$;
SELECT is(pg_temp.utility('mean_original', 'age'), (SELECT round(sum(w * age) / sum(w), 6) FROM sample), 'weighted mean');
SELECT is(pg_temp.utility('mean_masked', 'income'), (SELECT round(sum(w * income) / sum(w), 6) FROM masked), 'after masking');
SELECT is(pg_temp.utility('variance_original', 'income'), (SELECT round(sum(w * (income - m) ^ 2) / sum(w) * count(*) / (count(*) - 1), 6)
  FROM sample, (SELECT sum(w * income) / sum(w) AS m FROM sample) AS m GROUP BY m), 'weighted variance');
SELECT is(pg_temp.utility('covariance_original', 'age, income'), (SELECT round(sum(w * (income - m) * (age - a)) / sum(w) * count(*) / (count(*) - 1), 6)
  FROM sample, (SELECT sum(w * income) / sum(w) AS m, sum(w * age) / sum(w) AS a FROM sample) AS m GROUP BY m, a), 'weighted covariance');
SELECT is(pg_temp.utility('hellinger', 'town'), 0.0, 'a column that was not masked');
SELECT is(round(pg_temp.utility('coefficient_original', 'age'), 3),
  round(pg_temp.utility('covariance_original', 'age, income') / pg_temp.utility('variance_original', 'age'), 3), 'weighted regression');
SELECT is(pg_temp.utility(measure, attribute), pg_temp.utility(measure, attribute, NULL), 'of the records: ' || measure)
FROM (VALUES ('loss', NULL), ('ncp', NULL), ('dm', NULL), ('mean_class', NULL), ('propensity_mse', NULL), ('ncp', 'age')) AS v (measure, attribute);
SELECT is(count(*), 0::bigint, 'equal weights change no statistic') FROM
  anon_utility('sample', 'masked', '{age,town,income}', '{id}', 'income') WITH ORDINALITY AS a (measure, attribute, value, explanation, n)
  JOIN anon_utility('sample', 'masked', '{age,town,income}', '{id}', 'income', sampling_weight => 'even') WITH ORDINALITY AS b (measure, attribute, value, explanation, n)
  USING (n) WHERE a.measure <> 'query_error' AND abs(a.value - b.value) > 1e-9 * greatest(abs(a.value), 1);
-- Doubles add up to other last digits in another order.
CREATE TABLE fractions AS SELECT *, w::float8 + 0.1 AS f, income / 7::float8 AS share, (person_w + 0.1)::float8 AS person_f FROM sample;
CREATE TABLE fractions_masked AS SELECT *, w::float8 + 0.1 AS f, income / 7::float8 AS share FROM masked;
CREATE TABLE shuffled AS SELECT * FROM fractions ORDER BY random();
CREATE TABLE shuffled_masked AS SELECT * FROM fractions_masked ORDER BY random();
SELECT results_eq($$SELECT measure, value FROM anon_risk('shuffled', '{town}', threshold => 0.001, sampling_weight => 'f')$$,
  $$SELECT measure, value FROM anon_risk('fractions', '{town}', threshold => 0.001, sampling_weight => 'f')$$, 'risk does not depend on the order of the rows');
SELECT results_eq($$SELECT measure, value FROM anon_risk('shuffled', '{town}', unit => '{person}', sampling_weight => 'person_f')$$,
  $$SELECT measure, value FROM anon_risk('fractions', '{town}', unit => '{person}', sampling_weight => 'person_f')$$, 'that of persons neither');
SELECT results_eq(format($$SELECT measure, attribute, value FROM anon_utility('shuffled', 'shuffled_masked', '{age,town,share}', %s, target => 'share')$$, arguments),
  format($$SELECT measure, attribute, value FROM anon_utility('fractions', 'fractions_masked', '{age,town,share}', %s, target => 'share')$$, arguments), 'nor utility: ' || arguments)
FROM unnest(ARRAY[$$'{id}'$$, $$'{id}', sampling_weight => 'f'$$, $$'{}', sampling_weight => 'f'$$]) AS a (arguments);
SELECT is(count(*), 0::bigint, 'a column without nulls has no share of them')
FROM anon_utility('fractions', 'shuffled_masked', '{age,town,share}', sampling_weight => 'f') WHERE measure ~ '^nulls';
SELECT throws_ok($$ SELECT * FROM anon_utility('sample', 'masked', '{age}', sampling_weight => 'person_w') $$, '42703',
  'column "person_w" does not exist', 'both relations have the weights');
SELECT * FROM finish();
ROLLBACK;
