-- Blocks of neighbouring rows.
BEGIN;
SELECT plan(49);

CREATE TEMP TABLE points AS
SELECT i, (i::bigint * i * 7919 % 10007)::float8 AS x, (i * 104729 % 9973)::int AS y, i * 31 % 97 AS amount
FROM generate_series(1, 4000) AS i;
CREATE TEMP TABLE division AS SELECT anon_blocks('points', '{x,y}', 500) AS cuts;

-- ---- every row has one block, of about the size asked for --------------------------------------
SELECT is((SELECT count(DISTINCT anon_block(cuts, x, y)) FROM points, division), 8::bigint, '4000 rows make 8 blocks of 500');
SELECT set_eq('SELECT DISTINCT anon_block(cuts, x, y) FROM points, division', 'SELECT generate_series(1, 8)',
  'numbered from 1');
SELECT cmp_ok((SELECT min(n) FROM (SELECT count(*) AS n FROM points, division GROUP BY anon_block(cuts, x, y)) AS b),
  '>=', 450::bigint, 'none is much smaller');
SELECT cmp_ok((SELECT max(n) FROM (SELECT count(*) AS n FROM points, division GROUP BY anon_block(cuts, x, y)) AS b),
  '<=', 550::bigint, 'or larger');
SELECT is((SELECT count(*) FROM points, division WHERE anon_block(cuts, x, y) IS NULL), 0::bigint, 'every row has one');
-- Boxes of different blocks of one table do not overlap.
SELECT is((SELECT count(*) FROM
    (SELECT anon_block(cuts, x, y) AS b, box(point(min(x), min(y)), point(max(x), max(y))) AS extent
     FROM points, division GROUP BY b) AS one
  JOIN (SELECT anon_block(cuts, x, y) AS b, box(point(min(x), min(y)), point(max(x), max(y))) AS extent
     FROM points, division GROUP BY b) AS other ON one.b < other.b AND one.extent && other.extent), 0::bigint,
  'blocks are boxes that do not overlap');
SELECT is((SELECT count(*) FROM points, division WHERE anon_block(cuts, x, y) IS DISTINCT FROM
  anon_block(cuts, VARIADIC ARRAY[x, y])), 0::bigint, 'an array is a list of values');

-- ---- a value --------------------------------------------------------------------------------------
SELECT is((SELECT cuts FROM division), anon_blocks('points', '{x,y}', 500), 'the cuts are the same each time');
CREATE TEMP TABLE shuffled AS SELECT * FROM points ORDER BY md5(i::text);
SELECT is((SELECT cuts FROM division), anon_blocks('shuffled', '{x,y}', 500), 'whatever the order of the rows');
SELECT is(anon_blocks('points', '{x,y}', 500, 400), anon_blocks('shuffled', '{x,y}', 500, 400),
  'also from a sample of a tenth');
SELECT isnt(anon_blocks('points', '{x,y}', 500, 400), anon_blocks('points', '{x,y}', 500, 400, seed => 1),
  'another seed draws another sample');
SELECT cmp_ok((SELECT max(n) FROM (SELECT count(*) AS n FROM points GROUP BY
  anon_block((SELECT anon_blocks('points', '{x,y}', 500, 400)), x, y)) AS b), '<', 1000::bigint,
  'whose blocks are of about that size, too');
CREATE TEMP TABLE few AS SELECT i AS "a B" FROM generate_series(1, 8) AS i;
SELECT is(anon_blocks('few', '{"a B"}', 4),
  '{"qi": ["a B"], "cuts": {"column": "a B", "at": 4.5, "below": 1, "above": 2}}'::jsonb, 'the cuts as text');
SELECT is(anon_blocks('few', '{"a B"}'), '{"qi": ["a B"], "cuts": 1}'::jsonb, 'a small table is one block');
SELECT is(anon_block(anon_blocks('few', '{"a B"}'), -7), 1, 'which every row is in');
SELECT is((SELECT array_agg(anon_block(anon_blocks('few', '{"a B"}', s), 3.5) ORDER BY s) FROM generate_series(1, 8) AS s),
  '{4,2,2,1,1,1,1,1}'::int[], 'cuts may differ from row to row');
SELECT is((SELECT array_agg(anon_block(c, 6) ORDER BY n) FROM (VALUES (1, NULL), (2, '{"qi": ["x"], "cuts": 7}'::jsonb),
    (3, '{"qi": ["x"], "cuts": {"column": "x", "at": 6, "below": 1, "above": 2}}')) AS v (n, c)),
  '{NULL,7,2}'::int[], 'and may be written by hand; a cut''s own value lies above it');

-- ---- any row --------------------------------------------------------------------------------------
SELECT is((SELECT array_agg(anon_block(anon_blocks('few', '{"a B"}', 2), x) ORDER BY n)
  FROM unnest('{-Infinity,-1e300,1,8,1e300,Infinity,NaN,NULL}'::float8[]) WITH ORDINALITY AS v (x, n)),
  '{1,1,1,4,4,4,4,4}'::int[], 'infinities lie at the ends, NaN and nulls after all numbers, as in ORDER BY');
SELECT is(anon_block(NULL, 1), NULL, 'no cuts, no block');
SELECT is(anon_block('{"qi": ["x"], "cuts": 1}', VARIADIC NULL::float8[]), NULL, 'no row, no block');
CREATE TEMP TABLE odd AS SELECT i::float8 AS x FROM generate_series(1, 8) AS i
  UNION ALL SELECT unnest('{NaN,NaN,NaN,Infinity,-Infinity,NULL,NULL}'::float8[]);
