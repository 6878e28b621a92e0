-- Limits on the risk of all records of a release: promised, verified, asserted, and counted again in plain SQL.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE TABLE people AS
SELECT i AS id, 20 + i * 37 % 61 AS age, i * i * 11 % 97 AS place, i % 4 AS illness, 1 + i * 37 % 71 AS person
FROM generate_series(1, 200) AS i;
-- The mean risk of a release, and the share of its records above 0.09.
CREATE FUNCTION pg_temp.risks(release text, member text DEFAULT 'ctid') RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  found numeric[];
BEGIN
  EXECUTE format('SELECT ARRAY[sum(n::numeric / m) / sum(n), sum(n) FILTER (WHERE 1.0 / m > 0.09) / sum(n), min(m)]
    FROM (SELECT count(*) AS n, count(DISTINCT %s) AS m FROM %s GROUP BY age, place) AS c', member, release) INTO found;
  RETURN ARRAY[found[1], coalesce(found[2], 0), found[3]];
END $$;
CREATE FUNCTION pg_temp.publish(release text, method text, params jsonb, sensitive text[] DEFAULT '{}') RETURNS numeric[]
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM anon_publish(release, 'people', '{age,place}', 4, method, sensitive, params => params);
  RETURN pg_temp.risks(release);
END $$;

-- ---- A promise of every method whose classes can be united, and of the lattice -------------------
CREATE TABLE tried AS
SELECT method, nr, pg_temp.publish(method || nr, method, given::jsonb || limits, columns::text[]) AS found, limits
FROM (VALUES ('microaggregate', '{}', '{}'), ('mdav', '{}', '{}'), ('vmdav', '{}', '{}'), ('mondrian', '{}', '{}'),
    ('tclose', '{"t": 0.5}', '{illness}'), ('psensitive', '{"p": 2}', '{illness}'), ('kpqr', '{"p": 2, "q": 0.26, "r": 0.1}', '{illness}'),
    ('incognito', '{"hierarchies": {"age": {"range": [5, 20]}, "place": {"range": [10, 50]}}}', '{}'),
    ('mingen', '{"hierarchies": {"age": {"range": [5, 20]}, "place": {"range": [10, 50]}}}', '{}'),
    ('datafly', '{"hierarchies": {"age": {"range": [5, 20]}, "place": {"range": [10, 50]}}}', '{}'),
    ('topdown', '{"hierarchies": {"age": {"range": [5, 20]}, "place": {"range": [10, 50]}}}', '{}')) AS m (method, given, columns),
  (VALUES (1, '{"risk_mean": 0.1}'::jsonb), (2, '{"risk_above": 0.2}'), (3, '{"risk_mean": 0.06, "risk_above": 0.5, "max_suppression": 0.1}')) AS l (nr, limits)
WHERE NOT (limits ? 'max_suppression' AND method IN ('vmdav', 'tclose', 'psensitive', 'kpqr'));
SELECT is_empty($$SELECT method, limits, found FROM tried WHERE found[1] > coalesce((limits ->> 'risk_mean')::numeric, 1)
  OR found[2] > coalesce((limits ->> 'risk_above')::numeric, 1) OR found[3] < 4$$, 'all keep their limits and k');
SELECT is((SELECT count(DISTINCT method) FROM tried), 11::bigint, 'of so many methods');
SELECT isnt_empty($$SELECT 1 FROM tried WHERE found[3] < 10 AND nr = 1$$, 'classes of k remain where the mean allows them');
SELECT cmp_ok((pg_temp.publish('diverse', 'microaggregate', '{"l": 3, "t": 0.3, "risk_mean": 0.07}', '{illness}'))[1], '<=', 0.07, 'beside l and t');
SELECT lives_ok($$SELECT anon_assert('diverse', '{age,place}', '{illness}', k => 4, l => 3, t => 0.3, risk_mean => 0.07)$$, 'and all hold');
SELECT cmp_ok((pg_temp.publish('blind', 'microaggregate', '{"l": 2, "transparent": true, "risk_above": 0.1}', '{illness}'))[2], '<=', 0.1, 'transparent');
SELECT cmp_ok((pg_temp.publish('in_blocks', 'mdav', '{"block_size": 40, "risk_mean": 0.08}'))[1], '<=', 0.08, 'by blocks');
SELECT lives_ok($$SELECT anon_refresh('diverse')$$, 'a refresh keeps it');
SELECT matches(obj_description('diverse'::regclass), 'of mean risk 0.07', 'the comment states it');

-- Nulls: the parts of a table keep what the table is to keep.
CREATE TABLE gaps AS SELECT id, CASE WHEN id % 9 > 0 THEN age END AS age, CASE WHEN id % 7 > 0 THEN place END AS place FROM people;
SELECT lives_ok($$SELECT anon_publish('gaps_public', 'gaps', '{age,place}', 4, nulls => 'stratify', risk_mean => 0.06, risk_above => 0.1)$$, 'null strata');
SELECT ok((SELECT r[1] <= 0.06 AND r[2] <= 0.1 FROM pg_temp.risks('gaps_public') AS r), 'all together');

-- Persons: the risk is 1 / the persons of a class.
SELECT lives_ok($$SELECT anon_publish('visits', 'people', '{age,place}', 3, unit => '{person}', keep => '{person}', risk_mean => 0.09, risk_above => 0.3)$$,
  'with a unit');
SELECT ok((SELECT r[1] <= 0.09 AND r[2] <= 0.3 AND r[3] >= 3 FROM pg_temp.risks('visits', 'person') AS r), 'counted in persons');
SELECT lives_ok($$SELECT anon_assert('visits', '{age,place}', unit => '{person}', risk_mean => 0.09, risk_above => 0.3)$$, 'as asserted');

-- ---- Audits --------------------------------------------------------------------------------------
SELECT results_eq($$SELECT round(level::numeric, 9) FROM anon_audit('mdav1', '{age,place}') WHERE model IN ('mean risk', 'records at risk') ORDER BY model$$,
  $$SELECT round(unnest((pg_temp.risks('mdav1'))[1:2]), 9)$$, 'every audit measures both');
SELECT results_eq($$SELECT round(level::numeric, 9) FROM anon_audit('visits', '{age,place}', unit => '{person}') WHERE model IN ('mean risk', 'records at risk') ORDER BY model$$,
  $$SELECT round(unnest((pg_temp.risks('visits', 'person'))[1:2]), 9)$$, 'of persons with a unit');
SELECT is((SELECT (level = 1) || (detail ->> 'threshold') FROM anon_audit('mdav1', '{age,place}', risk_threshold => 0.001) WHERE model = 'records at risk'),
  'true0.001', 'by any threshold');
SELECT results_eq($$SELECT level FROM anon_audit('mdav1', '{age,place}') WHERE model IN ('mean risk', 'records at risk') ORDER BY model$$,
  $$SELECT value FROM anon_risk('mdav1', '{age,place}') WHERE measure IN ('prosecutor_mean', 'prosecutor_above_threshold') ORDER BY measure DESC$$,
  'and as anon_risk does');
SELECT throws_ok(format('SELECT anon_assert(''people'', ''{age}'', %s)', argument), '23514', format('relation "people" violates %s', model), argument)
FROM (VALUES ('risk_mean => 0.1', 'mean risk'), ('risk_above => 0.9', 'records at risk'),
  ('risk_above => 0.5, risk_threshold => 0.25', 'records at risk')) AS v (argument, model);
SELECT lives_ok($$SELECT anon_assert('people', '{age}', risk_mean => 0.31, risk_above => 0.9, risk_threshold => 0.4)$$, 'what holds is asserted');

-- ---- Refusals --------------------------------------------------------------------------------------
SELECT throws_ok(format('SELECT anon_%s)', call), '22023', message, call)
FROM (VALUES ('evaluate(''people'', ''{age,place}'', 4, risk_mean => 0.001', 'mean risk cannot be had'),
  ('evaluate(''people'', ''{age,place}'', 4, risk_above => 0.5, risk_threshold => 0.001', 'records at risk cannot be had'),
  ('evaluate(''people'', ''{age,place}'', 4, risk_threshold => 0.1', 'risk_threshold needs risk_above'),
  ('assert(''people'', ''{age,place}'', risk_threshold => 0.1', 'risk_threshold needs risk_above'),
  ('evaluate(''people'', ''{age}'', 4, ''univariate'', risk_mean => 0.1', 'method "univariate" cannot promise mean risk'),
  ('evaluate(''people'', ''{age}'', 4, ''aggregate'', risk_mean => 0.1', 'method "aggregate" cannot promise mean risk'),
  ('evaluate(''people'', ''{age}'', 4, ''argus'', risk_mean => 0.1', 'method "argus" cannot promise mean risk'),
  ('mdav(''people'', ''{age,place}'', 4, unit => ''{person}'', unit_rows => ''together'', risk_mean => 0.1',
    'mean risk cannot be promised with unit_rows ''together''')) AS v (call, message);
SELECT throws_ok($$SELECT anon_publish('keyed', 'people', '{age,place}', 4, key => '{id}', risk_mean => 0.1)$$, '0A000',
  'mean risk cannot be combined with a key', 'releases over time');
SELECT throws_like(format('SELECT anon_evaluate(''people'', ''{age}'', 3, risk_mean => %s)', d), '%risk_mean%', 'out of range')
FROM unnest('{0,1.5,-1}'::numeric[]) AS d;
SELECT * FROM finish();
ROLLBACK;
