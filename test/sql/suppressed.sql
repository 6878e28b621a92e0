-- Suppressed rows of other tools are in no class: an audit of them is one of the other rows.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
SELECT setseed(0.2);

-- Cells of a release, and the release as a tool writes it, with a text for each suppressed cell.
CREATE TABLE kept AS
SELECT CASE WHEN random() < 0.8 THEN (20 + 10 * (i % 3))::text END AS age, CASE WHEN random() < 0.8 THEN 1000 + i % 2 END AS place,
  CASE WHEN random() < 0.8 THEN date '2000-02-01' + i % 2 END AS born, i % 4 AS illness, i / 2 AS person, 1 + i % 7 AS w
FROM generate_series(1, 300) AS i;
CREATE TABLE written AS
SELECT coalesce(age, '*') AS age, coalesce(place, -9) AS place, coalesce(born, '9999-12-31') AS born, illness, person, w FROM kept
UNION ALL SELECT '*', -9, CASE WHEN i % 2 = 0 THEN date '9999-12-31' END, i % 9, 500 + i / 2, 3 FROM generate_series(1, 40) AS i;
CREATE VIEW classified AS SELECT * FROM kept WHERE num_nulls(age, place, born) < 3;
CREATE FUNCTION pg_temp.text_of() RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"age": "*", "place": "-9", "born": "9999-12-31"}'::jsonb $$;
SELECT cmp_ok((SELECT count(*) FROM classified), '<', (SELECT count(*) FROM kept), 'some rows of the release are suppressed, too');

SELECT results_eq(
  $$ SELECT model, attribute, level, detail - 'suppressed' FROM anon_audit('written', '{age,place,born}', '{illness}', q => 0.3, suppressed => pg_temp.text_of()) $$,
  $$ SELECT model, attribute, level, detail FROM anon_audit('classified', '{age,place,born}', '{illness}', q => 0.3) $$, 'all models');
SELECT results_eq(
  $$ SELECT model, attribute, level, detail - 'suppressed' FROM anon_audit('written', '{age,place,born}', '{illness}', unit => '{person}', suppressed => pg_temp.text_of()) $$,
  $$ SELECT model, attribute, level, detail FROM anon_audit('classified', '{age,place,born}', '{illness}', unit => '{person}') $$, 'of persons');
SELECT is(detail ->> 'suppressed', (40 + (SELECT count(*) FROM kept WHERE num_nulls(age, place, born) = 3))::text, 'the rows left out are counted: ' || model)
FROM anon_audit('written', '{age,place,born}', suppressed => pg_temp.text_of());
SELECT results_eq($$ SELECT measure, attribute, value FROM anon_risk('written', '{age,place,born}', '{illness}', unit => '{person}',
    suppressed => pg_temp.text_of()) WHERE measure <> 'suppressed_records' $$,
  $$ SELECT measure, attribute, value FROM anon_risk('classified', '{age,place,born}', '{illness}', unit => '{person}') $$, 'risk of persons');
SELECT results_eq($$ SELECT measure, attribute, value FROM anon_risk('written', '{age,place,born}', '{illness}', sampling_weight => 'w',
    suppressed => pg_temp.text_of()) WHERE measure <> 'suppressed_records' $$,
  $$ SELECT measure, attribute, value FROM anon_risk('classified', '{age,place,born}', '{illness}', sampling_weight => 'w') $$, 'weighted risk');
SELECT is((SELECT value FROM anon_risk('written', '{age,place,born}', suppressed => pg_temp.text_of()) WHERE measure = 'suppressed_records'),
  40 + (SELECT count(*) FROM kept WHERE num_nulls(age, place, born) = 3)::float8, 'and counted there');

