-- A person's share of the rows of a class: asserted, promised, and 0.5 where means are published with a unit.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

-- Person 1 has a quarter of the rows, all near each other.
CREATE TABLE stays AS
SELECT CASE WHEN i <= 30 THEN 1 ELSE i % 40 + 2 END AS person, CASE WHEN i <= 30 THEN i % 7 ELSE i * 37 % 101 END AS age,
  CASE WHEN i <= 30 THEN 0 ELSE i * 11 % 97 END::float8 AS weight, i % 5 AS illness
FROM generate_series(1, 120) AS i;
CREATE FUNCTION pg_temp.dominance(release text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  found numeric;
BEGIN
  EXECUTE format('SELECT max(share) FROM (SELECT count(*) / sum(count(*)) OVER (PARTITION BY age, weight) AS share
    FROM %s GROUP BY age, weight, person) AS s', release) INTO found;
  RETURN found;
END $$;
CREATE FUNCTION pg_temp.publish(release text, method text, params jsonb, sensitive text[] DEFAULT '{}') RETURNS numeric
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM anon_publish(release, 'stays', '{age,weight}', 3, method, sensitive, unit => '{person}', keep => '{person}', params => params);
  RETURN pg_temp.dominance(release);
END $$;

-- ---- A promise of every method that counts persons ----------------------------------------------
SELECT cmp_ok(pg_temp.publish('by_' || method || nr, method, given::jsonb || jsonb_build_object('dominance', d), columns::text[]), '<=', d,
  format('%s keeps %s', method, d))
FROM (VALUES ('microaggregate', '{}', '{}'), ('mdav', '{}', '{}'), ('vmdav', '{}', '{}'), ('mondrian', '{}', '{}'),
    ('tclose', '{"t": 0.5}', '{illness}'), ('psensitive', '{"p": 2}', '{illness}'),
    ('incognito', '{"hierarchies": {"age": {"range": [10, 50]}, "weight": {"range": [20, 60]}}}', '{}'),
    ('topdown', '{"hierarchies": {"age": {"range": [10, 50]}, "weight": {"range": [20, 60]}}}', '{}'),
    ('datafly', '{"hierarchies": {"age": {"range": [10, 50]}, "weight": {"range": [20, 60]}}}', '{}'),
    ('argus', '{"hierarchies": {"age": {"range": [10, 50]}, "weight": {"range": [20, 60]}}}', '{}')) AS m (method, given, columns),
  unnest('{0.6,0.3}'::numeric[]) WITH ORDINALITY AS d (d, nr);
SELECT cmp_ok(pg_temp.publish('ranges', 'microaggregate', '{"recode": "range", "dominance": 0.3}'), '<=', 0.3, 'ranges');
SELECT cmp_ok(pg_temp.publish('diverse', 'microaggregate', '{"l": 3, "dominance": 0.3}', '{illness}'), '<=', 0.3, 'beside l');
SELECT cmp_ok(pg_temp.publish('searched', 'mdav', '{"refine": "fast", "dominance": 0.3}'), '<=', 0.3, 'after a search');
SELECT cmp_ok(pg_temp.publish('in_blocks', 'microaggregate', '{"block_size": 30, "dominance": 0.3}'), '<=', 0.3, 'by blocks');
SELECT lives_ok($$SELECT anon_refresh('by_mdav1')$$, 'a refresh keeps it, too');
SELECT lives_ok($$SELECT anon_assert('by_mdav1', '{age,weight}', k => 3, unit => '{person}', dominance => 0.6)$$, 'it is asserted');
SELECT throws_ok($$SELECT anon_assert('by_mdav1', '{age,weight}', unit => '{person}', dominance => 0.01)$$, '23514',
  'relation "by_mdav1" violates dominance', 'and a smaller share is not there');
SELECT is((SELECT detail ->> 'classes_short' FROM anon_audit('stays', '{age}', unit => '{person}', asked => '{"dominance": 0.4}')
    WHERE model = 'dominance')::bigint,
  (SELECT count(DISTINCT age) FROM (SELECT age, count(*) / sum(count(*)) OVER (PARTITION BY age) AS share FROM stays GROUP BY age, person) AS s
    WHERE share > 0.4), 'classes that fall short are counted');

-- ---- Its default -----------------------------------------------------------------------------------
SELECT cmp_ok(pg_temp.publish('means', 'mdav', '{}'), '<=', 0.5, 'means of persons: nobody has most of a class');
SELECT is((SELECT spec ->> 'dominance' FROM anon_release_info('means')), '0.5', 'which stands in the release');
SELECT cmp_ok(pg_temp.publish('whoever', 'mdav', '{"dominance": 1}'), '>', 0.5, '1 allows any');
SELECT is((SELECT spec -> 'dominance' FROM anon_release_info('ranges')), '0.3', 'what is said stands');
SELECT lives_ok($$SELECT pg_temp.publish('only_ranges', 'microaggregate', '{"recode": "range"}')$$, 'ranges are no means');
SELECT is((SELECT spec -> 'dominance' FROM anon_release_info('only_ranges')), NULL, 'so they promise nothing of it');
SELECT is((SELECT count(*) FROM anon_mdav('stays', '{age,weight}', 3, unit => '{person}')),
  (SELECT count(*) FROM anon_mdav('stays', '{age,weight}', 3, unit => '{person}', dominance => 0.5)), 'looking is publishing');

-- ---- Over time -------------------------------------------------------------------------------------
ALTER TABLE stays ADD id int GENERATED ALWAYS AS IDENTITY;
SELECT lives_ok($$SELECT anon_publish('nightly', 'stays', '{age,weight}', 3, 'microaggregate', unit => '{person}', keep => '{person}',
  key => '{id}', weight_column => false, recode => 'range', dominance => 0.4)$$, 'a release with a key');
INSERT INTO stays SELECT CASE WHEN i <= 10 THEN 99 ELSE 100 + i % 9 END, i * 7 % 50, i * 13 % 40, i % 5 FROM generate_series(1, 40) AS i;
SELECT lives_ok($$SELECT anon_refresh('nightly')$$, 'with newcomers');
SELECT cmp_ok(pg_temp.dominance('nightly'), '<=', 0.4, 'founds classes of that dominance');
INSERT INTO stays SELECT CASE WHEN i <= 6 THEN 200 ELSE 194 + i END, i, i, i % 5 FROM generate_series(1, 9) AS i;
SELECT lives_ok($$SELECT anon_refresh('nightly')$$, 'newcomers one of whom dominates the others are no error');
SELECT is(count(*), 0::bigint, 'they wait') FROM nightly WHERE person BETWEEN 200 AND 203;
INSERT INTO stays SELECT 204 + i % 8, i % 9, i % 9, i % 5 FROM generate_series(1, 16) AS i;
SELECT lives_ok($$SELECT anon_refresh('nightly')$$, 'with others');
SELECT cmp_ok(count(*), '>', 0::bigint, 'they are published') FROM nightly WHERE person BETWEEN 200 AND 203;
SELECT cmp_ok(pg_temp.dominance('nightly'), '<=', 0.4, 'in classes of that dominance');

-- ---- Refusals ----------------------------------------------------------------------------------------
SELECT throws_ok(format('SELECT anon_evaluate(''stays'', ''{age,weight}'', 3, %s)', arguments), '22023', message, arguments)
FROM (VALUES ('unit => ''{person}'', dominance => 0.1', 'dominance cannot be had'),
  ('dominance => 0.2', 'dominance needs a unit'), ('''kpqr'', ''{illness}'', unit => ''{person}'', dominance => 0.2, p => 2, q => 0.1',
  'method "kpqr" cannot be combined with a unit')) AS v (arguments, message);
SELECT throws_ok($$SELECT anon_assert('stays', '{age}', dominance => 0.5)$$, '22023', 'dominance needs a unit', 'nor can it be asserted');
SELECT throws_like(format('SELECT anon_evaluate(''stays'', ''{age}'', 3, unit => ''{person}'', dominance => %s)', d), '%dominance%', 'out of range')
FROM unnest('{0,1.5,-1}'::numeric[]) AS d;
SELECT * FROM finish();
ROLLBACK;
