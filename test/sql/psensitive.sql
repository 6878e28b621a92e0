-- p-sensitivity, (k,p,q,r)-anonymity and the diversity models as promises: releases satisfy them,
-- one by one and together.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(123);

CREATE TABLE people AS
SELECT i, (i * i * 37 % 1009)::int AS a, (i * i * 61 % 997)::int AS b,
  CASE WHEN i % 12 = 0 THEN i / 12 % 9 ELSE 9 END AS skewed, i % 10 AS even, i * 13 % 10007 AS salary,
  'value ' || i * i % 7 AS city, 7 AS same, date '2000-01-01' + i % 365 AS day,
  timestamp '2000-01-01' + i * interval '1 minute' AS moment
FROM generate_series(1, 1003) AS i;

CREATE FUNCTION pg_temp.level(release regclass, sensitive text, model text, q float8 DEFAULT NULL,
  variance_of text DEFAULT 'rare', qi text[] DEFAULT '{a,b}') RETURNS float8 LANGUAGE sql AS $$
  SELECT level FROM anon_audit(release, qi, ARRAY[sensitive], q => q, variance_of => variance_of) AS x
  WHERE x.model = $3
$$;
CREATE FUNCTION pg_temp.smallest(release regclass) RETURNS float8 LANGUAGE sql AS $$
  SELECT level FROM anon_audit(release, '{a,b}') WHERE model = 'k-anonymity'
$$;
CREATE FUNCTION pg_temp.loss(method text, sensitive text[], params jsonb) RETURNS float8 LANGUAGE sql AS $$
  SELECT value FROM anon_evaluate('people', '{a,b}', 4, method, sensitive, params) WHERE measure = 'loss'
$$;

-- Every algorithm keeps k and p of numbers, texts and dates.
CREATE TEMP TABLE tried AS
SELECT algorithm, sensitive, row_number() OVER () AS nr
FROM unnest('{enhanced,greedy,auto,microaggregation,best}'::text[]) AS algorithm,
  unnest('{skewed,even,city,day}'::text[]) AS sensitive;
SELECT set_config('test.rows', count(*)::text, true) FROM tried, LATERAL anon_publish(
  'tried_' || nr, 'people', '{a,b}', 4, method => 'psensitive', sensitive => ARRAY[sensitive],
  params => jsonb_build_object('p', 3, 'algorithm', algorithm, 'refine', 'fast'), beside => 'ignore') \g /dev/null
SELECT ok(pg_temp.level(('tried_' || nr)::regclass, sensitive, 'p-sensitivity') >= 3
    AND pg_temp.smallest(('tried_' || nr)::regclass) >= 4,
  format('%s keeps k and p of %s', algorithm, sensitive))
FROM tried ORDER BY nr;
SELECT lives_ok(format('SELECT anon_assert(%L, %L, %L, k => 4, p => 3)', 'tried_' || nr, '{a,b}', ARRAY[sensitive]),
  format('anon_assert says so of %s and %s', algorithm, sensitive))
FROM tried WHERE sensitive = 'city' ORDER BY nr;
SELECT cmp_ok(
  pg_temp.loss('psensitive', '{even}', '{"p": 3, "algorithm": "best", "recode": "centroid", "refine": "fast"}'), '<',
  pg_temp.loss('psensitive', '{even}', '{"p": 3, "algorithm": "microaggregation"}'),
  'the search loses less than microaggregation');
SELECT isnt(pg_temp.loss('psensitive', '{even}', '{"p": 3, "algorithm": "microaggregation", "seed": 1}'),
  pg_temp.loss('psensitive', '{even}', '{"p": 3, "algorithm": "microaggregation", "seed": 2}'),
  'another seed, other initial records');
CREATE FUNCTION pg_temp.measured(wanted text, params jsonb) RETURNS float8 LANGUAGE sql AS $$
  SELECT value FROM anon_evaluate('people', '{a,b}', 4, 'psensitive', '{skewed,city}', params)
  WHERE measure = wanted
