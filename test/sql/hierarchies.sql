-- Hierarchies: construction, refusals, recoding and measures.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(112);

-- The error of a failing statement, with its detail.
CREATE FUNCTION pg_temp.failure(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text;
BEGIN
  EXECUTE command;
  RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
  RETURN concat_ws(' | ', state, message, nullif(detail, ''));
END $$;

-- From a table.
CREATE TABLE education (value text, level text, kind text);
INSERT INTO education VALUES ('11th', 'school', 'lower'), ('12th', 'school', 'lower'), ('Bachelors', 'university', 'higher'),
  ('Masters', 'university', 'higher'), ('Doctorate', 'doctorate', 'higher');
CREATE FUNCTION pg_temp.height(hierarchy jsonb) RETURNS int LANGUAGE sql AS 'SELECT max(level) FROM anon_hierarchy_levels(hierarchy)';
SELECT is(anon_hierarchy_table('education')::text, '{"table": "public.education"}', 'a table is named with its schema');
SELECT anon_hierarchy_table('education') AS education \gset
SELECT is(pg_temp.height(:'education'), 3, 'a root is put above several labels');
SELECT is(ARRAY(SELECT anon_generalize('Masters', :'education', level) FROM generate_series(0, 3) AS level ORDER BY level),
  '{Masters,university,higher,*}', 'every level of a text');
SELECT is(pg_temp.height(anon_hierarchy_table('education', '{value}')), 1, 'a column alone is suppressed or not');
SELECT is(pg_temp.height(anon_hierarchy_table('education', '{value,kind}')), 2, 'some of the columns');
SELECT is(anon_generalize(NULL::text, :'education', 1), NULL, 'null stays null');
SELECT results_eq($$ SELECT level, labels FROM anon_hierarchy_levels('{"table": "education"}') $$,
  $$ VALUES (0, 5::bigint), (1, 3::bigint), (2, 2::bigint), (3, 1::bigint) $$, 'its levels');
-- Numbers find their leaf however they are spelled; texts that only look like numbers stay texts.
CREATE TABLE numbers (value text, label text);
INSERT INTO numbers VALUES ('17', 'low'), ('18.0', 'low'), ('30', 'high'), ('007', 'low'), ('7', 'high');
SELECT anon_hierarchy_table('numbers') AS numbers \gset
SELECT is(pg_temp.height(:'numbers'), 2, 'numbers as texts');
SELECT is(anon_generalize(17.00, :'numbers', 1), 'low', 'a numeric');
SELECT is(anon_generalize(18, :'numbers', 1), 'low', 'an integer');
SELECT is(anon_generalize('007'::varchar, :'numbers', 1) || anon_generalize('7', :'numbers', 1), 'lowhigh', 'texts');
SELECT is(pg_temp.failure($$ SELECT anon_generalize(7, '{"table": "numbers"}', 1) $$),
  '22000 | a value has no leaf in the hierarchy', 'two leaves that are one number are none');

-- Values find their labels however they are typed, and labels contain their values up to the ends of the types.
CREATE TABLE typed AS SELECT ('k' || i % 9)::char(5) AS code, 1234567890123456 + i % 9 AS id, (i % 9 + 0.12345678901234)::numeric AS ratio,
  (i % 9 / 7.0)::float4 AS share, date '2024-02-25' + i % 9 AS day FROM generate_series(1, 45) AS i;
CREATE TABLE labels_of (value text, label text);
INSERT INTO labels_of SELECT DISTINCT code::text, 'code' FROM typed UNION SELECT id::text, 'id' FROM typed
UNION SELECT ratio::text || '000', 'ratio' FROM typed UNION SELECT share::text, 'share' FROM typed UNION SELECT day::text, 'day' FROM typed;
SELECT is((SELECT DISTINCT masked - 'share' FROM anon_mdav('typed', '{code,id,ratio,share,day}', 45, recode => 'hierarchy', hierarchies =>
  '{"code": {"table": "labels_of"}, "id": {"table": "labels_of"}, "ratio": {"table": "labels_of"}, "share": {"table": "labels_of"},
    "day": {"table": "labels_of"}}')), '{"code": "code", "id": "id", "ratio": "ratio", "day": "day"}', 'char(n) and long numbers');
CREATE TABLE longer AS SELECT 12345678901234567890 + i % 3 AS n, 9007199254740993 + i % 3 AS b FROM generate_series(1, 9) AS i;
SELECT is(pg_temp.failure(format($$ SELECT anon_mdav('longer', ARRAY[%L], 3, recode => 'hierarchy', hierarchies => '{"%s": {"table": "labels_of"}}') $$, c, c)),
  format('22000 | column "%s" contains numbers with too many digits for a hierarchy', c), 'numbers that a double does not tell apart')
FROM unnest('{n,b}'::text[]) AS c;
SELECT is(anon_generalize('ab'::char(5), '{"prefix": 5}', 4), 'a****', 'blanks of char(n) are no characters');
SELECT is(anon_generalize(12345678901234567890::numeric(20,0), '{"range": [10]}', 1), '[12345678901234567890,12345678901234567900)', 'twenty digits');
SELECT is((SELECT array_agg(labels[2] ORDER BY place) FROM anon_hierarchy_labels('{"range": [10]}', '[5:7]={1,NULL,12}'::int[])),
  '{"[0,10)","[10,20)"}', 'an array that does not begin at 1');
SELECT is(anon_hierarchy_range('[0:2]={5,10,20}'), '{"range": [5, 10, 20]}', 'nor widths');
SELECT is(anon_hierarchy_date('[3:4]={month,year}'), '{"date": ["month", "year"]}', 'nor units');
SELECT ok(bool_and(v <@ anon_generalize(v, '{"range": [8, 4294967296]}', level)::int4range), 'the ends of integer')
FROM unnest('{-2147483648,-2147483647,0,2147483646,2147483647}'::int[]) AS v, generate_series(1, 3) AS level;
SELECT ok(bool_and(v <@ anon_generalize(v, '{"range": [1000]}', level)::int8range), 'of bigint')
FROM unnest('{-9223372036854775808,9223372036854775807}'::bigint[]) AS v, generate_series(1, 2) AS level;
SELECT ok(bool_and(v <@ anon_generalize(v, '{"date": ["month", "quarter", "year", "decade"]}', level)::daterange), 'of date')
FROM unnest('{4714-11-24 BC,0001-12-31 BC,0001-01-01,5874897-12-31}'::date[]) AS v, generate_series(1, 5) AS level;
SELECT ok(bool_and(v <@ anon_generalize(v, '{"date": ["day", "week"]}', level)::tsrange), 'and of timestamp')
FROM unnest('{4714-11-24 00:00:00 BC,294276-12-31 23:59:59.999999}'::timestamp[]) AS v, generate_series(1, 3) AS level;
SELECT is((SELECT count(*) FROM generate_series(date '0015-01-01 BC', date '0015-12-31', '1 day') AS d, unnest('{month,quarter,year,decade}'::text[]) AS unit
  WHERE lower(anon_generalize(d::date, jsonb_build_object('date', ARRAY[unit]), 1)::daterange) <> date_trunc(unit, d)::date), 0::bigint,
  'units begin where date_trunc says');
SELECT is((SELECT count(*) FROM generate_series(timestamp '1999-12-20', timestamp '2000-02-01', '7 hours') AS d, unnest('{day,week}'::text[]) AS unit
  WHERE lower(anon_generalize(d, jsonb_build_object('date', ARRAY[unit]), 1)::tsrange) <> date_trunc(unit, d)), 0::bigint, 'also days and weeks');
SELECT is(anon_generalize(timestamp '2024-02-29 12:00', '{"cuts": [["2024-02-29 11:59:59.5", "2024-03-01"]]}', 1),
  '[2024-02-29 11:59:59.5,2024-03-01 00:00:00)', 'cuts of timestamps');

-- A number that the codes of categories use as a mark.
CREATE TABLE marked AS SELECT i % 4 AS age, -1 - i % 2 AS level, CASE i % 2 WHEN 0 THEN -1 END AS value FROM generate_series(1, 40) AS i;
SELECT is((SELECT array_agg(DISTINCT masked ->> 'level' ORDER BY masked ->> 'level') FROM anon_incognito('marked', '{level}', '{"level": {"cuts": [[-5, 5]]}}', 5)),
  '{"[-1,0)","[-2,-1)"}', '-1 is a number and no null');
SELECT is((SELECT value FROM anon_evaluate('marked', '{age}', 5, sensitive => '{value}', l => 2) WHERE measure = 'smallest_class'), 10::float8,
  'and beside nulls another value');

-- By rules.
SELECT anon_hierarchy_prefix(5) AS zip, anon_hierarchy_prefix(5, 2, '#') AS zip2, anon_hierarchy_range('{10,20}', 5) AS age,
  anon_hierarchy_fanout(0, 100, 0.5, 10) AS score, anon_hierarchy_date() AS born, anon_hierarchy_date('{day,week}') AS seen \gset
SELECT is(jsonb_build_array(:'zip'::jsonb, :'zip2'::jsonb, :'age'::jsonb, :'score'::jsonb, :'seen'::jsonb),
  '[{"prefix": 5}, {"prefix": 5, "step": 2, "mask": "#"}, {"range": [10, 20], "origin": 5},
    {"range": [0.5, 5.0, 50.0], "low": 0, "high": 100}, {"date": ["day", "week"]}]', 'what is built is what can be written');
SELECT is(ARRAY[pg_temp.height(:'zip'), pg_temp.height(:'zip2'), pg_temp.height(:'age'), pg_temp.height(:'score'),
  pg_temp.height(:'born')], '{5,3,3,4,5}', 'how high they are');
SELECT is(ARRAY(SELECT anon_generalize('02138', :'zip', level) FROM generate_series(0, 5) AS level ORDER BY level),
  '{02138,0213*,021**,02***,0****,*****}', 'postal codes');
SELECT is(anon_generalize('02138', :'zip2', 2), '0####', 'and another mask');
SELECT is(anon_generalize('021', :'zip', 1), '021**', 'a short text is filled up');
SELECT is(ARRAY(SELECT anon_generalize(a, :'age', 1) FROM unnest('{4,5,14,15,-6}'::int[]) WITH ORDINALITY AS u(a, i) ORDER BY i),
  '{"[-5,5)","[5,15)","[5,15)","[15,25)","[-15,-5)"}', 'from the origin in both directions');
SELECT is(anon_generalize(17.5, :'age', 2) || anon_generalize(17.5::float8, :'age', 3), '[5,25)(,)', 'any number');
SELECT is(anon_generalize(99.99, :'score', 1) || anon_generalize(99.99, :'score', 3), '[99.5,100)[50,100)', 'its ranges');
SELECT is(ARRAY(SELECT anon_generalize(date '2024-02-29', :'born', level) FROM generate_series(1, 5) AS level ORDER BY level),
  '{"[2024-02-01,2024-03-01)","[2024-01-01,2024-04-01)","[2024-01-01,2025-01-01)","[2020-01-01,2030-01-01)","(,)"}',
  'month, quarter, year, decade');
SET LOCAL timezone = 'Asia/Tokyo';
SET LOCAL datestyle = 'German';
SELECT is(anon_generalize(timestamptz '2024-02-29 23:30+00', :'seen', 1), '[2024-02-29 00:00:00+00,2024-03-01 00:00:00+00)',
  'whatever the settings of the session');
RESET timezone;
RESET datestyle;

-- By frequency.
CREATE TABLE incomes AS SELECT i, i * i AS income, CASE WHEN i % 10 > 0 THEN 7 ELSE i END AS mostly,
  date '2020-01-01' + i AS day, 'x' AS text, 1 AS same FROM generate_series(1, 1000) AS i;
SELECT anon_hierarchy_auto('incomes', 'income', 2, 3) AS income, anon_hierarchy_auto('incomes', 'mostly', 4, 1) AS mostly,
  anon_hierarchy_auto('incomes', 'day', 3, 1) AS day \gset
SELECT is(pg_temp.height(:'income'), 4, 'automatic levels');
SELECT is(anon_hierarchy_auto('incomes', 'income', 2, 2), '{"cuts": [[63001, 251001, 564001], [251001]]}', 'whose cuts are values of the data');
SELECT results_eq(format($$ SELECT count(*) FROM incomes GROUP BY anon_generalize(income, %L::jsonb, 1) $$, :'income'),
  $$ SELECT 125::bigint FROM generate_series(1, 8) $$, 'of like frequency');
SELECT is(count(DISTINCT anon_generalize(income, :'income', 2)), 4::bigint, 'two together') FROM incomes;
SELECT ok(bool_and(anon_generalize(income, :'income', 1)::int8range <@ anon_generalize(income, :'income', 2)::int8range
    AND income::bigint <@ anon_generalize(income, :'income', 1)::int8range), 'a tree that contains its values') FROM incomes;
SELECT is(pg_temp.height(:'mostly'), 2, 'where one value is most');
SELECT is(pg_temp.height(:'day'), 2, 'days');
SELECT ok(bool_and(day <@ anon_generalize(day, :'day', 1)::daterange), 'are published as ranges of days') FROM incomes;

-- Refusals state the level and the number of values, but never a value.
CREATE TABLE bad (a text, b text, c text);
INSERT INTO bad VALUES ('v1', 'x', 'p'), ('v2', 'x', 'q'), ('v3', 'x', 'q'), ('v4', 'y', 'q');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_table('bad') $$), '22000 | the hierarchy is not a tree | '
  'At level 1, 3 values have a label that is part of several labels of the level above.', 'not a tree');
UPDATE bad SET c = 'q';
INSERT INTO bad VALUES ('v4', 'y', 'q'), ('v3', 'x', 'q'), ('v5', 'x', 'q');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_table('bad') $$),
  '22000 | the hierarchy has a value twice | Level 0 has 2 values more than once.', 'a value twice');
