-- Releases by swapping: exact columns, a secret that decides the rows, their verification, refusals.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE TYPE size AS ENUM ('small', 'middle', 'large');
CREATE DOMAIN score AS float8 CHECK (value >= 0);
CREATE TABLE people AS
SELECT i AS id, (i * i * 37 % 97)::int AS age, (i * i * 61 % 997 / 10.0)::numeric(6, 2) AS income,
  date '1950-01-01' + (i * i * 13 % 20000) AS born, timestamp '2020-01-01' + (i * i % 5000) * interval '1 hour' AS seen,
  ((i * i % 331)::float8 / 7)::score AS score, 'town ' || i * 7 % 5 AS town, i % 3 = 0 AS member,
  (enum_range(NULL::size))[1 + i * i % 3] AS size, (i * 11 % 4)::smallint AS code, (i::bigint << 33) AS big,
  'illness ' || i * i * 13 % 9 AS illness, i % 13 AS ward
FROM generate_series(1, 500) AS i;

CREATE FUNCTION pg_temp.publish(name text, qi text[], more jsonb DEFAULT '{}', source regclass DEFAULT 'people') RETURNS bigint LANGUAGE sql AS $$
  SELECT rows FROM anon_publish(name, source, qi, 5, params => '{"recode": "swap"}', spec => more)
$$;
CREATE FUNCTION pg_temp.refused(more jsonb, message text, test text) RETURNS text LANGUAGE sql AS $$
  SELECT throws_like(format('SELECT pg_temp.publish(''never'', ''{age,income}'', %L)', more), message, test)
