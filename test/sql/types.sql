-- Every type at its edges: a masked value is of the column's type, and the mean of its class.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SET datestyle = 'ISO, MDY';
SET timezone = 'UTC';
CREATE DOMAIN percentage AS numeric(5,2) CHECK (value BETWEEN 0 AND 100 AND value <> 50);
CREATE DOMAIN word AS text CHECK (value <> '');
CREATE DOMAIN strict_percentage AS percentage NOT NULL;

-- The masked value of n values as one class, as text; and its type in a release.
CREATE FUNCTION pg_temp.masked(type text, VARIADIC vals text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
  EXECUTE format('CREATE TABLE typed (a %s)', type);
  EXECUTE format('INSERT INTO typed SELECT v::%s FROM unnest($1) AS v', type) USING vals;
  PERFORM anon_publish('typed_release', 'typed', '{a}', cardinality(vals), method => 'mdav');
  EXECUTE 'SELECT string_agg(DISTINCT a::text, '' | '') FROM typed_release' INTO answer;
  answer := answer || ' ' || (SELECT format_type(atttypid, atttypmod) FROM pg_attribute
                              WHERE attrelid = 'typed_release'::regclass AND attnum = 1);
  DROP TABLE typed CASCADE;
  RETURN answer;
END $$;

SELECT plan(41);
SELECT is(pg_temp.masked('smallint', '32767', '32767', '32766'), '32767 smallint', 'smallint, at its top');
SELECT is(pg_temp.masked('smallint', '-32768', '-32768', '-32767'), '-32768 smallint', 'smallint, at its bottom');
SELECT is(pg_temp.masked('int', '2147483647', '2147483647', '2147483646'), '2147483647 integer', 'integer, at its top');
SELECT is(pg_temp.masked('int', '1', '2', '2', '3', '4'), '2 integer', 'integer, rounded');
SELECT is(pg_temp.masked('int', '-1', '-2', '-2'), '-2 integer', 'integer, negative');
SELECT is(pg_temp.masked('bigint', '4611686018427387904', '4611686018427387904'), '4611686018427387904 bigint', 'bigint 2^62');
SELECT is(pg_temp.masked('bigint', '9223372036854775807', '9223372036854775807'), '9223372036854775807 bigint', 'bigint, at its top');
SELECT is(pg_temp.masked('bigint', '-9223372036854775808', '-9223372036854775808'), '-9223372036854775808 bigint',
  'bigint, at its bottom');
SELECT is(pg_temp.masked('bigint', '9007199254740993', '9007199254740991', '9007199254740995'), '9007199254740992 bigint',
  'bigint beyond 2^53: to the precision of a double');
SELECT is(pg_temp.masked('numeric(10,2)', '0.01', '0.02', '0.02'), '0.02 numeric(10,2)', 'numeric(10,2)');
SELECT is(pg_temp.masked('numeric(10,2)', '99999999.99', '99999999.99', '99999999.98'), '99999999.99 numeric(10,2)',
  'numeric(10,2), at its top');
SELECT is(pg_temp.masked('numeric(3,0)', '998', '999'), '998 numeric(3,0)', 'numeric(3,0): half to even');
SELECT is(pg_temp.masked('numeric(5,-2)', '1200', '1300', '1500'), '1300 numeric(5,-2)', 'numeric with a negative scale');
SELECT is(pg_temp.masked('numeric(2,4)', '0.0011', '0.0012', '0.0013'), '0.0012 numeric(2,4)', 'numeric with leading zeros');
SELECT is(pg_temp.masked('numeric', '1', '2'), '1.5 numeric', 'numeric of any scale');
SELECT is(pg_temp.masked('numeric', '1', '1', '2'), '1.33333333333333 numeric', 'numeric of any scale: fifteen digits');
SELECT is(pg_temp.masked('numeric', '1e200', '1e200'), '1' || repeat('0', 200) || ' numeric', 'numeric of two hundred digits');
SELECT is(pg_temp.masked('float8', '0.5', '2.25', '4'), '2.25 double precision', 'float8');
SELECT is(pg_temp.masked('float8', '-0', '0', '-0'), '0 double precision', 'float8: no negative zero');
SELECT is(pg_temp.masked('float8', '5e-324', '5e-324'), '5e-324 double precision', 'float8: the smallest');
SELECT is(pg_temp.masked('float8', '1e150', '-1e150'), '0 double precision', 'float8: large');
SELECT is(pg_temp.masked('real', '0.1', '0.1', '0.4'), '0.2 real', 'real');
SELECT is(pg_temp.masked('real', '3.4e38', '3.4e38'), '3.4e+38 real', 'real, at its top');
SELECT is(pg_temp.masked('date', '1999-12-30', '1999-12-31'), '1999-12-30 date', 'date before 2000: half to even');
SELECT is(pg_temp.masked('date', '4713-01-01 BC', '4713-01-03 BC'), '4713-01-02 BC date', 'date before Christ');
SELECT is(pg_temp.masked('date', '5874897-12-31', '5874897-12-31'), '5874897-12-31 date', 'the last date');
SELECT is(pg_temp.masked('timestamp', '1969-12-31 23:59:59', '1970-01-01 00:00:00'), '1969-12-31 23:59:59.5 timestamp without time zone',
  'timestamp');
SELECT is(pg_temp.masked('timestamp(0)', '1999-12-31 23:59:59', '2000-01-01 00:00:00', '2000-01-01 00:00:00'),
  '2000-01-01 00:00:00 timestamp(0) without time zone', 'timestamp(0)');
SELECT is(pg_temp.masked('timestamptz', '2024-03-31 01:00:00+00', '2024-03-31 03:00:00+00'), '2024-03-31 02:00:00+00 timestamp with time zone',
  'timestamptz');
SELECT is(pg_temp.masked('boolean', 'true', 'true', 'false'), 'true boolean', 'boolean: what most are');
SELECT is(pg_temp.masked('percentage', '40', '60'), '50.00 numeric(5,2)', 'a domain: its base type, for a mean need not be in the domain');
SELECT is(pg_temp.masked('strict_percentage', '1', '2.01'), '1.50 numeric(5,2)', 'a domain over a domain');

-- Kept and sensitive columns keep any type, and their values to the last byte.
CREATE TYPE pair AS (x int, y text);
CREATE TABLE wide AS
SELECT i AS a, 'w'::word AS w, 40::percentage AS p, (i, 'y')::pair AS c, ARRAY[[i, 1], [2, NULL]] AS m, '{"k": [1, null]}'::json AS j,
  int4range(i, i + 2) AS r, B'101' AS b, interval '1 month -3 days' AS t, point(i, i) AS pt, 1.0000::numeric AS n,
  'NaN'::float8 AS nan, 'infinity'::date AS forever, NULL::text AS nothing, 'abc'::char(10) AS ch, E'\\x00ff'::bytea AS bin,
  (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 1000 + i * 0)) AS toasted