SELECT is(anon_blocks('odd', '{x}', 4), '{"qi": ["x"], "cuts": {"column": "x", "at": 4.5, "below": 1, "above": 2}}'::jsonb,
  'cuts are learned from rows of finite numbers only');
CREATE TEMP TABLE ties AS SELECT i % 2 AS x FROM generate_series(1, 1000) AS i;
SELECT is(anon_blocks('ties', '{x}', 10), '{"qi": ["x"], "cuts": {"column": "x", "at": 0.5, "below": 1, "above": 2}}'::jsonb,
  'equal rows are never divided');
CREATE TEMP TABLE nobody (x float8);
SELECT is(anon_blocks('nobody', '{x}'), '{"qi": ["x"], "cuts": 1}'::jsonb, 'an empty table is one block');
CREATE DOMAIN pg_temp.percent AS numeric CHECK (VALUE >= 0);
CREATE TEMP VIEW types AS SELECT i::int2 AS a, i::int4 AS b, i::int8 AS c, i::float4 AS d, i::float8 AS e, i::numeric AS f,
  i::pg_temp.percent AS g FROM generate_series(1, 8) AS i;
SELECT set_eq($$SELECT anon_block(anon_blocks('types', ARRAY[name], 4), 4) * 10 + anon_block(anon_blocks('types', ARRAY[name], 4), 5)
  FROM unnest('{a,b,c,d,e,f,g}'::text[]) AS name$$, 'SELECT 12', 'views, domains and all types of numbers');

-- ---- blocks are partitions for the window functions -----------------------------------------------
CREATE TEMP TABLE masked AS
SELECT avg(x) OVER (PARTITION BY block, class) AS x, avg(y) OVER (PARTITION BY block, class) AS y, amount, block, class
FROM (SELECT *, anon_mdav_class(5, ARRAY[2889, 2879]::float8[], 'error'::text, x, y) OVER (PARTITION BY block) AS class
      FROM (SELECT *, anon_block(cuts, x, y) AS block FROM points, division) AS b) AS c;
SELECT is((SELECT level FROM anon_audit('masked', '{x,y}') WHERE model = 'k-anonymity'), 5::float8,
  'a table masked by blocks is k-anonymous');
SELECT is((SELECT count(*) FROM masked, division WHERE anon_block(cuts, x, y) <> block), 0::bigint,
  'and every centroid lies in its block');

-- ---- errors ------------------------------------------------------------------------------------------
SELECT throws_ok('SELECT anon_blocks(NULL, ''{x}'')', '22004', 'the relation must not be null', 'no relation');
SELECT throws_ok('SELECT anon_blocks(''points'', NULL)', '22004', 'qi must not be null', 'no columns');
SELECT throws_ok('SELECT anon_blocks(''points'', ''{}'')', '22023', 'qi must name a column', 'an empty list');
SELECT throws_ok('SELECT anon_blocks(''points'', ''{NULL}'')', '22004', 'qi must not contain nulls', 'a null in it');
SELECT throws_ok('SELECT anon_blocks(''points'', ''{x,y,x}'')', '42701', 'quasi-identifier "x" is named twice', 'twice');
SELECT throws_ok('SELECT anon_blocks(''points'', ''{z}'')', '42703', NULL, 'an unknown column');
CREATE TEMP TABLE words AS SELECT 'a' AS word, current_date AS day;
SELECT throws_ok('SELECT anon_blocks(''words'', ''{word}'')', '42804', 'column "word" cannot be cut into blocks', 'texts');
SELECT throws_ok('SELECT anon_blocks(''words'', ''{day}'')', '42804', 'column "day" cannot be cut into blocks',
  'dates, which anon_block does not take');
SELECT throws_ok('SELECT anon_blocks(''points'', ''{x}'', 0)', '22023', 'block_size must be at least 1', 'no rows in a block');
SELECT throws_ok('SELECT anon_blocks(''points'', ''{x}'', 10, 0)', '22023', 'sample must be at least 1', 'no sample');
SELECT throws_ok('SELECT anon_blocks(''points'', ''{x}'', 10, 1000)', '22023', 'sample is too small for blocks of that size',
  'fewer than ten points for a block');
SET LOCAL anonkit.max_memory = '1MB';
SELECT throws_ok('SELECT anon_blocks(''points'', ''{x}'')', '53400', NULL, 'a sample beyond the memory limit');
SELECT throws_ok('SELECT anon_block(cuts, x) FROM points, division', '22023',
  'there must be one value for each column of the cuts', 'too few values');
SELECT throws_ok(format('SELECT anon_block(%L, 1)', cuts), '22023', 'cuts must be a value of anon_blocks', 'not cuts: ' || cuts)
FROM unnest(ARRAY['1', '[]', '{}', '{"qi": ["x"]}', '{"qi": ["x"], "cuts": "x"}', '{"qi": ["x"], "cuts": {"column": "x"}}',
  '{"qi": ["x"], "cuts": {"column": "y", "at": 1, "below": 1, "above": 2}}',
  '{"qi": ["x"], "cuts": {"column": "x", "at": "1", "below": 1, "above": 2}}',
  '{"qi": ["x"], "cuts": {"column": "x", "at": 1, "below": [1], "above": 2}}']) AS cuts;
SELECT throws_ok('SELECT anon_block(''{"qi": ["x"], "cuts": 1.5}'', 1)', '22023', 'cuts must be an integer of at least 1',
  'half a block');

SELECT * FROM finish();
ROLLBACK;
