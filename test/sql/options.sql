-- Every option of every function says the same as an argument and in anon_spec, and a contradiction is an error.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = error;
SELECT plan(17);
CREATE TABLE people AS
SELECT i AS id, 20 + i * 37 % 50 AS age, 1000 + i * i * 11 % 90 AS place, (i * 7 % 5)::text AS job,
  i * 13 % 4 AS illness, 100 + i * 29 % 31 AS pay, (i + 1) / 2 AS person
FROM generate_series(1, 40) AS i;
ALTER TABLE people ALTER age SET NOT NULL, ALTER place SET NOT NULL;

-- By option a value, and another one that contradicts it.
CREATE TABLE sample (key text PRIMARY KEY, value text, other text);
INSERT INTO sample VALUES
  ('qi', '{age,place}', '{age}'), ('k', '4', '5'), ('method', 'mdav', 'vmdav'), ('sensitive', '{illness}', '{pay}'),
  ('keep', '{job}', '{id}'), ('unit', '{person}', '{job}'), ('unit_rows', 'together', NULL),
  ('categories', '{place}', '{age}'), ('ordered', '{job}', '{age}'), ('orders', '{"job": ["0", "1", "2", "3", "4"]}', '{}'),
  ('coarsen', '{"job": {"round": 10}}', '{}'), ('pseudonym', '{job}', '{id}'),
  ('hierarchies', '{"age": {"range": [10, 20]}, "place": {"range": [30]}}', '{"age": {"range": [5]}}'),
  ('protected', '{"illness": ["1"]}', '{"illness": ["2"]}'),
  ('t', '0.5', '0.4'), ('t_each', '{0.5}', '{0.4}'), ('n', '20', '21'), ('p', '3', '4'), ('l', '3', '4'), ('entropy_l', '1.5', '2'),
  ('c', '3', '4'), ('alpha', '0.6', '0.7'), ('beta', '2', '3'), ('delta', '2', '3'), ('dominance', '0.6', '0.7'), ('risk_mean', '0.2', '0.3'),
  ('risk_above', '0.4', '0.5'), ('risk_threshold', '0.15', '0.2'), ('e', '1', '2'), ('q', '0.3', '0.2'), ('r', '0.1', '0.2'), ('variance_of', 'all', NULL),
  ('scales', '{"age": {"deviation": 9}}', '{"age": {"extent": 99}}'), ('weights', '{1,2}', '{2,1}'), ('standardize', 'range', 'none'), ('recode', 'range', 'centroid'), ('nulls', 'stratify', NULL),
  ('duplicates', 'divide', NULL), ('algorithm', 'best', 'merge'), ('gamma', '0.5', '0.7'), ('effort', 'thorough', NULL),
  ('refine', 'fast', NULL), ('refine_seconds', '60', '61'), ('seed', '7', '8'), ('block_size', '30', '40'),
  ('max_suppression', '0.3', '0.2'), ('metric', 'dm', 'avg'), ('local_suppression', 'true', NULL),
  ('coins', '0.1', '0.2'), ('widths', '{"age": 5}', '{"age": 7}'), ('secret_seed', 'false', 'true'),
  ('outward', 'grid', NULL), ('class_column', 'class', 'group'),
  ('identifying', '{more,most}', '{most,more}'), ('complete', 'false', NULL), ('target', 'job', 'pay'), ('transparent', 'true', NULL),
  ('decoys', '0.2', '0.3'), ('max_withheld', '0.9', '0.8'), ('adapt', '0.1', '0.2'), ('functions', '{max}', '{min}'),
  ('d', '0.01', '0.02'), ('guarantee', 'identical', NULL), ('domain', 'common', NULL), ('k_f', '2', '3'),
  ('lower_bound', 'true', NULL), ('key', '{id}', '{pay}'), ('max_wait', '5', '6'), ('wait_loss', '2', '3'), ('every', '7', '8'),
  ('weight_column', 'false', 'true'), ('asked', '{"t-closeness": 0.3}', '{"t-closeness": 0.4}'), ('withheld', 'true', NULL),
  ('suppressed', '{"age": "21"}', '{"age": "22"}'), ('wildcards', 'true', NULL),
  ('k_map', '5', '6'), ('delta_presence', '[0, 0.9]', '[0, 1]'), ('population', 'people', 'sample');

