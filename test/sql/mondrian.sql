-- Mondrian: ranges and sets of categories that keep k and any model; NCP as a figure; the search with
-- NCP as its loss.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(28);

CREATE TYPE grade AS ENUM ('low', 'middle', 'high', 'top');
CREATE TABLE people AS
SELECT i, (i * i * 37 % 97)::int AS age, (i * i * 61 % 997)::float8 AS income,
  (enum_range(NULL::grade))[1 + i * i % 4] AS grade, 'town ' || i * 7 % 5 AS town,
  'illness ' || i * i * 13 % 9 AS illness
FROM generate_series(1, 600) AS i;

CREATE FUNCTION pg_temp.ncp(method text, params jsonb) RETURNS float8 LANGUAGE sql AS $$
  SELECT value FROM anon_evaluate('people', '{age,income,grade,town}', 5, method, '{}', params)
  WHERE measure = 'NCP'
$$;

-- Classes of k or more, in ranges that hold every record's own values.
SELECT is((SELECT count(*) FROM anon_mondrian('people', '{age,income}', 5, algorithm => a)), 600::bigint,
  a || ' masks every row') FROM unnest('{strict,relaxed}'::text[]) AS a;
SELECT cmp_ok((SELECT min(class_size) FROM anon_mondrian('people', '{age,income,town}', 5, algorithm => a)),
  '>=', 5, a || ' keeps k') FROM unnest('{strict,relaxed}'::text[]) AS a;
SELECT ok(bool_and(people.age <@ (masked ->> 'age')::int4range),
  'ranges hold the values that they stand for')
FROM anon_mondrian('people', '{age}', 5) JOIN people ON people.ctid = source;
SELECT ok(bool_and(masked ->> 'town' LIKE '{%}' AND position(town IN masked ->> 'town') > 0
    OR masked ->> 'town' = town), 'sets hold the categories that they stand for')
FROM anon_mondrian('people', '{age,town}', 5) JOIN people ON people.ctid = source;

-- A release.
SELECT set_config('test.rows', rows::text, true) FROM anon_publish('release', 'people',
  '{age,income,grade,town}', 5, method => 'mondrian', keep => '{illness}') \g /dev/null
SELECT is(current_setting('test.rows'), '600', 'a release by mondrian has all rows');
SELECT is((SELECT DISTINCT pg_typeof(age)::text FROM release), 'int4range', 'numbers become ranges');
SELECT lives_ok($$SELECT anon_assert('release', '{age,income,grade,town}', k => 5)$$, 'anon_assert agrees');
SELECT ok(ncp > 0 AND ncp < 100, 'NCP is a figure of the release') FROM anon_releases WHERE release = 'release'::regclass;
SELECT is((SELECT round(ncp::numeric, 2) FROM anon_releases WHERE release = 'release'::regclass),
  round(pg_temp.ncp('mondrian', '{}')::numeric, 2), 'to four digits the one of anon_evaluate');
SELECT is(pg_temp.ncp('mdav', '{}'), NULL, 'centroids have no NCP');
SELECT isnt(pg_temp.ncp('mdav', '{"recode": "range"}'), NULL, 'ranges of any method have');

-- The classes do not depend on the order of the rows.
CREATE TABLE shuffled AS SELECT * FROM people ORDER BY md5(i::text);
SELECT is((SELECT array_agg(masked::text ORDER BY masked::text) FROM anon_mondrian('shuffled', '{age,income,grade,town}', 4, algorithm => a, refine => 'fast')),
  (SELECT array_agg(masked::text ORDER BY masked::text) FROM anon_mondrian('people', '{age,income,grade,town}', 4, algorithm => a, refine => 'fast')),
  a || ' does not depend on the order of the rows') FROM unnest('{strict,relaxed,best}'::text[]) AS a;

-- The search loses less.
SELECT cmp_ok(pg_temp.ncp('mondrian', '{"refine": "fast"}'), '<', pg_temp.ncp('mondrian', '{}'),
  'refine lowers NCP');
SELECT cmp_ok(pg_temp.ncp('mondrian', '{"algorithm": "best", "refine": "fast"}'), '<',
  0.85 * pg_temp.ncp('mondrian', '{}'), 'best loses much less than strict');
SELECT cmp_ok(pg_temp.ncp('microaggregate', '{"recode": "range"}'), '<',
  0.85 * pg_temp.ncp('mondrian', '{}'), 'so does microaggregate with ranges');
SELECT cmp_ok(pg_temp.ncp('microaggregate', '{"recode": "range"}'), '<',
  pg_temp.ncp('mdav', '{"recode": "range", "refine": "fast"}') * 1.1, 'about as well as from MDAV');

-- Any model.
CREATE FUNCTION pg_temp.kept(nr text, params jsonb, demand text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM anon_publish('kept_' || nr, 'people', '{age,income}', 4, method => 'mondrian',
    sensitive => '{illness}', params => params);
  EXECUTE format('SELECT anon_assert(%L, %L, %L, k => 4, %s)', 'kept_' || nr, '{age,income}', '{illness}', demand);
  RETURN true;
END $$;
SELECT ok(pg_temp.kept('p', '{"p": 3}', 'p => 3'), 'p-sensitivity');
SELECT ok(pg_temp.kept('l', '{"l": 3, "algorithm": "relaxed"}', 'l => 3'), 'l-diversity');
SELECT ok(pg_temp.kept('t', '{"t": 0.4, "algorithm": "best", "refine": "fast"}', 't => 0.4'), 't-closeness');
SELECT ok(pg_temp.kept('alpha', '{"alpha": 0.5, "entropy_l": 2}', 'alpha => 0.5, entropy_l => 2'), 'two models at once');

-- Bad input.
SELECT throws_ok($$SELECT anon_mondrian('people', '{age}', 5, algorithm => 'loose')$$, '22023',
  'unknown algorithm of method "mondrian"');
SELECT throws_ok($$SELECT anon_mondrian('people', '{age}', 601)$$, '22023', 'k is larger than the number of rows');
SELECT throws_ok($$SELECT anon_mondrian('people', '{age}', 5, p => 10, sensitive => '{illness}')$$, NULL, NULL,
  'more values than there are are refused');
SELECT throws_ok($$SELECT anon_publish('bad', 'people', '{age}', 5, method => 'mondrian', params => '{"gamma": 1}')$$,
  NULL, NULL, 'so are parameters of other methods');
SELECT * FROM finish();
ROLLBACK;
