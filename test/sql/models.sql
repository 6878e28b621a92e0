-- The worked examples of docs/models.md and docs/guide/persons.md, and every formula of its table on classes counted by hand.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE FUNCTION pg_temp.level(rel regclass, model text, sensitive text DEFAULT NULL, unit text[] DEFAULT NULL, spec jsonb DEFAULT '{}')
RETURNS numeric LANGUAGE sql AS $$
  SELECT round(level::numeric, 9) FROM anon_audit(rel, '{class}', array_remove(ARRAY[sensitive], NULL), unit => unit, spec => spec) AS a
  WHERE a.model = $2 AND attribute IS NOT DISTINCT FROM sensitive
$$;

-- 'Five classes of 4, 4, 6, 6 and 30 records have a mean risk of 5/50, and 20/50 of the records are at risk.'
CREATE TABLE sized AS SELECT c AS class FROM unnest('{4,4,6,6,30}'::int[]) WITH ORDINALITY AS s (n, c), generate_series(1, n);
SELECT is(pg_temp.level('sized', 'k-anonymity'), 4::numeric, 'k: the smallest class');
SELECT is(pg_temp.level('sized', 'mean risk'), 0.1, 'mean risk: 5/50');
SELECT is(pg_temp.level('sized', 'records at risk'), 0.4, 'records at risk: 20/50');
SELECT is(pg_temp.level('sized', 'records at risk', spec => anon_spec(risk_threshold => 0.2)), 0.16, '8/50 above 0.2');

-- 'With 3 records of 12 in one class, and 2 of 40 in the other, k-map is 12, and the presence is between 0.05 and 0.25. The union has 5 of 52.'
CREATE TABLE mapped AS SELECT c AS class, i <= n AS drawn FROM (VALUES (1, 3, 12), (2, 2, 40)) AS v (c, n, crowd), generate_series(1, crowd) AS i;
CREATE VIEW drawn AS SELECT class FROM mapped WHERE drawn;
CREATE VIEW united AS SELECT 0 AS class, drawn FROM mapped;
CREATE VIEW united_drawn AS SELECT class FROM united WHERE drawn;
SELECT results_eq($$SELECT model, level FROM anon_audit('drawn', '{class}', population => 'mapped') WHERE model ~ 'map|presence' ORDER BY 1$$,
  $$VALUES ('delta-presence: largest', 0.25::float8), ('delta-presence: least', 0.05), ('k-map', 12)$$, 'k-map and delta-presence');
SELECT results_eq($$SELECT model, level FROM anon_audit('united_drawn', '{class}', population => 'united') WHERE model ~ 'map|presence' ORDER BY 1$$,
  $$VALUES ('delta-presence: largest', 5 / 52.0::float8), ('delta-presence: least', 5 / 52.0::float8), ('k-map', 52)$$, 'and of the union');

-- A class of a (3), b (2), c (1) and one of a (1), b (1), c (2), in a table of a (4), b (3), c (3).
CREATE TABLE valued AS SELECT class, value, n AS number FROM (VALUES (1, 'a', 3), (1, 'b', 2), (1, 'c', 1), (2, 'a', 1), (2, 'b', 1), (2, 'c', 2)) AS v (class, value, n),
  generate_series(1, n);
SELECT is(pg_temp.level('valued', model, 'value'), round(expected, 9), model)
FROM (VALUES ('p-sensitivity', 3::numeric), ('distinct l-diversity', 3),
  ('entropy l-diversity', exp(-(ln(1 / 2.0) / 2 + ln(1 / 3.0) / 3 + ln(1 / 6.0) / 6))),
  ('recursive (c,l)-diversity', 1), ('(alpha,k)-anonymity', 0.5), ('t-closeness', 0.2),
  ('basic beta-likeness', (0.5 - 0.3) / 0.3), ('enhanced beta-likeness', (0.5 - 0.3) / 0.3),
  ('delta-disclosure', ln(0.3 / (1 / 6.0)))) AS v (model, expected);
SELECT is(pg_temp.level('valued', '(k,e)-anonymity', 'number'), 1::numeric, '(k,e)-anonymity: 2 - 1 in the second class');

