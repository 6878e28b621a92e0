-- k-map and delta-presence as promises of a release: counted again in plain SQL by the cells and the original values.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE TABLE people AS
SELECT i AS id, 20 + i * 37 % 61 AS age, lpad((i * i * 11 % 97 + 100)::text, 5, '0') AS zip, (ARRAY['f', 'm', NULL])[1 + i % 7 % 3] AS sex, i % 4 AS illness
FROM generate_series(1, 600) AS i;
CREATE VIEW patients AS SELECT * FROM people WHERE id % 5 < 2;
CREATE FUNCTION pg_temp.hierarchies() RETURNS jsonb LANGUAGE sql AS $$
  SELECT '{"age": {"range": [5, 20]}, "zip": {"prefix": 5}}'::jsonb
$$;
-- By published class, its records and those of the population that match its cells.
CREATE FUNCTION pg_temp.shares(release text) RETURNS TABLE (n bigint, crowd bigint) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT count(*), (SELECT count(*) FROM people AS p WHERE p.age <@ r.age
      AND (CASE WHEN r.zip LIKE ''%%*%%'' THEN p.zip LIKE translate(r.zip, ''*'', ''_'') ELSE p.zip = r.zip END)
      AND (r.sex = ''*'' OR p.sex IS NOT DISTINCT FROM r.sex)) FROM %I AS r GROUP BY r.age, r.zip, r.sex', release);