-- Versions whose suppressed rows are in no class are measured as versions without these rows.
CREATE TABLE stored AS
SELECT v, id, CASE WHEN random() < 0.9 THEN id / 4 END AS class, CASE WHEN random() < 0.9 THEN (id / 8 + v)::text END AS area, id % 4 AS value
FROM generate_series(1, 3) AS v, generate_series(0, 99) AS id;
CREATE TABLE v1 AS SELECT id, coalesce(class, -9) AS class, coalesce(area, '*') AS area, value FROM stored WHERE v = 1;
CREATE TABLE v2 AS SELECT id, class, coalesce(area, '*') AS area, value FROM stored WHERE v = 2;
-- Another type, which is compared by its texts.
CREATE TABLE v3 AS SELECT id, coalesce(class, -9)::bigint AS class, area, value FROM stored WHERE v = 3;
CREATE VIEW w1 AS SELECT * FROM stored WHERE v = 1 AND num_nulls(class, area) < 2;
CREATE VIEW w2 AS SELECT * FROM stored WHERE v = 2 AND num_nulls(class, area) < 2;
CREATE VIEW w3 AS SELECT id, class::bigint AS class, area, value FROM stored WHERE v = 3 AND num_nulls(class, area) < 2;
SELECT results_eq($$ SELECT * FROM anon_audit_versions('{v1,v2,v3}', '{class,area}', '{value}', '{id}', m => 3,
    suppressed => '{"class": "-9", "area": "*"}') WHERE measure <> 'suppressed rows' $$,
  $$ SELECT * FROM anon_audit_versions('{w1,w2,w3}', '{class,area}', '{value}', '{id}', m => 3) $$, 'versions');
SELECT is((SELECT value FROM anon_audit_versions('{v1,v2,v3}', '{class,area}', '{value}', '{id}', suppressed => '{"class": "-9", "area": "*"}')
  WHERE measure = 'suppressed rows'), (SELECT count(*)::float8 FROM stored WHERE num_nulls(class, area) = 2), 'and the rows left out');
SELECT cmp_ok((SELECT count(*) FROM stored WHERE num_nulls(class, area) = 2), '>', 0::bigint, 'of which there are some');
SELECT is((SELECT count(*) FROM anon_audit_versions('{v1,v2}', '{class,area}', '{value}', '{id}') WHERE measure = 'suppressed rows'), 0::bigint,
  'unless nobody asks');
SELECT throws_ok($$ SELECT * FROM anon_audit_versions('{v1}', '{class}', '{value}', '{id}', suppressed => '{"area": "*"}') $$, '22023',
  'column "area" of parameter "suppressed" is no quasi-identifier', 'a column of versions that is none');
SELECT throws_ok($$ SELECT * FROM anon_audit_versions('{v1}', '{class}', '{value}', '{id}', suppressed => '"*"') $$, '22023', NULL,
  'one text for all columns of versions');
CREATE VIEW starred AS SELECT 1 AS id, '*'::text AS area, 2 AS value;
SELECT throws_ok($$ SELECT * FROM anon_audit_versions('{starred}', '{area}', '{value}', '{id}', suppressed => '{"area": "*"}') $$, '22000',
  'all rows are suppressed', 'no version has a row');

-- A promise is about the rows in classes; null stands for a suppressed cell beside the text.
CREATE TABLE pairs (age, town) AS VALUES ('1', 'a'), ('1', 'a'), ('*', NULL), ('2', 'b'), ('2', 'b'), (NULL, NULL), ('*', 'c'), ('*', 'c');
SELECT throws_ok($$ SELECT anon_assert('pairs', '{age,town}', k => 2) $$, '23514', NULL, 'a suppressed row is a class of one');
SELECT lives_ok($$ SELECT anon_assert('pairs', '{age,town}', k => 2, suppressed => '{"age": "*"}') $$, 'unless it is in no class');
SELECT throws_ok($$ SELECT anon_assert('pairs', '{age,town}', k => 3, suppressed => '{"age": "*"}') $$, '23514', NULL, 'the others have a k');
SELECT is((SELECT detail -> 'class' FROM anon_audit('pairs', '{age}', suppressed => '{}') WHERE model = 'k-anonymity'), '{"age": "1"}',
  'no text: a star is a value, and null is suppressed');
