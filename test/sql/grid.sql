-- Mondrian on a public grid, with secret coins: boxes, coins, the secret of a release, refusals.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(40);

CREATE TABLE people AS
SELECT i, (i * i * 37 % 97)::int AS age, (i * i * 61 % 997 / 10.0)::numeric(6, 2) AS income,
  date '1950-01-01' + (i * i * 13 % 20000) AS born, timestamp '2020-01-01' + (i * i % 5000) * interval '1 hour' AS seen,
  (i * i % 331)::float8 / 7 AS score, 'town ' || i * 7 % 5 AS town, 'illness ' || i * i * 13 % 9 AS illness
FROM generate_series(1, 2000) AS i;

CREATE FUNCTION pg_temp.publish(name text, qi text[], params jsonb, more jsonb DEFAULT '{}') RETURNS bigint LANGUAGE sql AS $$
  SELECT rows FROM anon_publish(name, 'people', qi, 5, method => 'mondrian',
    params => '{"algorithm": "grid"}' || params, spec => more)
$$;
CREATE FUNCTION pg_temp.refused(params jsonb, message text, test text) RETURNS text LANGUAGE sql AS $$
  SELECT throws_ok(format('SELECT * FROM anon_publish(''never'', ''people'', ''{age}'', 5, method => ''mondrian'', params => %L)',
    '{"algorithm": "grid"}' || params), NULL, message, test)
$$;

-- Boxes of the grid.
SELECT is(pg_temp.publish('boxes', '{age,income,town}', '{}'), 2000::bigint, 'every row is published');
SELECT lives_ok($$SELECT anon_assert('boxes', '{age,income,town}', k => 5)$$, 'k holds');
SELECT ok(bool_and(lower(age) % 4 = 0 AND upper(age) % 4 = 0) AND count(DISTINCT age) > 8, 'ends of ranges are on the grid')
FROM (SELECT (masked ->> 'age')::int4range AS age FROM anon_mondrian('people', '{age}', 5, algorithm => 'grid', widths => '{"age": 4}')) AS g;
SELECT ok(bool_and(town = '{town 0,town 1,town 2,town 3,town 4}' OR town NOT LIKE '{%'),
  'a category is published as it is, or all are') FROM boxes;
SELECT ok(bool_and(p.age <@ (g.masked ->> 'age')::int4range AND p.income <@ (g.masked ->> 'income')::numrange
    AND p.born <@ (g.masked ->> 'born')::daterange AND p.seen <@ (g.masked ->> 'seen')::tsrange), 'boxes hold the values that they stand for')
FROM anon_mondrian('people', '{age,income,born,seen}', 5, algorithm => 'grid') AS g JOIN people AS p ON p.ctid = source;
SELECT ok(bool_and(upper(born) - lower(born) >= 365 AND (upper(born) - lower(born)) % 365 = 0), 'a width of dates is in days')
FROM (SELECT (masked ->> 'born')::daterange AS born FROM anon_mondrian('people', '{born}', 5, algorithm => 'grid',
  widths => '{"born": 365}')) AS g;
SELECT ok(bool_and(upper(seen) - lower(seen) >= interval '86399.9 s'), 'one of timestamps in seconds')
FROM (SELECT (masked ->> 'seen')::tsrange AS seen FROM anon_mondrian('people', '{seen}', 5, algorithm => 'grid',
  widths => '{"seen": 86400}')) AS g;
SELECT ok(bool_and(p.score::numeric <@ (g.masked ->> 'score')::numrange), 'floating-point numbers have boxes of their width')
FROM anon_mondrian('people', '{score}', 5, algorithm => 'grid', widths => '{"score": 0.5}') AS g JOIN people AS p ON p.ctid = source;
CREATE TABLE towns (town, half, every) AS
SELECT 'town ' || i, CASE WHEN i < 3 THEN 'north' ELSE 'south' END, '*' FROM generate_series(0, 4) AS i;
SELECT ok(bool_and(towns.town = p.town AND g.masked ->> 'town' IN (towns.town, half, every)) AND count(DISTINCT g.masked ->> 'town') > 2,
  'labels are a grid of their own')
FROM anon_mondrian('people', '{age,town}', 5, algorithm => 'grid', hierarchies => '{"town": {"table": "towns"}}') AS g
  JOIN people AS p ON p.ctid = source JOIN towns USING (town);
SELECT ok(ncp > 0 AND ncp < 100, 'NCP is a figure') FROM anon_releases WHERE release = 'boxes'::regclass;

-- Coins.
SELECT is((SELECT array_agg(masked::text ORDER BY masked::text) FROM anon_mondrian('people', '{age,income}', 5, algorithm => 'grid', secret_seed => false, seed => s)),
  (SELECT array_agg(masked::text ORDER BY masked::text) FROM anon_mondrian('people', '{income,age}', 5, algorithm => 'grid', secret_seed => false, seed => s)),
  'a public seed repeats them, whatever the order of columns: ' || s) FROM generate_series(1, 2) AS s;
CREATE TABLE shuffled AS SELECT * FROM people ORDER BY md5(i::text);
SELECT is((SELECT array_agg(masked::text ORDER BY masked::text) FROM anon_mondrian('people', '{age,income}', 5, algorithm => 'grid', secret_seed => false)),
  (SELECT array_agg(masked::text ORDER BY masked::text) FROM anon_mondrian('shuffled', '{age,income}', 5, algorithm => 'grid', secret_seed => false)),
  'the order of rows does not matter');
