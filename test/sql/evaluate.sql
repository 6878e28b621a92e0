-- The figures of anon_evaluate, against the definitions in plain SQL.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(18);
CREATE TABLE points AS
SELECT i, (i * 37 % 101)::float8 AS x, (i * i * 11 % 97)::float8 AS y FROM generate_series(1, 60) AS i;

-- The plain bound, which prices raise. Each record adds the least, over class sizes m, of 1/2m of the squares to its
-- m-1 nearest.
CREATE FUNCTION lower_bound(k int) RETURNS float8 LANGUAGE sql AS $$
  WITH pairs AS (SELECT a.i, (a.x - b.x) ^ 2 + (a.y - b.y) ^ 2 AS square FROM points AS a JOIN points AS b ON a.i <> b.i),
  sums AS (SELECT i, 1 + row_number() OVER nearest AS m, sum(square) OVER nearest AS squares
    FROM pairs WINDOW nearest AS (PARTITION BY i ORDER BY square ROWS UNBOUNDED PRECEDING)),
  least AS (SELECT i, min(squares / (2 * m)) AS bound FROM sums WHERE m BETWEEN k AND 2 * k - 1 GROUP BY i)
  SELECT 100 * sum(bound) / (SELECT 60 * (var_pop(x) + var_pop(y)) FROM points) FROM least $$;

CREATE TABLE evaluated AS
SELECT k, method, measure, value FROM unnest('{2,3,7}'::int[]) AS k, unnest('{mdav,vmdav,microaggregate}'::text[]) AS method,
  anon_evaluate('points', '{x,y}', k, method => method, params => '{"standardize": "none"}', lower_bound => true);
SELECT is_empty($$ SELECT * FROM evaluated WHERE measure = 'lower_bound' AND value < lower_bound(k) * 1.05 $$,
  'prices raise the plain bound by more than a twentieth');
SELECT is((SELECT count(DISTINCT (k, value)) FROM evaluated WHERE measure = 'lower_bound'), 3::bigint, 'it does not depend on the method');
SELECT is_empty($$ SELECT k, method FROM evaluated WHERE measure IN ('loss', 'lower_bound') GROUP BY k, method
  HAVING max(value) FILTER (WHERE measure = 'loss') < max(value) FILTER (WHERE measure = 'lower_bound') $$, 'no method loses less');
SELECT is_empty($$ SELECT * FROM evaluated AS g JOIN evaluated AS l USING (k, method) JOIN evaluated AS b USING (k, method)
  WHERE g.measure = 'gap' AND l.measure = 'loss' AND b.measure = 'lower_bound' AND g.value <> l.value - b.value $$,
  'the gap is what lies between');
SELECT cmp_ok((SELECT min(value) FROM evaluated WHERE measure = 'lower_bound'), '>', 0::float8, 'it tells something here');
SELECT is((SELECT count(*) FROM anon_evaluate('points', '{x,y}', 3) WHERE measure IN ('lower_bound', 'gap') AND value IS NOT NULL),
  0::bigint, 'nobody who did not ask is told');
SELECT is((SELECT lower_bound FROM anon_publish('points_public', 'points', '{x,y}', 3, method => 'mdav',
  params => '{"standardize": "none"}', lower_bound => true)),
  (SELECT DISTINCT to_char(value, '9.999EEEE')::float8 FROM evaluated WHERE k = 3 AND measure = 'lower_bound'),
  'anon_publish reports the same, to four digits');
SELECT is((SELECT lower_bound FROM anon_release_info('points_public')),
  (SELECT DISTINCT value FROM evaluated WHERE k = 3 AND measure = 'lower_bound'), 'its information has all digits');

-- A number is the seconds to spend.
CREATE TABLE hurried AS
SELECT measure, value FROM anon_evaluate('points', '{x,y}', 3, 'mdav', params => '{"standardize": "none"}', lower_bound => 1e-6);
SELECT is((SELECT value FROM hurried WHERE measure = 'reproducible'), 0::float8, 'a clock that ended it is stated');
SELECT ok((SELECT h.value BETWEEN lower_bound(3) - 1e-6 AND e.value FROM hurried AS h, evaluated AS e
  WHERE h.measure = 'lower_bound' AND (e.measure, e.k, e.method) = ('lower_bound', 3, 'mdav')), 'and it is a bound all the same');
SELECT throws_ok($$ SELECT * FROM anon_evaluate('points', '{x,y}', 3, lower_bound => 0) $$, '22023', 'lower_bound must be above 0');
SELECT throws_ok($$ SELECT * FROM anon_evaluate('points', '{x,y}', 3, lower_bound => 'yes'::text) $$, '22023');

-- Two records share each place: pairs lose nothing, and a bound of 0 is met.
CREATE TABLE twins AS SELECT i / 2 AS x, 0.5 * (i / 2 % 7) AS y FROM generate_series(0, 99) AS i;
SELECT results_eq($$ SELECT measure, value FROM anon_evaluate('twins', '{x,y}', 2, lower_bound => true)
  WHERE measure IN ('gap', 'loss', 'lower_bound') ORDER BY measure $$,
  $$ VALUES ('gap', 0::float8), ('loss', 0), ('lower_bound', 0) $$, 'where all have a twin, the gap is closed');

-- The loss of a method is that of the rows that it gives.
CREATE TABLE classes AS SELECT m.class_id, p.* FROM anon_vmdav('points', '{x,y}', 3, standardize => 'none') AS m
  JOIN points AS p ON p.ctid = m.source;
SELECT is((SELECT round(value::numeric, 9) FROM evaluated WHERE k = 3 AND method = 'vmdav' AND measure = 'SSE'),
  (SELECT round(sum(sse)::numeric, 9) FROM (SELECT count(*) * (var_pop(x) + var_pop(y)) AS sse FROM classes GROUP BY class_id) AS c),
  'SSE');
SELECT is((SELECT value FROM evaluated WHERE k = 3 AND method = 'vmdav' AND measure = 'DM'),
  (SELECT sum(size ^ 2)::float8 FROM (SELECT count(*) AS size FROM classes GROUP BY class_id) AS c), 'DM');
SELECT is((SELECT round(value::numeric, 9) FROM evaluated WHERE k = 3 AND method = 'vmdav' AND measure = 'AVG'),
  (SELECT round(60.0 / count(DISTINCT class_id) / 3, 9) FROM classes), 'AVG');

-- Columns that only order equal records are not kept: the server's log would mention a file left
-- open.
SET LOCAL work_mem = '64kB';
CREATE TABLE wide AS SELECT i % 100 AS x, (i % 10)::text AS digit, repeat(i::text, 30) AS note FROM generate_series(1, 5000) AS i;
SELECT lives_ok($$ SELECT anon_evaluate('wide', '{x}', 5, sensitive => '{note}') $$, 'values larger than work_mem');
SELECT lives_ok($$ SELECT anon_lattice('wide', '{digit}', '{}', 5, sensitive => '{note}') $$, 'by anon_lattice, too');
SELECT * FROM finish();
ROLLBACK;
