-- The disclosure of a release to an adversary who knows the code.
BEGIN;
SELECT plan(9);

CREATE TEMP TABLE people AS
SELECT i, (i::bigint * i * 7919 % 1009)::int AS x, (i * 104729 % 997)::int AS y,
  (ARRAY['a', 'b', 'c', 'd'])[1 + i * i % 11 % 4] AS kind
FROM generate_series(1, 120) AS i;

SELECT is((SELECT count(*) FROM anon_replay('people', '{x,y}', 5, 'mdav', '{kind}')), 8::bigint, 'eight classes');
SELECT is((SELECT count(*) FROM anon_replay('people', '{x,y}', 5, 'mdav', '{kind}', classes => 3, arrangements => 4)
  WHERE tried = 4), 3::bigint, 'or as many as asked for');
SELECT is((SELECT sum(tried - consistent) FROM anon_replay('people', '{x,y}', 5, 'mdav', '{kind}')), 0::bigint,
  'MDAV does not look at values: every arrangement gives its release');
SELECT is((SELECT sum(determined) FROM anon_replay('people', '{x,y}', 5, 'mdav', '{kind}')), 0::bigint,
  'so it determines nobody');
SELECT cmp_ok((SELECT sum(determined)::float8 / sum(open) FROM anon_replay('people', '{x,y}', 5,
    'microaggregate', '{kind}', params => '{"l": 3}')), '>', 0.1::float8,
  'the search under l-diversity determines persons');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5) $$, '22023',
  'a replay needs a sensitive column', 'without a sensitive column');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, 'mdav', '{kind}', classes => 0) $$, '22023',
  'classes must be at least 1', 'no classes');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, 'mdav', '{kind}', arrangements => 1) $$, '22023',
  'arrangements must be at least 2', 'the truth alone tells nothing about other arrangements');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, 'mdav', '{kind}', params => '{"l": 3}') $$,
  '22023', NULL, 'a parameter that the method does not have');

SELECT * FROM finish();
ROLLBACK;