$$;
SELECT is(pg_temp.measured('AVG', '{"p": 3}'), least(pg_temp.measured('AVG', '{"p": 3, "algorithm": "enhanced"}'),
  pg_temp.measured('AVG', '{"p": 3, "algorithm": "greedy"}')), 'auto, which nobody has to ask for, takes the better');
SELECT cmp_ok(pg_temp.measured('NCP', '{"p": 3, "algorithm": "best", "refine": "fast"}'), '<',
  pg_temp.measured('NCP', jsonb_build_object('p', 3, 'algorithm', algorithm)), 'best has narrower ranges than ' || algorithm)
FROM unnest('{enhanced,greedy,microaggregation}'::text[]) AS algorithm;
SELECT cmp_ok(pg_temp.measured('NCP', '{"p": 3, "algorithm": "best", "refine": "fast"}'), '<=',
  pg_temp.measured('NCP', jsonb_build_object('p', 3, 'algorithm', algorithm, 'refine', 'fast')),
  'none wider than a search after ' || algorithm) FROM unnest('{auto,microaggregation}'::text[]) AS algorithm;

-- The published form: ranges; labels if quasi-identifiers have hierarchies; or the form of recode.
CREATE TABLE regions (city text, region text);
INSERT INTO regions VALUES ('Bonn', 'west'), ('Cologne', 'west'), ('Berlin', 'east'), ('Dresden', 'east');
CREATE TABLE inhabitants (city text, age int, illness text);
INSERT INTO inhabitants VALUES ('Bonn', 20, 'flu'), ('Dresden', 20, 'cold'), ('Cologne', 20, 'cold'), ('Berlin', 20, 'flu');
CREATE FUNCTION pg_temp.masked(algorithm text, hierarchies jsonb, recode text) RETURNS text LANGUAGE sql AS $$
  SELECT string_agg(DISTINCT masked->>'city' || ' ' || (masked->>'age'), ', ' ORDER BY masked->>'city' || ' ' || (masked->>'age'))
  FROM anon_psensitive('inhabitants', '{city,age}', '{illness}', 2, 2, algorithm, hierarchies => hierarchies,
    recode => recode)
$$;
SELECT is(pg_temp.masked(algorithm, '{"city": {"table": "regions"}}', NULL), 'east [20,21), west [20,21)',
  algorithm || ' puts together what is near in the hierarchy, and publishes its labels')
FROM unnest('{enhanced,greedy,auto}'::text[]) AS algorithm;
SELECT is(pg_temp.masked('auto', '{"city": {"table": "regions"}}', 'range'), '{Berlin,Dresden} [20,21), {Bonn,Cologne} [20,21)',
  'also for ranges');
SELECT is(pg_temp.masked('auto', NULL, 'centroid'), pg_temp.masked('greedy', NULL, 'centroid'), 'centroids if asked for');
SELECT is((SELECT DISTINCT pg_typeof(a)::text FROM tried_1), 'int4range', 'ranges if nothing is said');
SELECT is((SELECT string_agg(DISTINCT masked->>'city', ', ') FROM anon_mondrian('inhabitants', '{city}', 2,
  hierarchies => '{"city": {"table": "regions"}}')), 'east, west', 'the same rule holds for Mondrian');

SELECT ok(bool_and(masked->>'city' IN ('west', 'east', '*')), 'kpqr takes hierarchies')
FROM anon_kpqr('inhabitants', '{city,age}', '{illness}', 2, 2, 1, 0.5, variance_of => 'all', recode => 'hierarchy',
  hierarchies => '{"city": {"table": "regions"}}');

-- The paper's examples: Table 1, with other classes; and the one where Condition 2 allows two clusters,
-- but there is one only.
CREATE TABLE patients (age int, zip text, diagnosis text, income int);
INSERT INTO patients VALUES (20, '41099', 'AIDS', 60000), (20, '41099', 'AIDS', 60000), (20, '41099', 'AIDS', 40000),
  (30, '41099', 'Diabetes', 50000), (30, '41099', 'Diabetes', 40000),
  (30, '41099', 'Tuberculosis', 50000), (30, '41099', 'Tuberculosis', 40000);
