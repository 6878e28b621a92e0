-- The disclosure of all versions of a release with a key to an adversary who knows the code.
BEGIN;
SELECT plan(25);

CREATE TEMP TABLE people AS
SELECT i AS id, (i::bigint * i * 7919 % 1009)::int AS x, (i * 104729 % 997)::int AS y,
  (ARRAY['a', 'b', 'c', 'd'])[1 + i * i % 11 % 4] AS kind,
  CASE WHEN i <= 60 THEN 1 ELSE 1 + i % 7 END AS night, date '2024-02-27' + CASE WHEN i <= 60 THEN 0 ELSE i % 7 END AS day
FROM generate_series(1, 120) AS i;

PREPARE transparent AS SELECT * FROM anon_replay('people', '{x,y}', 3, sensitive => '{kind}', l => 2, transparent => true,
  key => '{id}', arrivals => 'night', max_wait => 2, classes => 100, arrangements => 1000);
CREATE TEMP TABLE transparent AS EXECUTE transparent;
SELECT cmp_ok((SELECT count(*) FROM transparent), '>', 10::bigint, 'transparent: classes of several nights are attacked');
SELECT is((SELECT sum(tried - consistent) FROM transparent), 0::bigint, 'transparent: every arrangement gives all versions');
SELECT is((SELECT max(abs(belief_after - belief_before)) < 1e-12 FROM transparent), true, 'transparent: the belief is the frequency');
SELECT is((SELECT sum(determined) FROM transparent), 0::bigint, 'transparent: nobody is determined');

PREPARE settled AS SELECT * FROM anon_replay('people', '{x,y}', 3, sensitive => '{kind}', l => 2, key => '{id}', arrivals => 'night',
  max_wait => 2, classes => 100, arrangements => 1000, params => '{"decoys": 0}');
CREATE TEMP TABLE settled AS EXECUTE settled;
SELECT cmp_ok((SELECT sum(determined) FROM settled), '>', 0::bigint, 'the division of one night tells of values, as in any release');
SELECT results_eq('settled', 'SELECT * FROM settled', 'the replay is reproducible');
UPDATE people SET x = x;
CREATE TEMP TABLE turned AS SELECT * FROM people ORDER BY id DESC;
SELECT results_eq($$ SELECT * FROM anon_replay('turned', '{x,y}', 3, sensitive => '{kind}', l => 2, key => '{id}', arrivals => 'night',
  max_wait => 2, classes => 100, arrangements => 1000, params => '{"decoys": 0}') $$, 'SELECT * FROM settled', 'and independent of the order of the rows');
SELECT results_eq($$ SELECT * FROM anon_replay('people', '{x,y}', 3, sensitive => '{kind}', l => 2, key => '{id}', arrivals => 'day',
  max_wait => 2, classes => 100, arrangements => 1000, params => '{"decoys": 0}') $$, 'SELECT * FROM settled', 'dates are a refresh a day');
SELECT results_eq($$ SELECT * FROM anon_replay('people', '{x,y}', 3, spec => anon_spec(sensitive => '{kind}', l => 2, key => '{id}',
  max_wait => 2, decoys => 0), arrivals => 'night', classes => 100, arrangements => 1000) $$, 'SELECT * FROM settled', 'options may come in a spec');

-- Newcomers one a night behind a first class: a night founds one class, and tells nothing beyond it.
CREATE TEMP TABLE trickle AS SELECT i AS id, i AS x, (ARRAY['a', 'b'])[1 + (i * i % 17 < 3)::int] AS kind, greatest(1, i - 2) AS night, 1 AS one
FROM generate_series(1, 14) AS i;
PREPARE trickled AS SELECT count(*) > 2, sum(tried - consistent), sum(determined) FROM anon_replay('trickle', '{x}', 3, sensitive => '{kind}',
  l => 2, key => '{id}', arrivals => 'night', max_wait => 1, params => '{"decoys": 0}');
SELECT results_eq('trickled', $$ VALUES (true, 0::bigint, 0::bigint) $$, 'nobody waits for a value');
-- One release of that table.
SELECT cmp_ok((SELECT sum(determined) FROM anon_replay('trickle', '{x}', 3, sensitive => '{kind}', l => 2, classes => 100, arrangements => 1000)), '>', 0::bigint,
  'the counter-test: all in one night');

-- One night is one release.
SELECT results_eq($$ SELECT persons, tried, consistent, determined FROM anon_replay('trickle', '{x}', 3, sensitive => '{kind}', l => 2, key => '{id}',
    arrivals => 'one', classes => 100) ORDER BY 1, 2, 3, 4 $$,
  $$ SELECT persons, tried, consistent, determined FROM anon_replay('trickle', '{x}', 3, sensitive => '{kind}', l => 2, classes => 100) ORDER BY 1, 2, 3, 4 $$,
  'one night is one release');

SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, sensitive => '{kind}', key => '{id}') $$, '22023',
  'the replay of a release with a key needs arrivals', 'a key without arrivals');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, sensitive => '{kind}', arrivals => 'night') $$, '22023',
  'arrivals need a key', 'arrivals without a key');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, key => '{id}', arrivals => 'night') $$, '22023',
  'a replay needs a sensitive column', 'without a sensitive column');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, sensitive => '{kind}', key => '{id}', arrivals => 'never') $$, '42703',
  NULL, 'an unknown column of arrivals');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, sensitive => '{kind}', key => '{id}', arrivals => 'kind') $$, '42804',
  'column "kind" of type text cannot number refreshes', 'arrivals that are no numbers');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, sensitive => '{kind}', key => '{id}', arrivals => 'night', spec => anon_spec(unit => '{x}')) $$, '0A000',
  'arrivals cannot be replayed with a unit', 'a unit');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, sensitive => '{kind}', key => '{kind}', arrivals => 'night') $$, '23505',
  'the key is not unique', 'a key that is not unique');
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 70, sensitive => '{kind}', l => 2, key => '{id}', arrivals => 'night') $$, NULL,
  NULL, 'a first version of fewer than k');
UPDATE people SET night = NULL WHERE id = 3;
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, sensitive => '{kind}', key => '{id}', arrivals => 'night') $$, '22004',
  'column "night" contains nulls', 'a row that never came');
UPDATE people SET night = 2000000000 WHERE id = 3;
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, sensitive => '{kind}', key => '{id}', arrivals => 'night') $$, '54000',
  'arrivals are of more than 10000 refreshes', 'too many refreshes');
UPDATE people SET day = 'infinity' WHERE id = 3;
SELECT throws_ok($$ SELECT * FROM anon_replay('people', '{x,y}', 5, sensitive => '{kind}', key => '{id}', arrivals => 'day') $$, '54000',
  'arrivals are of more than 10000 refreshes', 'the end of time');
CREATE TEMP TABLE nobody AS SELECT * FROM people LIMIT 0;
SELECT throws_ok($$ SELECT * FROM anon_replay('nobody', '{x,y}', 5, sensitive => '{kind}', key => '{id}', arrivals => 'night') $$, NULL, NULL,
  'without rows');
SELECT throws_ok($$ SELECT * FROM anon_replay('nobody', '{x,y}', 5, sensitive => '{kind}', l => 2, transparent => true, key => '{id}', arrivals => 'night') $$,
  NULL, NULL, 'without rows, transparent');

SELECT * FROM finish();
ROLLBACK;
