-- Every bad input gets one clear error: SQLSTATE, message, detail, hint. None shows a cell's value.
\set SHOW_CONTEXT never
\pset format unaligned
\pset tuples_only on
SET datestyle = 'ISO, MDY';

-- The messages, to be searched at the end; and their form here.
CREATE TABLE said (what text);
CREATE FUNCTION attempt(command text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text; hint text; context text;
BEGIN
  EXECUTE command;
  RETURN NEXT 'no error';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
    detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT;
  INSERT INTO said VALUES (concat_ws(' ', message, detail, hint, context));
  -- Newer servers say it in other words.
  IF message IN ('"secrets_index" is an index', 'cannot open relation "secrets_index"') THEN
    RETURN NEXT state || ': an index';
    RETURN;
  END IF;
  RETURN NEXT state || ': ' || message;
  IF detail <> '' THEN RETURN NEXT '  detail: ' || detail; END IF;
  IF hint <> '' THEN
    -- Which methods and parameters there are is told elsewhere.
    RETURN NEXT '  hint: ' || regexp_replace(hint, '^(The methods|Its parameters) are.*', '\1 are ...');
  END IF;
END $$;

-- Every cell holds something that could be recognised.
CREATE TABLE secrets (
  name text, born date, seen timestamp, noted timestamptz, weight float8, size real,
  income numeric(12,2), salary int, points bigint, married boolean, notes json, facts jsonb, home point,
  doc xml, tags text[], stay interval, awake time, raw bytea, span int4range);
INSERT INTO secrets
SELECT 'sesame' || i, date '1931-07-14' + i, timestamp '1931-07-14 03:14:15' + i * interval '1 day',
  timestamptz '1931-07-14 03:14:15+00', 31415.926 + i, 31415.926, 31415.926, 314159 + i, 3141592653, true,
  '"sesame"', '"sesame"', '(31415,31415)', '<sesame/>', '{sesame}', '31415 days', '03:14:15', 'sesame',
  '[31415,31416)'
FROM generate_series(1, 9) AS i;
CREATE TABLE nobody (LIKE secrets);
CREATE INDEX secrets_index ON secrets (salary);
CREATE SEQUENCE secrets_sequence;
CREATE TYPE pair AS (a int, b int);

-- The relation.
SELECT attempt($$SELECT anon_mdav(NULL, '{salary}', 3)$$);
SELECT attempt($$SELECT anon_mdav(4000000000::oid::regclass, '{salary}', 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets_index', '{salary}', 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets_sequence', '{last_value}', 3)$$);
SELECT attempt($$SELECT anon_mdav('pair', '{a}', 3)$$);
SELECT attempt($$SELECT anon_mdav('nobody', '{salary}', 3)$$);
SELECT attempt($$SELECT anon_mdav('nowhere', '{salary}', 3)$$);

-- Columns.
SELECT attempt($$SELECT anon_mdav('secrets', NULL, 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{}', 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{NULL}', 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salry}', 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{ctid}', 3)$$);
-- A wide table's first columns are named.
SELECT format('CREATE TABLE wide (%s)', string_agg('c' || i || ' int', ', ')) FROM generate_series(1, 50) AS i \gexec
SELECT attempt($$SELECT anon_mdav('wide', '{c51}', 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{"\"salary\""}', 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary, born, salary}', 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary, SALARY}', 3)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', 3, keep => '{salary}')$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', 3, keep => '{name, name}')$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', 3, keep => '{nmae}')$$);
SELECT attempt(format('SELECT anon_mdav(''secrets'', ''{%s}'', 3)', name))
FROM unnest('{notes,facts,home,doc,tags,stay,awake,raw,span}'::text[]) AS name;

-- k.
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', NULL)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', 0)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', -1)$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', 10)$$);