SELECT throws_ok($$SELECT anon_assert('patients', '{age,zip}', '{diagnosis,income}', k => 3, p => 2)$$, '23514', NULL,
  'Table 1: everybody of age 20 has AIDS');
CREATE TABLE figure_1 (id int, a int, b text, c text);
INSERT INTO figure_1 VALUES (1, 1, 'a', 'x'), (2, 1, 'b', 'y'), (3, 2, 'a', 'y'), (4, 2, 'b', 'x');
SELECT is((SELECT classes FROM anon_publish('table_1_' || algorithm, 'patients', '{age,zip}', 3, 'psensitive',
    '{diagnosis,income}', params => jsonb_build_object('p', 2, 'algorithm', algorithm))), 2::bigint,
  algorithm || ' makes two classes of Table 1')
FROM unnest('{greedy,auto}'::text[]) AS algorithm;
SELECT lives_ok(format('SELECT anon_assert(%L, %L, %L, k => 3, p => 2)', 'table_1_' || algorithm, '{age,zip}',
  '{diagnosis,income}'), 'which are 2-sensitive') FROM unnest('{greedy,auto}'::text[]) AS algorithm;
SELECT is((SELECT count(DISTINCT class_id) FROM anon_psensitive('patients', '{age,zip}', '{diagnosis,income}', 3, 2, 'enhanced')),
  2::bigint, 'enhanced makes two as well, though of the same ages');
SELECT is((SELECT max_clusters FROM anon_capacity('figure_1', '{a,b,c}', 2) WHERE attribute IS NULL), 2::bigint,
  'Condition 2 allows two clusters');
SELECT is((SELECT count(DISTINCT class_id) FROM anon_psensitive('figure_1', '{id}', '{a,b,c}', 2, 2, algorithm)),
  1::bigint, algorithm || ' finds the one cluster that there is')
FROM unnest('{enhanced,greedy,auto,microaggregation,best}'::text[]) AS algorithm;

-- (k,p,q,r)-anonymity.
CREATE TEMP TABLE bound AS
SELECT algorithm, sensitive, variance_of, row_number() OVER () AS nr
FROM unnest('{heuristic,best}'::text[]) AS algorithm, unnest('{skewed,even,city}'::text[]) AS sensitive,
  unnest('{rare,all}'::text[]) AS variance_of;
SELECT set_config('test.rows', count(*)::text, true) FROM bound, LATERAL anon_publish(
  'bound_' || nr, 'people', '{a,b}', 4, method => 'kpqr', sensitive => ARRAY[sensitive],
  params => jsonb_build_object('p', 3, 'q', 0.2, 'r', 0.5, 'variance_of', variance_of, 'algorithm', algorithm,
    'refine', 'fast'), beside => 'ignore') \g /dev/null
SELECT ok(pg_temp.smallest(('bound_' || nr)::regclass) >= 4
    AND pg_temp.level(('bound_' || nr)::regclass, sensitive, '(k,p,q,r)-anonymity: p', 0.2, variance_of) >= 3
    AND pg_temp.level(('bound_' || nr)::regclass, sensitive, '(k,p,q,r)-anonymity: r', 0.2, variance_of) >= 0.5,
  format('%s keeps (k,p,q,r) of %s, variance of %s', algorithm, sensitive, variance_of))
FROM bound ORDER BY nr;
SELECT lives_ok($$SELECT anon_assert('bound_1', '{a,b}', '{skewed}', k => 4, p => 3, q => 0.2, r => 0.5)$$,
  'anon_assert agrees');
SELECT throws_ok($$SELECT anon_assert('bound_1', '{a,b}', '{skewed}', q => 0.2, r => 1)$$, '23514',
  'relation "bound_1" violates (k,p,q,r)-anonymity: r of column "skewed"', 'and sees what is not kept');
SELECT ok((SELECT level = 'Infinity' AND NOT detail ? 'class' FROM anon_audit('people', '{a,b}', '{same}', q => 0.2)
  WHERE model = '(k,p,q,r)-anonymity: p'), 'a column without rare values binds no class');
