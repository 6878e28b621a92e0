-- anon_audit and anon_assert against levels worked out by hand.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(54);

-- Salaries of 3k to 11k in three classes, as in the t-closeness paper (Li, Li, Venkatasubramanian, 2007).
CREATE TABLE salaries (zip text, age text, salary int, disease text);
INSERT INTO salaries VALUES
  ('476**', '2*', 3000, 'gastric ulcer'), ('476**', '2*', 4000, 'gastritis'), ('476**', '2*', 5000, 'stomach cancer'),
  ('4790*', '>=40', 6000, 'gastritis'), ('4790*', '>=40', 11000, 'flu'), ('4790*', '>=40', 8000, 'bronchitis'),
  ('476**', '3*', 7000, 'bronchitis'), ('476**', '3*', 9000, 'pneumonia'), ('476**', '3*', 10000, 'stomach cancer');
CREATE FUNCTION pg_temp.level(rel regclass, qi text[], sensitive text, model text) RETURNS numeric LANGUAGE sql AS $$
  SELECT round(level::numeric, 6) FROM anon_audit(rel, qi, array_remove(ARRAY[sensitive], NULL)) AS a
  WHERE a.model = $4 AND attribute IS NOT DISTINCT FROM sensitive
$$;
SELECT is(pg_temp.level('salaries', '{zip,age}', NULL, 'k-anonymity'), 3::numeric, 'k');
SELECT is(pg_temp.level('salaries', '{zip,age}', 'salary', 'p-sensitivity'), 3::numeric, 'p');
SELECT is(pg_temp.level('salaries', '{zip,age}', 'salary', 'distinct l-diversity'), 3::numeric, 'distinct l');
SELECT is(pg_temp.level('salaries', '{zip,age}', 'salary', 'entropy l-diversity'), 3::numeric, 'entropy l');
SELECT is(pg_temp.level('salaries', '{zip,age}', 'salary', '(alpha,k)-anonymity'), 0.333333, 'alpha');
SELECT is(pg_temp.level('salaries', '{zip,age}', 'salary', '(k,e)-anonymity'), 2000::numeric, 'e');
SELECT is(pg_temp.level('salaries', '{zip,age}', 'salary', 't-closeness'), 0.375, 't: {3k,4k,5k} is 0.375 away, as printed');
SELECT is(pg_temp.level('salaries', '{zip,age}', 'salary', 'recursive (c,l)-diversity'), 0.5, 'c for l = 2: 1 / (1 + 1)');
-- {6k,8k,11k} alone is 0.167 away, as printed.
CREATE VIEW far AS SELECT salary >= 6000 AND salary IN (6000, 8000, 11000) AS c, salary FROM salaries;
SELECT is((SELECT round(level::numeric, 3) FROM anon_audit('far', '{c}', '{salary}') WHERE model = 't-closeness'), 0.167,
  't: {6k,8k,11k} is 0.167 away, as printed');
SELECT is((SELECT detail->'class' FROM anon_audit('salaries', '{zip,age}', '{salary}') WHERE model = 't-closeness'),
  '{"zip": "476**", "age": "2*"}'::jsonb, 'the worst class is named by its published values');
SELECT is((SELECT detail->'size' FROM anon_audit('salaries', '{zip,age}', '{salary}') WHERE model = 't-closeness'), '3'::jsonb,
  'and its size');
SELECT is(pg_temp.level('salaries', '{zip,age}', 'disease', 't-closeness'), 0.444444,
  'nominal t: half of |1/3-1/9| + 2 |1/3-2/9| + |0-1/9| + |0-2/9| + |0-1/9|');
SELECT is((SELECT count(*) FROM anon_audit('salaries', '{zip,age}', '{disease}') WHERE model = '(k,e)-anonymity'), 0::bigint,
  'texts have no range');
SELECT is((SELECT array_agg(DISTINCT attribute) FROM anon_audit('salaries', '{zip,age}', '{salary,disease}')),
  ARRAY['disease', 'salary', NULL], 'every attribute is judged');

-- Uneven classes: (a x4, b x1, c x1), (a x2, b x2).
CREATE TABLE uneven (q int, s text, v numeric);
INSERT INTO uneven VALUES (1, 'a', 1), (1, 'a', 1), (1, 'a', 2), (1, 'a', 5), (1, 'b', 5), (1, 'c', 9),
  (2, 'a', 1), (2, 'a', 1), (2, 'b', 2.5), (2, 'b', 2.5);
SELECT is(pg_temp.level('uneven', '{q}', NULL, 'k-anonymity'), 4::numeric, 'the smaller class');
SELECT is(pg_temp.level('uneven', '{q}', 's', 'p-sensitivity'), 2::numeric, 'the class with fewer values');
SELECT is(pg_temp.level('uneven', '{q}', 's', 'entropy l-diversity'), 2::numeric, 'entropy l: two equally frequent values');
SELECT is(pg_temp.level('uneven', '{q}', 's', '(alpha,k)-anonymity'), 0.666667, 'alpha: 4 of 6');
SELECT is(pg_temp.level('uneven', '{q}', 's', 'recursive (c,l)-diversity'), 2::numeric, 'c for l = 2: 4 / (1 + 1)');
SELECT is(pg_temp.level('uneven', '{q}', 'v', '(k,e)-anonymity'), 1.5, 'e in the unit of the column');
SELECT is(pg_temp.level('uneven', '{q}', 's', 't-closeness'), 0.2, 'nominal t: |1/2-3/5|/2 + |1/2-3/10|/2 + |0-1/10|/2');