DELETE FROM bad WHERE a IN ('v3', 'v4');
UPDATE bad SET b = NULL WHERE a = 'v5';
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_table('bad') $$),
  '22000 | a label of the hierarchy is null | Level 1 is null for 1 values.', 'a null');
TRUNCATE bad;
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_table('bad') $$),
  '22000 | a hierarchy needs values | The table has no rows.', 'no rows');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_table('bad', '{d}') $$), '42703 | column "d" does not exist | The columns are "a", "b", "c".', 'no column');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_prefix(0) $$),
  '22023 | prefix must be an integer of at least 1', 'no length');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_range('{10,25}') $$),
  '22023 | the hierarchy is not a tree | The width of level 2 is not a multiple of the one before.', 'widths that do not nest');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_date('{week,month}') $$),
  '22023 | the hierarchy is not a tree | A week can be part of two months, quarters, years or decades.', 'weeks do not nest');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_auto('incomes', 'same') $$),
  '22000 | column "same" cannot have an automatic hierarchy | It has fewer than two distinct values.', 'one value');
SELECT is(pg_temp.failure($$ SELECT anon_generalize('sesame', '{"table": "education"}', 1) $$),
  '22000 | a value has no leaf in the hierarchy', 'a value without a leaf');
SELECT is(pg_temp.failure($$ SELECT anon_generalize('Masters', '{"table": "education"}', 4) $$),
  '22023 | the hierarchy has no level 4 | Its levels are 0, the values themselves, to 3.', 'a level too high');