$$;
-- The rows that either of two relations lacks, in the columns.
CREATE FUNCTION pg_temp.differences(a regclass, b regclass, columns text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  list text := (SELECT string_agg(quote_ident(c), ', ') FROM unnest(columns) AS c);
  found bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM ((SELECT %1$s FROM %2$s EXCEPT ALL SELECT %1$s FROM %3$s) UNION ALL '
    '(SELECT %1$s FROM %3$s EXCEPT ALL SELECT %1$s FROM %2$s)) AS either', list, a, b) INTO found;
  RETURN found;
END
$$;

-- Columns are exact, and so are the records beside them; links are not.
SELECT is(pg_temp.publish('swapped', '{age,income,town}', '{"sensitive": ["illness"], "keep": ["ward"]}'), 500::bigint, 'every row is published');
SELECT is(pg_temp.differences('people', 'swapped', ARRAY[c]), 0::bigint, 'exact: ' || c)
FROM unnest('{age,income,town,illness,ward}'::text[]) AS c;
SELECT is(pg_temp.differences('people', 'swapped', '{illness,ward}'), 0::bigint, 'what is not masked stays together');
SELECT cmp_ok(pg_temp.differences('people', 'swapped', c), '>', 100::bigint, 'exchanged: ' || c::text)
FROM (VALUES ('{age,income}'::text[]), ('{age,illness}'), ('{income,illness}')) AS pairs (c);
SELECT ok(smallest_class >= 5 AND classes > 20 AND loss > 0 AND ncp IS NULL AND suppressed = 0, 'figures are of the private classes')
FROM anon_releases WHERE release = 'swapped'::regclass;
SELECT is(obj_description('swapped'::regclass), 'Masked by anonkit: probabilistic 5-anonymity; 500 rows.', 'the comment says the promise');
SELECT ok(col_description('swapped'::regclass, 1) !~ 'class', 'and no count of classes');
SELECT is((SELECT level FROM anon_audit('swapped') WHERE model = 'k-anonymity'), 1::float8, 'an audit counts rows alone');
SELECT throws_ok($$SELECT anon_assert('swapped', k => 5)$$, '23514', NULL, 'so k-anonymity is not asserted');
CREATE FUNCTION pg_temp.hint_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  hint text;
BEGIN
  EXECUTE statement;
EXCEPTION WHEN check_violation THEN
  GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
  RETURN hint;
END
$$;
SELECT matches(pg_temp.hint_of($$SELECT anon_assert('swapped', k => 5)$$), 'anon_assert_swap', 'the hint names the function that verifies it');
SELECT is(pg_temp.hint_of($$SELECT anon_assert('people', '{age,income}', k => 5)$$), '', 'which others do not');
SELECT is(promises, 'probabilistic 5-anonymity', 'the list of releases has its promise') FROM anon_releases WHERE release = 'swapped'::regclass;
SELECT lives_ok($$SELECT anon_assert_swap('swapped')$$, 'but probabilistic k-anonymity is verified');
SELECT cmp_ok(value, '<', 500::float8, 'rows equal those of persons by chance alone') FROM anon_linkage('people', 'swapped', '{age,income,town}') WHERE measure = 'unique_exact_matches';

-- The secret and the classes are the owner's.
SELECT is((SELECT octet_length(bytes) FROM swapped_companion WHERE item = 'secret'), 32, 'the companion has the secret');
SELECT is((SELECT octet_length(bytes) FROM swapped_companion WHERE item = 'classes'), 28 + 4 * 500, 'and the classes');
SELECT ok(pg_get_viewdef('swapped'::regclass) NOT LIKE '%' || encode(bytes, 'hex') || '%', 'which the query does not show')
FROM swapped_companion WHERE item = 'secret';

-- Equal data and secrets give equal rows.
CREATE TABLE first AS SELECT * FROM swapped;
SELECT is(rows, 500::bigint, 'anon_refresh') FROM anon_refresh('swapped');
SELECT is(pg_temp.differences('first', 'swapped', '{age,income,town,illness,ward}'), 0::bigint, 'has the same rows of the same data');
REFRESH MATERIALIZED VIEW swapped;
SELECT is(pg_temp.differences('first', 'swapped', '{age,income,town,illness,ward}'), 0::bigint, 'so has REFRESH MATERIALIZED VIEW');
SELECT lives_ok($$SELECT anon_assert_swap('swapped')$$, 'which is verified, too');
CREATE TABLE shuffled AS SELECT * FROM people ORDER BY md5(id::text);
SELECT is(pg_temp.publish('twin', '{town,income,age}', '{"sensitive": ["illness"], "keep": ["ward"]}', 'shuffled'), 500::bigint, 'an equal table in another order');
SELECT cmp_ok(pg_temp.differences('first', 'twin', '{age,income,town,illness,ward}'), '>', 500::bigint, 'has other rows by a secret of its own');
UPDATE twin_companion SET bytes = (SELECT bytes FROM swapped_companion WHERE item = 'secret') WHERE item = 'secret';
SELECT throws_ok($$SELECT anon_assert_swap('twin')$$, '23514', NULL, 'which another secret does not verify');
SELECT is(rows, 500::bigint, 'with the secret of the first') FROM anon_refresh('twin');
SELECT is(pg_temp.differences('first', 'twin', '{age,income,town,illness,ward}'), 0::bigint, 'it has the rows of the first');
SELECT ok(bool_and(age >= before), 'rows are stored in the order of their values') FROM (SELECT age, lag(age, 1, age) OVER (ORDER BY ctid) AS before FROM swapped) AS s;

-- Faults are refused.
CREATE TABLE kept AS SELECT * FROM swapped_companion WHERE item IN ('secret', 'classes');
CREATE FUNCTION pg_temp.restore() RETURNS void LANGUAGE sql AS $$
  UPDATE swapped_companion AS c SET bytes = k.bytes FROM kept AS k WHERE k.item = c.item
$$;
UPDATE swapped_companion SET bytes = set_byte(bytes, 31, 255 - get_byte(bytes, 31)) WHERE item = 'secret';
SELECT throws_ok($$SELECT anon_assert_swap('swapped')$$, '23514', NULL, 'another secret');
REFRESH MATERIALIZED VIEW swapped;
SELECT pg_temp.restore();
SELECT throws_ok($$SELECT anon_assert_swap('swapped')$$, '23514', NULL, 'rows by another secret');
REFRESH MATERIALIZED VIEW swapped;
SELECT lives_ok($$SELECT anon_assert_swap('swapped')$$, 'rows by their secret');
UPDATE swapped_companion SET bytes = overlay(bytes PLACING substr(bytes, 29 + 4 * 400, 4) FROM 29) WHERE item = 'classes'
  AND substr(bytes, 29 + 4 * 400, 4) <> substr(bytes, 29, 4);
SELECT throws_ok($$SELECT anon_assert_swap('swapped')$$, '23514', NULL, 'a record in another class');
UPDATE swapped_companion SET bytes = overlay(bytes PLACING '\x000003e6' FROM 29) WHERE item = 'classes';
SELECT throws_like($$SELECT anon_assert_swap('swapped')$$, '%is not what its private classes and its secret make of the source', 'a class of one record');
UPDATE swapped_companion SET bytes = overlay(bytes PLACING '\xffffffff' FROM 29) WHERE item = 'classes';
SELECT throws_ok($$SELECT anon_assert_swap('swapped')$$, '23514', NULL, 'a record without a class');
UPDATE swapped_companion SET bytes = overlay(bytes PLACING '\x7ffffffe' FROM 29) WHERE item = 'classes';
SELECT throws_ok($$SELECT anon_assert_swap('swapped')$$, '55000', NULL, 'a class that cannot be');
UPDATE swapped_companion SET bytes = substr(bytes, 1, 1000) WHERE item = 'classes';
SELECT throws_ok($$SELECT anon_assert_swap('swapped')$$, '55000', NULL, 'half of the classes');
UPDATE swapped_companion SET bytes = NULL WHERE item = 'classes';
SELECT throws_ok($$SELECT anon_assert_swap('swapped')$$, '55000', NULL, 'no classes');
SELECT pg_temp.restore();
DELETE FROM twin_companion WHERE item = 'secret';
SELECT throws_ok($$SELECT anon_assert_swap('twin')$$, '55000', NULL, 'no secret');
SELECT throws_ok($$SELECT anon_refresh('twin')$$, '55000', NULL, 'without which nothing is refreshed');
SELECT anon_drop('twin');

-- A refresh: changed classes have new rows, unchanged ones keep theirs.
UPDATE people SET age = 96 WHERE id = 7;
SELECT throws_ok($$SELECT anon_assert_swap('swapped')$$, '55000', 'release "swapped" cannot be verified now', 'a changed source is said');
SELECT is(rows, 500::bigint, 'a refresh takes it') FROM anon_refresh('swapped');
SELECT lives_ok($$SELECT anon_assert_swap('swapped')$$, 'and is verified');
SELECT is(pg_temp.differences('people', 'swapped', '{age}'), 0::bigint, 'with the new values');
UPDATE people SET illness = 'illness 10' WHERE id = 11;
CREATE TABLE second AS SELECT * FROM swapped;
SELECT is(rows, 500::bigint, 'a changed record') FROM anon_refresh('swapped');
SELECT cmp_ok(pg_temp.differences('second', 'swapped', '{age,income,town,illness,ward}'), '<=', 60::bigint, 'changes the rows of its class alone');
CREATE UNIQUE INDEX ON swapped (age, income, town, illness, ward) WHERE false;
SELECT is(pg_temp.publish('with_id', '{age,income}', '{"keep": ["id"]}'), 500::bigint, 'a release with a kept number');
CREATE UNIQUE INDEX ON with_id (id);
UPDATE people SET age = 95 WHERE id = 8;
SELECT is(rows, 500::bigint, 'is refreshed beside its readers') FROM anon_refresh('with_id', true);
SELECT lives_ok($$SELECT anon_assert_swap('with_id')$$, 'and verified');
ALTER TABLE with_id RENAME COLUMN age TO years;
SELECT lives_ok($$SELECT anon_assert_swap('with_id')$$, 'so it is with renamed columns');

-- Every method of quasi-identifiers, every kind of column.
CREATE TABLE made AS SELECT method AS name, pg_temp.publish('of_' || method, '{age,income}', jsonb_build_object('method', method, 'sensitive', '{illness}'::text[])) AS rows
FROM unnest('{mdav,vmdav,microaggregate,mondrian}'::text[]) AS method;
INSERT INTO made SELECT 'univariate', pg_temp.publish('of_univariate', '{age}', '{"method": "univariate", "keep": ["illness"]}');
SELECT is(rows, 500::bigint, name || ' publishes every row') FROM made;
SELECT lives_ok(format('SELECT anon_assert_swap(%L)', 'of_' || name), name || ' is verified') FROM made;
SELECT is(pg_temp.differences('people', ('of_' || name)::regclass, '{age}'), 0::bigint, name || ' is exact') FROM made;
SELECT cmp_ok(pg_temp.differences('people', ('of_' || name)::regclass, '{age,illness}'), '>', 100::bigint, name || ' exchanges records') FROM made WHERE name <> 'univariate';
CREATE TABLE columns AS SELECT c AS name, pg_temp.publish('of_' || c, ARRAY['age', c]) AS rows
FROM unnest('{born,seen,score,town,member,size,big}'::text[]) AS c;
SELECT is(rows, 500::bigint, name || ' is published') FROM columns;
SELECT lives_ok(format('SELECT anon_assert_swap(%L)', 'of_' || name), name || ' is verified') FROM columns;
SELECT is(pg_temp.differences('people', ('of_' || name)::regclass, ARRAY[name]), 0::bigint, name || ' is exact') FROM columns;
SELECT is(pg_temp.publish('of_code', '{age,code}', '{"categories": ["code"], "keep": ["size", "score", "born"]}'), 500::bigint, 'codes, beside kept columns');
SELECT lives_ok($$SELECT anon_assert_swap('of_code')$$, 'codes are verified');
SELECT is(pg_temp.differences('people', 'of_code', '{size,score,born}'), 0::bigint, 'kept columns stay together');
SELECT is(pg_temp.differences('people', 'of_code', '{code}'), 0::bigint, 'codes are exact');
SELECT is((SELECT array_agg(format_type(atttypid, atttypmod) ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'of_code'::regclass AND attnum > 0),
  '{integer,date,score,size,smallint}'::text[], 'types stay');

-- Nulls: those of categories are values; numbers have strata.
CREATE TABLE gaps AS SELECT id, CASE WHEN id % 4 > 0 THEN age END AS age, CASE WHEN id % 97 > 0 THEN income END AS income,
  CASE WHEN id % 6 > 0 THEN town END AS town, illness FROM people;
SELECT throws_ok($$SELECT pg_temp.publish('never', '{age,town}', '{}', 'gaps')$$, '22000', NULL, 'nulls of numbers need strata');
SELECT is(pg_temp.publish('of_gaps', '{age,income,town}', '{"nulls": "stratify", "sensitive": ["illness"]}', 'gaps'), 500::bigint, 'strata');
SELECT lives_ok($$SELECT anon_assert_swap('of_gaps')$$, 'strata are verified');
SELECT is(pg_temp.differences('gaps', 'of_gaps', '{town}'), 0::bigint, 'categories with nulls are exact');
SELECT is(count(*) FILTER (WHERE age IS NULL) + count(*) FILTER (WHERE income IS NULL),
  (SELECT suppressed_cells FROM anon_releases WHERE release = 'of_gaps'::regclass) + 125 + 5, 'nulls stay, and others are counted') FROM of_gaps;

-- Promises on values, transparent.
SELECT is(pg_temp.publish('of_values', '{age,income}', '{"sensitive": ["illness"], "keep": ["ward"], "alpha": 0.5, "transparent": true, "decoys": 0.3}'), 500::bigint, 'alpha');
SELECT lives_ok($$SELECT anon_assert_swap('of_values')$$, 'alpha is verified');
SELECT matches(obj_description('of_values'::regclass), 'probabilistic 5-anonymity, .*0.5.*; 500 rows', 'the comment says both');
SELECT ok(withheld > 0 AND withheld < 500, 'some values are withheld') FROM anon_releases WHERE release = 'of_values'::regclass;
SELECT is((SELECT count(*) FROM of_values WHERE illness IS NULL), (SELECT withheld FROM anon_releases WHERE release = 'of_values'::regclass), 'as many as the figure says');
SELECT is(pg_temp.differences('people', 'of_values', '{ward}'), 0::bigint, 'and no other ones');
SELECT is(rows, 500::bigint, 'a refresh') FROM anon_refresh('of_values');
SELECT lives_ok($$SELECT anon_assert_swap('of_values')$$, 'is verified');
UPDATE of_values_companion SET bytes = overlay(bytes PLACING set_byte(substr(bytes, 29, 4), 3, get_byte(bytes, 31) # 1) FROM 29) WHERE item = 'classes';
SELECT throws_ok($$SELECT anon_assert_swap('of_values')$$, '55000', NULL, 'a class whose records disagree about what it withholds');
UPDATE of_values_companion SET bytes = overlay(bytes PLACING set_byte(substr(bytes, 29, 4), 3, get_byte(bytes, 31) # 1) FROM 29) WHERE item = 'classes';
SELECT lives_ok($$SELECT anon_assert_swap('of_values')$$, 'restored, it is verified');
UPDATE of_values_companion SET bytes = substr(bytes, 1, 28) || (SELECT string_agg(set_byte(substr(bytes, 29 + 4 * i, 4), 3, get_byte(bytes, 31 + 4 * i) # 1), '' ORDER BY i)
  FROM generate_series(0, 499) AS i) WHERE item = 'classes';
SELECT throws_ok($$SELECT anon_assert_swap('of_values')$$, '23514', NULL, 'classes that withhold otherwise');

-- A published column of class numbers.
CREATE FUNCTION pg_temp.sizes(rel regclass, name text) RETURNS TABLE (size bigint) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT count(*) FROM %s GROUP BY %I ORDER BY 1', rel, name);
END
$$;
SELECT is(pg_temp.publish('numbered', '{age,income,town}', '{"sensitive": ["illness"], "keep": ["ward"], "class_column": "Class no"}'), 500::bigint, 'a class column');
SELECT lives_ok($$SELECT anon_assert_swap('numbered')$$, 'is verified');
SELECT is((SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'numbered'::regclass AND attnum > 0),
  '{age,income,town,illness,ward,"Class no"}'::text[], 'it follows the other columns');
SELECT is((SELECT array_agg(DISTINCT "Class no" ORDER BY "Class no") FROM numbered), (SELECT array_agg(i) FROM generate_series(1, classes::int) AS i), 'numbers go from 1 on')
FROM anon_releases WHERE release = 'numbered'::regclass;
SELECT is(min(size), smallest_class, 'anybody can count the classes') FROM pg_temp.sizes('numbered', 'Class no'), anon_releases WHERE release = 'numbered'::regclass GROUP BY smallest_class;
SELECT lives_ok($$SELECT anon_assert('numbered', qi => '{Class no}', k => 5)$$, 'and assert their size');
SELECT throws_ok($$SELECT anon_assert('numbered', qi => '{Class no}', k => 50)$$, '23514', NULL, 'and no larger one');
SELECT is((SELECT level FROM anon_audit('numbered', '{Class no}') WHERE model = 'k-anonymity')::bigint, smallest_class, 'an audit of the column agrees') FROM anon_releases WHERE release = 'numbered'::regclass;
CREATE TABLE numbers AS SELECT * FROM numbered;
SELECT is(rows, 500::bigint, 'anon_refresh of equal data') FROM anon_refresh('numbered');
SELECT is(pg_temp.differences('numbers', 'numbered', '{age,income,town,illness,ward,"Class no"}'), 0::bigint, 'keeps the numbers');
REFRESH MATERIALIZED VIEW numbered;
SELECT is(pg_temp.differences('numbers', 'numbered', '{age,income,town,illness,ward,"Class no"}'), 0::bigint, 'so does REFRESH MATERIALIZED VIEW');
SELECT ok((SELECT count(*) FROM (SELECT "Class no", lag("Class no") OVER (ORDER BY ctid) AS before FROM numbered) AS s WHERE "Class no" < before) BETWEEN 100 AND 350,
  'the order of rows does not follow the classes');
SELECT ok(abs(corr("Class no", age)) < 0.3, 'nor do numbers follow the values') FROM numbered;
ALTER TABLE numbered RENAME COLUMN "Class no" TO class;
SELECT lives_ok($$SELECT anon_assert_swap('numbered')$$, 'a renamed class column is verified');
UPDATE people SET age = 94 WHERE id = 9;
SELECT is(rows, 500::bigint, 'changes') FROM anon_refresh('numbered');
SELECT lives_ok($$SELECT anon_assert_swap('numbered')$$, 'are verified, too');
SELECT is(pg_temp.publish('numbered_only', '{town,size}', '{"class_column": "class", "method": "mdav"}'), 500::bigint, 'a class column beside quasi-identifiers alone');
SELECT lives_ok($$SELECT anon_assert_swap('numbered_only')$$, 'is verified');
SELECT is(min(size), smallest_class, 'its classes are whole') FROM pg_temp.sizes('numbered_only', 'class'), anon_releases WHERE release = 'numbered_only'::regclass GROUP BY smallest_class;
SELECT is(pg_temp.publish('numbered_values', '{age,income}', '{"sensitive": ["illness"], "alpha": 0.5, "transparent": true, "decoys": 0.3, "class_column": "class"}'), 500::bigint, 'with promises on values');
SELECT lives_ok($$SELECT anon_assert('numbered_values', '{class}', '{illness}', k => 5, alpha => 0.5, withheld => true)$$, 'anybody can assert them');
SELECT throws_ok($$SELECT anon_publish('never', 'people', '{age}', 5, class_column => 'class')$$, '22023', 'class_column needs recode ''swap''', 'no class column without swapping');
SELECT throws_ok($$SELECT pg_temp.publish('never', '{age,income}', '{"class_column": "income"}')$$, '42701', 'class_column "income" is the name of a published column', 'the name of another column');
SELECT throws_ok($$SELECT pg_temp.publish('never', '{age,income}', '{"class_column": ""}')$$, '42602', NULL, 'no name');
SELECT throws_ok(format($$SELECT pg_temp.publish('never', '{age,income}', '{"class_column": "%s"}')$$, repeat('x', 64)), '42602', NULL, 'a name that is too long');
SELECT throws_ok($$SELECT * FROM anon_mdav('people', '{age}', 5, spec => '{"class_column": "class"}')$$, '22023', 'method "mdav" has no parameter "class_column"', 'a method by itself');

-- Beside other releases.
CREATE FUNCTION pg_temp.beside(name text, more jsonb, beside text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM anon_publish(name, 'people', '{age,income}', 5, spec => more, beside => beside);
  RETURN 'published';
EXCEPTION WHEN check_violation THEN
  RETURN SQLERRM;
END
$$;
SELECT matches(pg_temp.beside('second_swapped', '{"recode": "swap", "method": "mdav"}', 'refuse'), 'violate probabilistic k-anonymity', 'releases together violate the promise by its name');
SELECT is(model, 'probabilistic k-anonymity', 'and their audit measures it by its name') FROM anon_audit_releases('{swapped,of_mondrian}') LIMIT 1;

-- anon_sweep.
CREATE TABLE swept AS SELECT * FROM anon_sweep('people', '{age,income,town}', '{5,10}', '{mdav}', params => '[{}, {"recode": "swap"}]', cells => 2);
SELECT is((SELECT array_agg(promises ORDER BY parameters, k) FROM swept), '{5-anonymous,10-anonymous,probabilistic 5-anonymity,probabilistic 10-anonymity}'::text[], 'a sweep has the promises');
SELECT ok(bool_and(a.loss = b.loss AND a.risk_max = b.risk_max AND a.classes = b.classes), 'the loss and the risks are those of the classes')
FROM swept AS a JOIN swept AS b USING (k) WHERE a.parameters = '{}' AND b.parameters <> '{}';
SELECT ok(bool_and(determined_by_form = 1 AND determined_by_code = 1 AND remarks ~ 'private classes' AND remarks ~ 'subtraction' AND ncp IS NULL), 'with the adversary of its figures')
FROM swept WHERE parameters <> '{}';
SELECT ok(bool_and(remarks IS NULL), 'others need no remark') FROM swept WHERE parameters = '{}';
SELECT matches(remarks, 'secret seed', 'but for a secret seed') FROM anon_sweep('people', '{age,income}', '{5}', '{mondrian}', params => '{"algorithm": "grid", "recode": "range"}', cells => 2);

-- Refused by name.
SELECT pg_temp.refused('{"seed": 3}', 'seed cannot be combined with a secret seed', 'a seed of the user''s');
SELECT pg_temp.refused('{"secret_seed": false}', 'recode ''swap'' cannot be combined with secret_seed => false', 'a public seed');
SELECT pg_temp.refused('{"key": ["id"]}', 'recode ''swap'' cannot be combined with a key', 'a key');
SELECT pg_temp.refused('{"unit": ["ward"]}', 'recode ''swap'' cannot be combined with a unit', 'a unit');
SELECT pg_temp.refused('{"sensitive": ["illness"], "alpha": 0.5}', 'recode ''swap'' cannot be combined with %unless it is transparent', 'values without transparent');
SELECT pg_temp.refused('{"sensitive": ["illness"], "t": 0.3, "method": "tclose"}', 'recode ''swap'' cannot be combined with %', 'tclose');
SELECT pg_temp.refused('{"sensitive": ["illness"], "p": 2, "method": "psensitive"}', 'recode ''swap'' cannot be combined with %', 'psensitive');
SELECT pg_temp.refused('{"method": "aggregate"}', 'method "aggregate" has no parameter "recode"', 'aggregates');
SELECT pg_temp.refused('{"method": "incognito", "hierarchies": {"age": {"range": [10]}}}', 'method "incognito" has no parameter "recode"', 'full-domain methods');
SELECT pg_temp.refused('{"method": "mondrian", "algorithm": "grid"}', 'recode ''swap'' cannot be combined with algorithm ''grid''', 'the grid');
SELECT pg_temp.refused('{"hierarchies": {"age": {"range": [10]}}}', 'recode ''swap'' does not use the hierarchies of quasi-identifiers', 'hierarchies');
SELECT pg_temp.refused('{"outward": "grid", "widths": {"age": 5}}', '%recode ''swap''%', 'ranges');
SELECT pg_temp.refused('{"duplicates": "divide"}', 'recode ''swap'' cannot be combined with duplicates ''divide''', 'divided duplicates');
SELECT pg_temp.refused('{"max_suppression": 0.1}', 'recode ''swap'' cannot be combined with max_suppression', 'suppression');
SELECT pg_temp.refused('{"risk_mean": 0.1}', 'recode ''swap'' cannot be combined with %', 'a risk of readers''');
SELECT pg_temp.refused('{"keep": ["id"], "pseudonym": ["id"]}', 'recode ''swap'' cannot be combined with pseudonym', 'pseudonyms');
SELECT throws_like($$SELECT anon_publish('never', 'people', '{age}', 1, params => '{"recode": "swap"}')$$, 'recode ''swap'' needs k of at least 2', 'k of 1');
SELECT throws_ok($$SELECT * FROM anon_mdav('people', '{age}', 5, recode => 'swap')$$, '0A000', 'anon_mdav cannot show recode ''swap''', 'a look beside the source');
SELECT throws_ok($$SELECT * FROM anon_replay('people', '{age}', 5, sensitive => '{illness}', params => '{"recode": "swap"}')$$, '0A000', NULL, 'a replay');
SELECT throws_ok($$SELECT * FROM anon_replay_qi('people', '{age}', 5, params => '{"recode": "swap"}')$$, '0A000', NULL, 'a replay of quasi-identifiers');
SELECT is((SELECT count(*) FROM anon_publish('means', 'people', '{age}', 5)), 1::bigint, 'a release of means');
SELECT throws_ok($$SELECT anon_assert_swap('means')$$, '42809', NULL, 'is not by swapping');
SELECT throws_ok($$SELECT anon_assert_swap('people')$$, '42809', NULL, 'nor is a table');

-- A category of a type without equality is published as its text. The verification reads the text again, and does not take it for a value of the type.
CREATE TYPE marked AS (number int, mark json);
CREATE TABLE places AS
SELECT 20 + i * i % 13 AS age, point(i % 3, 1) AS point, format('((0,0),(1,%s),(2,2))', i % 3)::polygon AS polygon, format('[(0,0),(1,%s)]', i % 3)::path AS path,
  format('$.a%s', i % 3)::jsonpath AS jsonpath, ARRAY[json_build_object('a', i % 3)] AS jsons, (i % 3, '{}')::marked AS marked
FROM generate_series(1, 60) AS i;
SELECT is(pg_temp.publish(c || '_swapped', ARRAY['age', c], jsonb_build_object('method', 'mdav', 'categories', ARRAY[c]), 'places'), 60::bigint, 'a category: ' || c)
FROM unnest('{point,polygon,path,jsonpath,jsons,marked}'::text[]) AS c;
SELECT lives_ok(format('SELECT anon_assert_swap(%L)', c || '_swapped'), 'and verified again: ' || c)
FROM unnest('{point,polygon,path,jsonpath,jsons,marked}'::text[]) AS c;
SELECT results_eq('SELECT polygon FROM polygon_swapped ORDER BY 1', 'SELECT polygon::text FROM places ORDER BY 1', 'texts of values of the table');

-- The proof reads the source a second time.
CREATE VIEW restless AS SELECT age + (random() < 0.5)::int AS age, income FROM people;
SELECT throws_ok($$SELECT anon_publish('restless_swapped', 'restless', '{age,income}', 5, spec => '{"recode": "swap"}')$$, '22000',
  'the source returns other rows each time that it is read', 'a source of other rows each time');

-- Evaluations measure the private classes.
SELECT is((SELECT value FROM anon_evaluate('people', '{age,income}', 5, 'mdav', params => '{"recode": "swap"}') WHERE measure = 'rows'), 500::float8, 'anon_evaluate');
SELECT is((SELECT round(value::numeric, 4) FROM anon_evaluate('people', '{age,income}', 5, 'mdav', params => '{"recode": "swap"}') WHERE measure = 'SSE'),
  (SELECT round(value::numeric, 4) FROM anon_evaluate('people', '{age,income}', 5, 'mdav') WHERE measure = 'SSE'), 'the loss is that of the classes');

-- Only the owner.
CREATE ROLE swap_stranger;
GRANT SELECT ON swapped, people TO swap_stranger;
SET ROLE swap_stranger;
SELECT throws_ok($$SELECT anon_assert_swap('swapped')$$, '42501', NULL, 'a reader may not verify it');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