SELECT is((SELECT level FROM anon_audit('pairs', '{age,town}', suppressed => '{"age": "*", "town": "c"}') WHERE model = 'k-anonymity'), 2::float8,
  'texts by column');
-- Rows that keep a cell stay in the class of their cells.
SELECT is((SELECT detail FROM anon_audit('pairs', '{age,town}', suppressed => '{"age": "*"}', asked => '{"k-anonymity": 3}') WHERE model = 'k-anonymity') -> 'classes_short',
  '3', 'rows with one suppressed cell are a class');

-- The text is compared with the output of each type, and never run.
CREATE TYPE mood AS ENUM ('sad', 'none; DROP TABLE pairs');
CREATE TABLE typed AS SELECT 'none; DROP TABLE pairs'::mood AS m, 'x '::char(4) AS c, 1.50 AS n, '[1,2)'::int4range AS r, '{1,2}'::int[] AS a, true AS b,
  '2000-01-01 12:00+00'::timestamptz AS t UNION ALL SELECT 'sad', 'y', 2, '[3,4)', '{3}', false, 'infinity';
SELECT is((SELECT detail ->> 'suppressed' FROM anon_audit('typed', ARRAY[c], suppressed => jsonb_build_object(c, x)) WHERE model = 'k-anonymity'), '1', c || ' ' || x)
FROM (VALUES ('m', 'none; DROP TABLE pairs'), ('c', 'x'), ('n', '1.50'), ('r', '[1,2)'), ('a', '{1,2}'), ('b', 't'), ('t', 'infinity')) AS v (c, x);
SELECT has_table('pairs');

SELECT throws_ok(format($$ SELECT * FROM anon_audit('pairs', '{age}', suppressed => %L) $$, s), '22023', NULL, s) FROM unnest('{"[]","\"*\"","{\"age\": 1}","{\"age\": null}","3"}'::text[]) AS s;
SELECT throws_ok(format($$ SELECT * FROM anon_risk('pairs', '{age}', suppressed => %L) $$, s), '22023', NULL, 'risk: ' || s) FROM unnest('{"[]","\"*\"","{\"age\": 1}","{\"age\": null}","null","3"}'::text[]) AS s;
SELECT throws_ok($$ SELECT * FROM anon_audit('pairs', '{age}', suppressed => '{"town": "*"}') $$, '22023',
  'column "town" of parameter "suppressed" is no quasi-identifier', 'a column that is none');
SELECT throws_ok($$ SELECT * FROM anon_audit('pairs', '{age}', suppressed => '{"nobody": "*"}') $$, '42703', 'column "nobody" does not exist', 'no column');
SELECT throws_ok($$ SELECT * FROM anon_risk('pairs', '{age}', population => 'pairs', suppressed => '{"age": "*"}') $$, '22023',
  'suppressed cannot be combined with population', 'a population');
SELECT throws_ok($$ SELECT * FROM anon_audit('pairs', '{age}', population => 'pairs', suppressed => '{"age": "*"}') $$, '22023',
  'suppressed cannot be combined with population', 'in an audit');
SELECT throws_ok($$ SELECT * FROM anon_audit('kept', '{place}', functions => '{sum}', suppressed => '{}') $$, '22023',
  'suppressed cannot be combined with functions', 'aggregates');
SELECT throws_ok($$ SELECT anon_assert('kept', '{place}', functions => '{sum}', k_f => 2, suppressed => '{}') $$, '22023',
  'suppressed cannot be combined with k_f', 'in an assertion');
CREATE VIEW gone AS SELECT '*'::text AS age, 1 AS s;
SELECT throws_ok($$ SELECT * FROM anon_audit('gone', '{age}', '{s}', suppressed => '{"age": "*"}') $$, '22000', 'all rows are suppressed', 'nothing is left');
SELECT throws_ok($$ SELECT * FROM anon_mdav('kept', '{place}', 2, spec => anon_spec(suppressed => '{}')) $$, '22023', NULL, 'no option of a method');
SELECT * FROM finish();
ROLLBACK;
