-- The classes of an audit are those of GROUP BY, for each type's own equality and any order of
-- rows.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
SELECT setseed(0.25);

CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TYPE mood AS ENUM ('sad', 'fine', 'glad');
CREATE DOMAIN share AS numeric CHECK (VALUE >= 0);
CREATE TABLE typed AS
SELECT i, (ARRAY['a', 'A', 'b', 'B', NULL])[ceil(5 * random())] COLLATE blind AS blind,
  (ARRAY['x', 'x ', 'y'])[ceil(3 * random())]::char(3) AS padded,
  (ARRAY[1.0, 1.00, 1, 2, 2.0])[ceil(5 * random())]::share AS domained,
  (ARRAY['0', '-0', 'NaN', '1', NULL])[ceil(5 * random())]::float8 AS real8,
  (ARRAY['1 day', '24 hours', '30 days', '1 month'])[ceil(4 * random())]::interval AS lasting,
  (ARRAY['[1,4)', '[1,3]', 'empty', '(,2)'])[ceil(4 * random())]::int4range AS wholes,
  (ARRAY['[1,2)', '[1.0,2.00)', '[1,2]'])[ceil(3 * random())]::numrange AS fractional,
  (ARRAY['sad', 'fine', 'glad'])[ceil(3 * random())]::mood AS mood,
  (ARRAY['{1,2}', '{1}', NULL])[ceil(3 * random())]::int[] AS listed,
  (ARRAY['{"a": 1.0}', '{"a": 1}', '[]'])[ceil(3 * random())]::jsonb AS document,
  (ARRAY['10.0.0.1', '10.0.0.1/32', '::1'])[ceil(3 * random())]::inet AS net,
  repeat((ARRAY['p', 'q'])[ceil(2 * random())], 100000) AS long, random() < 0.5 AS yes,
  (ARRAY['u', 'v'])[ceil(2 * random())]::name AS named
FROM generate_series(1, 400) AS i;

CREATE TABLE columns AS
SELECT attname::text AS name FROM pg_attribute
WHERE attrelid = 'typed'::regclass AND attnum > 1 AND NOT attisdropped;