END $$;
CREATE FUNCTION pg_temp.publish(release text, method text, params jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM anon_publish(release, 'patients', '{age,zip,sex}', coalesce((params->>'k')::int, 1), method, population => 'people', params => params - 'k', hierarchies => pg_temp.hierarchies());
END $$;

SELECT lives_ok(format('SELECT pg_temp.publish(%L, %L, %L)', method || nr, method, params), format('%s: %s', method, params))
FROM unnest('{incognito,mingen,datafly,topdown}'::text[]) AS method,
  (VALUES (1, '{"k_map": 8}'), (2, '{"delta_presence": [0, 0.6], "max_suppression": 0.1}'), (3, '{"delta_presence": [0.2, 0.7], "k_map": 5, "max_suppression": 0}'),
    (4, '{"k": 3, "delta_presence": [0.1, 0.5], "max_suppression": 0}')) AS p (nr, params);
SELECT ok((SELECT bool_and(crowd >= 8) FROM pg_temp.shares(method || 1)), method || ': k-map')
FROM unnest('{incognito,mingen,datafly,topdown}'::text[]) AS method;
SELECT ok((SELECT bool_and(n::float8 / crowd <= 0.6) FROM pg_temp.shares(method || 2)), method || ': presence at most')
FROM unnest('{incognito,mingen,datafly,topdown}'::text[]) AS method;
SELECT ok((SELECT bool_and(n::float8 / crowd BETWEEN 0.2 AND 0.7 AND crowd >= 5) AND sum(crowd) = 600 FROM pg_temp.shares(method || 3)),
  method || ': presence between, of everybody')
FROM unnest('{incognito,mingen,datafly,topdown}'::text[]) AS method;
SELECT ok((SELECT bool_and(n::float8 / crowd BETWEEN 0.1 AND 0.5 AND n >= 3) AND sum(crowd) = 600 FROM pg_temp.shares(method || 4)),
  method || ': beside k')
FROM unnest('{incognito,mingen,datafly,topdown}'::text[]) AS method;
SELECT ok((SELECT min(n) < 8 AND min(crowd) >= 8 FROM pg_temp.shares('incognito1')), 'k-map allows classes of fewer records');

-- ---- Audits of a release know its population and hierarchies ------------------------------------
SELECT results_eq($$SELECT model, round(level::numeric, 9) FROM anon_audit('incognito3') WHERE model ~ 'k-map|presence' ORDER BY model$$,
  $$SELECT v.* FROM (SELECT min(n::numeric / crowd) AS least, max(n::numeric / crowd) AS largest, min(crowd) AS k FROM pg_temp.shares('incognito3')) AS s,
    LATERAL (VALUES ('delta-presence: largest', round(largest, 9)), ('delta-presence: least', round(least, 9)), ('k-map', k::numeric)) AS v$$,
  'every audit of it measures them');
SELECT ok((SELECT detail ? 'class' AND (detail->>'population')::int = level FROM anon_audit('incognito1') WHERE model = 'k-map'), 'and names the worst class');
SELECT lives_ok($$SELECT anon_assert('incognito3', '{age,zip,sex}', k_map => 5, delta_presence => '[0.2, 0.7]', population => 'people', hierarchies => pg_temp.hierarchies())$$,
  'what holds is asserted');
SELECT throws_ok(format('SELECT anon_assert(''incognito1'', ''{age,zip,sex}'', %s, population => ''people'', hierarchies => pg_temp.hierarchies())', promise), '23514',
  format('relation "incognito1" violates %s', model), promise)
FROM (VALUES ('k_map => 599', 'k-map'), ('delta_presence => ''[0.99, 1]''', 'delta-presence: least'),
  ('delta_presence => ''[0, 0.01]''', 'delta-presence: largest')) AS v (promise, model);
SELECT lives_ok(format($$SELECT * FROM anon_evaluate('patients', '{age,zip}', 1, 'incognito', k_map => 5, population => 'people', spec => anon_spec(population => 'people', hierarchies => pg_temp.hierarchies()) || '{"population": "%s.people"}')$$, current_schema()),
  'a population may be named twice');
SELECT matches(obj_description('incognito3'::regclass), '5-map, with a presence of at least 0.2, with a presence of at most 0.7', 'the comment states them');
SELECT lives_ok($$SELECT anon_refresh('incognito3')$$, 'a refresh keeps them');
INSERT INTO people SELECT 5 * (1000 + i) AS id, 21, '00100', 'f', 1 FROM generate_series(1, 50) AS i;
SELECT lives_ok($$REFRESH MATERIALIZED VIEW incognito1$$, 'a plain refresh reads the population again');
SELECT ok((SELECT bool_and(crowd >= 8) FROM pg_temp.shares('incognito1')), 'and keeps k-map');
ALTER TABLE people RENAME TO everybody;
SELECT lives_ok($$SELECT anon_refresh('incognito1')$$, 'a renamed population is followed');
SELECT throws_ok($$DROP TABLE everybody$$, '2BP01', NULL, 'and cannot be dropped under a release');
ALTER TABLE everybody RENAME TO people;
SELECT is((SELECT count(*) FROM anon_lattice('patients', '{age,zip,sex}', pg_temp.hierarchies(), 1, k_map => 8, population => 'people') WHERE feasible), 
  (SELECT count(*) FROM anon_lattice('patients', '{age,zip,sex}', pg_temp.hierarchies(), 1, k_map => 8, population => 'people')), 'the frontier is feasible');
SELECT ok((SELECT count(*) FILTER (WHERE feasible) < count(*) AND count(*) FILTER (WHERE feasible) > 0 FROM anon_lattice('patients', '{age,zip,sex}', pg_temp.hierarchies(), 1,
  frontier => false, delta_presence => '[0.1, 0.5]', population => 'people')), 'some nodes keep a presence');

-- Dates, numbers with a table of labels, times, of which the population alone has nulls: the judge matches each kind of label.
CREATE TABLE kinds AS SELECT i AS id, date '1950-01-01' + i * 97 % 9000 AS born, (i * 13 % 40)::numeric / 4 AS score, i * 7 % 12 AS ward,
  CASE WHEN i % 33 <> 10 THEN timestamptz '2020-01-01 00:30+00' + i * interval '31 hours' END AS seen, ('{t,f}'::bool[])[1 + i % 2] AS flag
FROM generate_series(1, 300) AS i;
CREATE TABLE wards AS SELECT i AS ward, 'house ' || i % 3 AS house FROM generate_series(0, 11) AS i;
CREATE VIEW drawn AS SELECT * FROM kinds WHERE id % 3 = 0;
SELECT lives_ok(format($$SELECT anon_publish('kinds_%s', 'drawn', '{born,score,ward,seen,flag}', 1, '%s', k_map => 6, delta_presence => '[0, 0.8]', population => 'kinds',
  hierarchies => '{"born": {"date": ["month", "year", "decade"]}, "score": {"range": [1, 5]}, "ward": {"table": "wards"}, "seen": {"date": ["day", "month", "year"]}}')$$,
  method, method), method || ': each kind of label')
FROM unnest('{incognito,topdown}'::text[]) AS method;

-- The range of a value alone is the one that a release writes: of a type's last value, and of floats with many digits.
CREATE TABLE lasts AS SELECT 2147483647 AS n, date '5874897-12-31' AS d FROM generate_series(1, 3);
CREATE TABLE lasts_masked AS SELECT int4range(2147483647, NULL) AS n, daterange('5874897-12-31', NULL) AS d FROM generate_series(1, 2);
SELECT is((SELECT level FROM anon_audit('lasts_masked', '{n,d}', population => 'lasts', hierarchies => '{"n": {"range": [10]}, "d": {"date": ["year"]}}')
  WHERE model = 'k-map'), 3::float8, 'the last values of their types');
CREATE TABLE thirds AS SELECT i AS id, (i % 6) / 3::float8 AS x FROM generate_series(1, 60) AS i;
SELECT lives_ok($$SELECT anon_publish('thirds_masked', 'thirds', '{x}', 1, 'incognito', k_map => 10, population => 'thirds', hierarchies => '{"x": {"range": [1]}}')$$,
  'floats that are no decimal numbers');
SELECT is((SELECT level FROM anon_audit('thirds_masked') WHERE model = 'k-map'), 10::float8, 'each in the crowd of its value');

-- Both relations and the texts of cells are in memory together: one limit holds for all.
CREATE TABLE crowd AS SELECT i % 50 AS age, md5((i % 20000)::text) AS code FROM generate_series(1, 40000) AS i;
SET LOCAL anonkit.max_memory = '12MB';
SELECT lives_ok($$SELECT * FROM anon_audit('crowd', '{age,code}')$$, 'room for one relation');
SELECT throws_ok($$SELECT * FROM anon_audit('crowd', '{age,code}', population => 'crowd', hierarchies => '{"code": {"prefix": 32}}')$$, '53400', NULL,
  'and not for two');
SET LOCAL anonkit.max_memory = '32MB';
SELECT is((SELECT level FROM anon_audit('crowd', '{age,code}', population => 'crowd', hierarchies => '{"code": {"prefix": 32}}') WHERE model = 'k-map'), 2::float8,
  'room for both');
RESET anonkit.max_memory;

CREATE VIEW texts AS SELECT age::text, zip, sex FROM people;
CREATE VIEW fractions AS SELECT age + 0.7 AS age, zip, sex FROM people;
CREATE VIEW long AS SELECT age::int8, zip, sex FROM people;

-- ---- Refusals ------------------------------------------------------------------------------------
SELECT throws_ok(format('SELECT anon_%s)', call), state, message, call)
FROM (VALUES
  ('evaluate(''patients'', ''{age,zip}'', 2, k_map => 5', '22023', 'k-map needs a population'),
  ('evaluate(''patients'', ''{age,zip}'', 2, delta_presence => ''[0, 0.5]''', '22023', 'delta-presence needs a population'),
  ('evaluate(''patients'', ''{age,zip}'', 2, population => ''people''', '22023', 'population needs k_map or delta_presence'),
  ('evaluate(''patients'', ''{age,zip}'', 2, k_map => 5, population => ''people''', '22023', 'method "microaggregate" cannot promise k-map'),
  ('evaluate(''patients'', ''{age,zip}'', 2, ''mondrian'', delta_presence => ''[0, 0.5]'', population => ''people''', '22023', 'method "mondrian" cannot promise delta-presence'),
  ('evaluate(''patients'', ''{age,zip}'', 2, ''argus'', hierarchies => pg_temp.hierarchies(), k_map => 5, population => ''people''', '22023', 'method "argus" cannot promise k-map'),
  ('incognito(''patients'', ''{age,zip}'', pg_temp.hierarchies(), 2, k_map => 5, population => ''people'', local_suppression => true', '22023',
    'k-map cannot be combined with local_suppression'),
  ('incognito(''patients'', ''{age,zip}'', pg_temp.hierarchies(), 2, k_map => 5, population => ''people'', unit => ''{id}''', '22023', 'k-map cannot be promised with a unit'),
  ('incognito(''patients'', ''{age,zip}'', pg_temp.hierarchies(), 2, k_map => 5000, population => ''people''', '22023', 'k_map is larger than the population'),
  ('incognito(''patients'', ''{age,zip}'', pg_temp.hierarchies(), 2, delta_presence => ''[0, 0.1]'', population => ''people''', '22023', 'delta-presence cannot be had'),
  ('incognito(''patients'', ''{age,zip}'', pg_temp.hierarchies(), 2, delta_presence => ''[0.9, 1]'', population => ''people''', '22023', 'delta-presence cannot be had'),
  ('incognito(''people'', ''{age,zip}'', pg_temp.hierarchies(), 2, k_map => 3, population => ''patients''', '22000', 'the population lacks records of the relation'),
  ('incognito(''patients'', ''{age,zip}'', pg_temp.hierarchies(), 2, k_map => 3, population => ''texts''', '42804', 'column "age" of the population has another type'),
  ('incognito(''patients'', ''{age,zip}'', pg_temp.hierarchies(), 2, k_map => 3, population => ''wards''', '42703', 'column "age" does not exist'),
  ('spec(delta_presence => ''[0.5, 0.2]''', '22023', 'the first number of "delta_presence" is above the second'),
  ('assert(''patients'', ''{age,zip}'', k_map => 3', '22023', 'k-map needs a population'),
  ('replay(''patients'', ''{age,zip}'', 2, ''incognito'', ''{illness}'', spec => anon_spec(k_map => 3, population => ''people'', hierarchies => pg_temp.hierarchies())', '0A000',
    'a release against a population cannot be replayed')) AS v (call, state, message);
SELECT throws_ok(format($$SELECT * FROM anon_audit('incognito3', '{age,zip,sex}', population => %L, hierarchies => pg_temp.hierarchies())$$, population), '42804',
  'column "age" of the population has another type', 'ranges of another type than the population: ' || population)
FROM unnest('{texts,fractions,long}'::text[]) AS population;
SELECT throws_like(format('SELECT anon_spec(delta_presence => %L)', bounds), '%delta_presence%', bounds)
FROM unnest('{"[0]","[0, 0]","[-0.1, 1]","[0, 1.1]","0.5","[0, 0.5, 1]","[\"0\", 1]"}'::text[]) AS bounds;
SELECT throws_ok($$SELECT anon_publish('keyed', 'patients', '{age,zip}', 2, key => '{id}', method => 'incognito', hierarchies => pg_temp.hierarchies(), k_map => 3, population => 'people')$$,
  '0A000', 'k-map cannot be combined with a key', 'releases over time');

-- Where no quasi-identifier has a hierarchy, values become * by an implicit one, and those of the population do so, too.
CREATE TABLE digits AS SELECT (i % 10)::text AS digit, i % 4 AS quarter FROM generate_series(1, 100) AS i;
CREATE TABLE all_digits AS TABLE digits;
INSERT INTO all_digits SELECT digit || 'x', quarter FROM digits;
SELECT matches((SELECT verdict FROM anon_publish('by_' || method, 'digits', '{digit,quarter}', 5, method, population => 'all_digits',
  k_map => 50, categories => '{quarter}')), '^kept: 5-anonymous, 50-map', method || ' without hierarchies')
FROM unnest('{incognito,mingen,datafly,topdown}'::text[]) AS method;
SELECT is((SELECT level FROM anon_audit('by_incognito', population => 'all_digits') WHERE model = 'k-map'),
  (SELECT min(count)::float8 FROM (SELECT (SELECT count(*) FROM all_digits AS a
    WHERE r.digit IN (a.digit, '*') AND r.quarter IN (a.quarter::text, '*')) FROM by_incognito AS r) AS matching),
  'an audit of such a release, counted by hand');

-- Names of columns that differ in case alone.
CREATE TABLE cases AS SELECT i % 40 AS a, lpad((i % 37)::text, 3, '0') AS "A" FROM generate_series(1, 200) AS i;
CREATE TABLE all_cases AS SELECT * FROM cases UNION ALL SELECT * FROM cases;
SELECT matches((SELECT verdict FROM anon_publish('by_case', 'cases', '{a,A}', 5, 'incognito', population => 'all_cases', k_map => 10,
  hierarchies => '{"a": {"range": [10, 50]}, "A": {"prefix": 3}}')), '^kept: 5-anonymous, 10-map', 'each column has its own hierarchy');
-- Labels are texts: the blanks of char(n) are none, and letters that a collation does not tell apart are two labels.
CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE spelt AS
SELECT 20 + i * 7 % 13 AS age, (ARRAY['ab', 'AB', 'cd', 'cd'])[1 + i % 4]::char(5) AS padded, (ARRAY['ab', 'AB', 'cd', 'cd'])[1 + i % 4]::text COLLATE any_case AS spelling
FROM generate_series(1, 48) AS i;
SELECT lives_ok(format($$SELECT anon_publish('spelt_%1$s', 'spelt', ARRAY['age', %1$L], 4, 'incognito', population => 'spelt', k_map => 4,
  hierarchies => '{"age": {"range": [5, 20]}}')$$, c), 'the table as its population: ' || c)
FROM unnest('{padded,spelling}'::text[]) AS c;
SELECT results_eq('SELECT DISTINCT padded FROM spelt_padded ORDER BY 1', 'SELECT DISTINCT padded::text FROM spelt ORDER BY 1', 'a label has no padding');
SELECT is((SELECT level FROM anon_audit('spelt_' || c) WHERE model = 'k-map'), 12::float8, 'k-map of ' || c) FROM unnest('{padded,spelling}'::text[]) AS c;
SELECT is((SELECT rows FROM anon_publish('spelt_ordered', 'spelt', '{age,padded}', 4, orders => '{"padded": ["ab", "AB", "cd"]}')), 48::bigint,
  'an order of char(n) lists its values without padding');

SELECT throws_ok($$SELECT * FROM anon_audit('spelt_padded', '{age,padded}', population => 'spelt', hierarchies => '{"age": {"prefix": 2}}')$$, '42804',
  'the hierarchy of column "age" is not about values of its type', 'an error of a hierarchy names the column');

SELECT * FROM finish();
ROLLBACK;