-- Values that are no numbers.
CREATE TABLE gaps AS SELECT * FROM secrets;
UPDATE gaps SET weight = NULL, salary = NULL WHERE name = 'sesame3';
SELECT attempt($$SELECT anon_mdav('gaps', '{weight,salary}', 3)$$);
-- Nor where a method has no strata.
SELECT attempt($$SELECT anon_incognito('gaps', '{weight}', '{"weight": {"range": [10]}}', 3)$$);
SELECT attempt($$SELECT anon_mondrian('gaps', '{weight}', 3, algorithm => 'grid', widths => '{"weight": 1}')$$);
SELECT attempt($$SELECT anon_aggregate('gaps', '{weight,salary}', 3)$$);
CREATE VIEW wild AS
SELECT CASE i WHEN 4 THEN float8 'NaN' ELSE 31415 END AS nan, CASE i WHEN 4 THEN float8 'infinity' ELSE 31415 END AS inf,
  CASE i WHEN 4 THEN real '-infinity' ELSE 31415 END AS real_inf, CASE i WHEN 4 THEN numeric 'NaN' ELSE 31415 END AS numeric_nan,
  CASE i WHEN 4 THEN numeric 'infinity' ELSE 31415 END AS numeric_inf, CASE i WHEN 4 THEN 1e400 ELSE 31415 END AS numeric_huge,
  CASE i WHEN 4 THEN date 'infinity' ELSE '1931-07-14' END AS date_inf,
  CASE i WHEN 4 THEN date '-infinity' ELSE '1931-07-14' END AS date_past,
  CASE i WHEN 4 THEN timestamp 'infinity' ELSE '1931-07-14' END AS timestamp_inf,
  CASE i WHEN 4 THEN timestamptz '-infinity' ELSE '1931-07-14' END AS timestamptz_past,
  float8 'NaN' AS nothing_but_nan, NULL::float8 AS nothing, 1e308 * (i % 2) AS giant,
  1.5e308 * (i % 3 - 1) AS giants_apart
FROM generate_series(1, 9) AS i;
SELECT attempt(format($$SELECT anon_mdav('wild', '{%s}', 3)$$, attname))
FROM pg_attribute WHERE attrelid = 'wild'::regclass ORDER BY attnum;
SELECT attempt($$SELECT anon_mdav('wild', '{giant}', 3, standardize => 'none')$$);
SELECT attempt($$SELECT count(*) FROM anon_mdav('wild', '{giant}', 3, standardize => 'range')$$);

-- Options.
SELECT attempt(format($$SELECT anon_mdav('secrets', '{salary,weight}', 3, weights => %L)$$, weights))
FROM unnest(ARRAY['{1}', '{1,2,3}', '{}', '{-1,1}', '{0,0}', '{NaN,1}', '{Infinity,1}', '{NULL,1}'])
  AS weights;
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', 3, standardize => 'rank')$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', 3, standardize => '')$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', 3, recode => 'mean')$$);
SELECT attempt($$SELECT anon_mdav('secrets', '{salary}', 3, nulls => 'ignore')$$);
SET anonkit.max_memory = '1MB';
CREATE VIEW many AS SELECT i AS a, i % 7 AS b, 'sesame' AS c FROM generate_series(1, 40000) AS i;
SELECT attempt($$SELECT anon_mdav('many', '{a,b}', 3, '{c}')$$);
RESET anonkit.max_memory;
-- Wording and units are the server's own, by its version; 14 knows no reserved prefix.
SELECT left(said, 5) FROM attempt('SET anonkit.max_memory = 1') AS said;
SELECT left(said, 5) FROM attempt('SET anonkit.progress_interval = -1') AS said;
SELECT bool_or(left(said, 5) = '42602') OR current_setting('server_version_num')::int < 150000
FROM attempt('SET anonkit.unheard_of = 1') AS said;