SELECT is((SELECT count(*) FROM anon_audit('tried_1', '{a,b}', '{skewed}') WHERE model LIKE '(k,p,q,r)%'), 0::bigint,
  'an audit that is told no q does not speak of it');

-- microaggregate keeps any models, alone and together, for several columns.
CREATE FUNCTION pg_temp.published(release text, params jsonb, sensitive text[]) RETURNS bigint LANGUAGE sql AS $$
  SELECT rows FROM anon_publish(release, 'people', '{a,b}', 3, sensitive => sensitive, params => params, beside => 'ignore')
$$;
SELECT is(pg_temp.published('mixed', '{"p": 2, "t": 0.3}', '{even,city}'), 1003::bigint, 'p and t');
SELECT lives_ok($$SELECT anon_assert('mixed', '{a,b}', '{even,city}', k => 3, p => 2, t => 0.3)$$,
  'p and t hold for both columns');
SELECT is(pg_temp.published('diverse', '{"l": 3, "entropy_l": 2.5, "alpha": 0.5}', '{even,city}'), 1003::bigint,
  'three kinds of diversity');
SELECT lives_ok($$SELECT anon_assert('diverse', '{a,b}', '{even,city}', l => 3, entropy_l => 2.5, alpha => 0.5)$$,
  'and they hold');
SELECT is(pg_temp.published('recursive', '{"c": 2, "l": 2, "e": 1000}', '{salary}'), 1003::bigint, '(c,l) and e');
SELECT lives_ok($$SELECT anon_assert('recursive', '{a,b}', '{salary}', l => 2, c => 2, e => 1000)$$, 'and they hold');
SELECT is(pg_temp.published('days', '{"e": 30}', '{day}'), 1003::bigint, 'e of dates is in days');
SELECT lives_ok($$SELECT anon_assert('days', '{a,b}', '{day}', e => 30)$$, 'as audits say');
SELECT is(pg_temp.published('moments', '{"e": 36000}', '{moment}'), 1003::bigint, 'e of timestamps is in seconds');
SELECT ok(pg_temp.level('moments', 'moment', '(k,e)-anonymity') BETWEEN 36000 AND 40000, 'as audits say');

-- Extended p-sensitivity: a part of ICD-9; all cancers are protected.
CREATE TABLE icd9 (illness text, organ text, kind text);
INSERT INTO icd9 VALUES ('153 colon', '150-159 digestive', '140-239 cancer'), ('151 stomach', '150-159 digestive', '140-239 cancer'),
  ('185 prostate', '179-189 genital', '140-239 cancer'), ('042 HIV', '042 HIV', '001-139 infectious'),
  ('070 hepatitis', '070-079 viral', '001-139 infectious'), ('480 pneumonia', '480-488 lungs', '460-519 respiratory'),
  ('250 diabetes', '249-259 glands', '240-279 endocrine');
CREATE TABLE ill AS SELECT i, i / 5 AS age, i * i % 11 AS weight,
  CASE WHEN i % 16 = 0 THEN '480 pneumonia' WHEN i % 10 = 0 THEN '070 hepatitis'
    ELSE ('{153 colon,151 stomach,185 prostate,042 HIV}'::text[])[1 + i * i % 7 % 4] END AS illness
FROM generate_series(1, 400) AS i;
CREATE FUNCTION pg_temp.extended(release regclass, protected jsonb) RETURNS float8 LANGUAGE sql AS $$
  SELECT level FROM anon_audit(release, '{age,weight}', '{illness}', hierarchies => '{"illness": {"table": "icd9"}}', protected => protected)
  WHERE model = 'extended p-sensitivity'
$$;
CREATE FUNCTION pg_temp.protect(release text, method text, params jsonb) RETURNS bigint LANGUAGE sql AS $$
  SELECT rows FROM anon_publish(release, 'ill', '{age,weight}', 3, method, '{illness}',
    params => '{"p": 2, "hierarchies": {"illness": {"table": "icd9"}}}' || params)
