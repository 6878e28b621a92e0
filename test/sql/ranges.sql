-- A range of a release is true of every record of its class, for every type and up to the type's ends.
BEGIN;
SELECT no_plan();
SET LOCAL client_min_messages = warning;

-- Publishes values of a type as ranges beside the values themselves. How many ranges do not contain theirs, and how many
-- have no upper end.
CREATE FUNCTION outside(type text, texts text[], contains text DEFAULT 'r.x @> r.original')
RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
  EXECUTE format('CREATE TABLE extremes AS SELECT v::%1$s AS x, v::%1$s AS original FROM unnest(%2$L::text[]) AS v', type, texts);
  PERFORM anon_publish('ranges', 'extremes', '{x}', 2, method => 'mdav', keep => '{original}', params => '{"recode": "range"}');
  EXECUTE format('SELECT format(''%%s outside, %%s endless'', count(*) FILTER (WHERE NOT (%s)), count(*) FILTER (WHERE upper_inf(r.x)))
    FROM ranges AS r', contains) INTO answer;
  PERFORM anon_drop('ranges');
  DROP TABLE extremes;
  RETURN answer;
END $$;

SELECT is(outside('int', '{-2147483648,-2147483648,-5,7,2147483646,2147483647}'), '0 outside, 2 endless', 'int: the last has no upper end');
SELECT is(outside('smallint', '{-32768,-32768,32766,32767}', 'r.x @> r.original::int'), '0 outside, 0 endless', 'smallint');
SELECT is(outside('bigint', '{-9223372036854775808,-9223372036854775807,9223372036854775806,9223372036854775807}'), '0 outside, 2 endless', 'bigint');
SELECT is(outside('bigint', '{9007199254740993,9007199254740995,9007199254740997,9007199254740999}'), '0 outside, 0 endless', 'bigint beyond 2^53');
SELECT is(outside('date', '{4713-01-01 BC,0001-01-01,5874897-12-30,5874897-12-31}'), '0 outside, 2 endless', 'date: the last has no upper end');
SELECT is(outside('timestamp', '{294276-12-31 23:59:59.999999,294276-12-31 23:59:59.999998,4713-01-01 00:00:00.000001 BC,4713-01-01 00:00:00 BC}'),
  '0 outside, 0 endless', 'timestamp');
SELECT is(outside('timestamptz', '{294276-12-31 23:59:59.999999+00,294276-12-31 23:59:59.999998+00,1500-01-01 00:00:00.000001+00,1500-01-01 00:00:00.000003+00}'),
  '0 outside, 0 endless', 'timestamptz');
SELECT is(outside('numeric(20,0)', '{12345678901234567891,12345678901234567892,99999999999999999999,99999999999999999998}'), '0 outside, 0 endless', 'numeric(20,0)');
SELECT is(outside('numeric', '{0.12345678901234567891,0.12345678901234567892,1e-400,2e-400}'), '0 outside, 0 endless', 'numeric of many digits');
SELECT is(outside('numeric', '{1.7e308,1.71e308,1.79769313486231571e308,1.79769313486231575e308}'), '0 outside, 2 endless', 'numeric up to where doubles end');
SELECT is(outside('float8', '{0.1,0.30000000000000004,1e300,1.5e308,5e-324,-2.2250738585072014e-308}',
  'r.x @> r.original::numeric AND lower(r.x)::float8 <= r.original AND upper(r.x)::float8 >= r.original'), '0 outside, 0 endless', 'double precision');
SELECT is(outside('real', '{0.1,0.2,3.4028235e38,16777217,1.1,1e-45}',
  'r.x @> r.original::numeric AND lower(r.x)::real <= r.original AND upper(r.x)::real >= r.original'), '0 outside, 0 endless', 'real');

-- Numbers that a double holds keep their exact ends.
CREATE TABLE plain AS SELECT x::numeric(6,2), (x * 100)::bigint AS n FROM (VALUES (25.5), (30.1), (40.07), (41)) AS v (x);
SELECT set_eq($$ SELECT masked->>'x' AS x, masked->>'n' AS n FROM anon_mdav('plain', '{x,n}', 2, recode => 'range') $$,
  $$ VALUES ('[25.5,30.1]', '[2550,3011)'), ('[40.07,41]', '[4007,4101)') $$, 'ends are the least and the largest value');
SET LOCAL extra_float_digits = -5;
SELECT set_eq($$ SELECT masked->>'x' FROM anon_mdav('plain', '{x}', 2, recode => 'range') $$,
  $$ VALUES ('[25.5,30.1]'), ('[40.07,41]') $$, 'with any extra_float_digits');
RESET extra_float_digits;

-- Random values of many digits, against a plain comparison.
SELECT setseed(0.25);
SELECT is((SELECT outside('bigint', array_agg(((random() - 0.5) * 1.8e19)::numeric(19,0)::text)) FROM generate_series(1, 500)), '0 outside, 0 endless', '500 random bigint');
SELECT is((SELECT outside('numeric', array_agg((random()::numeric * 10 ^ (random() * 40)::int / 7)::text)) FROM generate_series(1, 500)), '0 outside, 0 endless', '500 random numeric');
SELECT is((SELECT outside('timestamp', array_agg((timestamp '2000-01-01' + random() * interval '200000 years' + random() * interval '1 second')::text))
  FROM generate_series(1, 500)), '0 outside, 0 endless', '500 random timestamps');
SELECT is((SELECT outside('float8', array_agg((random() * 10 ^ (random() * 200 - 100))::text),
  'r.x @> r.original::numeric AND lower(r.x)::float8 <= r.original AND upper(r.x)::float8 >= r.original') FROM generate_series(1, 500)), '0 outside, 0 endless', '500 random floats');

-- Ranges without an upper end are read by audits of aggregates: they end with the type's last value.
CREATE TABLE ends AS SELECT 2147483647 - i AS a, date '5874897-12-31' - i AS b FROM generate_series(0, 8) AS i;
SELECT is((SELECT rows FROM anon_publish('ends_public', 'ends', '{a,b}', 3, method => 'aggregate')), 9::bigint,
  'aggregates of the last values are published and proved');

-- Without standardization, a day of timestamps equals a day of dates.
CREATE TABLE days AS SELECT date '2020-01-01' + i * 37 % 11 AS d, i % 4 AS a, timestamp '2020-01-01' + i * 37 % 11 * interval '1 day' AS t
  FROM generate_series(1, 30) AS i;
SELECT set_eq($$ SELECT source, class_id FROM anon_mdav('days', '{t,a}', 3, standardize => 'none') $$,
  $$ SELECT source, class_id FROM anon_mdav('days', '{d,a}', 3, standardize => 'none') $$, 'standardize none: days of timestamps');

SELECT finish();
ROLLBACK;
