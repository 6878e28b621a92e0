-- Values that a double cannot tell apart: microseconds and integers beyond 2^53, numerics of more than 15 digits. Promises,
-- counts and cells that pass through doubles refuse them where they would be wrong, and take them where they are right.
BEGIN;
SELECT plan(33);
SET client_min_messages = error;
CREATE TABLE large AS SELECT i AS age, i % 3 AS c, 1e20::numeric + 8191 + 2 * (i % 2) AS far, 9007199254740992 + i AS id,
  9007199254740992 + i / 20 AS tied, 1e20::numeric + i AS code, i / 3.0 AS third, timestamp '2400-01-01' + i * interval '1 us' AS at
  FROM generate_series(1, 100) AS i;

-- (k,e)-anonymity: the numbers of a class span 2, which doubles read as 16384, and 1, which they read as 0 or 2.
SELECT throws_matching($$SELECT anon_publish('r', 'large', '{age}', 5, sensitive => '{far}', e => 10000)$$,
  'too many digits for \(k,e\)-anonymity', 'a spread that doubles cannot tell is not promised');
SELECT throws_matching($$SELECT anon_assert('large', '{c}', sensitive => '{far}', e => 10000)$$,
  'too many digits for \(k,e\)-anonymity', 'nor asserted');
SELECT throws_matching($$SELECT anon_assert('large', '{c}', sensitive => '{tied}', e => 2)$$,
  'too many digits for \(k,e\)-anonymity', 'nor that of integers beyond 2^53');
SELECT is((SELECT count(*) FROM anon_audit('large', '{c}', '{far}') WHERE model = '(k,e)-anonymity'), 0::bigint,
  'an audit does not measure it either');
SELECT is((SELECT count(*) FROM anon_audit('large', '{c}', '{far}') WHERE model = 'distinct l-diversity' AND level = 2), 1::bigint,
  'but counts the values');
SELECT is((SELECT verdict FROM anon_publish('thirds', 'large', '{age}', 5, sensitive => '{third}', e => 1)) ~ '^kept', true,
  'thirds have more digits than doubles, but spreads of 1 are told');
SELECT is((SELECT min(width) >= 1 FROM (SELECT max(third) - min(third) AS width FROM thirds GROUP BY age) AS classes), true,
  'and kept');

-- Values that share a double would count as one.
SELECT throws_matching(format($$SELECT anon_publish('r', 'large', '{age}', 5, sensitive => '{%s}', %s)$$, name, promise),
  format('column "%s" has different values that are the same in double precision', name), name || ': ' || promise)
  FROM unnest(ARRAY['id', 'code', 'at']) AS name, unnest(ARRAY['t => 0.2', 'l => 2', 'p => 2']) AS promise;
SELECT throws_matching($$SELECT FROM anon_microaggregate('large', '{age}', 5, sensitive => '{code}', t => 0.2)$$,
  'the same in double precision', 'a method alone promises no more than a release');
SELECT is((SELECT verdict FROM anon_publish('r', 'large', '{age}', 5, sensitive => '{code}')) ~ '^kept', true,
  'without a promise about them they are published');
SELECT is((SELECT count(DISTINCT code) FROM r), 100::bigint, 'as they are');

-- Against a population and another relation, records that share a double would be crowds.
SELECT throws_matching(format($$SELECT anon_assert('large', '{%s}', k_map => 100, population => 'large')$$, name),
  'the same in double precision', name || ': k-map counts nobody in a crowd who is alone')
  FROM unnest(ARRAY['id', 'code', 'at']) AS name;
SELECT throws_matching($$SELECT FROM anon_risk('large', '{code}', population => 'large')$$, 'the same in double precision',
  'nor does the risk');
SELECT throws_matching($$SELECT FROM anon_linkage('large', 'large', '{code}')$$, 'the same in double precision',
  'nor linkage');
SELECT throws_matching($$SELECT anon_assert('large', '{code}', k_f => 9, functions => '{sum}')$$, 'the same in double precision',
  'nor the knowledge of aggregates');
SELECT is((SELECT value FROM anon_linkage('large', 'large', '{third}') WHERE measure = 'unique_records'), 100::float8,
  'thirds are told apart');

-- Swapping changes no value.
SELECT throws_matching(format($$SELECT anon_publish('s', 'large', '{%s}', 5, recode => 'swap')$$, name),
  'too many digits for swapping', name || ': values that would be rounded are not swapped')
  FROM unnest(ARRAY['id', 'code', 'third', 'at']) AS name;
CREATE TABLE digits AS SELECT i AS n, (i / 7.0)::float8::text::numeric AS long, 9007199254740992 - i AS whole
  FROM generate_series(1, 60) AS i;
SELECT is((SELECT verdict FROM anon_publish('s', 'digits', '{long,whole}', 5, recode => 'swap')) ~ '^kept', true,
  'those of a double''s digits are');
SELECT set_eq('SELECT long FROM s', 'SELECT long FROM digits', 'numerics are published with all digits');
SELECT set_eq('SELECT whole FROM s', 'SELECT whole FROM digits', 'so are integers below 2^53');
SELECT * FROM finish();
ROLLBACK;
