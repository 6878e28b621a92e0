-- p-sensitivity, (k,p,q,r)-anonymity and the diversity models as promises: kept on what is published,
-- one by one and together.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(42);

CREATE TABLE people AS
SELECT i, (i * i * 37 % 1009)::int AS a, (i * i * 61 % 997)::int AS b,
  CASE WHEN i % 12 = 0 THEN i / 12 % 9 ELSE 9 END AS skewed, i % 10 AS even, i * 13 % 10007 AS salary,
  'value ' || i * i % 7 AS city, 7 AS same, date '2000-01-01' + i % 365 AS day,
  timestamp '2000-01-01' + i * interval '1 minute' AS moment
FROM generate_series(1, 1003) AS i;

CREATE FUNCTION pg_temp.level(release regclass, sensitive text, model text, q float8 DEFAULT NULL,
  variance_of text DEFAULT 'rare') RETURNS float8 LANGUAGE sql AS $$
  SELECT level FROM anon_audit(release, '{a,b}', ARRAY[sensitive], q => q, variance_of => variance_of) AS x
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
FROM unnest('{microaggregation,best}'::text[]) AS algorithm,
  unnest('{skewed,even,city,day}'::text[]) AS sensitive;
SELECT set_config('test.rows', count(*)::text, true) FROM tried, LATERAL anon_publish(
  'tried_' || nr, 'people', '{a,b}', 4, method => 'psensitive', sensitive => ARRAY[sensitive],
  params => jsonb_build_object('p', 3, 'algorithm', algorithm, 'refine', 'fast')) \g /dev/null
SELECT ok(pg_temp.level(('tried_' || nr)::regclass, sensitive, 'p-sensitivity') >= 3
    AND pg_temp.smallest(('tried_' || nr)::regclass) >= 4,
  format('%s keeps k and p of %s', algorithm, sensitive))
FROM tried ORDER BY nr;
SELECT cmp_ok(pg_temp.loss('psensitive', '{even}', '{"p": 3, "algorithm": "best"}'), '<',
  pg_temp.loss('psensitive', '{even}', '{"p": 3}'), 'the search loses less than microaggregation');
SELECT isnt(pg_temp.loss('psensitive', '{even}', '{"p": 3, "seed": 1}'),
  pg_temp.loss('psensitive', '{even}', '{"p": 3, "seed": 2}'), 'another seed, other initial records');

-- (k,p,q,r)-anonymity.
CREATE TEMP TABLE bound AS
SELECT algorithm, sensitive, variance_of, row_number() OVER () AS nr
FROM unnest('{heuristic,best}'::text[]) AS algorithm, unnest('{skewed,even,city}'::text[]) AS sensitive,
  unnest('{rare,all}'::text[]) AS variance_of;
SELECT set_config('test.rows', count(*)::text, true) FROM bound, LATERAL anon_publish(
  'bound_' || nr, 'people', '{a,b}', 4, method => 'kpqr', sensitive => ARRAY[sensitive],
  params => jsonb_build_object('p', 3, 'q', 0.2, 'r', 0.5, 'variance_of', variance_of, 'algorithm', algorithm,
    'refine', 'fast')) \g /dev/null
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
  SELECT rows FROM anon_publish(release, 'people', '{a,b}', 3, sensitive => sensitive, params => params)
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

-- What cannot be had is said, and why.
SELECT throws_ok($$SELECT anon_psensitive('people', '{a,b}', '{same}', 4, 2)$$, '22023',
  'p-sensitivity cannot be had for sensitive column "same"', 'one value is not two');
SELECT throws_ok($$SELECT anon_microaggregate('people', '{a,b}', 4, sensitive => '{skewed}', alpha => 0.5)$$,
  '22023', '(alpha,k)-anonymity cannot be had for sensitive column "skewed"', 'a value that is too frequent');
SELECT throws_ok($$SELECT anon_microaggregate('people', '{a,b}', 4, sensitive => '{city}', e => 5)$$,
  '22023', '(k,e)-anonymity needs a numeric sensitive column', 'texts have no range');
SELECT throws_ok($$SELECT anon_microaggregate('people', '{a,b}', 4, sensitive => '{even}', r => 0.5)$$,
  '22023', '(k,p,q,r)-anonymity needs q beside r', 'r alone binds nobody');
SELECT throws_ok($$SELECT anon_kpqr('people', '{a,b}', '{even}', 4, 3, 0.2, 1.5)$$, '22023',
  'r must be above 0 and at most 1', 'r is a share');
SELECT throws_ok($$SELECT anon_psensitive('people', '{a,b}', '{even}', 4, 2, 'greediest')$$, '22023',
  'unknown algorithm of method "psensitive"', 'algorithms have names');

SELECT * FROM finish();
ROLLBACK;