-- Each model's promise holds exactly at its level, and not beyond.
CREATE FUNCTION pg_temp.holds(promise text, sensitive text DEFAULT '{s}') RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT anon_assert(''uneven'', ''{q}'', %L, %s)', sensitive, promise);
  RETURN true;
EXCEPTION WHEN check_violation THEN
  RETURN false;
END $$;
SELECT ok(pg_temp.holds(promise, sensitive) = holds, format('%s %s', promise, CASE WHEN holds THEN 'holds' ELSE 'does not hold' END))
FROM (VALUES ('k => 4', '{}', true), ('k => 5', '{}', false), ('p => 2', '{s}', true), ('p => 3', '{s}', false),
  ('l => 2', '{s}', true), ('l => 3', '{s}', false), ('entropy_l => 2', '{s}', true), ('entropy_l => 2.0001', '{s}', false),
  ('c => 2.0001, l => 2', '{s}', true), ('c => 2, l => 2', '{s}', false), ('t => 0.2', '{s}', true), ('t => 0.1999', '{s}', false),
  ('alpha => 2.0 / 3', '{s}', true), ('alpha => 0.6666', '{s}', false), ('e => 1.5', '{v}', true), ('e => 1.51', '{v}', false),
  ('k => 4, p => 2, alpha => 0.7', '{s}', true), ('k => 4, p => 3, alpha => 0.7', '{s}', false)) AS v (promise, sensitive, holds);

-- Classes are those of GROUP BY: null equals null, 1.0 equals 1.00, and each type defines equality.
CREATE TABLE equal (n numeric, t text, f float8, s text);
INSERT INTO equal VALUES (1.0, NULL, '-0', 'x'), (1.00, NULL, '0', 'y'), (1, NULL, 0, NULL), (2, 'a', 'NaN', NULL), (2, 'a', 'NaN', NULL);
SELECT is(pg_temp.level('equal', '{n,t,f}', NULL, 'k-anonymity'), 2::numeric, 'two classes');
SELECT is((SELECT count(*) FROM (SELECT FROM equal GROUP BY n, t, f) AS c), 2::bigint, 'as GROUP BY says');
SELECT is(pg_temp.level('equal', '{n,t,f}', 's', 'p-sensitivity'), 1::numeric, 'null is a sensitive value of its own');

-- A materialized view keeps its k whatever the order of its rows; its classes are those of GROUP BY, too.
CREATE TABLE rows_of_classes AS SELECT i, i / 4 AS class, CASE WHEN i / 4 % 2 = 0 THEN i / 4 END AS q,
  CASE WHEN i % 2 = 0 THEN 1.0 ELSE 1.00 END AS n FROM generate_series(0, 79) AS i;
CREATE MATERIALIZED VIEW by_class AS SELECT class, q, n, i FROM rows_of_classes ORDER BY class;
CREATE MATERIALIZED VIEW scattered AS SELECT class, q, n, i FROM rows_of_classes ORDER BY i % 7, i;
CREATE MATERIALIZED VIEW short_inside AS SELECT * FROM by_class WHERE i <> 42 ORDER BY class;
CREATE MATERIALIZED VIEW short_at_end AS SELECT * FROM by_class WHERE i <> 79 ORDER BY class;
SELECT lives_ok(format('SELECT anon_assert(%L, ''{class,q,n}'', k => 4)', view), 'classes of 4 keep k = 4: ' || view)
FROM unnest(ARRAY['by_class', 'scattered']) AS view;
SELECT throws_ok(format('SELECT anon_assert(%L, ''{class,q,n}'', k => %s)', view, k), '23514', NULL, format('k = %s is broken: %s', k, view))
FROM (VALUES ('by_class', 5), ('scattered', 5), ('short_inside', 4), ('short_at_end', 4)) AS v (view, k);
SELECT throws_ok('SELECT anon_assert(''by_class'', ''{class,i}'', k => 2)', '23514', NULL, 'columns are compared together');
CREATE MATERIALIZED VIEW nobody AS SELECT * FROM by_class WHERE false;
SELECT throws_ok('SELECT anon_assert(''nobody'', ''{class}'', k => 2)', '22000', NULL, 'no rows, no k');

-- Dates and booleans as sensitive attributes.
CREATE TABLE dated AS SELECT i % 2 AS q, date '1999-12-31' + i AS d, timestamp '1999-12-31 12:00' + i * interval '1 hour' AS t,
  i % 3 = 0 AS b FROM generate_series(0, 9) AS i;
SELECT is(pg_temp.level('dated', '{q}', 'd', '(k,e)-anonymity'), 8::numeric, 'e of dates: days');
SELECT is(pg_temp.level('dated', '{q}', 't', '(k,e)-anonymity'), 28800::numeric, 'e of timestamps: seconds');
SELECT is(pg_temp.level('dated', '{q}', 'b', 'p-sensitivity'), 2::numeric, 'booleans');
SELECT is((SELECT count(*) FROM anon_audit('pg_class', '{relkind}', '{relname}')), 12::bigint, 'any relation, also one that nobody masked');
SELECT * FROM finish();
ROLLBACK;