-- The functions that take options, and by function the arguments that a call needs, in this form: OPTION VALUE ...
CREATE VIEW taker AS
SELECT p.oid, p.proname AS name, p.proargnames[1:p.pronargs] AS arguments FROM pg_proc AS p
WHERE p.proname ~ '^anon_|^anonkit_distributed_options$' AND 'spec' = ANY (p.proargnames[1:p.pronargs]) AND p.prokind = 'f'
AND p.proname NOT IN ('anon_release', 'anon_release_spec', 'anon_set_spec', 'anon_distributed_spec');
CREATE TABLE needed (name text, key text, value text);
INSERT INTO needed SELECT name, 'qi', '{age,place}' FROM taker WHERE 'qi' = ANY (arguments);
INSERT INTO needed SELECT name, 'k', '4' FROM taker WHERE 'k' = ANY (arguments);
INSERT INTO needed SELECT name, 'hierarchies', '{"age": {"range": [10, 20]}, "place": {"range": [30]}}' FROM taker
WHERE name ~ 'incognito|mingen|datafly|argus|topdown|lattice';
INSERT INTO needed VALUES
  ('anon_tclose', 'sensitive', '{illness}'), ('anon_tclose', 't', '0.5'),
  ('anon_psensitive', 'sensitive', '{illness}'), ('anon_psensitive', 'p', '2'), ('anon_kpqr', 'sensitive', '{illness}'),
  ('anon_kpqr', 'p', '2'), ('anon_kpqr', 'q', '0.25'), ('anon_kpqr', 'r', '0.1'), ('anon_capacity', 'sensitive', '{illness}'),
  ('anon_replay', 'sensitive', '{illness}'), ('anon_replay', 'l', '2');
DELETE FROM needed WHERE name IN ('anon_assert', 'anon_audit') AND key = 'k';
DELETE FROM needed WHERE name = 'anon_univariate' AND key = 'qi';
INSERT INTO needed VALUES ('anon_univariate', 'qi', '{age}'), ('anon_assert', 'k', '1');

-- Options as the arguments of a call; each is {KEY, VALUE}.
CREATE FUNCTION arguments_of(options text[]) RETURNS text LANGUAGE sql AS $$
  SELECT coalesce(string_agg(format('%I => %L%s', options[i][1], options[i][2],
    CASE options[i][1] WHEN 'lower_bound' THEN '::boolean' END), ', ' ORDER BY i), '')
  FROM generate_subscripts(options, 1) AS i $$;

-- A call with some options as arguments and some in spec.
CREATE FUNCTION call_of(function text, arguments text[], spec text[]) RETURNS text LANGUAGE sql AS $$
  SELECT format('SELECT to_jsonb(f)::text FROM %s(%s) AS f', function, concat_ws(', ',
    CASE function WHEN 'anon_publish' THEN quote_literal('made') END, quote_literal('people'),
    CASE WHEN function IN ('anon_sweep', 'anon_explore') THEN 'ks => ''{4}''' WHEN function = 'anon_replay' THEN 'classes => 1'
      WHEN function = 'anon_replay_qi' THEN 'cells => 1, persons => 1, classes => 1, tries => 5' END,
    nullif(arguments_of(arguments), ''),
    CASE WHEN cardinality(spec) > 0 THEN 'spec => anon_spec(' || arguments_of(spec) || ')' END)) $$;

