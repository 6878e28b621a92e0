-- Suppression instead of distortion, the loss of each column, and coarsened kept numbers.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(66);

-- All but three lie together, too few for a class of their own.
CREATE TABLE people AS
SELECT i AS id, (i * 37 % 101 + CASE WHEN i % 40 = 0 THEN i * 50 ELSE 0 END)::int AS age, (i * i * 11 % 97)::float8 AS height,
  (ARRAY['a', 'b', 'c', 'd'])[1 + i * i % 7 % 4] AS illness, i * 53 % 21100 AS charge, (i * 7 % 60) AS person,
  CASE WHEN i % 7 > 0 THEN i % 5 END AS gaps
FROM generate_series(1, 120) AS i;

CREATE FUNCTION figure(method text, share text, wanted text, options jsonb DEFAULT '{}') RETURNS float8 LANGUAGE sql AS $$
  SELECT value FROM anon_evaluate('people', '{age,height}', 4, method, params => options, max_suppression => share::float8)
  WHERE measure = wanted $$;

-- ---- Records are left out within the budget, and counted ---------------------------------------------

SELECT cmp_ok(figure(method, '0.1', 'suppressed', options), '<=', 12::float8, method || ': within the budget')
FROM (VALUES ('mdav', '{}'::jsonb), ('microaggregate', '{}'), ('mondrian', '{}'), ('microaggregate', '{"recode": "range"}'))
  AS m(method, options);
SELECT cmp_ok(figure(method, '0.1', 'suppressed', options), '>', 0::float8, method || ': some')
FROM (VALUES ('mdav', '{}'::jsonb), ('microaggregate', '{}'), ('mondrian', '{}'), ('microaggregate', '{"recode": "range"}'))
  AS m(method, options);
SELECT cmp_ok(figure(method, '0.1', 'saved', options), '>', 0::float8, method || ': what it saved')
FROM (VALUES ('mdav', '{}'::jsonb), ('microaggregate', '{}'), ('mondrian', '{}')) AS m(method, options);
SELECT is(figure('mdav', NULL, 'suppressed'), 0::float8, 'without a budget all are published');
SELECT is(figure('mdav', NULL, 'saved'), NULL, 'and nothing is saved');
SELECT is(figure('mdav', '0', 'suppressed'), 0::float8, 'a budget of nothing');

-- The saving, in plain SQL: the squared errors of the published records, without suppression and with it.
CREATE FUNCTION error_of_published(share float8) RETURNS float8 LANGUAGE sql AS $$
  SELECT sum(((m.masked ->> 'age')::float8 - p.age) ^ 2 / s.age + ((m.masked ->> 'height')::float8 - p.height) ^ 2 / s.height)
  FROM anon_mdav('people', '{age,height}', 4, max_suppression => share) AS m JOIN people AS p ON p.ctid = m.source
    JOIN anon_mdav('people', '{age,height}', 4, max_suppression => 0.1) AS chosen ON chosen.source = p.ctid AND chosen.class_id IS NOT NULL,
    (SELECT var_samp(age) AS age, var_samp(height) AS height FROM people) AS s $$;
SELECT is(round(figure('mdav', '0.1', 'saved')::numeric, 8),
  round((100 * (error_of_published(NULL) - error_of_published(0.1)) / (2 * 119))::numeric, 8), 'the saving is that of the errors');
-- The errors of outliers that share their classes with nobody are not a saving.
CREATE TABLE outliers AS SELECT i AS age, 0 AS height FROM generate_series(1, 8) AS i UNION ALL SELECT 10000 + 100 * i, 0 FROM generate_series(1, 4) AS i;
SELECT is((SELECT array_agg(value ORDER BY measure) FROM anon_evaluate('outliers', '{age}', 4, 'mdav', max_suppression => 0.34) WHERE measure IN ('suppressed', 'saved')),
  '{0,0}', 'others who lose as much');

SELECT is((SELECT count(*) FROM anon_mdav('people', '{age,height}', 4, max_suppression => 0.1) WHERE class_id IS NULL),
  figure('mdav', '0.1', 'suppressed')::bigint, 'a look shows whose class is missing');
SELECT is((SELECT min(class_size) FROM anon_mdav('people', '{age,height}', 4, max_suppression => 0.1)), 4, 'the others have k');

-- ---- Promises hold for the remaining records -----------------------------------------------------

CREATE TABLE promises (arguments text, asserted text);
INSERT INTO promises VALUES ('l => 2', 'l => 2'), ('t => 0.5', 't => 0.5'), ('p => 2, alpha => 0.7', 'p => 2, alpha => 0.7'),
  ('entropy_l => 1.5', 'entropy_l => 1.5'), ('l => 2, c => 3', 'l => 2, c => 3'), ('p => 2, q => 0.2, r => 0.1', 'p => 2, q => 0.2, r => 0.1'),
  ('t => 0.5, n => 50', 't => 0.5, n => 50');
