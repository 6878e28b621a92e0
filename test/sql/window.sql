-- The window-function form of the methods.
BEGIN;
SELECT plan(42);

CREATE TEMP TABLE points AS
SELECT i, (i::bigint * i * 7919 % 10007)::float8 AS x, (i * 104729 % 9973)::float8 AS y, i % 10 AS part,
  (ARRAY['a', 'b', 'c', 'd'])[1 + i * i % 11 % 4] AS kind, (i * 31 % 97)::float8 AS amount
FROM generate_series(1, 1000) AS i;

-- Equal sets of records, regardless of the classes' numbers.
CREATE FUNCTION pg_temp.classes(query text) RETURNS SETOF int[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT array_agg(i ORDER BY i) FROM (%s) AS c (i, class) GROUP BY class', query);
END $$;

CREATE FUNCTION pg_temp.as_looked(method text, more text) RETURNS text LANGUAGE sql AS $$
  SELECT format('SELECT p.i, m.class_id FROM points p JOIN %I(''points'', ''{x,y}'', %s) m ON m.source = p.ctid',
                method, more)
$$;

SELECT set_eq('SELECT * FROM pg_temp.classes(''SELECT i, anon_mdav_class(5, x, y) OVER () FROM points'')',
  format('SELECT * FROM pg_temp.classes(%L)', pg_temp.as_looked('anon_mdav', '5')),
  'anon_mdav_class over one partition forms the classes of anon_mdav');
SELECT set_eq('SELECT * FROM pg_temp.classes(''SELECT i, anon_mdav_class(5, x, y) OVER (ORDER BY amount) FROM points'')',
  format('SELECT * FROM pg_temp.classes(%L)', pg_temp.as_looked('anon_mdav', '5')),
  'whatever the order of the rows');
SELECT set_eq('SELECT * FROM pg_temp.classes(''SELECT i, anon_vmdav_class(5, x, y) OVER () FROM points'')',
  format('SELECT * FROM pg_temp.classes(%L)', pg_temp.as_looked('anon_vmdav', '5')), 'anon_vmdav_class');
SELECT set_eq('SELECT * FROM pg_temp.classes(''SELECT i, anon_mondrian_class(5, x, y) OVER () FROM points'')',
  format('SELECT * FROM pg_temp.classes(%L)', pg_temp.as_looked('anon_mondrian', '5')), 'anon_mondrian_class');
SELECT set_eq('SELECT * FROM pg_temp.classes(''SELECT i, anon_microaggregate_class(5, x, y) OVER () FROM points'')',
  format('SELECT * FROM pg_temp.classes(%L)', pg_temp.as_looked('anon_microaggregate', '5')),
  'anon_microaggregate_class');
SELECT set_eq('SELECT * FROM pg_temp.classes(''SELECT i, anon_tclose_class(5, 0.2, amount, x, y) OVER () FROM points'')',
  format('SELECT * FROM pg_temp.classes(%L)', pg_temp.as_looked('anon_tclose', '''{amount}'', 5, 0.2')),
  'anon_tclose_class');
SELECT set_eq('SELECT * FROM pg_temp.classes(''SELECT i, anon_psensitive_class(5, 3, kind, x, y) OVER () FROM points'')',
  format('SELECT * FROM pg_temp.classes(%L)', pg_temp.as_looked('anon_psensitive', '''{kind}'', 5, 3')),
  'anon_psensitive_class');
SELECT set_eq(
  'SELECT * FROM pg_temp.classes(''SELECT i, anon_microaggregate_class(5, 3, NULL, kind, x, y) OVER () FROM points'')',
  format('SELECT * FROM pg_temp.classes(%L)',
         pg_temp.as_looked('anon_microaggregate', '5, sensitive => ''{kind}'', l => 3')),
  'anon_microaggregate_class with l');

SELECT is((SELECT min(n) FROM (SELECT count(DISTINCT kind) AS n FROM
  (SELECT kind, anon_microaggregate_class(k => 5, l => 3, t => NULL, sensitive => kind, VARIADIC qi => ARRAY[x, y])
     OVER () AS class FROM points) AS c GROUP BY class) AS d), 3::bigint, 'every class is 3-diverse');

SELECT is((SELECT min(n) FROM (SELECT count(*) AS n FROM
  (SELECT part, anon_mdav_class(7, x, y) OVER (PARTITION BY part) AS class FROM points) AS c
  GROUP BY part, class) AS d), 7::bigint, 'each partition has classes of its own, of k records or more');
SELECT is((SELECT count(*) FROM
  (SELECT DISTINCT part, anon_mdav_class(7, x, y) OVER (PARTITION BY part) AS class FROM points) AS c
  WHERE part = 3 AND class = 1), 1::bigint, 'classes are numbered from 1 in each');
SELECT set_eq(
  'SELECT * FROM pg_temp.classes(''SELECT i, anon_mdav_class(7, x, y) OVER (PARTITION BY part) FROM points WHERE part = 3'')',
  'SELECT * FROM pg_temp.classes(''SELECT i, anon_mdav_class(7, x, y) OVER () FROM points WHERE part = 3'')',
  'a partition is a table of its own');

SELECT set_eq(
  'SELECT * FROM pg_temp.classes(''SELECT i, anon_mdav_class(5, ARRAY[1, 1]::float8[], ''''error''''::text, x, y) OVER () FROM points'')',
  format('SELECT * FROM pg_temp.classes(%L)', pg_temp.as_looked('anon_mdav', '5, standardize => ''none''')),
  'scales of 1 standardise nothing');
SELECT is((SELECT array_agg(DISTINCT class) FROM
  (SELECT anon_mdav_class(5, NULL::float8[], 'flag'::text, x, y) OVER () AS class FROM points WHERE i < 5) AS c),
  '{0}'::int[], 'fewer than k rows are class 0 if asked for');

-- A dump and Citus print a view's calls without VARIADIC.
CREATE FUNCTION pg_temp.reprinted(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE differences int;
BEGIN
  EXECUTE format('CREATE TEMP VIEW written AS SELECT i, %s OVER (PARTITION BY part) AS class FROM points', call);
  EXECUTE 'CREATE TEMP VIEW printed AS ' || pg_get_viewdef('written');
  SELECT count(*) INTO differences FROM (TABLE written EXCEPT TABLE printed) AS d;
  DROP VIEW written, printed;
  RETURN differences::text;
END $$;
SELECT is(pg_temp.reprinted(call), '0', 'a view of ' || call || ' reads back')
FROM unnest('{mdav,vmdav,mondrian,microaggregate}'::text[]) AS method, unnest(ARRAY[
  format('anon_%s_class(5, x, y)', method), format('anon_%s_class(5, ''{1,2}''::float8[], ''flag'', x, y)', method),
  format('anon_%s_class(k => 5, VARIADIC qi => ARRAY[x, y])', method)]) AS call;
SELECT is(pg_temp.reprinted(call), '0', 'a view of ' || call || ' reads back') FROM unnest(ARRAY[
  'anon_tclose_class(5, 0.5, amount, x, y)', 'anon_psensitive_class(5, 2, kind, x, y)',
  'anon_microaggregate_class(5, 2, NULL, kind, ''{1,2}''::float8[], ''error'', x, y)']) AS call;
SELECT throws_ok('SELECT anon_mdav_class(5, ARRAY[i, i]) OVER () FROM points', '42804', 'qi must be of type float8[]',
  'an array of another type');

SELECT throws_ok('SELECT anon_mdav_class(5, x, y) OVER () FROM points WHERE i < 5', '22023',
  'k is larger than the number of rows', 'and an error if not');
SELECT throws_ok('SELECT anon_mdav_class(5, x, NULL) OVER () FROM points', '22000', 'qi contains a null', 'a null');
SELECT throws_ok('SELECT anon_mdav_class(5, x, ''NaN'') OVER () FROM points', '22000',
  'qi contains a value that is not a finite number', 'NaN');
SELECT throws_ok('SELECT anon_mdav_class(0, x) OVER () FROM points', '22023', 'k must be at least 1', 'k = 0');
SELECT throws_ok('SELECT anon_mdav_class(NULL, x) OVER () FROM points', '22004', 'k must not be null', 'k is null');
SELECT throws_ok('SELECT anon_mdav_class(5, ARRAY[1]::float8[], ''error''::text, x, y) OVER () FROM points', '22023',
  'there must be one scale for each quasi-identifier', 'one scale of two');
SELECT throws_ok('SELECT anon_mdav_class(5, ARRAY[1, 0]::float8[], ''error''::text, x, y) OVER () FROM points', '22023',
  'scales must be above 0', 'a scale of zero');

SELECT throws_ok(format('SELECT anon_%s OVER () FROM points', call), '22023', 'only qi and the sensitive value may vary within a partition', call)
FROM unnest(ARRAY['mdav_class(CASE WHEN i = 1000 THEN 50 ELSE 5 END, x, y)',
  'microaggregate_class(5, CASE WHEN i = 1 THEN 2 END, NULL, kind, x, y)', 'tclose_class(5, CASE WHEN i = 7 THEN 0.1 ELSE 0.2 END, amount, x, y)',
  'mdav_class(5, ARRAY[1, i]::float8[], ''error''::text, x, y)']) AS call;
SELECT lives_ok('SELECT anon_mdav_class(5 + part, k.scales, k.small, x, y) OVER (PARTITION BY part)
  FROM points, (SELECT ARRAY[1, 2]::float8[] AS scales, ''flag''::text AS small) AS k', 'each partition has a k of its own');

SELECT * FROM finish();
ROLLBACK;
