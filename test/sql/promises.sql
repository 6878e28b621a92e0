-- Promises by their names, in anon_publish and its siblings, and audits of a release that knows its columns.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(42);

CREATE TABLE people AS
SELECT i AS id, (i * 37 % 101)::int AS age, (i * i * 11 % 97)::float8 AS height, (i * 7 % 30) AS person,
  (ARRAY['a', 'b', 'c', 'd'])[1 + i * i % 7 % 4] AS illness, (i * 53 % 211) AS charge
FROM generate_series(1, 120) AS i;
CREATE TABLE illnesses (illness text, organ text);
INSERT INTO illnesses VALUES ('a', 'head'), ('b', 'head'), ('c', 'bone'), ('d', 'skin');

-- ---- A promise by its name is the promise in params ------------------------------------------------

CREATE TABLE promises (method text, sensitive text[], named text, params jsonb);
INSERT INTO promises VALUES
  ('microaggregate', '{illness}', 'l => 3', '{"l": 3}'),
  ('microaggregate', '{illness}', 'p => 2, alpha => 0.6', '{"p": 2, "alpha": 0.6}'),
  ('microaggregate', '{illness}', 'l => 2, c => 3', '{"l": 2, "c": 3}'),
  ('microaggregate', '{illness}', 'entropy_l => 2', '{"entropy_l": 2}'),
  ('microaggregate', '{charge}', 'e => 50', '{"e": 50}'),
  ('microaggregate', '{illness}', 'p => 2, q => 0.2, r => 0.2, variance_of => ''all''',
    '{"p": 2, "q": 0.2, "r": 0.2, "variance_of": "all"}'),
  ('microaggregate', '{illness}', 'p => 2, protected => ''{"illness": ["head"]}''',
    '{"p": 2, "protected": {"illness": ["head"]}}'),
  ('tclose', '{charge}', 't => 0.2', '{"t": 0.2}'),
  ('tclose', '{charge}', 't => 0.2, n => 40', '{"t": 0.2, "n": 40}'),
  ('tclose', '{charge,illness}', 't_each => ''{0.2,0.4}''', '{"t_each": [0.2, 0.4]}'),
  ('psensitive', '{illness}', 'p => 2', '{"p": 2}');
UPDATE promises SET params = params || '{"hierarchies": {"illness": {"table": "illnesses"}}}' WHERE named LIKE '%protected%';

