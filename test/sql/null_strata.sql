-- Nulls that are stratified, with promises on values and to persons.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(19);

CREATE TABLE people AS
SELECT i AS id, i * 37 % 101 AS age, CASE WHEN i % 9 > 0 THEN i * 11 % 97 END AS weight,
  CASE WHEN i % 9 = 0 THEN 'a' ELSE (ARRAY['a', 'b', 'c', 'd'])[1 + i % 4] END AS illness, i * 53 % 211 AS pay,
  i / 2 AS person
FROM generate_series(1, 120) AS i;

-- Thirteen persons without a weight all have the illness a.
CREATE FUNCTION publish(promise jsonb, sensitive text[] DEFAULT '{illness}', unit text[] DEFAULT '{}') RETURNS float8
LANGUAGE sql AS $$
  SELECT suppressed_cells FROM anon_publish('released', 'people', '{age,weight}', 4, sensitive => publish.sensitive,
    keep => '{id}', unit => publish.unit, params => promise || '{"nulls": "stratify"}')
$$;
SELECT is(publish('{}'), 0::float8, 'k alone needs no blanked cell');
SELECT anon_drop('released');

SELECT is(publish('{"l": 2}'), 1::float8, 'one blanked cell gives the stratum a second value');
SELECT lives_ok($$ SELECT anon_assert('released', '{age,weight}', '{illness}', k => 4, l => 2) $$, 'l, as published');
SELECT is((SELECT count(*) FROM released JOIN people USING (id) WHERE released.weight IS NULL AND people.weight IS NOT NULL),
  1::bigint, 'the cell is one of the release');
SELECT anon_drop('released');

SELECT is(publish('{"l": 3}'), 2::float8, 'two give it three');
SELECT anon_drop('released');
SELECT is(publish('{"alpha": 0.8}'), 4::float8, 'thirteen of 17 are fewer than 0.8');
SELECT lives_ok($$ SELECT anon_assert('released', '{age,weight}', '{illness}', alpha => 0.8) $$, 'alpha, as published');
SELECT anon_drop('released');
SELECT ok(publish('{"t": 0.3}') > 0, 't-closeness to the whole table blanks cells');
SELECT lives_ok($$ SELECT anon_assert('released', '{age,weight}', '{illness}', t => 0.3) $$, 't, as published');
SELECT anon_drop('released');
SELECT lives_ok($$ SELECT publish('{"e": 50}', '{pay}') $$, 'a range of numbers');
SELECT lives_ok($$ SELECT anon_assert('released', '{age,weight}', '{pay}', e => 50) $$, 'e, as published');
SELECT anon_drop('released');

SELECT lives_ok($$ SELECT publish('{"l": 2}', '{illness}', '{person}') $$, 'persons are counted in every stratum');
CREATE VIEW with_persons AS SELECT r.age, r.weight, r.illness, p.person FROM released AS r JOIN people AS p USING (id);
SELECT lives_ok($$ SELECT anon_assert('with_persons', '{age,weight}', '{illness}', k => 4, l => 2, unit => '{person}') $$,
  'k and l in persons, as published');

-- Person 2 has both rows of the stratum, which needs a second person; one class of all rows would break alpha among persons.
CREATE TABLE visits (id int, u int, q int, s text);
INSERT INTO visits SELECT i, i % 4, i, 's' || i % 5 FROM generate_series(1, 18) AS i;
INSERT INTO visits VALUES (19, 2, NULL, 's1'), (20, 2, NULL, 's2');
SELECT is((SELECT (rows, suppressed_cells)::text FROM anon_publish('visited', 'visits', '{q}', 2, unit => '{u}', nulls => 'stratify', recode => 'range',
  sensitive => '{s}', keep => '{id}', alpha => 1)), '(20,1)', 'a stratum of two persons');
SELECT anon_drop('visited');
SELECT is((SELECT (rows, suppressed_cells)::text FROM anon_publish('visited', 'visits', '{q}', 2, unit => '{u}', nulls => 'stratify', recode => 'range',
  sensitive => '{s}', keep => '{id}', alpha => 0.5)), '(20,1)', 'also where one class of all rows breaks the promise');
CREATE VIEW with_visitors AS SELECT r.q, r.s, v.u FROM visited AS r JOIN visits AS v USING (id);
SELECT lives_ok($$ SELECT anon_assert('with_visitors', '{q}', '{s}', k => 2, alpha => 0.5, unit => '{u}') $$, 'k and alpha in persons, as published');

-- A search within a stratum would have begun with classes of these three persons that break a promise.
CREATE TABLE of_three AS SELECT v[1] AS person, nullif(v[2], 'n')::int AS day, nullif(v[3], 'n')::numeric(6, 2) AS dose,
    nullif(v[4], 'n')::int2 AS code, nullif(v[5], 'n') AS s
  FROM string_to_table('h,18,0,32767,1 h,3,2.75,n,1 o,22,0,5,n h,20,n,3,0 s,8,1.25,2,0 o,8,3,32767,2 s,24,0,32767,3 h,28,3,0,2 o,2,3,n,1 s,26,1,5,2 ' ||
    's,n,2.5,32767,2 o,12,2.5,0,3 s,15,1,32767,3 o,2,1.25,32767,1 o,19,2.5,3,1 o,27,2.75,n,1 s,12,3,-32768,n o,16,2.5,-32768,3 o,8,1.5,3,1 o,21,0,1,2 ' ||
    'o,6,n,32767,2 o,28,2.5,0,0 o,23,1.5,n,3 h,n,3,-32768,0 s,3,1.5,32767,2 s,4,1.25,32767,0 o,n,1,32767,2 h,11,1.25,32767,3 o,5,100,32767,0 s,18,1.5,-32768,3 ' ||
    's,14,3,1,n h,10,n,32767,1 o,18,100,n,0 o,26,n,1,n h,28,0,32767,3 o,3,100,1,n h,5,0,32767,3 s,24,1.25,32767,3 h,26,3,4,0 h,26,2.75,32767,n', ' ') AS row, string_to_array(row, ',') AS v;
SELECT throws_ok($$ SELECT anon_publish('three', 'of_three', '{day,dose,code}', 3, unit => '{person}', sensitive => '{s}', l => 3, p => 2, c => 1,
  t => 0.3, recode => 'centroid', params => '{"duplicates": "divide", "block_size": 30, "nulls": "stratify"}') $$,
  '22023', 'no classes of a null stratum keep the promises', 'a stratum whose persons cannot keep them');

SELECT throws_ok($$ SELECT anon_evaluate('people', '{age,weight}', 4, sensitive => '{pay}',
  params => '{"t": 0.5, "n": 40, "nulls": "stratify"}') $$,
  '22023', '(n,t)-closeness cannot be combined with null strata', '(n,t)-closeness');
SELECT throws_ok($$ SELECT anon_evaluate('people', '{age,weight}', 4, unit => '{person}',
  params => '{"unit_rows": "together", "nulls": "stratify"}') $$,
  '22023', 'unit_rows ''together'' cannot be combined with null strata', 'histories');

SELECT * FROM finish();
ROLLBACK;
