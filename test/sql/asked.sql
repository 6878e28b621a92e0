-- The levels that an audit, an assertion or a report is asked about: each is measured, or an error by name.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE TABLE people AS
SELECT i AS id, i / 2 AS person, i % 4 AS age, (ARRAY['flu', 'asthma', 'none'])[1 + i % 3] AS illness, i % 7 AS bill FROM generate_series(0, 59) AS i;

-- The models of one relation, a level that it keeps and one that it breaks, and the option that is missing without `given`.
CREATE TABLE models (model text, kept float8, broken float8, given text, lacks text);
INSERT INTO models VALUES
  ('k-anonymity', 2, 50, '', NULL), ('mean risk', 0.5, 0.01, '', NULL), ('records at risk', 0, NULL, '', NULL),
  ('k-anonymity of histories', 1, 50, 'unit', 'a unit'), ('dominance', 1, 0.01, 'unit', 'a unit'),
  ('p-sensitivity', 2, 50, 'sensitive', 'a sensitive column'), ('extended p-sensitivity', 1, 50, 'protected', 'a sensitive column'),
  ('distinct l-diversity', 2, 50, 'sensitive', 'a sensitive column'), ('entropy l-diversity', 1, 50, 'sensitive', 'a sensitive column'),
  ('recursive (c,l)-diversity', 50, 0.01, 'sensitive', 'a sensitive column'), ('(alpha,k)-anonymity', 1, 0.01, 'sensitive', 'a sensitive column'),
  ('(k,e)-anonymity', 1, 500, 'bill', 'a sensitive column'), ('t-closeness', 1, NULL, 'sensitive', 'a sensitive column'),
  ('joint values: fewest', 1, 500, 'both', 'a sensitive column'), ('joint values: single', 1, NULL, 'both', 'a sensitive column'),
  ('basic beta-likeness', 9, NULL, 'sensitive', 'a sensitive column'), ('enhanced beta-likeness', 9, NULL, 'sensitive', 'a sensitive column'),
  ('delta-disclosure', 9, NULL, 'sensitive', 'a sensitive column'), ('(n,t)-closeness', 1, NULL, 'n', 'a sensitive column'),
  ('(k,p,q,r)-anonymity: p', 1, NULL, 'q', 'a sensitive column'), ('(k,p,q,r)-anonymity: r', 0, NULL, 'q', 'a sensitive column'),
  ('k-anonymity with wildcards', 2, 50, 'wildcards', 'wildcards'), ('k-map', 2, 500, 'population', 'a population'),
  ('delta-presence: least', 0, NULL, 'population', 'a population'), ('delta-presence: largest', 1, 0.01, 'population', 'a population');