-- The spec and the rows of a release.
CREATE FUNCTION published(method text, sensitive text[], named text, params jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  made jsonb;
BEGIN
  EXECUTE format('SELECT anon_publish(%L, %L, %L, 4, method => %L, sensitive => %L, params => %L %s)',
    'made', 'people', '{age,height}', method, sensitive, params, ', ' || named);
  EXECUTE 'SELECT jsonb_build_object(''spec'', i.spec, ''rows'', (SELECT jsonb_agg(m) FROM made AS m))
    FROM anon_release_info(''made'') AS i' INTO made;
  PERFORM anon_drop('made');
  RETURN made;
END $$;
SELECT is(
  published(method, sensitive, named, coalesce((SELECT jsonb_object_agg(key, value) FROM jsonb_each(params)
    WHERE key = 'hierarchies'), '{}')),
  published(method, sensitive, NULL, params), format('%s, %s: spec and release', method, named))
FROM promises;

-- Refreshing reads them from the release.
SELECT rows FROM anon_publish('diverse', 'people', '{age,height}', 4, sensitive => '{illness}', l => 3) \g /dev/null
DELETE FROM people WHERE id % 5 = 0;
SELECT rows FROM anon_refresh('diverse') \g /dev/null
SELECT lives_ok($$ SELECT anon_assert('diverse', '{age,height}', '{illness}', k => 4, l => 3) $$, 'a refresh keeps them');

SELECT results_eq(
  $$ SELECT value FROM anon_evaluate('people', '{age,height}', 4, sensitive => '{illness}', l => 3) WHERE measure = 'loss' $$,
  $$ SELECT value FROM anon_evaluate('people', '{age,height}', 4, sensitive => '{illness}', params => '{"l": 3}')
     WHERE measure = 'loss' $$, 'anon_evaluate takes them too');
SELECT is((SELECT count(*) FROM anon_replay('people', '{age,height}', 4, sensitive => '{illness}', l => 3)),
  (SELECT count(*) FROM anon_replay('people', '{age,height}', 4, sensitive => '{illness}', params => '{"l": 3}')),
  'and anon_replay');

-- ---- Promises twice, or without effect ----------------------------------------------------------

SELECT throws_ok($$ SELECT anon_evaluate('people', '{age}', 4, sensitive => '{illness}', l => 3, params => '{"l": 2}') $$,
  '22023', '"l" is given twice, with different values', 'a contradiction');
SELECT throws_ok($$ SELECT anon_evaluate('people', '{age}', 4, sensitive => '{illness}', l => 2, params => '{"l": null}') $$,
  '22023', '"l" is given twice, with different values', 'nor does null take a promise back');
SELECT throws_ok($$ SELECT anon_evaluate('people', '{age}', 4, 'tclose', '{illness}', t => 0.5, params => '{"sensitive": ["charge"]}') $$,
  '22023', '"sensitive" is given twice, with different values', 'columns contradict, too');
SELECT lives_ok($$ SELECT anon_evaluate('people', '{age}', 4, 'tclose', '{illness}', t => 0.5,
  params => '{"t": 0.50, "sensitive": ["illness"]}') $$, 'the same said twice is no contradiction');
SELECT lives_ok($$ SELECT anon_evaluate('people', '{age}', 4, 'tclose', t => 0.5, params => '{"sensitive": ["illness"]}') $$,
  'an empty list says nothing');
SELECT throws_ok($$ SELECT anon_evaluate('people', '{age}', 4, 'mdav', '{illness}', l => 3) $$,
  '22023', 'method "mdav" cannot promise distinct l-diversity', 'a method that cannot keep it');
SELECT throws_ok($$ SELECT anon_evaluate('people', '{age}', 4, 'mdav', variance_of => 'all') $$,
  '22023', 'method "mdav" has no parameter "variance_of"', 'a method that does not know it');
SELECT throws_ok($$ SELECT anon_evaluate('people', '{age}', 4, l => 3) $$,
  '22023', 'distinct l-diversity needs a sensitive column', 'a promise about nothing');

-- ---- A release knows its columns -------------------------------------------------------------------

SELECT results_eq($$ SELECT * FROM anon_audit('diverse') $$,
  $$ SELECT * FROM anon_audit('diverse', '{age,height}', '{illness}') $$, 'an audit by the columns of the release');
SELECT lives_ok($$ SELECT anon_assert('diverse', k => 4, l => 3) $$, 'what it promises is asserted');
SELECT throws_ok($$ SELECT anon_assert('diverse', k => 100) $$, '23514', 'relation "diverse" violates k-anonymity',
  'and what it does not promise is not');
SELECT results_eq($$ SELECT * FROM anon_audit('diverse', sensitive => '{age}') WHERE attribute IS NOT NULL $$,
  $$ SELECT * FROM anon_audit('diverse', '{age,height}', '{age}') WHERE attribute IS NOT NULL $$, 'sensitive columns may be others');
ALTER MATERIALIZED VIEW diverse RENAME COLUMN illness TO "Diagnosis";
SELECT lives_ok($$ SELECT anon_assert('diverse', k => 4, l => 3) $$, 'whatever they are called now');

-- Promises count persons if the release names the unit.
SELECT rows FROM anon_publish('of_persons', 'people', '{age,height}', 4, sensitive => '{illness}', keep => '{person}',
  unit => '{person}') \g /dev/null
ALTER MATERIALIZED VIEW of_persons RENAME COLUMN person TO whose;
SELECT results_eq($$ SELECT * FROM anon_audit('of_persons') $$,
  $$ SELECT * FROM anon_audit('of_persons', '{age,height}', '{illness}', unit => '{whose}') $$, 'by persons');
SELECT lives_ok($$ SELECT anon_refresh('of_persons') $$, 'a refresh finds the person in a renamed column');
SELECT rows FROM anon_publish('of_nobody', 'people', '{age,height}', 4, unit => '{person}') \g /dev/null
SELECT is((SELECT detail ? 'persons' FROM anon_audit('of_nobody') WHERE model = 'k-anonymity'), false,
  'a release that does not say whose a row is');

-- Models with parameters, as promised.
SELECT rows FROM anon_publish('near', 'people', '{age,height}', 4, sensitive => '{charge}', t => 0.2, n => 40) \g /dev/null
SELECT results_eq($$ SELECT * FROM anon_audit('near') $$,
  $$ SELECT * FROM anon_audit('near', '{age,height}', '{charge}', n => 40) $$, '(n,t)-closeness with the n that is promised');
SELECT rows FROM anon_publish('organs', 'people', '{age,height}', 4, sensitive => '{illness}', p => 2,
  protected => '{"illness": ["head"]}', params => '{"hierarchies": {"illness": {"table": "illnesses"}}}') \g /dev/null
SELECT results_eq($$ SELECT * FROM anon_audit('organs') $$,
  $$ SELECT * FROM anon_audit('organs', '{age,height}', '{illness}', hierarchies => '{"illness": {"table": "illnesses"}}',
     protected => '{"illness": ["head"]}') $$, 'hierarchies and protected values are those of the release');
SELECT lives_ok($$ SELECT anon_assert('organs', k => 4) $$, 'and no hindrance where p is not asserted');

-- Aggregates that the release was made against.
SELECT rows FROM anon_publish('totals', 'people', '{age,charge}', 4, method => 'aggregate',
  params => '{"functions": ["max"], "guarantee": "identical"}') \g /dev/null
SELECT results_eq($$ SELECT model, attribute, level FROM anon_audit('totals') WHERE model LIKE 'k^%' $$,
  $$ SELECT model, attribute, level FROM anon_audit('totals', '{age,charge}', functions => '{max}', guarantee => 'identical')
     WHERE model LIKE 'k^%' $$, 'aggregates are those of the release');
SELECT lives_ok($$ SELECT anon_assert('totals', k_f => 4) $$, 'in assertions too');

-- A release over time.
SELECT rows FROM anon_publish('lasting', 'people', '{age,height}', 4, sensitive => '{illness}', key => '{id}', l => 2) \g /dev/null
SELECT results_eq($$ SELECT * FROM anon_audit('lasting') $$,
  $$ SELECT * FROM anon_audit('lasting', '{age,height}', '{illness}') $$, 'a release with a key knows them, too');
SELECT lives_ok($$ SELECT anon_assert('lasting', k => 4, l => 2) $$, 'and can be asserted');

-- ---- Rounding ---------------------------------------------------------------------------------------

-- The entropy of frequencies 2, 1, 1 is that of 2^1.5 equally frequent values.
CREATE TABLE uneven AS
SELECT 1 AS place, unnest(ARRAY['a', 'a', 'b', 'c']) AS illness;
SELECT lives_ok($$ SELECT anon_assert('uneven', '{place}', '{illness}', entropy_l => 2.8284271247461903) $$,
  'an assertion accepts an entropy of exactly log l');
SELECT lives_ok($$ SELECT anon_publish('uneven_' || method, 'uneven', '{place}', 4, method => method, sensitive => '{illness}',
    entropy_l => 2.8284271247461903, params => params)
  FROM (VALUES ('microaggregate', '{}'::jsonb), ('incognito', '{"hierarchies": {"place": {"range": [10]}}}')) AS m (method, params) $$,
  'so do a search, a lattice and the verification of both');
SELECT throws_ok($$ SELECT anon_assert('uneven', '{place}', '{illness}', entropy_l => 2.82842713) $$, '23514', NULL,
  'and refuses a promise above it');

SELECT throws_ok($$ SELECT anon_audit('people') $$, '42809', '"people" is not a release', 'a table does not');
CREATE VIEW seen AS SELECT * FROM diverse;
SELECT throws_ok($$ SELECT anon_assert('seen', k => 4) $$, '42809', '"seen" is not a release', 'nor does a view of a release');

SELECT * FROM finish();
ROLLBACK;