-- 'entropy_l => 3 demands at least the entropy of three equally frequent values.'
CREATE TABLE equal_shares AS SELECT 1 AS class, i % 3 AS value FROM generate_series(1, 9) AS i;
SELECT lives_ok($$SELECT anon_assert('equal_shares', '{class}', '{value}', entropy_l => 3)$$, 'three equally frequent values have it');
DELETE FROM equal_shares WHERE ctid = (SELECT min(ctid) FROM equal_shares);
SELECT throws_ok($$SELECT anon_assert('equal_shares', '{class}', '{value}', entropy_l => 3)$$, '23514', NULL, 'three values of shares 2, 3, 3 do not');

-- 'A class with three kinds of cancer has three diagnoses and a single protected value.'
CREATE TABLE kinds (diagnosis text, organ text);
INSERT INTO kinds VALUES ('breast cancer', 'cancer'), ('lung cancer', 'cancer'), ('skin cancer', 'cancer'), ('flu', 'other');
CREATE TABLE cancers AS SELECT 1 AS class, diagnosis FROM kinds WHERE organ = 'cancer';
SELECT is((SELECT array_agg(level ORDER BY model) FROM anon_audit('cancers', '{class}', '{diagnosis}', protected => '{"diagnosis": ["cancer"]}',
    hierarchies => '{"diagnosis": {"table": "kinds"}}') WHERE model LIKE '%p-sensitivity'), '{1,3}', 'one protected value, three diagnoses');

-- 'For records (30, -), (30, Boston), (30, Salem), (40, Salem) and (-, Salem) these are 4, 2, 3, 2 and 4.'
CREATE TABLE blanked (age int, town text);
INSERT INTO blanked VALUES (30, NULL), (30, 'Boston'), (30, 'Salem'), (40, 'Salem'), (NULL, 'Salem');
SELECT is((SELECT array_agg(level ORDER BY model) FROM anon_audit('blanked', '{age,town}', wildcards => true) WHERE model LIKE 'k-anonymity%'), '{1,2}',
  'k-anonymity without and with wildcards');
SELECT is((SELECT (detail -> 'records_short')::int FROM anon_audit('blanked', '{age,town}', wildcards => true,
    asked => jsonb_build_object('k-anonymity with wildcards', k)) WHERE model LIKE '%wildcards'), short, short || ' records have fewer than ' || k || ' compatible ones')
FROM (VALUES (2, 0), (3, 2), (4, 3), (5, 5)) AS v (k, short);

-- 'Of five persons who all have HIV and one more value each, everybody knows it.' 'A mean of 100 rows, 95 of one person, is that person''s.'
CREATE TABLE infected AS SELECT i AS person, 1 AS class, value FROM generate_series(1, 5) AS i, unnest(ARRAY['HIV', 'other ' || i]) AS value;
SELECT is(pg_temp.level('infected', 'distinct l-diversity', 'value', '{person}'), 1::numeric, 'nobody is without HIV');
SELECT is(pg_temp.level('infected', 'distinct l-diversity', 'value'), 6::numeric, 'of rows there are six values');
CREATE TABLE dominated AS SELECT 1 AS class, greatest(i - 94, 1) AS person FROM generate_series(1, 100) AS i;
SELECT is(pg_temp.level('dominated', 'dominance', unit => '{person}'), 0.95, 'one person has 95 of 100 rows');

-- 'Let persons 1 to 5 be in two classes. In the first 1 and 2 lack a value, in the second 3, 4 and 5 do. Then all five have it in the union.'
CREATE TABLE parts AS
SELECT class, person, CASE WHEN (person <= 2) = (class = 1) THEN 'other ' || person ELSE 'v' END AS value
FROM generate_series(1, 2) AS class, generate_series(1, 5) AS person;
SELECT is(pg_temp.level('parts', 'distinct l-diversity', 'value', '{person}'), 3::numeric, 'two persons lack v in either class');
UPDATE parts SET class = 1;
SELECT is(pg_temp.level('parts', 'distinct l-diversity', 'value', '{person}'), 1::numeric, 'nobody lacks it in the union');
SELECT is(pg_temp.level('parts', 'dominance', unit => '{person}'), 0.2, 'while dominance is at most that of a part');
SELECT * FROM finish();
ROLLBACK;