FROM generate_series(1, 12) AS i;
SELECT is((SELECT rows FROM anon_publish('wide_release', 'wide', '{a}', 4, method => 'mdav',
    keep => '{w,p,c,m,j,r,b,t,pt,n,nan,forever,nothing,ch,bin,toasted}')), 12::bigint, 'kept columns of every kind');
SELECT results_eq($$SELECT (w, p, c, m, r, b, t, n, nan, forever, nothing, ch, bin, toasted)::text, j::text, pt::text FROM wide_release ORDER BY 1$$,
  $$SELECT (w, p, c, m, r, b, t, n, nan, forever, nothing, ch, bin, toasted)::text, j::text, pt::text FROM wide ORDER BY 1$$,
  'come out as they went in');
SELECT is((SELECT string_agg(pg_typeof(w) || ' ' || pg_typeof(p) || ' ' || pg_typeof(c), '') FROM (SELECT * FROM wide_release LIMIT 1) AS r),
  'word percentage pair', 'in their own types');
SELECT is((SELECT count(*) FROM anon_mdav('wide', '{a}', 4, '{w,p,c,m,j,r,b,t,pt,n,nan,forever,nothing,ch,bin,toasted}') AS m
           JOIN wide ON m.source = wide.ctid
           WHERE masked - 'a' = to_jsonb(wide) - 'a'), 12::bigint, 'also as jsonb');

-- A hundred kept columns, and dropped ones between them.
DO $$
BEGIN
  EXECUTE (SELECT 'CREATE TABLE many (a int, ' || string_agg(format('k%s int, d%s text', i, i), ', ') || ')' FROM generate_series(1, 100) AS i);
  EXECUTE (SELECT 'INSERT INTO many (a, ' || string_agg('k' || i, ', ') || ') SELECT r, ' || string_agg('r * 1000 + ' || i, ', ')
           || ' FROM generate_series(1, 10) AS r' FROM generate_series(1, 100) AS i);
  EXECUTE (SELECT 'ALTER TABLE many ' || string_agg('DROP COLUMN d' || i, ', ') FROM generate_series(1, 100) AS i);
END $$;
SELECT is((SELECT rows FROM anon_publish('many_release', 'many', '{a}', 5, keep => ARRAY(SELECT 'k' || i FROM generate_series(100, 1, -1) AS i))),
  10::bigint, 'a hundred kept columns');
SELECT is((SELECT count(*) FROM many_release AS r JOIN many AS m USING (k1) WHERE to_jsonb(r) - 'a' = to_jsonb(m) - 'a'), 10::bigint,
  'each in its place');
-- Data beyond work_mem goes to disk, and comes back.
SET LOCAL work_mem = '64kB';
CREATE TABLE large AS SELECT i AS a, md5(i::text) AS m, repeat(md5(i::text), i % 20) AS r FROM generate_series(1, 5000) AS i;
SELECT is((SELECT count(*) FROM anon_mdav('large', '{a}', 5, '{m,r}') AS l JOIN large ON l.source = large.ctid
           WHERE masked - 'a' = jsonb_build_object('m', m, 'r', r)), 5000::bigint, 'a large look');
SELECT is((SELECT rows FROM anon_publish('large_release', 'large', '{a}', 5, method => 'mdav', keep => '{m,r}')), 5000::bigint,
  'a large release');
SELECT set_eq('SELECT m, r FROM large_release', 'SELECT m, r FROM large', 'with all that was kept');
SELECT * FROM finish();
ROLLBACK;
