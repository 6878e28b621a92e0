-- Hierarchies: how they are made, what they refuse, and what is recoded and measured by them.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(63);

-- What a statement says when it fails, detail included.
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
SELECT is(anon_hierarchy_from_table('education', 'education'), 3, 'a root is put above several labels');
SELECT is(ARRAY(SELECT anon_generalize('Masters', 'education', level) FROM generate_series(0, 3) AS level ORDER BY level),
  '{Masters,university,higher,*}', 'every level of a text');
SELECT is(anon_hierarchy_from_table('flat', 'education', '{value}'), 1, 'a column alone is suppressed or not');
SELECT is(anon_hierarchy_from_table('two', 'education', '{value,kind}'), 2, 'some of the columns');
SELECT is(anon_generalize(NULL::text, 'education', 1), NULL, 'null stays null');
SELECT results_eq($$ SELECT level, labels FROM anon_hierarchy_levels('education') $$,
  $$ VALUES (0, 5::bigint), (1, 3::bigint), (2, 2::bigint), (3, 1::bigint) $$, 'its levels');
SELECT is(format('%s %s %s', kind, levels, leaves), 'table 3 5', 'its entry')
FROM anon_hierarchies WHERE name = 'education' AND owner = current_user;

-- Numbers find their leaf however they are spelled; texts that only look like numbers stay texts.
CREATE TABLE numbers (value text, label text);
INSERT INTO numbers VALUES ('17', 'low'), ('18.0', 'low'), ('30', 'high'), ('007', 'low'), ('7', 'high');
SELECT is(anon_hierarchy_from_table('numbers', 'numbers'), 2, 'numbers as texts');
SELECT is(anon_generalize(17.00, 'numbers', 1), 'low', 'a numeric');
SELECT is(anon_generalize(18, 'numbers', 1), 'low', 'an integer');
SELECT is(anon_generalize('007'::varchar, 'numbers', 1) || anon_generalize('7', 'numbers', 1), 'lowhigh', 'texts');
SELECT is(pg_temp.failure($$ SELECT anon_generalize(7, 'numbers', 1) $$),
  '22000 | a value has no leaf in hierarchy "numbers"', 'two leaves that are one number are none');

-- By rules.
SELECT is(anon_hierarchy_prefix('zip', 5), 5, 'prefixes');
SELECT is(ARRAY(SELECT anon_generalize('02138', 'zip', level) FROM generate_series(0, 5) AS level ORDER BY level),
  '{02138,0213*,021**,02***,0****,*****}', 'postal codes');
SELECT is(anon_hierarchy_prefix('zip2', 5, 2, '#'), 3, 'two characters at a time');
SELECT is(anon_generalize('02138', 'zip2', 2), '0####', 'and another mask');
SELECT is(anon_generalize('021', 'zip', 1), '021**', 'a short text is filled up');
SELECT is(anon_hierarchy_range('age', '{10,20}', 5), 3, 'ranges');
SELECT is(ARRAY(SELECT anon_generalize(a, 'age', 1) FROM unnest('{4,5,14,15,-6}'::int[]) WITH ORDINALITY AS u(a, i) ORDER BY i),
  '{"[-5,5)","[5,15)","[5,15)","[15,25)","[-15,-5)"}', 'from the origin in both directions');
SELECT is(anon_generalize(17.5, 'age', 2) || anon_generalize(17.5::float8, 'age', 3), '[5,25)(,)', 'any number');
SELECT is(anon_hierarchy_fanout('score', 0, 100, 0.5, 10), 4, 'a fan-out');
SELECT is(anon_generalize(99.99, 'score', 1) || anon_generalize(99.99, 'score', 3), '[99.5,100)[50,100)', 'its ranges');
SELECT is(anon_hierarchy_date('born'), 5, 'dates');
SELECT is(ARRAY(SELECT anon_generalize(date '2024-02-29', 'born', level) FROM generate_series(1, 5) AS level ORDER BY level),
  '{"[2024-02-01,2024-03-01)","[2024-01-01,2024-04-01)","[2024-01-01,2025-01-01)","[2020-01-01,2030-01-01)","(,)"}',
  'month, quarter, year, decade');
SELECT is(anon_hierarchy_date('seen', '{day,week}'), 3, 'weeks at the end');
SET LOCAL timezone = 'Asia/Tokyo';
SET LOCAL datestyle = 'German';
SELECT is(anon_generalize(timestamptz '2024-02-29 23:30+00', 'seen', 1), '[2024-02-29 00:00:00+00,2024-03-01 00:00:00+00)',
  'whatever the settings of the session');