-- Publishing.
SELECT attempt(format($$SELECT anon_publish(%s)$$, arguments)) FROM unnest(ARRAY[
  $$NULL, 'secrets', '{salary}', 3$$,
  $$'r', NULL, '{salary}', 3$$,
  $$'r', 'secrets', NULL, 3$$,
  $$'r', 'secrets', '{salary}', NULL$$,
  $$'r', 'secrets', '{salary}', 3, method => NULL$$,
  $$'r', 'secrets', '{salary}', 3, sensitive => NULL$$,
  $$'r', 'secrets', '{salary}', 3, keep => NULL$$,
  $$'r', 'secrets', '{salary}', 3, params => NULL$$,
  $$'r', 'secrets', '{salary}', 3, grant_to => NULL$$,
  $$'r', 'secrets', '{salary}', 3, method => 'mdva'$$,
  $$'r', 'secrets', '{salary}', 3, params => '[]'$$,
  $$'r', 'secrets', '{salary}', 3, params => '3'$$,
  $$'r', 'secrets', '{salary}', 3, method => 'mdav', params => '{"standardise": "range"}'$$,
  $$'r', 'secrets', '{salary}', 3, method => 'mdav', params => '{"gamma": 0.1}'$$,
  $$'r', 'secrets', '{salary}', 3, params => '{"k": 2}'$$,
  $$'r', 'secrets', '{salary}', 3, params => '{"qi": ["born"]}'$$,
  $$'r', 'secrets', '{salary}', 3, params => '{"tbl": "nobody"}'$$,
  $$'r', 'secrets', '{salary}', 3, 'vmdav', params => '{"method": "mdav"}'$$,
  $$'r', 'secrets', '{salary}', 3, method => 'mdav', params => '{"gamma": 1}'$$,
  $$'r', 'secrets', '{salary}', 3, params => '{"standardize": 1}'$$,
  $$'r', 'secrets', '{salary}', 3, params => '{"standardize": "rank"}'$$,
  $$'r', 'secrets', '{salary}', 3, params => '{"weights": "heavy"}'$$,
  $$'r', 'secrets', '{salary}', 3, params => '{"weights": ["heavy"]}'$$,
  $$'r', 'secrets', '{salary}', 3, params => '{"weights": {"salary": 1}}'$$,
  $$'r', 'secrets', '{salary}', 10$$,
  $$'r', 'secrets', '{salary}', 3, sensitive => '{salary}'$$,
  $$'r', 'secrets', '{salary}', 3, sensitive => '{name}', keep => '{name}'$$,
  $$'r', 'secrets', '{salary}', 3, sensitive => '{home}'$$,
  $$'r', 'secrets', '{salary}', 3, grant_to => '{nobody_of_that_name}'$$,
  $$'r', 'secrets', '{salary}', 3, grant_to => '{NULL}'$$,
  $$'secrets', 'secrets', '{salary}', 3$$,
  $$'secrets_index', 'secrets', '{salary}', 3$$,
  $$'nowhere.r', 'secrets', '{salary}', 3$$,
  $$'a.b.c', 'secrets', '{salary}', 3$$,
  $$'', 'secrets', '{salary}', 3$$,
  $$'r', 'gaps', '{weight}', 3$$,
  $$'r', 'nobody', '{salary}', 3$$,
  $$'r', 'secrets_sequence', '{last_value}', 3$$]) AS arguments;
CREATE TEMP TABLE fleeting AS SELECT * FROM secrets;
SELECT attempt($$SELECT anon_publish('r', 'fleeting', '{salary}', 3)$$);
SELECT rows FROM anon_publish('release', 'secrets', '{salary}', 3);
SELECT attempt($$SELECT anon_publish('release', 'secrets', '{salary}', 3)$$);

-- The query behind a release.
SELECT attempt($$SELECT * FROM anon_release(NULL, '{}') AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', NULL) AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '[]') AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '{}') AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '{"method": "mdav", "qi": "salary", "k": 3}')
  AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '{"method": "mdav", "qi": [1], "k": 3}')
  AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '{"method": "mdav", "qi": ["salary"], "k": 2.5}')
  AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '{"method": "mdav", "qi": ["salary"], "k": "3"}')
  AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '{"method": "mdav", "qi": ["salary"], "k": 1e9}')
  AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '{"method": "mdav", "qi": ["salary"], "kk": 3}')
  AS r (salary int)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '{"method": "mdav", "qi": ["salary"], "k": 3}')
  AS r (salary bigint)$$);
SELECT attempt($$SELECT * FROM anon_release('secrets', '{"method": "mdav", "qi": ["salary"], "k": 3}')
  AS r (salary int, name text)$$);
SELECT attempt($$SELECT anon_release('secrets', '{"method": "mdav", "qi": ["salary"], "k": 3}')$$);

-- A key excludes options with any method, and other methods by their classes.
SELECT attempt($$SELECT anon_publish('over_time', 'secrets', '{salary}', 3, key => '{name}', max_suppression => 0.1)$$);
SELECT attempt($$SELECT anon_publish('over_time', 'secrets', '{salary}', 3, 'datafly', key => '{name}')$$);
-- The view that describes a set is listed among releases.
CREATE TABLE persons AS SELECT i AS id, i % 3 AS age FROM generate_series(1, 9) AS i;
CREATE TABLE visits AS SELECT i AS visit, i AS id, 1 AS days FROM generate_series(1, 9) AS i;
ALTER TABLE persons ADD PRIMARY KEY (id);
ALTER TABLE visits ADD FOREIGN KEY (id) REFERENCES persons;
SELECT sum(rows) FROM anon_publish_set('some_set', '{"persons": {"qi": ["age"]}, "visits": {"qi": ["days"]}}', k => 3);
SELECT attempt($$SELECT anon_refresh('some_set.anon_set')$$);
SELECT attempt($$SELECT anon_drop('some_set.anon_set')$$);
SELECT anon_drop_set('some_set');
-- Relations that are no release.
CREATE MATERIALIZED VIEW no_release AS SELECT name FROM secrets;
SELECT attempt(format($$SELECT %s(%L)$$, function, relation))
FROM unnest('{anon_refresh,anon_drop}'::text[]) AS function,
  unnest(ARRAY['secrets', 'no_release', 'secrets_index', 'pg_class', NULL, 'nowhere']) AS relation;