SELECT is(pg_temp.failure($$ SELECT anon_generalize(101.5, '{"range": [0.5], "high": 100}', 1) $$),
  '22000 | a value has no leaf in the hierarchy', 'out of bounds');
SELECT is(pg_temp.failure($$ SELECT anon_generalize('Masters', '{"date": ["year"]}', 1) $$), '42804 | the hierarchy is not about values of this type | '
  'It is about dates and timestamps, and the values are of type text.', 'a text is no date');
SELECT is(pg_temp.failure($$ SELECT anon_generalize(1, '{"table": "nowhere"}', 1) $$), '42P01 | relation "nowhere" does not exist', 'no such table');
SELECT is(pg_temp.failure(format('SELECT anon_generalize(1, %L, 1)', hierarchy)), message, hierarchy)
FROM (VALUES
  ('"age"', '22023 | a hierarchy must be an object'), ('[5]', '22023 | a hierarchy must be an object'),
  ('{}', '22023 | the hierarchy is of no known kind'), ('{"fold": 5}', '22023 | the hierarchy is of no known kind'),
  ('{"prefix": 5, "origin": 3}', '22023 | unknown parameter "origin" | A hierarchy of kind "prefix" does not have it.'),
  ('{"prefix": 5, "range": [5]}', '22023 | unknown parameter "range" | A hierarchy of kind "prefix" does not have it.'),
  ('{"prefix": "5"}', '22023 | parameter "prefix" must be a number'), ('{"prefix": 101}', '22023 | "prefix" must have 1 to 99 levels'),
  ('{"prefix": 5, "mask": "**"}', '22023 | length must be 1 to 1000, step 1 to length, and mask a single character'),
  ('{"range": 5}', '22023 | parameter "range" must be an array of numbers'), ('{"range": []}', '22023 | "range" must have 1 to 99 levels'),
  ('{"range": [5, "x"]}', '22023 | parameter "range" must be an array of numbers'), ('{"range": [-5]}', '22023 | widths must be finite and above 0'),
  ('{"range": [5], "low": 9, "high": 9}', '22023 | low must be below high'),
  ('{"date": ["century"]}', '22023 | levels must be an array of units of time'),
  ('{"date": ["year", "month"]}', '22023 | levels must be in the order of their length | The order is day, week, month, quarter, year, decade.'),
  ('{"cuts": [1, 2]}', '22023 | parameter "cuts" must be an array of arrays'), ('{"cuts": [[]]}', '22023 | a level of cuts must have one'),
  ('{"cuts": [[1, 1]]}', '22023 | the cuts of each level must ascend'),
  ('{"cuts": [[1, 3], [2]]}', '22023 | the hierarchy is not a tree | A cut of level 2 is none of the level below.'),
  ('{"cuts": [["now"]]}', '22023 | parameter "cuts" must be an array of arrays, of numbers or of dates written as 2024-02-29'),
  ('{"cuts": [["2023-02-29"]]}', '22023 | parameter "cuts" must be an array of arrays, of numbers or of dates written as 2024-02-29'),
  ('{"table": 5}', '22023 | parameter "table" must be the name of a table'),
  ('{"table": "numbers", "columns": []}', '22023 | a hierarchy needs a column for its values')) AS wrong (hierarchy, message);
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_range('{5,NaN}') $$), '22023 | parameter "range" must be an array of numbers', 'no number');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_fanout(0, 1e200, 1, 2) $$), '22023 | "range" must have 1 to 99 levels', 'too high');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_prefix(NULL) $$), '22004 | length must not be null', 'a null');
SELECT is(pg_temp.failure($$ SELECT anon_mdav('bad', '{a}', 1, hierarchies => '{"a": {"prefix": "five"}}') $$),
  '22023 | parameter "hierarchies.a.prefix" must be a number', 'the column is named');

