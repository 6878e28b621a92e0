-- Codes as categories, and ordered labels: equivalent to casts in a view.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(55);

CREATE TABLE codes AS
SELECT i AS id, (i * i * 7 % 11 % 5) AS race, (1 + i % 2)::smallint AS sex, 20 + i * 37 % 61 AS age,
  (i * 13 % 4)::numeric(4,1) AS region, (i * 5 % 3)::float8 AS state, date '2020-01-01' + i % 3 AS day,
  format('[%s-%s)', 10 * (i * i % 13), 10 * (i * i % 13) + 10) AS band,
  (ARRAY['young', 'middle', 'old'])[1 + i * i % 7 % 3] AS phase, (i * 11 % 6) AS illness,
  CASE WHEN i % 9 > 0 THEN i * 5 % 4 END AS gaps
FROM generate_series(1, 90) AS i;
CREATE VIEW texts AS SELECT id, race::text, sex::text, age, region::text, state::text, day::text, gaps::text, illness::text,
  illness AS number FROM codes;

-- ---- A category is its text ------------------------------------------------------------------------

-- The rows of a method by the number of their record, values as texts.
CREATE FUNCTION looked(method text, tbl text, arguments text) RETURNS TABLE (id text, class int, masked jsonb) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT m.masked ->> ''id'', m.class_id, (SELECT jsonb_object_agg(key, value)
    FROM jsonb_each_text(m.masked)) FROM anon_%s(%L, %s, keep => ''{id}'') AS m ORDER BY (m.masked ->> ''id'')::int',
    method, tbl, arguments);
END $$;
CREATE TABLE calls (method text, arguments text);
INSERT INTO calls VALUES
  ('mdav', 'qi => ''{race,sex,age}'', k => 4'),
  ('mdav', 'qi => ''{race,region,state,day}'', k => 4'),
  ('mdav', 'qi => ''{gaps,age}'', k => 4'),
  ('vmdav', 'qi => ''{race,age}'', k => 4, gamma => 0.3'),
  ('microaggregate', 'qi => ''{race,sex,age}'', k => 4'),
  ('microaggregate', 'qi => ''{race,age}'', k => 4, recode => ''range'''),
  ('microaggregate', 'qi => ''{race,age}'', k => 4, sensitive => ''{illness}'', t => 0.5'),
  ('mondrian', 'qi => ''{race,sex,age}'', k => 4'),
  ('mondrian', 'qi => ''{race,age}'', k => 4, hierarchies => ''{"race": {"prefix": 1}}'''),
  ('tclose', 'qi => ''{race,age}'', k => 4, sensitive => ''{illness}'', t => 0.4'),
  ('kpqr', 'qi => ''{race,age}'', k => 4, sensitive => ''{illness}'', p => 2, q => 0.2, r => 0.1'),
  ('psensitive', 'qi => ''{race,age}'', k => 4, sensitive => ''{illness}'', p => 2'),
  ('incognito', 'qi => ''{race,sex,region}'', k => 4, hierarchies => ''{"race": {"prefix": 1}}''');
-- Columns that the call does not use are not named.
CREATE FUNCTION named(arguments text) RETURNS text LANGUAGE sql AS $$
  SELECT format('categories => %L', array_agg(c)::text) FROM unnest('{race,sex,region,state,day,gaps,illness}'::text[]) AS c
  WHERE arguments ~ ('[{,]' || c || '[,}]') $$;
SELECT results_eq(
  format('SELECT * FROM looked(%L, ''codes'', %L)', method, arguments || ', ' || named(arguments)),
  format('SELECT * FROM looked(%L, ''texts'', %L)', method, arguments), format('%s(%s)', method, arguments))
FROM calls;

-- The release keeps the type, and publishes a code of some record.
SELECT rows FROM anon_publish('coded', 'codes', '{race,sex,age}', 4, sensitive => '{illness}', t => 0.5,
  categories => '{race,sex,illness}') \g /dev/null
SELECT results_eq($$ SELECT attname::text COLLATE "default", format_type(atttypid, atttypmod) FROM pg_attribute
  WHERE attrelid = 'coded'::regclass AND attnum > 0 ORDER BY attnum $$,
  $$ VALUES ('race', 'integer'), ('sex', 'smallint'), ('age', 'integer'), ('illness', 'integer') $$, 'types are kept');
SELECT is_empty($$ SELECT race FROM coded EXCEPT SELECT race FROM codes $$, 'codes are those of the source');
SELECT results_eq($$ SELECT race::text, sex::text, age, illness::text FROM coded ORDER BY 1, 2, 3, 4 $$, $$
  SELECT masked ->> 'race', masked ->> 'sex', (masked ->> 'age')::int, masked ->> 'illness'
  FROM anon_microaggregate('texts', '{race,sex,age}', 4, sensitive => '{illness}', t => 0.5) ORDER BY 1, 2, 3, 4 $$,
  'and the rows those of the view');