-- The sizes of GROUP BY's classes: the least, and the sum of squares, which distinguishes
-- partitions.
CREATE FUNCTION pg_temp.smallest(qi text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE found bigint;
BEGIN
  EXECUTE format('SELECT min(n) FROM (SELECT count(*) AS n FROM typed GROUP BY %s) AS c', qi) INTO found;
  RETURN found;
END $$;
CREATE FUNCTION pg_temp.fewest(qi text, sensitive text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE found bigint;
BEGIN
  EXECUTE format('SELECT min(n) FROM (SELECT count(*) AS n FROM (SELECT DISTINCT %s, %s FROM typed) AS d GROUP BY %1$s) AS c',
    qi, sensitive) INTO found;
  RETURN found;
END $$;
SELECT is((SELECT level::bigint FROM anon_audit('typed', ARRAY[name]) WHERE model = 'k-anonymity'),
  pg_temp.smallest(name), 'classes by ' || name) FROM columns;
SELECT is((SELECT level::bigint FROM anon_audit('typed', ARRAY[a.name, b.name]) WHERE model = 'k-anonymity'),
  pg_temp.smallest(a.name || ', ' || b.name), format('classes by %s and %s', a.name, b.name))
FROM columns AS a JOIN columns AS b ON a.name < b.name;
SELECT is((SELECT level::bigint FROM anon_audit('typed', ARRAY[a.name], ARRAY[b.name]) WHERE model = 'p-sensitivity'),
  pg_temp.fewest(a.name, b.name), format('values of %s by %s', b.name, a.name))
FROM columns AS a JOIN columns AS b ON a.name <> b.name;

-- Neither levels nor the worst classes depend on the order of rows.
CREATE TABLE shuffled AS SELECT * FROM typed ORDER BY random();
SELECT results_eq(
  format('SELECT * FROM anon_audit(''typed'', ARRAY[%L, ''real8'', ''domained''], ''{lasting}'')', name),
  format('SELECT * FROM anon_audit(''shuffled'', ARRAY[%L, ''real8'', ''domained''], ''{lasting}'')', name),
  'any order of rows, by ' || name) FROM columns WHERE name NOT IN ('real8', 'domained', 'lasting');

-- Values of numbers and dates have the order of their type, special ones too: as distances, they are their ranks.
CREATE TABLE ordered AS
SELECT i % 6 AS class, (ARRAY['0', '-0', 'NaN', '-NaN', '1', '-1', '-2.5', '1e30', '-1e30', 'inf', '-inf', '1e-30', NULL])[ceil(13 * random())] AS written,
  (ARRAY[-32768, -1, 0, 1, 255, 256, 32767])[ceil(7 * random())]::int2 AS number2,
  (ARRAY[-2147483648, -65536, -1, 0, 1, 65536, 2147483647])[ceil(7 * random())]::int4 AS number4,
  (ARRAY[-9223372036854775807, -4294967296, -1, 0, 1, 4294967296, 9223372036854775807])[ceil(7 * random())]::int8 AS number8,
  (ARRAY['-infinity', '4000-01-01 BC', '1969-12-31', '1970-01-01', '2000-01-01', '2000-01-02', 'infinity'])[ceil(7 * random())] AS day
FROM generate_series(1, 300) AS i;
CREATE VIEW by_type AS
SELECT class, written::float4 AS real4, written::float8 AS real8, number2, number4, number8, day::date AS day,
  day::timestamp AS moment, day::timestamptz AS instant FROM ordered;
CREATE FUNCTION pg_temp.closeness(relation text, sensitive text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE VIEW pg_temp.ranked AS SELECT class, CASE WHEN %I IS NOT NULL THEN dense_rank() OVER (ORDER BY %1$I) END AS rank FROM %I',
    sensitive, relation);
  RETURN NEXT is((SELECT level FROM anon_audit('by_type', '{class}', ARRAY[sensitive]) WHERE model = 't-closeness'),
    (SELECT level FROM anon_audit('pg_temp.ranked', '{class}', '{rank}') WHERE model = 't-closeness'), 'order of ' || sensitive);
  RETURN NEXT is((SELECT max(level) FROM anon_audit('by_type', '{class}', ARRAY[sensitive]) WHERE model IN ('p-sensitivity', '(alpha,k)-anonymity')),
    (SELECT max(level) FROM anon_audit('pg_temp.ranked', '{class}', '{rank}') WHERE model IN ('p-sensitivity', '(alpha,k)-anonymity')), 'values of ' || sensitive);
  DROP VIEW pg_temp.ranked;
END $$;
SELECT pg_temp.closeness('by_type', name)
FROM unnest('{real4,real8,number2,number4,number8,day,moment,instant}'::text[]) AS name;

-- The classes and records that fall short of a requested level.
CREATE VIEW shares AS
SELECT mood, n, sum(n) OVER (PARTITION BY mood) AS class, sum(n) OVER (PARTITION BY named) AS value, count(*) OVER (PARTITION BY mood) AS p
FROM (SELECT mood, named, count(*) AS n FROM typed WHERE i <= 40 GROUP BY mood, named) AS c;
CREATE VIEW forty AS SELECT * FROM typed WHERE i <= 40;
SELECT is((SELECT (detail->>'classes_short')::numeric || ' ' || (detail->>'records_short')::numeric
    FROM anon_audit('forty', '{mood}', '{named}', asked => jsonb_build_object(model, level)) AS a WHERE a.model = v.model),
  (SELECT count(*) || ' ' || coalesce(sum(class), 0) FROM (SELECT mood, class FROM shares GROUP BY mood, class
    HAVING CASE v.model WHEN 'k-anonymity' THEN class < level WHEN 'p-sensitivity' THEN max(p) < level
      WHEN '(alpha,k)-anonymity' THEN max(n / class) > level
      WHEN 'basic beta-likeness' THEN max(n / class / (value / 40.0) - 1) > level
      ELSE max(abs(ln(n / class / (value / 40.0)))) >= level END) AS c), format('short of %s %s', level, model))
FROM (VALUES ('k-anonymity', 13), ('k-anonymity', 1), ('k-anonymity', 100), ('p-sensitivity', 2), ('p-sensitivity', 3),
  ('(alpha,k)-anonymity', 0.5), ('(alpha,k)-anonymity', 0.6), ('basic beta-likeness', 0.1), ('basic beta-likeness', 0),
  ('delta-disclosure', 0.05), ('delta-disclosure', 0.2)) AS v (model, level);
SELECT throws_ok($$SELECT * FROM anon_audit('typed', '{mood}', asked => '{"k-anonimity": 5}')$$, '22023', 'unknown model "k-anonimity"', 'no such model');
SELECT throws_ok($$SELECT * FROM anon_audit('typed', '{mood}', asked => '{"k-anonymity": "5"}')$$, '22023', NULL, 'no such level');
SELECT is((SELECT round(level::numeric, 9) FROM anon_audit('forty', '{mood}', '{named}') WHERE model = 'basic beta-likeness'),
  (SELECT round(max(n / class / (value / 40.0) - 1), 9) FROM shares), 'beta-likeness');
SELECT is((SELECT round(level::numeric, 9) FROM anon_audit('forty', '{mood}', '{named}') WHERE model = 'delta-disclosure'),
  (SELECT round(max(abs(ln(n / class / (value / 40.0)))), 9) FROM shares), 'delta-disclosure');
SELECT * FROM finish();
ROLLBACK;