-- The rows of a call without times, or its error. A release is dropped again.
CREATE FUNCTION outcome(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  made text;
BEGIN
  BEGIN
    EXECUTE 'SELECT string_agg(timeless, E''\n'' ORDER BY timeless) FROM (' || call || ') AS rows (r),'
      || ' regexp_replace(r, ''"seconds": [0-9.e-]+|"value": [0-9.e-]+, "measure": "seconds"'', '''') AS timeless' INTO made;
    IF to_regclass('made') IS NOT NULL THEN
      made := made || (SELECT md5(string_agg(to_jsonb(m)::text, ',' ORDER BY to_jsonb(m)::text)) FROM made AS m)
        || (SELECT spec::text FROM anon_release_info('made'));
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'YYYYY', MESSAGE = coalesce(made, 'nothing');
  EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
  END;
END $$;

CREATE FUNCTION needs_but(function text, but text) RETURNS text[] LANGUAGE sql AS $$
  SELECT coalesce(array_agg(ARRAY[key, value]), '{}') FROM needed WHERE name = function AND key <> but $$;

SELECT is_empty($$ SELECT name FROM taker WHERE NOT arguments @> '{spec}' OR array_position(arguments, 'spec') <> cardinality(arguments) $$,
  'spec is the last argument');
SELECT cmp_ok((SELECT count(*) FROM taker), '=', 25::bigint, 'all functions with options take it');
SELECT set_eq($$ SELECT unnest(proargnames) FROM pg_proc WHERE proname = 'anon_spec' $$, $$ SELECT key FROM sample $$,
  'and the options are all tried here');
SELECT is_empty($$ SELECT name, argument FROM taker, unnest(arguments) AS argument
  WHERE argument NOT IN (SELECT key FROM sample) AND argument NOT IN ('weight', 'tbl', 'rel', 'release', 'spec', 'params', 'grant_to', 'beside', 'context',
    'frontier', 'by_column', 'classes', 'arrangements', 'arrivals', 'cells', 'persons', 'tries', 'source', 'ks', 'methods') $$,
  'an argument is an option, or about relations, roles or attacks');

-- Each option of each function, as an argument and in spec.
CREATE TABLE tried AS
SELECT name, key, outcome(call_of(name, needs_but(name, key) || ARRAY[[key, value]], '{}')) AS by_argument,
  outcome(call_of(name, needs_but(name, key), ARRAY[[key, value]])) AS by_spec,
  outcome(call_of(name, '{}', needs_but(name, key) || ARRAY[[key, value]])) AS all_by_spec,
  outcome(call_of(name, needs_but(name, key) || ARRAY[[key, value]], ARRAY[[key, value]])) AS by_both,
  outcome(call_of(name, needs_but(name, key) || ARRAY[[key, other]], ARRAY[[key, value]])) AS contradictory
FROM taker JOIN sample ON key = ANY (arguments);
SELECT is_empty($$ SELECT name, key, by_argument, by_spec FROM tried WHERE by_argument <> by_spec $$, 'spec says what the argument says');
SELECT is_empty($$ SELECT name, key, by_argument, all_by_spec FROM tried WHERE by_argument <> all_by_spec $$,
  'and so do all options in spec');
SELECT is_empty($$ SELECT name, key, by_argument, by_both FROM tried WHERE by_argument <> by_both $$, 'both may say the same');
SELECT is_empty($$ SELECT name, key, contradictory FROM tried JOIN sample USING (key) WHERE other IS NOT NULL
  AND contradictory NOT LIKE CASE name WHEN 'anon_sweep' THEN '%"error": "%' || key || '%is given twice, with different values"%'
    ELSE '22023 "' || key || '" is given twice, with different values' END $$, 'different things are refused');
SELECT cmp_ok((SELECT count(*) FROM tried WHERE by_argument LIKE 'YYYYY%'), '>', 250::bigint, 'most of them are not errors');
SELECT is_empty($$ SELECT key FROM tried GROUP BY key HAVING NOT bool_or(by_argument LIKE 'YYYYY%')
  AND key NOT IN ('n', 'r', 'c', 'e', 'coins', 'widths', 'outward', 'class_column', 'decoys', 'max_withheld', 'adapt', 'max_wait', 'wait_loss', 'every', 'weight_column', 'unit_rows', 't', 't_each',
    'p', 'l', 'entropy_l', 'alpha', 'beta', 'delta', 'dominance', 'risk_threshold', 'q', 'protected', 'transparent', 'withheld', 'coarsen', 'pseudonym', 'ordered', 'orders', 'asked', 'k_f', 'k_map', 'delta_presence') $$,
  'options that need no other one beside them work');

-- A spec is a value of its own.
SELECT is_empty($$ SELECT key, made FROM sample, outcome(format('SELECT anon_spec(%I => %L%s)::text', key, value,
    CASE key WHEN 'lower_bound' THEN '::boolean' END)) AS made WHERE made NOT LIKE 'YYYYY {"' || key || '": %' $$,
  'each option alone is one');
SELECT is(anon_spec(k => 5, l => 3), '{"k": 5, "l": 3}', 'the options that are given');
SELECT throws_ok($$ SELECT anon_spec(k => 0) $$, '22023', 'k must be an integer of at least 1', 'are checked at once');
SELECT throws_ok($$ SELECT count(*) FROM anon_mdav('people', '{age}', 4, spec => '{"speed": 1}') $$, '22023',
  'method "mdav" has no parameter "speed"', 'an option that nobody has');
SELECT throws_ok($$ SELECT count(*) FROM anon_audit('people', '{age}', spec => '{"speed": 1}') $$, '22023',
  'unknown parameter "speed"', 'nor an audit');
SELECT results_eq($$ SELECT model, detail ->> 'classes_short' FROM anon_audit('people', '{job}', '{illness}', asked => anon_spec(k => 20, l => 5))
    WHERE detail ? 'asked' $$,
  $$ SELECT model, detail ->> 'classes_short' FROM anon_audit('people', '{job}', '{illness}',
    asked => '{"k-anonymity": 20, "distinct l-diversity": 5}') WHERE detail ? 'asked' $$, 'an audit asks by option or by model');
SELECT throws_ok($$ SELECT anon_assert('people', '{job}', '{illness}', spec => anon_spec(l => 5)) $$, '23514', NULL,
  'and an assertion fails by the same spec');
SELECT * FROM finish();
ROLLBACK;
