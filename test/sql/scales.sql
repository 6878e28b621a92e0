-- Scales of a larger table: a part of it is compared, and its losses counted, as the whole would be.
BEGIN;
SELECT plan(19);

CREATE TABLE people AS
SELECT i AS id, (i::bigint * i * 7919 % 10007)::float8 AS income, (i * 104729 % 97)::int AS age,
  date '1950-01-01' + i * 31 % 9000 AS born, timestamp '2020-01-01' + i * 37 % 5000 * interval '1 minute' AS seen,
  (ARRAY['a', 'b', 'c'])[1 + i % 7 % 3] AS ward
FROM generate_series(1, 1200) AS i;
CREATE TEMP TABLE young AS SELECT * FROM people WHERE age < 30;
CREATE TEMP TABLE whole AS
SELECT jsonb_build_object(
  'income', jsonb_build_object('deviation', stddev(income), 'extent', max(income) - min(income)),
  'age', jsonb_build_object('deviation', stddev(age), 'extent', max(age) - min(age))) AS scales,
  ARRAY[stddev(income), stddev(age)]::float8[] AS deviations FROM people;

-- The classes of a method, as sets of persons.
CREATE FUNCTION pg_temp.classes(spec jsonb) RETURNS SETOF text LANGUAGE sql AS $$
  SELECT string_agg(y.id::text, ',' ORDER BY y.id)
  FROM anon_mdav('young', '{income,age}', 5, spec => spec) AS m JOIN young AS y ON y.ctid = m.source GROUP BY m.class_id $$;

SELECT set_eq(
  $$SELECT * FROM pg_temp.classes((SELECT jsonb_build_object('scales', scales) FROM whole))$$,
  $$SELECT string_agg(id::text, ',' ORDER BY id) FROM
    (SELECT id, anon_mdav_class(5, deviations, 'error', income, age) OVER () AS class FROM young, whole) AS w GROUP BY class$$,
  'the classes are those of the window function with these scales');
SELECT isnt_empty(
  $$SELECT * FROM pg_temp.classes('{}') EXCEPT SELECT * FROM pg_temp.classes((SELECT jsonb_build_object('scales', scales) FROM whole))$$,
  'and not those of the part''s own scales');
SELECT set_eq(
  $$SELECT * FROM pg_temp.classes('{}')$$,
  $$SELECT * FROM pg_temp.classes((SELECT jsonb_build_object('scales', jsonb_build_object(
    'income', jsonb_build_object('deviation', stddev(income)), 'age', jsonb_build_object('deviation', stddev(age)))) FROM young))$$,
  'a table''s own scales change nothing');
SELECT set_eq(
  $$SELECT * FROM pg_temp.classes('{"standardize": "range"}')$$,
  $$SELECT * FROM pg_temp.classes('{"standardize": "range", "scales": {"age": {"extent": 1}, "income": {"extent": 2}}}')$$,
  'no part is wider than the whole');

-- Certainty penalties are shares of the extent of the whole.
CREATE FUNCTION pg_temp.ncp(spec jsonb) RETURNS numeric LANGUAGE sql AS $$
  SELECT round(value::numeric, 6) FROM anon_evaluate('young', '{age}', 5, 'mondrian', spec => spec || '{"recode": "range"}') WHERE measure = 'ncp' $$;
SELECT is(pg_temp.ncp('{"scales": {"age": {"extent": 290}}}'), round(pg_temp.ncp('{}') / 10, 6), 'ranges are shares of the whole');

-- So are sets, of the categories of the whole.
CREATE FUNCTION pg_temp.ncp_of_sets(spec jsonb) RETURNS numeric LANGUAGE sql AS $$
  SELECT round(value::numeric, 6) FROM anon_evaluate('young', '{ward}', 200, 'mondrian', spec => spec || '{"recode": "range"}') WHERE measure = 'ncp' $$;
SELECT is(pg_temp.ncp_of_sets('{"scales": {"ward": {"categories": 21}}}'), round(pg_temp.ncp_of_sets('{}') / 10, 6),
  'of a set of three, two categories of two, and of twenty');
SELECT is(pg_temp.ncp_of_sets('{"scales": {"ward": {"categories": 2}}}'), pg_temp.ncp_of_sets('{}'), 'no part has more than the whole');

-- Dates count in days, timestamps in seconds.
SELECT set_eq(
  format($$SELECT * FROM anon_mdav('young', '{born,seen}', 4, scales => %L)$$, (SELECT jsonb_build_object(
    'born', jsonb_build_object('deviation', stddev(born - date '2000-01-01')),
    'seen', jsonb_build_object('deviation', stddev(extract(epoch FROM seen)))) FROM young)),
  $$SELECT * FROM anon_mdav('young', '{born,seen}', 4)$$, 'days of dates, seconds of timestamps');

-- A release keeps them.
SELECT is((SELECT smallest_class >= 5 FROM anon_publish('young_public', 'people', '{income,age}', 5,
  spec => anon_spec(scales => '{"age": {"deviation": 40}}'))), true, 'a release takes them');
SELECT is((SELECT spec -> 'scales' FROM anon_release_info('young_public')), '{"age": {"deviation": 40}}'::jsonb, 'and keeps them');

-- ---- errors -------------------------------------------------------------------------------------------
SELECT throws_ok($$SELECT * FROM anon_mdav('young', '{age}', 5, scales => '{"age": {"width": 3}}')$$, '22023',
  'parameter "scales.age" has an unknown member', 'a scale has a deviation and an extent');
SELECT throws_ok($$SELECT * FROM anon_mdav('young', '{age}', 5, scales => '{"age": 3}')$$, '22023',
  'parameter "scales.age" must be an object', 'it is an object');
SELECT throws_ok($$SELECT * FROM anon_mdav('young', '{age}', 5, scales => '{"age": {"deviation": 0}}')$$, '22023',
  NULL, 'it is above 0');
SELECT throws_ok($$SELECT * FROM anon_mdav('young', '{age}', 5, scales => '{"income": {"deviation": 3}}')$$, '22023',
  NULL, 'of a quasi-identifier');
SELECT throws_ok($$SELECT * FROM anon_mdav('young', '{age,ward}', 5, scales => '{"ward": {"deviation": 3}}')$$, '42804',
  'column "ward" of scales has no numbers', 'of numbers');
SELECT throws_ok($$SELECT * FROM anon_mdav('young', '{age,ward}', 5, scales => '{"age": {"categories": 3}}')$$, '42804',
  'column "age" of scales has numbers', 'or of categories');
SELECT throws_ok($$SELECT * FROM anon_mdav('young', '{age,ward}', 5, scales => '{"ward": {"categories": 2.5}}')$$, '22023',
  'scales.ward.categories must be an integer of at most 1000000', 'which are counted');
SELECT throws_ok($$SELECT * FROM anon_mdav('young', '{age}', 5, scales => '[3]')$$, '22023', NULL, 'by column');
SELECT throws_ok($$SELECT * FROM anon_publish('over_time', 'people', '{age}', 5, key => '{id}',
  spec => anon_spec(scales => '{"age": {"deviation": 40}}'))$$, '0A000', 'scales cannot be combined with a key',
  'a release over time has those of its first version');

SELECT * FROM finish();
ROLLBACK;