$$;
SELECT is(pg_temp.protect('plain', 'psensitive', '{}'), 400::bigint, 'p-sensitivity counts illnesses');
SELECT is(pg_temp.extended('plain', '{"illness": ["140-239 cancer"]}'), 1::float8, 'a class may have cancers only');
SELECT is(pg_temp.extended('plain', '{}'), NULL, 'where nothing is protected the model says nothing');
SELECT is(pg_temp.extended('plain', '{"illness": []}'), pg_temp.level('plain', 'illness', 'p-sensitivity', qi => '{age,weight}'),
  'every illness is protected in any case');
SELECT is(pg_temp.protect('protected_' || algorithm, 'psensitive',
    jsonb_build_object('algorithm', algorithm, 'protected', '{"illness": ["140-239 cancer"]}'::jsonb)
      || CASE algorithm WHEN 'best' THEN '{"refine": "fast"}' ELSE '{}' END::jsonb), 400::bigint,
  algorithm || ' protects from that') FROM unnest('{enhanced,greedy,auto,microaggregation,best}'::text[]) AS algorithm;
SELECT is(pg_temp.protect('protected_micro', 'microaggregate', '{"protected": {"illness": ["140-239 cancer"]}}'),
  400::bigint, 'so does microaggregate');
SELECT lives_ok(format($$SELECT anon_assert(%L, '{age,weight}', '{illness}', k => 3, p => 2, hierarchies => '{"illness": {"table": "icd9"}}',
    protected => '{"illness": ["140-239 cancer"]}')$$, 'protected_' || name), name || ' keeps it')
FROM unnest('{enhanced,greedy,auto,microaggregation,best,micro}'::text[]) AS name;
SELECT throws_ok($$SELECT anon_assert('plain', '{age,weight}', '{illness}', p => 2, hierarchies => '{"illness": {"table": "icd9"}}',
  protected => '{"illness": ["140-239 cancer"]}')$$, '23514',
  'relation "plain" violates extended p-sensitivity of column "illness"', 'the other release does not');
SELECT results_eq('SELECT illness, count(*) FROM protected_auto GROUP BY 1 ORDER BY 1',
  'SELECT illness, count(*) FROM ill GROUP BY 1 ORDER BY 1', 'the illnesses are given back as they were');
SELECT is(pg_temp.extended('protected_auto', '{"illness": ["150-159 digestive", "250 diabetes"]}') >= 2, true,
  'labels within a protected one, and of nobody');
SELECT results_eq($$SELECT largest_p, frequencies[1] FROM anon_capacity('ill', '{illness}', 2, '{"illness": {"table": "icd9"}}',
    '{"illness": ["140-239 cancer", "001-139 infectious"]}') WHERE attribute IS NOT NULL$$,
  $$SELECT 3, count(*) FROM ill JOIN icd9 USING (illness) GROUP BY kind ORDER BY count DESC LIMIT 1$$,
  'anon_capacity counts protected subtrees');

-- A refresh keeps the promises.
SAVEPOINT ill;
INSERT INTO ill SELECT 400 + i, 50, 5, '153 colon' FROM generate_series(1, 9) AS i;
INSERT INTO ill VALUES (500, 50, 5, '042 HIV');
SELECT is((SELECT rows FROM anon_refresh('protected_auto')), 410::bigint, 'a refresh with more cancers');
SELECT cmp_ok(pg_temp.extended('protected_auto', '{"illness": ["140-239 cancer"]}'), '>=', 2::float8, 'is as protected');
UPDATE ill SET illness = '185 prostate' WHERE illness NOT LIKE '15%';
SELECT throws_ok($$SELECT anon_refresh('protected_auto')$$, '22023',
  'p-sensitivity cannot be had for sensitive column "illness"', 'and refused when there is nothing but cancer');
ROLLBACK TO SAVEPOINT ill;