-- Recoding by them.
CREATE TABLE people AS
SELECT i, i % 83 AS age, (ARRAY['11th', '12th', 'Bachelors', 'Masters', 'Doctorate'])[1 + i % 83 / 17] AS school,
  date '1950-01-01' + i * 37 % 9000 AS born, (ARRAY['F', 'M'])[1 + i % 2] AS sex, nullif(i % 9, 0) AS pay,
  nullif('v' || i % 7, 'v0') AS gap FROM generate_series(1, 500) AS i;
SELECT is((SELECT rows FROM anon_publish('recoded', 'people', '{age,school,born,sex,pay}', 4, method => 'mdav', params => '{"nulls": "stratify",
  "recode": "hierarchy", "hierarchies": {"age": {"range": [10, 20], "origin": 5}, "school": {"table": "education"}, "born": {"date": ["month", "quarter", "year", "decade"]}}}')), 500::bigint, 'a release by hierarchies');
SELECT is(string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum), 'int4range text daterange text int4range', 'its types')
FROM pg_attribute WHERE attrelid = 'recoded'::regclass AND attnum > 0;
SELECT lives_ok($$ SELECT anon_assert('recoded', '{age,school,born,sex,pay}', k => 4) $$, 'is k-anonymous');
SELECT ok(bool_and(school IN ('11th', '12th', 'Bachelors', 'Masters', 'Doctorate', 'school', 'university', 'higher', 'lower', 'doctorate', '*')
  AND sex IN ('F', 'M', '*') AND (upper(age) - lower(age) IN (1, 10, 20) OR age = '(,)')), 'and made of labels') FROM recoded;
SELECT is((SELECT rows FROM anon_refresh('recoded')), 500::bigint, 'and refreshed');

-- Every record lies within its published cells, at the lowest common ancestor of its class.
SELECT ok(bool_and(p.age <@ (m.masked->>'age')::int4range AND p.born <@ (m.masked->>'born')::daterange
  AND m.masked->>'school' IN (SELECT anon_generalize(p.school, :'education', level) FROM generate_series(0, 3) AS level)),
  'what is published contains each record')
FROM anon_mdav('people', '{age,school,born}', 4, recode => 'hierarchy',
  hierarchies => '{"age": {"range": [10, 20], "origin": 5}, "school": {"table": "education"}, "born": {"date": ["month", "quarter", "year", "decade"]}}') AS m JOIN people AS p ON p.ctid = m.source;
SELECT is(masked->>'gap', '*', 'a class with null and others is suppressed')
FROM anon_mdav('people', '{gap}', 500, recode => 'hierarchy') LIMIT 1;

-- t-closeness by the hierarchical distance.
SELECT is((SELECT rows FROM anon_publish('close', 'people', '{age}', 4, method => 'tclose', sensitive => '{school}',
  params => '{"t": 0.25, "hierarchies": {"school": {"table": "education"}}}')), 500::bigint, 'a t-close release');
SELECT lives_ok($$ SELECT anon_assert('close', '{age}', '{school}', t => 0.25, hierarchies => '{"school": {"table": "education"}}') $$, 'is t-close');
SELECT cmp_ok((SELECT level FROM anon_audit('close', '{age}', '{school}', hierarchies => '{"school": {"table": "education"}}') WHERE model = 't-closeness'), '<',
  (SELECT level FROM anon_audit('close', '{age}', '{school}') WHERE model = 't-closeness'), 'near values count less than far ones');
SELECT is(pg_temp.failure($$ SELECT anon_mdav('people', '{age,gap}', 4, recode => 'hierarchy', hierarchies => '{"gap": {"table": "education"}}') $$),
  '22000 | column "gap" has values without a leaf in its hierarchy | Distinct values without a leaf: 6 of 6.', 'values without a leaf');
SELECT is(pg_temp.failure($$ SELECT anon_mdav('people', '{school}', 4, recode => 'hierarchy', hierarchies => '{"school": {"range": [5]}}') $$),
  '42804 | the hierarchy of column "school" is not about values of its type | It is about numbers, and the values are of type text.',
  'intervals of texts');
SELECT is(pg_temp.failure($$ SELECT anon_mdav('people', '{school}', 4, hierarchies => '{"age": {"range": [5]}}') $$),
  '22023 | column "age" has a hierarchy, but is neither quasi-identifier nor sensitive', 'a column that takes no part');

-- The release depends on its table of labels: dropping it is refused, renaming it is harmless.
SELECT is(pg_temp.failure('DROP TABLE education'), '2BP01 | cannot drop table education because other objects depend on it | ' ||
  E'materialized view recoded depends on table education\nmaterialized view close depends on table education', 'not under a release');
SELECT is(spec->'hierarchies'->'school', '{"table": "public.education"}', 'its name is shown') FROM anon_releases WHERE release = 'recoded'::regclass;
CREATE SCHEMA elsewhere;
ALTER TABLE education RENAME TO "Our ""schools";
ALTER TABLE "Our ""schools" SET SCHEMA elsewhere;
SELECT is((SELECT rows FROM anon_refresh('recoded')), 500::bigint, 'a refresh finds it under another name');
SELECT is(spec->'hierarchies'->'school', '{"table": "elsewhere.\"Our \"\"schools\""}', 'which is shown') FROM anon_releases WHERE release = 'recoded'::regclass;
DELETE FROM elsewhere."Our ""schools" WHERE value = 'Masters';
SELECT is(pg_temp.failure($$ SELECT anon_refresh('recoded') $$), '22000 | column "school" has values without a leaf in its hierarchy | '
  'Distinct values without a leaf: 1 of 5.', 'it is read at each refresh');
CREATE TEMP TABLE fleeting (a text);
SELECT is(pg_temp.failure($$ SELECT anon_publish('bad_release', 'people', '{school}', 4, 'mdav', params =>
  '{"recode": "hierarchy", "hierarchies": {"school": {"table": "fleeting"}}}') $$),
  '0A000 | cannot publish a release of a temporary table or view', 'a temporary table');
SELECT is(pg_temp.failure($$ SELECT anon_publish('pg_temp.bad_release', 'people', '{age}', 4, 'mdav') $$), '0A000 | a release cannot be temporary', 'a temporary schema');
SELECT is(pg_temp.failure($$ SELECT anon_publish('pg_temp.bad_release', 'people', '{age}', 4, 'mdav', key => '{id}') $$), '0A000 | a release cannot be temporary', 'and with a key');
SELECT is(pg_temp.failure($$ SELECT * FROM anon_release('people', '{"method": "mdav", "k": 4, "qi": ["school"], "hierarchies": {"school": {"table": 2}}}',
  ARRAY['bad'::regclass]) AS r(school text) $$), '42P01 | the release does not name a relation of its spec', 'a place that there is not');

-- The label a** and the value a**: readers see one class.
CREATE TABLE starred AS SELECT unnest('{a,a,a,ab,ac,ad,a**,a**,b,b,b}'::text[]) AS code;
SELECT results_eq($$ SELECT class_id, class_size, masked ->> 'code', count(*)::int FROM anon_mdav('starred', '{code}', 3,
  hierarchies => '{"code": {"prefix": 3}}') GROUP BY 1, 2, 3 ORDER BY 1 $$,
  $$ VALUES (1, 8, 'a**', 8), (2, 3, 'b', 3) $$, 'classes of labels in one text are one class of a looking function');

SELECT * FROM finish();
ROLLBACK;