RESET timezone;
RESET datestyle;

-- By frequency.
CREATE TABLE incomes AS SELECT i, i * i AS income, CASE WHEN i % 10 > 0 THEN 7 ELSE i END AS mostly,
  date '2020-01-01' + i AS day, 'x' AS text, 1 AS same FROM generate_series(1, 1000) AS i;
SELECT is(anon_hierarchy_auto('income', 'incomes', 'income', 2, 3), 4, 'automatic levels');
SELECT results_eq($$ SELECT count(*) FROM incomes GROUP BY anon_generalize(income, 'income', 1) $$,
  $$ SELECT 125::bigint FROM generate_series(1, 8) $$, 'of like frequency');
SELECT is(count(DISTINCT anon_generalize(income, 'income', 2)), 4::bigint, 'two together') FROM incomes;
SELECT ok(bool_and(anon_generalize(income, 'income', 1)::int8range <@ anon_generalize(income, 'income', 2)::int8range
    AND income::bigint <@ anon_generalize(income, 'income', 1)::int8range), 'a tree that contains its values') FROM incomes;
SELECT is(anon_hierarchy_auto('mostly', 'incomes', 'mostly', 4, 1), 2, 'where one value is most');
SELECT is(anon_hierarchy_auto('day', 'incomes', 'day', 3, 1), 2, 'days');
SELECT ok(bool_and(day <@ anon_generalize(day, 'day', 1)::daterange), 'are published as ranges of days') FROM incomes;

-- What is refused: the level and how many values, and no value.
CREATE TABLE bad (a text, b text, c text);
INSERT INTO bad VALUES ('v1', 'x', 'p'), ('v2', 'x', 'q'), ('v3', 'x', 'q'), ('v4', 'y', 'q');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_from_table('bad', 'bad') $$), '22000 | the hierarchy is not a tree | '
  'At level 1, 3 values have a label that is part of several labels of the level above.', 'not a tree');
UPDATE bad SET c = 'q';
INSERT INTO bad VALUES ('v4', 'y', 'q'), ('v3', 'x', 'q'), ('v5', 'x', 'q');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_from_table('bad', 'bad') $$),
  '22000 | the hierarchy has a value twice | Level 0 has 2 values more than once.', 'a value twice');
DELETE FROM bad WHERE a IN ('v3', 'v4');
UPDATE bad SET b = NULL WHERE a = 'v5';
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_from_table('bad', 'bad') $$),
  '22000 | a label of the hierarchy is null | Level 1 is null for 1 values.', 'a null');
TRUNCATE bad;
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_from_table('bad', 'bad') $$),
  '22000 | a hierarchy needs values | The table has no rows.', 'no rows');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_from_table('bad', 'bad', '{d}') $$), '42703 | column "d" does not exist', 'no column');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_prefix('age', 3) $$), '42710 | hierarchy "age" already exists', 'a name twice');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_prefix('p', 0) $$),
  '22023 | length must be 1 to 1000, step 1 to length, and mask a single character', 'no length');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_range('r', '{10,25}') $$),
  '22023 | the hierarchy is not a tree | The width of level 2 is not a multiple of the one before.', 'widths that do not nest');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_date('d', '{week,month}') $$),
  '22023 | the hierarchy is not a tree | A week can be part of two months, quarters, years or decades.', 'weeks do not nest');
SELECT is(pg_temp.failure($$ SELECT anon_hierarchy_auto('a', 'incomes', 'same') $$),
  '22000 | column "same" cannot have an automatic hierarchy | It has fewer than two distinct values.', 'one value');
SELECT is(pg_temp.failure($$ SELECT anon_generalize('sesame', 'education', 1) $$),
  '22000 | a value has no leaf in hierarchy "education"', 'a value without a leaf');
SELECT is(pg_temp.failure($$ SELECT anon_generalize('Masters', 'education', 4) $$),
  '22023 | hierarchy "education" has no level 4 | Its levels are 0, the values themselves, to 3.', 'a level too high');
SELECT is(pg_temp.failure($$ SELECT anon_generalize(101.5, 'score', 1) $$),
  '22000 | a value has no leaf in hierarchy "score"', 'out of bounds');
SELECT is(pg_temp.failure($$ SELECT anon_generalize('Masters', 'born', 1) $$), '42804 | hierarchy "born" is not about values of this type | '
  'It is of kind date, about values of class date; these are of class text.', 'a text is no date');