SELECT count(*) FROM anon_release_info('secrets');
SELECT count(*) FROM anon_release_info('no_release');
SELECT count(*) FROM anon_release_info(NULL);
SELECT count(*) FROM anon_release_info(0);
SELECT count(*) FROM no_release;

-- Audits.
SELECT attempt(format($$SELECT anon_audit(%s)$$, arguments)) FROM unnest(ARRAY[
  $$NULL, '{salary}'$$, $$'secrets', NULL$$, $$'secrets', '{}'$$, $$'secrets', '{NULL}'$$,
  $$'secrets', '{salry}'$$, $$'secrets', '{salary}', NULL$$, $$'secrets', '{salary}', '{nmae}'$$,
  $$'secrets', '{home}'$$, $$'secrets', '{salary}', '{notes}'$$, $$'secrets', '{salary}', '{doc}'$$,
  $$'nobody', '{salary}'$$, $$'secrets_index', '{salary}'$$, $$4000000000::oid::regclass, '{a}'$$]) AS arguments;

-- Each class of three: diagnoses a, b, b; amounts 1, 2, 6 more than ten times the class.
CREATE TABLE judged AS
SELECT c AS class, (ARRAY['a', 'b', 'b'])[i] AS diagnosis, 10 * c + (ARRAY[1, 2, 6])[i] AS amount
FROM generate_series(1, 4) AS c, generate_series(1, 3) AS i;
SELECT attempt($$SELECT anon_assert('judged', '{class}')$$);
SELECT attempt($$SELECT anon_assert(NULL, '{class}', k => 3)$$);
SELECT attempt($$SELECT anon_assert('judged', NULL, k => 3)$$);
SELECT attempt($$SELECT anon_assert('judged', '{}', k => 3)$$);
SELECT attempt($$SELECT anon_assert('judged', '{clas}', k => 3)$$);
SELECT attempt($$SELECT anon_assert('nobody', '{name}', k => 3)$$);
SELECT attempt(format($$SELECT anon_assert('judged', '{class}', %s)$$, promise))
FROM unnest('{p => 2,l => 2,entropy_l => 1.5,t => 0.5,alpha => 0.5,e => 1}'::text[]) AS promise;
SELECT attempt($$SELECT anon_assert('judged', '{class}', '{diagnosis}', e => 1)$$);
SELECT attempt($$SELECT anon_assert('judged', '{class}', '{diagnosis}', c => 2)$$);
SELECT attempt($$SELECT anon_assert('judged', '{class}', '{diagnosis}', c => 2, l => 0)$$);
SELECT attempt(format($$SELECT anon_assert('judged', '{class}', '{diagnosis,amount}', %s)$$, promise))
FROM unnest(ARRAY['k => 4', 'p => 3', 'l => 3', 'entropy_l => 2', 'c => 2, l => 2', 't => 0.1',
  'alpha => 0.5']) AS promise;
SELECT attempt($$SELECT anon_assert('judged', '{class}', '{amount}', e => 5.5)$$);
SELECT attempt($$SELECT anon_assert('judged', '{class}', '{amount}', k => 3, p => 3, e => 6)$$);

-- No message holds a cell's value.
SELECT count(*) > 100 AS much_was_said, count(*) FILTER (WHERE what ~ 'sesame|314[01]|1931|03:14') AS told
FROM said;
SELECT what FROM said WHERE what ~ 'sesame|314[01]|1931|03:14';
-- An error of a release's build does not recite the statement that would have made it.
SELECT attempt($$SELECT anon_publish('r', 'judged', '{amount}', 3, sensitive => '{diagnosis}', params => '{"p": 3}')$$);
SELECT count(*) AS recited FROM said WHERE what ~ 'CREATE (MATERIALIZED )?VIEW';
SELECT anon_drop('release');