SELECT cmp_ok(count(DISTINCT rows)::int, '>', 1, 'secret coins fall anew in each call')
FROM generate_series(1, 4) AS draw, LATERAL (SELECT md5(string_agg(masked::text, ',' ORDER BY masked::text)) AS rows
  FROM anon_mondrian('people', '{age,income,born}', 5, algorithm => 'grid', coins => 0.3 + 0 * draw)) AS drawn;
SELECT cmp_ok((SELECT value FROM anon_evaluate('people', '{age,income}', 5, 'mondrian', params => '{"algorithm": "grid", "secret_seed": false, "coins": 0.9}') WHERE measure = 'NCP'),
  '>', (SELECT value FROM anon_evaluate('people', '{age,income}', 5, 'mondrian', params => '{"algorithm": "grid", "secret_seed": false, "coins": 0.01}') WHERE measure = 'NCP'),
  'more coins, more loss');

-- The secret of a release is the owner's, and the same at every refresh.
CREATE TABLE first AS SELECT * FROM boxes;
SELECT is(rows, 2000::bigint, 'anon_refresh') FROM anon_refresh('boxes');
SELECT is_empty('(TABLE boxes EXCEPT ALL TABLE first) UNION ALL (TABLE first EXCEPT ALL TABLE boxes)', 'has the same rows of the same data');
REFRESH MATERIALIZED VIEW boxes;
SELECT is_empty('(TABLE boxes EXCEPT ALL TABLE first) UNION ALL (TABLE first EXCEPT ALL TABLE boxes)', 'so has REFRESH MATERIALIZED VIEW');
SELECT is((SELECT octet_length(bytes) FROM boxes_companion WHERE item = 'secret'), 32, 'the companion has 32 bytes');
SELECT ok(pg_get_viewdef('boxes'::regclass) NOT LIKE '%' || encode(bytes, 'hex') || '%', 'which the query does not show')
FROM boxes_companion WHERE item = 'secret';
SELECT is(pg_temp.publish('twin', '{age,income,town}', '{}'), 2000::bigint, 'an equal release');
SELECT isnt((SELECT bytes FROM boxes_companion WHERE item = 'secret'), (SELECT bytes FROM twin_companion WHERE item = 'secret'),
  'has a secret of its own');
SELECT throws_ok('REFRESH MATERIALIZED VIEW twin', '0A000', NULL, 'but REFRESH in one transaction cannot tell them apart');
SELECT is(rows, 2000::bigint, 'anon_refresh can') FROM anon_refresh('twin');
DELETE FROM boxes_companion WHERE item = 'secret';
SELECT throws_ok($$SELECT anon_refresh('boxes')$$, '55000', NULL, 'a release without its secret is not refreshed');

-- Other methods draw their seed.
SELECT is(rows, 2000::bigint, 'microaggregate with a secret seed')
FROM anon_publish('searched', 'people', '{age,income}', 5, secret_seed => true);
CREATE TABLE searched_first AS SELECT * FROM searched;
SELECT is(rows, 2000::bigint, 'and its refresh') FROM anon_refresh('searched');
SELECT is_empty('(TABLE searched EXCEPT ALL TABLE searched_first)', 'repeat each other');

-- With transparent it promises models of values.
SELECT is(rows, 2000::bigint, 'transparent with l')
FROM anon_publish('diverse', 'people', '{age,income}', 5, method => 'mondrian', sensitive => '{illness}', l => 2,
  transparent => true, params => '{"algorithm": "grid"}');

-- Refusals.
SELECT pg_temp.refused('{"recode": "centroid"}', 'algorithm ''grid'' of method "mondrian" publishes boxes', 'means');
SELECT pg_temp.refused('{"unit": ["i"]}', 'algorithm ''grid'' of method "mondrian" counts records', 'a unit');
SELECT pg_temp.refused('{"seed": 7}', 'seed cannot be combined with a secret seed', 'a seed beside a secret one');
SELECT pg_temp.refused('{"coins": 0}', 'coins must be above 0 and below 1', 'no coins');
SELECT pg_temp.refused('{"widths": {"income": 2}}', 'column "income" of widths is no quasi-identifier', 'a width of another column');
SELECT throws_ok($$SELECT * FROM anon_mondrian('people', '{score}', 5, algorithm => 'grid')$$, NULL,
  'the finest width of column "score" is missing', 'numbers without a smallest distance need a width');
SELECT throws_ok($$SELECT * FROM anon_mondrian('people', '{age}', 5, coins => 0.1)$$, NULL,
  'only algorithm ''grid'' has coins', 'coins of another algorithm');
SELECT throws_ok($$SELECT * FROM anon_publish('never', 'people', '{age}', 5, key => '{i}', secret_seed => true)$$, '0A000',
  'secret_seed cannot be combined with a key', 'a key has a secret of its own');
SELECT throws_ok($$SELECT * FROM anon_publish('never', 'people', '{age}', 5, method => 'mondrian', sensitive => '{illness}', l => 2,
  params => '{"algorithm": "grid"}')$$, NULL,
  'algorithm ''grid'' of method "mondrian" promises nothing on values unless it is transparent', 'l without transparent');
SELECT throws_ok($$SELECT * FROM anon_publish('never', 'people', '{age}', 5, method => 'mondrian', key => '{i}',
  params => '{"algorithm": "grid", "secret_seed": false}')$$, '0A000', 'algorithm ''grid'' cannot be combined with a key', 'nor has a grid a key');
SELECT throws_ok($$SELECT * FROM anon_mondrian('people', '{town}', 5, algorithm => 'grid', widths => '{"town": 2}')$$, '42804', NULL,
  'a width of categories');

SELECT * FROM finish();
ROLLBACK;
