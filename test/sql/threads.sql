-- Methods by blocks, in threads: the number of threads changes no release, and every promise holds.
BEGIN;
SELECT plan(29);

CREATE TEMP TABLE people AS
SELECT i, i::bigint * i * 7919 % 10007 AS income, i * 104729 % 97 AS age, (i * 31 % 89)::float8 / 7 AS weight, 'd' || i * 13 % 11 % 6 AS disease
FROM generate_series(1, 6000) AS i;

LOAD 'anonkit';
SET LOCAL client_min_messages = warning;
SELECT is(current_setting('anonkit.threads'), '-1', 'by default the server''s setting for maintenance decides');
SELECT throws_ok('SET anonkit.threads = 65', '22023', NULL, 'at most 64 threads');
SELECT throws_ok('SET anonkit.threads = -2', '22023', NULL, 'no negative number');

-- The classes of a call, as sets of rows, by one and by several threads.
CREATE FUNCTION pg_temp.classes(call text, threads int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  found text;
BEGIN
  PERFORM set_config('anonkit.threads', threads::text, true);
  EXECUTE 'SELECT md5(string_agg(class_id || '':'' || (masked::text), '','' ORDER BY class_id, masked::text)) FROM ' || call INTO found;
  RETURN found;
END $$;
SELECT is(pg_temp.classes(call, threads), pg_temp.classes(call, 1), format('%s threads: %s', threads, what))
FROM (VALUES
    ('the default method', 'anon_microaggregate(''people'', ''{income,age,weight}'', 5, block_size => 500)'),
    ('a promise', 'anon_microaggregate(''people'', ''{income,age}'', 5, sensitive => ''{disease}'', l => 3, block_size => 700)'),
    ('ranges', 'anon_microaggregate(''people'', ''{income,age}'', 5, recode => ''range'', block_size => 1000)'),
    ('MDAV', 'anon_mdav(''people'', ''{income,age,weight}'', 4, block_size => 300)'),
    ('V-MDAV', 'anon_vmdav(''people'', ''{income,age}'', 4, block_size => 300)'),
    ('t-closeness', 'anon_tclose(''people'', ''{income,age}'', ''{disease}'', 5, 0.3, block_size => 2000)')) AS c (what, call),
  (VALUES (2), (4)) AS t (threads)
ORDER BY what, threads;

SELECT is((SELECT count(DISTINCT class_id) FROM anon_mdav('people', '{income,age}', 5, block_size => 6000)),
  (SELECT count(DISTINCT class_id) FROM anon_mdav('people', '{income,age}', 5)), 'one block is the table');
SELECT cmp_ok((SELECT min(class_size) FROM anon_microaggregate('people', '{income,age}', 7, block_size => 14)), '>=', 7,
  'tiny blocks have classes of k');

-- ---- releases -------------------------------------------------------------------------------------
CREATE TABLE source AS TABLE people;
SET LOCAL anonkit.threads = 4;
SELECT lives_ok($$SELECT anon_publish('by_blocks', 'source', '{income,age}', 5, sensitive => '{disease}', t => 0.4,
  params => '{"block_size": 800}')$$, 'a release by blocks');
SELECT lives_ok($$SELECT anon_assert('by_blocks', '{income,age}', '{disease}', k => 5, t => 0.4)$$,
  't is that of the whole table');
CREATE TABLE before AS TABLE by_blocks;
SET LOCAL anonkit.threads = 1;
SELECT lives_ok($$SELECT anon_refresh('by_blocks')$$, 'refreshed by one thread');
SELECT bag_eq('TABLE by_blocks', 'TABLE before', 'it is the same');

-- ---- a limit of time -------------------------------------------------------------------------------
SELECT is((SELECT reproducible FROM anon_publish('in_time', 'source', '{income,age}', 5, sensitive => '{disease}', l => 2,
  params => '{"block_size": 1500, "effort": "thorough", "refine_seconds": 0.2}')), false, 'the clock ended the search of blocks');
SELECT lives_ok($$SELECT anon_assert('in_time', '{income,age}', '{disease}', k => 5, l => 2)$$, 'what is released keeps all promises');

-- ---- refusals -------------------------------------------------------------------------------------
SET LOCAL anonkit.threads = 4;
SELECT throws_ok($$SELECT anon_mdav('people', '{income}', 5, block_size => 4)$$, '22023', 'block_size is less than k',
  'blocks without a class');
SELECT throws_ok($$SELECT anon_mdav('people', '{income}', 5, block_size => 0)$$, '22023', NULL, 'blocks of nothing');
SELECT throws_ok($$SELECT anon_tclose('people', '{income}', '{disease}', 5, 0.3, n => 100, block_size => 500)$$, '22023',
  'block_size cannot be combined with n', '(n,t)-closeness has sets of its own');
SELECT throws_ok($$SELECT anon_microaggregate('people', '{income}', 5, sensitive => '{i}', l => 7000, block_size => 500)$$, '22023',
  NULL, 'what no classes keep is refused as without blocks');
SELECT throws_ok($$SELECT anon_publish('never', 'source', '{income}', 5, 'mondrian', params => '{"block_size": 500}')$$, '22023',
  NULL, 'a method that needs all records at once');
SET LOCAL anonkit.max_memory = '1MB';
SELECT throws_ok($$SELECT anon_microaggregate('people', '{income,age,weight}', 5, block_size => 500)$$, '53400', NULL,
  'memory counts as without threads');

SELECT * FROM finish();
ROLLBACK;