-- The options by which a model is measured.
CREATE FUNCTION given(given text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT '{"qi": ["age"]}'::jsonb || CASE given WHEN '' THEN '{}' WHEN 'unit' THEN '{"unit": ["person"]}' WHEN 'sensitive' THEN '{"sensitive": ["illness"]}'
    WHEN 'bill' THEN '{"sensitive": ["illness", "bill"]}' WHEN 'both' THEN '{"sensitive": ["illness"], "unit": ["person"]}'
    WHEN 'protected' THEN '{"sensitive": ["illness"], "hierarchies": {"illness": {"prefix": 6}}, "protected": {"illness": ["flu"]}}' WHEN 'n' THEN '{"sensitive": ["illness"], "n": 10}'
    WHEN 'q' THEN '{"sensitive": ["illness"], "q": 0.4}' WHEN 'wildcards' THEN '{"wildcards": true}' WHEN 'population' THEN '{"population": "people"}' END::jsonb $$;
-- The detail of the model that was asked about, or the error.
CREATE FUNCTION audited(model text, level float8, given jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE found jsonb; message text; hint text;
BEGIN
  SELECT detail INTO STRICT found FROM anon_audit('people', spec => given || jsonb_build_object('asked', jsonb_build_object(model, level))) AS a
  WHERE a.model = audited.model AND detail ? 'asked' LIMIT 1;
  RETURN found;
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
  RETURN jsonb_build_array(SQLSTATE, message, hint);
END $$;
SELECT is(audited(model, kept, given(given)) ->> 'kept', 'true', model || ' is kept') FROM models WHERE kept IS NOT NULL AND model <> 'records at risk';
SELECT is(audited(model, broken, given(given)) ->> 'kept', 'false', model || ' is not kept') FROM models WHERE broken IS NOT NULL;
SELECT is(audited('records at risk', 0, given('')) -> 'kept', to_jsonb(NOT EXISTS (SELECT FROM people GROUP BY age HAVING count(*) < 12)), 'records at risk');
SELECT is(audited(model, kept, given(given)) ? 'classes_short', model !~ 'risk|histories|joint|p,q,r',
  model || ' counts classes that have a level of their own') FROM models;

-- Without the option that a model needs, nothing would be measured.
SELECT is(audited(model, kept, given('')) - 2, jsonb_build_array('22023', model || ' needs ' || lacks), model || ' needs ' || lacks) FROM models WHERE lacks IS NOT NULL;
SELECT isnt(audited(model, kept, given('')) ->> 2, '', model || ' has a hint') FROM models WHERE lacks IS NOT NULL;
SELECT is(audited(model, 1, given('sensitive')) - 2, jsonb_build_array('22023', model || ' needs ' || lacks), model || ' needs ' || lacks || ', too')
FROM (VALUES ('extended p-sensitivity', 'protected values'), ('(n,t)-closeness', 'n'), ('(k,p,q,r)-anonymity: p', 'q'), ('joint values: fewest', 'a unit')) AS v (model, lacks);
SELECT is(audited('(k,e)-anonymity', 3, given('sensitive')),
  '["42804", "(k,e)-anonymity needs a numeric sensitive column", "Name a column of numbers, dates or times in sensitive."]', 'no column of numbers');
SELECT is(audited('m-invariance', 3, given('sensitive')), '["0A000", "m-invariance of one relation cannot be measured", "anon_audit_versions measures it."]', 'stored versions');
SELECT throws_ok(format($$SELECT * FROM anon_audit('people', '{age}', asked => %L)$$, asked), state, message, asked)
FROM (VALUES ('{"k_map": 3}', '22023', 'k-map needs a population'), ('{"t": 0.3}', '22023', 't-closeness needs a sensitive column'),
  ('{"dominance": 0.3}', '22023', 'dominance needs a unit')) AS v (asked, state, message);
SELECT throws_ok($$SELECT * FROM anon_audit('people', '{age}', '{illness}', asked => '{"e": 3}')$$, '42804', '(k,e)-anonymity needs a numeric sensitive column', 'by its option');

-- An assertion, too.
SELECT throws_ok(format($$SELECT anon_assert('people', spec => %L)$$, given('') || jsonb_build_object('asked', jsonb_build_object(model, kept))),
  '22023', model || ' needs ' || lacks, model || ' is not asserted without') FROM models WHERE lacks IS NOT NULL AND model <> 'k-anonymity with wildcards';
SELECT lives_ok(format($$SELECT anon_assert('people', spec => %L)$$, given(given) || jsonb_build_object('asked', jsonb_build_object(model, kept))), model || ' is asserted')
FROM models WHERE kept IS NOT NULL AND given NOT IN ('wildcards', 'n', 'q', 'protected') AND model <> 'records at risk';
SELECT throws_ok(format($$SELECT anon_assert('people', spec => %L)$$, given(given) || jsonb_build_object('asked', jsonb_build_object(model, broken))), '23514', NULL, model || ' is broken')
FROM models WHERE broken IS NOT NULL AND given NOT IN ('wildcards', 'n', 'q', 'protected');

-- A report has no options for persons, populations, protected values and wildcards.
CREATE FUNCTION report(asked text) RETURNS text LANGUAGE sql AS $$
  SELECT format($q$SELECT anon_report('people', qi => '{age}', sensitive => '{illness}', asked => %L)$q$, asked) $$;
SELECT throws_ok(report(format('{"%s": 1}', model)), '0A000', 'a report of another tool''s relation cannot measure ' || model, 'no report of ' || model)
FROM models WHERE given IN ('unit', 'both', 'population', 'wildcards', 'protected');
SELECT throws_ok(report(asked), '0A000', 'a report of another tool''s relation cannot measure ' || model, 'no report of ' || asked)
FROM (VALUES ('{"k_map": 3}', 'k-map'), ('{"dominance": 0.5}', 'dominance'), ('{"unit_rows": "together"}', 'k-anonymity of histories')) AS v (asked, model);
SELECT throws_ok(report('{"m-invariance": 3}'), '0A000', 'm-invariance of one relation cannot be measured', 'no report of versions');
SELECT throws_ok(report('{"(n,t)-closeness": 0.3}'), '22023', '(n,t)-closeness needs n', 'a report takes n');
SELECT lives_ok(report('{"(n,t)-closeness": 0.9, "n": 10, "(k,p,q,r)-anonymity: p": 1, "q": 0.4, "mean risk": 0.5}'), 'as an option');
SELECT throws_ok(report('{"(k,e)-anonymity": 3}'), '42804', '(k,e)-anonymity needs a numeric sensitive column', 'a report needs numbers');

-- Levels that no model has.
SELECT is(audited(model, level, given(given)) - 2, jsonb_build_array('22023', 'asked.' || model || ' must be ' || fault), model || ' of ' || level)
FROM models, (VALUES (-1::float8, NULL), (0.5, 'at least 1'), (1.5, 'between 0 and 1')) AS v (level, needed),
  LATERAL (SELECT CASE WHEN model ~ 'closeness$|risk|dominance|alpha|single|presence' THEN 'between 0 and 1' WHEN model ~ 'recursive|\(k,e\)|likeness|disclosure|: r$' THEN 'not negative'
    ELSE 'at least 1' END AS domain) AS d, LATERAL (SELECT CASE WHEN level < 0 AND domain <> 'between 0 and 1' THEN 'a finite number of at least 0' ELSE domain END AS fault) AS f
WHERE needed IS NULL OR needed = domain;
SELECT throws_ok(format($$SELECT * FROM anon_audit('people', '{age}', '{illness}', asked => %L)$$, asked), '22023', message, asked)
FROM (VALUES ('{"k-anonymity": true}', 'parameter "asked.k-anonymity" must be a number'),
  ('{"k-anonymity": [5]}', 'parameter "asked.k-anonymity" must be a number'), ('{"mean risk": "NaN"}', 'parameter "asked.mean risk" must be a number'),
  ('{"(k,e)-anonymity": 1e999}', 'asked.(k,e)-anonymity must be a finite number of at least 0'), ('{"k_anonymity": 5}', 'unknown model "k_anonymity"'),
  ('{"k": 0}', 'k must be an integer of at least 1'), ('[]', 'parameter "asked" must be an object of models and levels'),
  ('5', 'parameter "asked" must be an object of models and levels')) AS v (asked, message);
SELECT throws_ok(format($$SELECT * FROM anon_audit('people', '{age}', '{illness}', asked => '{"%s": null}')$$, name), '22004', format('asked.%s must not be null', name), 'no level of ' || name)
FROM unnest('{k-anonymity,k,t}'::text[]) AS name;
SELECT throws_ok($$SELECT * FROM anon_audit_versions('{people}', '{age}', '{illness}', '{id}', m => 0)$$, '22023', NULL, 'an m of 0');
SELECT * FROM finish();
ROLLBACK;