-- Published classes that coincide may violate (k,p,q,r): then nothing is published.
CREATE TABLE joined AS SELECT i, i % 2 AS a,
  CASE WHEN i % 20 = 0 THEN 1 WHEN i % 20 = 1 THEN 100 ELSE 50 END AS s FROM generate_series(1, 400) AS i;
SELECT throws_ok(format($$SELECT anon_publish('never', 'joined', '{a}', 4, 'kpqr', '{s}',
    params => '{"p": 2, "q": 0.2, "r": 0.5, "algorithm": "%s"}')$$, algorithm), '22023',
  'no classes were found that keep the promises as published', algorithm || ': a class that lost its variance is noticed')
FROM unnest('{heuristic,best}'::text[]) AS algorithm;
SELECT is(to_regclass('never'), NULL, 'and not published');

-- Infeasible requests are refused with the reason.
SELECT throws_ok(format($$SELECT anon_psensitive('people', '{a,b}', '{same}', 4, 2, %L)$$, algorithm), '22023',
  'p-sensitivity cannot be had for sensitive column "same"', algorithm || ' names the column')
FROM unnest('{enhanced,greedy,auto,microaggregation,best}'::text[]) AS algorithm;
SELECT throws_ok(format($$SELECT anon_psensitive('ill', '{age}', '{illness}', 3, 2, protected => %L, hierarchies => %L)$$,
    protected, hierarchies), '22023', message, message)
FROM (VALUES
  ('{"illness": ["140-239 cancer", "cancre"]}', '{"illness": {"table": "icd9"}}',
    'protected values of column "illness" are not in its hierarchy'),
  ('{"illness": ["153 colon"]}', NULL, 'column "illness" has protected values, but no hierarchy'),
  ('{"weight": ["1"]}', NULL, 'column "weight" has protected values, but is not sensitive'),
  ('{"illness": "153 colon"}', '{"illness": {"table": "icd9"}}',
    'parameter "protected" must be an object of sensitive columns and arrays of labels'),
  ('{"illness": ["*"]}', '{"illness": {"table": "icd9"}}', 'p-sensitivity cannot be had for sensitive column "illness"'))
  AS wrong (protected, hierarchies, message);
SELECT throws_ok($$SELECT anon_microaggregate('ill', '{age}', 3, sensitive => '{illness}', hierarchies => '{"illness": {"table": "icd9"}}',
  protected => '{"illness": []}')$$, '22023', 'extended p-sensitivity needs p');
SELECT throws_ok($$SELECT anon_assert('ill', '{age}', '{illness}', k => 1, hierarchies => '{"illness": {"table": "icd9"}}',
  protected => '{"illness": []}')$$, '22023', 'extended p-sensitivity needs p');
SELECT throws_ok($$SELECT anon_psensitive('people', '{a,b}', '{same}', 4, 2)$$, '22023',
  'p-sensitivity cannot be had for sensitive column "same"', 'one value is not two');
SELECT throws_ok($$SELECT anon_microaggregate('people', '{a,b}', 4, sensitive => '{skewed}', alpha => 0.5)$$,
  '22023', '(alpha,k)-anonymity cannot be had for sensitive column "skewed"', 'a value that is too frequent');
SELECT throws_ok($$SELECT anon_microaggregate('people', '{a,b}', 4, sensitive => '{city}', e => 5)$$,
  '22023', '(k,e)-anonymity needs a numeric sensitive column', 'texts have no range');
SELECT throws_ok($$SELECT anon_microaggregate('people', '{a,b}', 4, sensitive => '{even}', r => 0.5)$$,
  '22023', '(k,p,q,r)-anonymity needs q beside r', 'r alone binds nobody');
SELECT throws_ok($$SELECT anon_kpqr('people', '{a,b}', '{even}', 4, 3, 0.2, 1.5)$$, '22023',
  'r must be between 0 and 1', 'r is a share');
SELECT throws_ok($$SELECT anon_psensitive('people', '{a,b}', '{even}', 4, 2, 'greediest')$$, '22023',
  'unknown algorithm of method "psensitive"', 'algorithms have names');

SELECT * FROM finish();
ROLLBACK;