SELECT is(pg_temp.failure($$ SELECT anon_generalize(1, 'nowhere', 1) $$), '42704 | hierarchy "nowhere" does not exist', 'unknown');

-- Recoding by them.
CREATE TABLE people AS
SELECT i, i % 83 AS age, (ARRAY['11th', '12th', 'Bachelors', 'Masters', 'Doctorate'])[1 + i % 83 / 17] AS school,
  date '1950-01-01' + i * 37 % 9000 AS born, (ARRAY['F', 'M'])[1 + i % 2] AS sex, nullif(i % 9, 0) AS pay,
  nullif('v' || i % 7, 'v0') AS gap FROM generate_series(1, 500) AS i;
SELECT is((SELECT rows FROM anon_publish('recoded', 'people', '{age,school,born,sex,pay}', 4, method => 'mdav', params => '{"nulls": "stratify",
  "recode": "hierarchy", "hierarchies": {"age": "age", "school": "education", "born": "born"}}')), 500::bigint, 'a release by hierarchies');
SELECT is(string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum), 'int4range text daterange text int4range', 'its types')
FROM pg_attribute WHERE attrelid = 'recoded'::regclass AND attnum > 0;
SELECT lives_ok($$ SELECT anon_assert('recoded', '{age,school,born,sex,pay}', k => 4) $$, 'is k-anonymous');
SELECT ok(bool_and(school IN ('11th', '12th', 'Bachelors', 'Masters', 'Doctorate', 'school', 'university', 'higher', 'lower', 'doctorate', '*')
  AND sex IN ('F', 'M', '*') AND (upper(age) - lower(age) IN (1, 10, 20) OR age = '(,)')), 'and made of labels') FROM recoded;
SELECT is((SELECT rows FROM anon_refresh('recoded')), 500::bigint, 'and refreshed');

-- Every record lies in what is published of it, at the lowest common ancestor of its class.
SELECT ok(bool_and(p.age <@ (m.masked->>'age')::int4range AND p.born <@ (m.masked->>'born')::daterange
  AND m.masked->>'school' IN (SELECT anon_generalize(p.school, 'education', level) FROM generate_series(0, 3) AS level)),
  'what is published contains each record')
FROM anon_mdav('people', '{age,school,born}', 4, recode => 'hierarchy',
  hierarchies => '{"age": "age", "school": "education", "born": "born"}') AS m JOIN people AS p ON p.ctid = m.source;
SELECT is(masked->>'gap', '*', 'a class with null and others is suppressed')
FROM anon_mdav('people', '{gap}', 500, recode => 'hierarchy') LIMIT 1;

-- t-closeness by the hierarchical distance.
SELECT is((SELECT rows FROM anon_publish('close', 'people', '{age}', 4, method => 'tclose', sensitive => '{school}',
  params => '{"t": 0.25, "hierarchies": {"school": "education"}}')), 500::bigint, 'a t-close release');
SELECT lives_ok($$ SELECT anon_assert('close', '{age}', '{school}', t => 0.25, hierarchies => '{"school": "education"}') $$, 'is t-close');
SELECT cmp_ok((SELECT level FROM anon_audit('close', '{age}', '{school}', hierarchies => '{"school": "education"}') WHERE model = 't-closeness'), '<',
  (SELECT level FROM anon_audit('close', '{age}', '{school}') WHERE model = 't-closeness'), 'near values count less than far ones');
SELECT is(pg_temp.failure($$ SELECT anon_mdav('people', '{age,gap}', 4, recode => 'hierarchy', hierarchies => '{"gap": "education"}') $$),
  '22000 | column "gap" has values without a leaf in hierarchy "education" | Distinct values without a leaf: 6 of 6.', 'values without a leaf');
SELECT is(pg_temp.failure($$ SELECT anon_mdav('people', '{school}', 4, recode => 'hierarchy', hierarchies => '{"school": "age"}') $$),
  '42804 | hierarchy "age" is not about values of the type of column "school" | It has intervals, and the column is of type text.',
  'intervals of texts');
SELECT is(pg_temp.failure($$ SELECT anon_mdav('people', '{school}', 4, hierarchies => '{"age": "age"}') $$),
  '22023 | column "age" has a hierarchy, but is neither quasi-identifier nor sensitive', 'a column that takes no part');
SELECT lives_ok($$ SELECT anon_hierarchy_drop('age') $$, 'dropped');
SELECT is(pg_temp.failure($$ SELECT anon_refresh('recoded') $$), '42704 | hierarchy "age" does not exist', 'and missed at the next refresh');

SELECT * FROM finish();
ROLLBACK;