SELECT results_eq($$ SELECT model, attribute, level FROM anon_audit('coded') $$,
  $$ SELECT model, attribute, level FROM anon_audit('coded', '{race,sex,age}', '{illness}', categories => '{illness}') $$,
  'an audit of the release knows the categories');
SELECT isnt((SELECT level FROM anon_audit('coded') WHERE model = 't-closeness'),
  (SELECT level FROM anon_audit('coded', '{race,sex,age}', '{illness}') WHERE model = 't-closeness'),
  'whose distance is another one than that of numbers');
SELECT is((SELECT level FROM anon_audit('codes', '{sex}', '{illness}', categories => '{illness}') WHERE model = 't-closeness'),
  (SELECT level FROM anon_audit('texts', '{sex}', '{illness}') WHERE model = 't-closeness'), 'that of texts');
SELECT lives_ok($$ SELECT anon_assert('coded', k => 4, t => 0.5) $$, 'and it keeps what is promised');
UPDATE codes SET age = age + 1 WHERE id % 3 = 0;
SELECT lives_ok($$ SELECT anon_refresh('coded') $$, 'it can be refreshed');
SELECT is_empty($$ SELECT race FROM coded EXCEPT SELECT race FROM codes $$, 'and goes on publishing codes');
SELECT rows FROM anon_publish('lasting', 'codes', '{race,age}', 4, key => '{id}', categories => '{race}') \g /dev/null
DELETE FROM codes WHERE id % 10 = 0;
SELECT lives_ok($$ SELECT anon_refresh('lasting') $$, 'also with a key');
SELECT is_empty($$ SELECT race FROM lasting EXCEPT SELECT race FROM codes $$, 'whose versions publish codes');
SELECT is((SELECT value FROM anon_evaluate('codes', '{race,age}', 4, 'mdav', categories => '{race}') WHERE measure = 'loss'),
  (SELECT value FROM anon_evaluate('texts', '{race,age}', 4, 'mdav') WHERE measure = 'loss'), 'anon_evaluate');
SELECT is((SELECT value FROM anon_evaluate('codes', '{race,age}', 4, 'mdav', params => '{"categories": ["race"]}')
  WHERE measure = 'loss'), (SELECT value FROM anon_evaluate('texts', '{race,age}', 4, 'mdav') WHERE measure = 'loss'),
  'and params');

-- Attacks compare codes as texts, too.
CREATE TABLE masked AS SELECT (m.masked ->> 'race')::int AS race, (m.masked ->> 'age')::int AS age, (m.masked ->> 'illness')::int AS illness
FROM anon_mdav('codes', '{race,age}', 4, keep => '{illness}', categories => '{race}') AS m;
CREATE VIEW masked_texts AS SELECT race::text, age, illness::text FROM masked;
SELECT results_eq($$ SELECT * FROM anon_linkage('codes', 'masked', '{race,age}', categories => '{race}') $$,
  $$ SELECT * FROM anon_linkage('texts', 'masked_texts', '{race,age}') $$, 'linkage');
SELECT results_eq($$ SELECT * FROM anon_infer('codes', 'masked', '{race,age}', '{illness}', categories => '{race,illness}') $$,
  $$ SELECT * FROM anon_infer('texts', 'masked_texts', '{race,age}', '{illness}') $$, 'inference');

-- Values of a type without an order are published as texts.
CREATE TABLE shapes AS SELECT i AS id, format('{"a": %s}', i % 3)::json AS shape, i * 7 % 23 AS age FROM generate_series(1, 30) AS i;
SELECT rows FROM anon_publish('shaped', 'shapes', '{shape,age}', 3, categories => '{shape}') \g /dev/null
SELECT is((SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'shaped'::regclass AND attname = 'shape'),
  'text', 'a type that cannot be grouped becomes text');

-- ---- Labels in order are an enum -------------------------------------------------------------------

DO $$ BEGIN
  EXECUTE 'CREATE TYPE bands AS ENUM (' || (SELECT string_agg(quote_literal(band), ', ' ORDER BY n)
    FROM (SELECT DISTINCT band, substring(band, '\d+')::int AS n FROM codes) AS b) || ')';
END $$;
CREATE TYPE phases AS ENUM ('young', 'middle', 'late', 'old');
CREATE VIEW ranked AS SELECT id, age, band::bands, phase::phases, illness FROM codes;
INSERT INTO calls VALUES
  ('mdav', 'qi => ''{band,phase,age}'', k => 3'), ('microaggregate', 'qi => ''{band,phase,age}'', k => 3'),
  ('microaggregate', 'qi => ''{band,age}'', k => 3, recode => ''range'''), ('mondrian', 'qi => ''{band,phase}'', k => 3'),
  ('tclose', 'qi => ''{band,phase}'', k => 3, sensitive => ''{illness}'', t => 0.4');
