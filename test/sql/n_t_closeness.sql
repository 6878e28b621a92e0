-- (n,t)-closeness as a promise: releases satisfy it, with at most the loss of t-closeness.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(48);

-- Each region has incomes and trades of its own, each of its four towns 50 people.
CREATE TABLE homes AS
SELECT i, (ARRAY['north','south','west'])[1 + i % 3] AS region, 1 + i / 3 % 4 AS town, (i::bigint * i * 37 % 1009)::int AS age,
  i % 3 * 40 + i * 13 % 47 AS income, lpad((i % 3 * 5 + i * 7 % 11)::text, 2, '0') AS trade, date '2000-01-01' + i % 3 * 50 + i % 71 AS day
FROM generate_series(1, 600) AS i;

CREATE FUNCTION pg_temp.keeps(release regclass, n int, t float8, sensitive text[] DEFAULT '{income}') RETURNS boolean LANGUAGE sql AS $$
  SELECT max(level) <= t AND count(*) = cardinality(sensitive) FROM anon_audit(release, '{region,town,age}', sensitive, n => n)
  WHERE model = '(n,t)-closeness'
$$;
-- From the definition, of an integer or a date, without the extension: a class, the records that agree in fewer columns, all.
CREATE FUNCTION pg_temp.level(release regclass, n int, sensitive text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE found float8;
BEGIN
  EXECUTE format($q$
    WITH records AS MATERIALIZED (SELECT dense_rank() OVER (ORDER BY %I) AS v, region::text AS a, region::text || town::text AS b,
        region::text || town::text || age::text AS class FROM %s),
      spread AS (SELECT max(v) AS m FROM records),
      supersets AS (SELECT class, kind, superset FROM (SELECT DISTINCT class, a, b FROM records) AS each,
        LATERAL (VALUES ('all', ''), ('a', a), ('b', b)) AS s (kind, superset)),
      sizes AS (SELECT kind, superset, count(*) AS size FROM records,
        LATERAL (VALUES ('all', ''), ('a', a), ('b', b)) AS s (kind, superset) GROUP BY kind, superset),
      upto AS (SELECT kind, superset, x.v, count(*) FILTER (WHERE records.v <= x.v) / count(*)::float8 AS share
        FROM records, LATERAL (VALUES ('all', ''), ('a', a), ('b', b)) AS s (kind, superset),
          (SELECT DISTINCT v FROM records) AS x GROUP BY kind, superset, x.v),
      own AS (SELECT class, x.v, count(*) FILTER (WHERE records.v <= x.v) / count(*)::float8 AS share
        FROM records, (SELECT DISTINCT v FROM records) AS x GROUP BY class, x.v)
    SELECT max(least) FROM (
      SELECT class, min(distance) AS least FROM (
        SELECT class, kind, sum(abs(own.share - upto.share)) / (max(m) - 1) AS distance
        FROM supersets JOIN sizes USING (kind, superset) JOIN own USING (class) JOIN upto USING (kind, superset, v), spread
        WHERE size >= %s OR kind = 'all' GROUP BY class, kind) AS d
      GROUP BY class) AS c $q$, sensitive, release, n) INTO found;
  RETURN found;
END $$;

-- Every method that accepts n, with small parts, large parts, and none.
CREATE TEMP TABLE tried AS
SELECT method, extra, n, row_number() OVER () AS nr
FROM (VALUES ('microaggregate', '{}'), ('microaggregate', '{"recode": "range"}'), ('microaggregate', '{"p": 2}'),
    ('tclose', '{"algorithm": "t_first"}'), ('tclose', '{"algorithm": "k_first"}'), ('tclose', '{"algorithm": "merge"}'),
    ('tclose', '{"algorithm": "sabre"}'), ('tclose', '{"algorithm": "t_first", "refine": "fast"}'),
    ('mondrian', '{}'), ('mondrian', '{"algorithm": "relaxed"}'), ('mondrian', '{"recode": "centroid"}')) AS m (method, extra),
  unnest('{50,201}'::int[]) AS n;
CREATE TEMP TABLE plain AS
SELECT method, extra, max(value) FILTER (WHERE measure = 'loss') AS plain_loss, max(value) FILTER (WHERE measure = 'NCP') AS plain_ncp
FROM (SELECT DISTINCT method, extra FROM tried) AS m,
  LATERAL anon_evaluate('homes', '{region,town,age}', 3, method, '{income}', extra::jsonb || '{"t": 0.1}') GROUP BY method, extra;
CREATE TEMP TABLE published AS
SELECT tried.*, p.loss, p.ncp, plain_loss, plain_ncp FROM tried JOIN plain USING (method, extra), LATERAL anon_publish('nt_' || nr, 'homes',
    '{region,town,age}', 3, method => method, sensitive => '{income}', params => extra::jsonb || jsonb_build_object('t', 0.1, 'n', n), beside => 'ignore') AS p;
-- Figures that publish shows have four digits, so they are compared to half a unit of the fourth.
SELECT ok(pg_temp.keeps(('nt_' || nr)::regclass, n, 0.1)
    AND coalesce(ncp, loss) <= coalesce(plain_ncp, plain_loss) * (1 + 5e-4)
    AND (n = 201) = (coalesce(ncp, loss) >= coalesce(plain_ncp, plain_loss) * (1 - 5e-4)),
  format('%s %s with n of %s keeps its promise and loses no more than t-closeness, less where parts are large enough', method, extra, n))
FROM published ORDER BY nr;
SELECT cmp_ok(pg_temp.level('nt_1', 50, 'income'), '<=', 0.1::float8, 'as the definition says');
SELECT cmp_ok(pg_temp.level('nt_1', 201, 'income'), '>', 0.1::float8, 'which is not t-closeness');
SELECT ok(abs(pg_temp.level('nt_1', 50, 'income') - level) < 1e-12, 'the audit measures what the definition says')
FROM anon_audit('nt_1', '{region,town,age}', '{income}', n => 50) WHERE model = '(n,t)-closeness';

-- Columns of several kinds, each with its own t; a hierarchy of the sensitive column too.
SELECT is((SELECT rows FROM anon_publish('several', 'homes', '{region,town,age}', 2, sensitive => '{income,trade,day}',
  params => '{"t_each": [0.1, 0.3, 0.12], "n": 50, "hierarchies": {"trade": {"prefix": 2}}}')), 600::bigint, 'no record is lost');
SELECT ok(pg_temp.keeps('several', 50, 0.1), 'the first column keeps its t');
SELECT lives_ok($$ SELECT anon_assert('several', '{region,town,age}', '{trade}', n => 50, t => 0.3, hierarchies => '{"trade": {"prefix": 2}}') $$,
  'the second by its hierarchy');
SELECT cmp_ok(pg_temp.level('several', 50, 'day'), '<=', 0.12::float8, 'the third');

-- The release states its promise, and a refresh keeps it.
SELECT ok(pg_get_viewdef('nt_1'::regclass) LIKE '%"n": 50%', 'the query of the release has n');
UPDATE homes SET income = income + 3 WHERE i % 7 = 0;
SELECT is((SELECT rows FROM anon_refresh('nt_1')), 600::bigint, 'refreshed');
SELECT ok(pg_temp.keeps('nt_1', 50, 0.1), 'the refreshed release keeps the promise');
DELETE FROM homes WHERE i > 300;
SELECT is((SELECT rows FROM anon_refresh('nt_1')), 300::bigint, 'parts that became too small are not cut');
SELECT ok(pg_temp.keeps('nt_1', 50, 0.1), 'and the promise is kept');
SELECT throws_ok($$ SELECT anon_refresh('nt_2') FROM (SELECT anon_drop('nt_2'), anon_publish('nt_2', 'homes', '{region,age}', 3,
  sensitive => '{income}', params => '{"t": 0.1, "n": 301}')) AS s $$, '22023', 'n is larger than the number of rows');

-- Ranges of numbers have fifteen digits; texts may be equal though they differ; null is a value.
CREATE TABLE near AS
SELECT CASE WHEN i <= 20 THEN 0.1::float8 ELSE 0.1 + 2.0 ^ -54 END AS a, CASE WHEN i <= 20 THEN 'a' ELSE 'A' END AS letter,
  CASE WHEN i <= 20 THEN 'x' END AS gap, i * 37 % 41 AS b, i / 21 * 5 + i % 4 AS v
FROM generate_series(1, 40) AS i;
SELECT is((SELECT count(DISTINCT a) FROM near), 2::bigint, 'two values');
CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
ALTER TABLE near ALTER letter TYPE text COLLATE caseless;
CREATE FUNCTION pg_temp.cut(qi text[], params jsonb) RETURNS boolean LANGUAGE sql AS $$
  SELECT with_n.loss < without.loss FROM
    (SELECT value AS loss FROM anon_evaluate('near', qi, 2, 'tclose', '{v}', '{"t": 0.1, "n": 20}' || params) WHERE measure = 'loss') AS with_n,
    (SELECT value AS loss FROM anon_evaluate('near', qi, 2, 'tclose', '{v}', '{"t": 0.1}' || params) WHERE measure = 'loss') AS without
$$;
SELECT ok(pg_temp.cut('{a,b}', '{}'), 'numbers that are published as two');
SELECT ok(NOT pg_temp.cut('{a,b}', '{"recode": "range"}'), 'ranges of them that are published as one');
SELECT ok(NOT pg_temp.cut('{letter,b}', '{}'), 'letters alike to a reader of the release');
SELECT ok(pg_temp.cut('{letter,b}', '{"recode": "range"}'), 'which are not when their sets are published');
SELECT ok(pg_temp.cut('{gap,b}', '{}'), 'null');

-- Bad input.
SELECT throws_ok($$ SELECT anon_tclose('near', '{a,b}', '{v}', 2, 0.1, n => 0) $$, '22023', 'n must be an integer of at least 1');
SELECT throws_ok($$ SELECT anon_tclose('near', '{a,b}', '{v}', 2, 0.1, n => 41) $$, '22023', 'n is larger than the number of rows');
SELECT throws_ok($$ SELECT anon_microaggregate('near', '{a,b}', 2, sensitive => '{v}', n => 4) $$, '22023', '(n,t)-closeness needs t beside n');
SELECT throws_ok($$ SELECT anon_microaggregate('near', '{a,b}', 2, sensitive => '{v}', t => 0.1, n => 4, q => 0.2, p => 2) $$, '22023',
  '(n,t)-closeness cannot be combined with (k,p,q,r)-anonymity');
SELECT throws_ok($$ SELECT * FROM anon_release('near', '{"method": "datafly", "qi": ["a"], "k": 3, "sensitive": ["v"], "t": 0.1,
  "n": 4}') AS r (a float8, v int) $$, '22023', 'method "datafly" cannot promise (n,t)-closeness');
SELECT is((SELECT count(DISTINCT class_id) FROM anon_tclose('near', '{a,b}', '{v}', 5, 0.5, n => 1)) >= 2, true,
  'an n below k is bounded by it');

-- A class of nulls counts as one that withholds its values: the others have the level that they have without it.
CREATE TABLE withholds AS SELECT region, town, age / 100 AS age, CASE WHEN region <> 'west' OR town > 1 THEN income END AS income FROM homes;
CREATE VIEW shows AS SELECT * FROM withholds WHERE income IS NOT NULL;
SELECT is((SELECT level FROM anon_audit('withholds', '{region,town}', '{income}', n => 100, withheld => true) WHERE model = '(n,t)-closeness'),
  (SELECT level FROM anon_audit('shows', '{region,town}', '{income}', n => 100) WHERE model = '(n,t)-closeness'), 'withheld values are in no superset');

SELECT * FROM finish();
ROLLBACK;