CREATE FUNCTION published(method text, arguments text) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT rows + suppressed FROM anon_publish(''released'', ''people'', ''{age,height}'', 4, %L,
    sensitive => ''{illness}'', max_suppression => 0.1, %s)', method, arguments);
END $$;
CREATE FUNCTION kept(method text, arguments text, asserted text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  all_rows bigint;
BEGIN
  SELECT published(method, arguments) INTO all_rows;
  EXECUTE 'SELECT anon_assert(''released'', k => 4, ' || asserted || ')';
  PERFORM anon_refresh('released');
  EXECUTE 'SELECT anon_assert(''released'', k => 4, ' || asserted || ')';
  PERFORM anon_drop('released');
  RETURN all_rows;
END $$;
SELECT is(kept(method, arguments, asserted), '120', format('%s: %s', method, arguments))
FROM promises, unnest('{microaggregate,mondrian}'::text[]) AS method;
SELECT lives_ok($$ SELECT anon_publish('of_persons', 'people', '{age,height}', 4, sensitive => '{illness}', keep => '{person}',
  unit => '{person}', l => 2, max_suppression => 0.1) $$, 'k persons');
SELECT lives_ok($$ SELECT anon_assert('of_persons', k => 4, l => 2) $$, 'are counted');
SELECT cmp_ok((SELECT suppressed FROM anon_release_info('of_persons')), '>', 0::bigint, 'where some are left out');
SELECT cmp_ok((SELECT saved FROM anon_release_info('of_persons')), '>', 0::float8, 'and their saving is known');

-- The order of the rows has no effect.
CREATE TABLE shuffled AS SELECT * FROM people ORDER BY md5(id::text);
SELECT results_eq(
  format($$ SELECT p.id, m.masked FROM anon_%s('people', '{age,height}', 4, max_suppression => 0.1) AS m
    JOIN people AS p ON p.ctid = m.source ORDER BY p.id $$, method),
  format($$ SELECT p.id, m.masked FROM anon_%s('shuffled', '{age,height}', 4, max_suppression => 0.1) AS m
    JOIN shuffled AS p ON p.ctid = m.source ORDER BY p.id $$, method), method || ': the order of the rows')
FROM unnest('{mdav,microaggregate,mondrian}'::text[]) AS method;

SELECT throws_ok($$ SELECT anon_publish('r', 'people', '{age}', 4, key => '{id}', max_suppression => 0.1) $$, '0A000',
  'max_suppression cannot be combined with a key', 'a release over time withholds by rules of its own');
SELECT throws_ok($$ SELECT anon_evaluate('people', '{gaps}', 4, max_suppression => 0.1, params => '{"nulls": "stratify"}') $$,
  '22023', 'max_suppression cannot be combined with null strata', 'null strata');
SELECT throws_ok($$ SELECT anon_evaluate('people', '{age}', 4, 'vmdav', max_suppression => 0.1) $$, '22023',
  'method "vmdav" has no parameter "max_suppression"', 'other methods');
SELECT throws_ok($$ SELECT anon_evaluate('people', '{age}', 4, max_suppression => 1.5) $$, '22023', NULL, 'more than all');

-- ---- The loss of each column ---------------------------------------------------------------------

CREATE VIEW seen AS SELECT age, height, illness FROM people;
CREATE TABLE by_column AS SELECT * FROM anon_evaluate('seen', '{age,height,illness}', 4, 'mdav', by_column => true);
SELECT results_eq($$ SELECT DISTINCT attribute, measure FROM by_column WHERE attribute IS NOT NULL ORDER BY 1, 2 $$,
  $$ VALUES ('age', 'changed'), ('age', 'loss'), ('age', 'mean_shift'), ('height', 'changed'), ('height', 'loss'),
    ('height', 'mean_shift'), ('illness', 'changed'), ('illness', 'loss'), ('illness', 'mean_shift') $$, 'three measures of each');
CREATE TABLE masked AS SELECT p.*, (m.masked ->> 'age')::int AS age_, (m.masked ->> 'height')::float8 AS height_,
  m.masked ->> 'illness' AS illness_ FROM anon_mdav('people', '{age,height,illness}', 4) AS m JOIN people AS p ON p.ctid = m.source;
SELECT is(round((SELECT value FROM by_column WHERE (attribute, measure) = ('age', 'changed'))::numeric, 9),
  (SELECT round(100.0 * count(*) FILTER (WHERE age <> age_) / count(*), 9) FROM masked), 'the share of ages that changed');
SELECT is(round((SELECT value FROM by_column WHERE (attribute, measure) = ('illness', 'changed'))::numeric, 9),
  (SELECT round(100.0 * count(*) FILTER (WHERE illness <> illness_) / count(*), 9) FROM masked), 'of illnesses');
SELECT is(round((SELECT value FROM by_column WHERE (attribute, measure) = ('age', 'mean_shift'))::numeric, 9),
  (SELECT round(((avg(age_) - avg(age)) / stddev_samp(age))::numeric, 9) FROM masked), 'the shift of the mean age');
SELECT is((SELECT value FROM by_column WHERE (attribute, measure) = ('illness', 'mean_shift')), NULL, 'a text has no mean');
SELECT is(round((SELECT value FROM by_column WHERE (attribute, measure) = ('height', 'loss'))::numeric, 9),
  (SELECT round((100 * sum((height - height_) ^ 2) / (119 * var_samp(height)))::numeric, 9) FROM masked), 'the loss of heights');
SELECT is((SELECT count(*) FROM anon_evaluate('people', '{age}', 4) WHERE attribute IS NOT NULL), 0::bigint, 'only if asked for');
SELECT is((SELECT count(*) FROM anon_evaluate('people', '{age,illness}', 4, method, by_column => true,
    params => CASE method WHEN 'incognito' THEN '{"hierarchies": {"age": {"range": [10, 1000]}}}'::jsonb ELSE '{}' END)
  WHERE measure = 'changed'), 2::bigint, method || ': by column') FROM unnest('{mondrian,incognito}'::text[]) AS method;

-- ---- Kept numbers, coarsened -------------------------------------------------------------------------

CREATE TABLE bills AS SELECT i AS id, i % 20 AS age, (i * 613 % 9001)::numeric(8,2) AS charge, CASE WHEN i % 5 > 0 THEN i END AS gaps,
  i * 1.5::float8 AS score, date '2020-01-01' + i AS day FROM generate_series(1, 60) AS i;
SELECT is((SELECT coarsened_cells FROM anon_publish('coarse', 'bills', '{age}', 3, keep => '{charge,gaps,score}',
    coarsen => '{"charge": {"top": 5000, "bottom": 100, "round": 100}, "gaps": {"bottom": 10}, "score": {"round": 2}}')),
  (SELECT count(*) FILTER (WHERE charge <> least(greatest(round(charge / 100) * 100, 100), 5000))
    + count(*) FILTER (WHERE gaps < 10) + count(*) FILTER (WHERE score::numeric <> round(score::numeric / 2) * 2) FROM bills),
  'changed cells are counted');
SELECT bag_eq($$ SELECT charge, gaps, score FROM coarse $$, $$ SELECT least(greatest(round(charge / 100) * 100, 100), 5000)::numeric(8,2),
  CASE WHEN gaps IS NOT NULL THEN greatest(gaps, 10) END, (round(score::numeric / 2) * 2)::float8 FROM bills $$, 'round, then bottom, then top');
SELECT is((SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'coarse'::regclass AND attname = 'charge'),
  'numeric(8,2)', 'in the type of the column');
UPDATE bills SET charge = 8000 WHERE id = 1;
SELECT lives_ok($$ SELECT anon_refresh('coarse') $$, 'refreshes too');
SELECT is((SELECT max(charge) FROM coarse), 5000::numeric, 'keep to the top');
SELECT is((SELECT max((masked ->> 'charge')::numeric) FROM anon_mdav('bills', '{age}', 3, keep => '{charge}', coarsen => '{"charge": {"top": 50}}')),
  50::numeric, 'a look shows the same');
SELECT is((SELECT coarsened_cells FROM anon_publish('fine', 'bills', '{age}', 3, keep => '{charge}')), NULL, 'no figure where none was asked');
SELECT throws_ok(format('SELECT anon_mdav(''bills'', ''{age}'', 3, keep => ''{charge,day}'', coarsen => %L)', json), state, message, message)
FROM (VALUES
  ('{"age": {"top": 5}}', '22023', 'column "age" of coarsen is not kept'),
  ('{"day": {"top": 5}}', '42804', 'column "day" of type date cannot be coarsened'),
  ('{"charge": {"top": 1, "bottom": 2}}', '22023', 'bottom of parameter "coarsen.charge" is above its top'),
  ('{"charge": {"round": 0}}', '22023', 'round of parameter "coarsen.charge" must be above 0'),
  ('{"charge": {"peak": 1}}', '22023', 'unknown member "peak" of parameter "coarsen.charge"')) AS e(json, state, message);
SELECT throws_ok($$ SELECT anon_publish('r', 'bills', '{age}', 3, keep => '{charge}', key => '{id}', coarsen => '{"charge": {"top": 1}}') $$,
  '0A000', 'coarsen cannot be combined with a key', 'a release over time compares what was kept');
SELECT throws_ok($$ SELECT anon_publish('r', 'bills', '{age}', 3, keep => '{id}', unit => '{id}', coarsen => '{"id": {"top": 9}}') $$,
  '22023', 'column "id" of the unit cannot be coarsened', 'nor the person of a row');

SELECT * FROM finish();
ROLLBACK;