SELECT results_eq(
  format('SELECT * FROM looked(%L, ''codes'', %L)', method, arguments || ', ordered => ''{band}'''
    || CASE WHEN arguments LIKE '%phase%' THEN ', orders => ''{"phase": ["young", "middle", "late", "old"]}''' ELSE '' END),
  format('SELECT * FROM looked(%L, ''ranked'', %L)', method, arguments), format('%s(%s)', method, arguments))
FROM calls WHERE arguments LIKE '%band%';
SELECT rows FROM anon_publish('banded', 'codes', '{band,age}', 4, ordered => '{band}') \g /dev/null
SELECT is_empty($$ SELECT band FROM banded EXCEPT SELECT band FROM codes $$, 'a label of the source is published');
SELECT lives_ok($$ SELECT anon_refresh('banded') $$, 'again and again');

-- ---- Equal values with several texts -----------------------------------------------------------

-- 24 hours are a day: a class of both has one value, with or without a list of categories.
CREATE TABLE stays AS
SELECT i * 7 % 30 AS age, (ARRAY['24 hours', '1 day', '24:00', '2 days'])[1 + i * i % 11 % 4]::interval AS duration
FROM generate_series(1, 120) AS i;
SELECT rows FROM anon_publish('stays_plain', 'stays', '{age}', 3, sensitive => '{duration}', params => '{"p": 2}') \g /dev/null
SELECT rows FROM anon_publish('stays_coded', 'stays', '{age}', 3, 'psensitive', sensitive => '{duration}',
  categories => '{duration}', p => 2) \g /dev/null
SELECT results_eq(format('SELECT min(n)::int FROM (SELECT count(DISTINCT duration) AS n FROM %I GROUP BY age) AS c', release), '{2}'::int[], release)
FROM unnest('{stays_plain,stays_coded}'::text[]) AS release;
SELECT bag_eq($$ SELECT model, level FROM anon_audit('stays_plain', '{age}', '{duration}') $$,
  $$ SELECT model, level FROM anon_audit('stays_plain', '{age}', '{duration}', categories => '{duration}') $$, 'an audit');
SELECT throws_ok($$ SELECT anon_assert('stays', '{age}', '{duration}', p => 2, categories => '{duration}') $$, NULL, NULL,
  'texts are no values');

-- ---- Refusals -------------------------------------------------------------------------------------

SELECT throws_ok(format('SELECT anon_mdav(''codes'', ''{age,race,band,phase}'', 3, %s)', arguments), state, message, message)
FROM (VALUES
  ('categories => ''{id}''', '22023', 'column "id" of categories is neither quasi-identifier nor sensitive'),
  ('categories => ''{nobody}''', '42703', 'column "nobody" does not exist'),
  ('keep => ''{day}'', categories => ''{day}''', '22023', 'column "day" of categories is neither quasi-identifier nor sensitive'),
  ('ordered => ''{id}''', '22023', 'column "id" of ordered is no quasi-identifier'),
  ('orders => ''{"id": ["1"]}''', '22023', 'column "id" of orders is no quasi-identifier'),
  ('ordered => ''{age}''', '42804', 'column "age" of type integer cannot be ordered by the numbers in its texts'),
  ('ordered => ''{phase}''', '22000', 'column "phase" has values without a place in its order'),
  ('orders => ''{"phase": ["young", "old"]}''', '22000', 'column "phase" has values without a place in its order'),
  ('orders => ''{"phase": ["young", "old", "young"]}''', '22023', 'the order of column "phase" names a value twice'),
  ('orders => ''{"phase": "young"}''', '22023', 'parameter "orders" must be an object of columns and arrays of values'),
  ('ordered => ''{band}'', categories => ''{band}''', '22023', 'column "band" is in two of categories, ordered and orders'),
  ('ordered => ''{band}'', orders => ''{"band": ["x"]}''', '22023', 'column "band" is in two of categories, ordered and orders')
) AS e(arguments, state, message);
SELECT throws_ok($$ SELECT anon_tclose('codes', '{age}', '{phase}', 3, 0.5, ordered => '{phase}') $$, '22023',
  'column "phase" of ordered is no quasi-identifier', 'a sensitive column is ordered as an enum');
SELECT throws_ok($$ SELECT anon_evaluate('codes', '{age}', 3, 'univariate', categories => '{age}') $$, '22023',
  'method "univariate" has no parameter "categories"', 'a method of numbers');
SELECT throws_ok($$ SELECT anon_evaluate('codes', '{age,race}', 3, 'aggregate', categories => '{age}') $$, '22023',
  'method "aggregate" has no parameter "categories"', 'and of aggregates');

SELECT * FROM finish();
ROLLBACK;
