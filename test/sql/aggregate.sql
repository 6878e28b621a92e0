-- Aggregate knowledge: the disclosure to an attacker who knows a sum (or another function) of a
-- record.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(64);

-- ---- Tables I to III of the paper -------------------------------------------------------------------
CREATE TABLE tax (id int, salary int, capital_gains int, other_income int);
INSERT INTO tax VALUES (1, 10, 20, 100), (2, 15, 15, 105), (3, 30, 40, 200), (4, 40, 30, 210);

SELECT set_eq(
  $$SELECT masked->>'salary' AS a, masked->>'capital_gains' AS b, masked->>'other_income' AS c
    FROM anon_mdav('tax', '{salary,capital_gains,other_income}', 2, recode => 'range')$$,
  $$VALUES ('[10,16)', '[15,21)', '[100,106)'), ('[30,41)', '[30,41)', '[200,211)')$$,
  'Table II, the classic 2-anonymous table');

CREATE FUNCTION pg_temp.cells(release regclass) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE generalised bigint;
BEGIN
  EXECUTE format('SELECT sum((upper(salary) - lower(salary) > 1)::int + (upper(capital_gains) - lower(capital_gains) > 1)::int
    + (upper(other_income) - lower(other_income) > 1)::int) FROM %s', release) INTO generalised;
  RETURN generalised;
END $$;
CREATE FUNCTION pg_temp.sums(release regclass) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format($q$SELECT format('[%%s,%%s]', lower(salary) + lower(capital_gains) + lower(other_income),
    upper(salary) + upper(capital_gains) + upper(other_income) - 3) FROM %s$q$, release);
END $$;

SELECT is((SELECT rows FROM anon_publish('tax_' || algorithm || '_' || guarantee, 'tax', '{salary,capital_gains,other_income}', 2,
    'aggregate', params => jsonb_build_object('algorithm', algorithm, 'guarantee', guarantee, 'domain', 'common'))),
  4::bigint, format('Table III: %s, %s', algorithm, guarantee))
FROM unnest('{greedy,optimal}'::text[]) AS algorithm, unnest('{candidates,identical}'::text[]) AS guarantee
ORDER BY algorithm, guarantee;
SELECT is(pg_temp.cells(release::regclass), 4::bigint, format('%s generalises one cell a record, as Table III does', release))
FROM unnest('{tax_greedy_candidates,tax_greedy_identical,tax_optimal_candidates,tax_optimal_identical}'::text[]) AS release;
SELECT bag_eq(format('SELECT pg_temp.sums(%L)', release),
  $$VALUES ('[130,135]'), ('[130,135]'), ('[270,280]'), ('[270,280]')$$, format('%s has the intervals of Table III', release))
FROM unnest('{tax_greedy_candidates,tax_optimal_identical}'::text[]) AS release;

-- ---- The attack --------------------------------------------------------------------------------------- For each
-- original record, an attacker with f(t), or f(t) to within d, counts the published records whose interval of f
-- contains it.
CREATE TABLE incomes AS
SELECT i AS id, i * i * 37 % 1009 AS salary, (i * i * 61 % 997)::numeric(9, 2) / 4 AS gains, (i * 17 % 89 - 40)::float8 AS losses,
  date '2020-01-01' + i * 7 % 400 AS filed, 'branch ' || i % 7 AS branch
FROM generate_series(1, 700) AS i;

-- A published number or range as its two ends, by its text.
CREATE FUNCTION pg_temp.ends(cell anyelement, OUT low float8, OUT high float8) LANGUAGE sql AS $$
  SELECT CASE WHEN cell::text LIKE '[%' THEN split_part(trim(cell::text, '[])'), ',', 1)::float8 ELSE cell::text::float8 END,
    CASE WHEN cell::text LIKE '[%)' THEN split_part(trim(cell::text, '[])'), ',', 2)::float8 - 1
         WHEN cell::text LIKE '[%' THEN split_part(trim(cell::text, '[])'), ',', 2)::float8 ELSE cell::text::float8 END
$$;
CREATE FUNCTION pg_temp.fewest_candidates(release regclass, f text, d float8) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE fewest bigint;
BEGIN
  EXECUTE format($q$
    WITH published AS MATERIALIZED (
      SELECT %1$s AS low, %2$s AS high FROM (SELECT
        (pg_temp.ends(salary)).low AS a, (pg_temp.ends(salary)).high AS ah, (pg_temp.ends(gains)).low AS b,
        (pg_temp.ends(gains)).high AS bh, (pg_temp.ends(losses)).low AS c, (pg_temp.ends(losses)).high AS ch FROM %3$s) AS p),
    known AS MATERIALIZED (SELECT %4$s AS f FROM (SELECT salary AS a, gains::float8 AS b, losses AS c FROM incomes) AS t)
    SELECT min((SELECT count(*) FROM published
      WHERE low <= f + %5$s * abs(f) + 1e-9 AND high >= f - %5$s * abs(f) - 1e-9)) FROM known$q$,
    f, replace(replace(replace(f, 'a,', 'ah,'), 'b,', 'bh,'), 'c)', 'ch)'), release,
    f, d) INTO fewest;
  RETURN fewest;
END $$;
CREATE FUNCTION pg_temp.plus(a float8, b float8, c float8) RETURNS float8 LANGUAGE sql AS 'SELECT a + b + c';

SELECT cmp_ok((SELECT smallest_class FROM anon_publish(format('attacked_%s_%s_%s', algorithm, guarantee, nr), 'incomes',
    '{salary,gains,losses}', 5, 'aggregate', keep => '{id}', params => jsonb_build_object('algorithm', algorithm,
      'guarantee', guarantee, 'functions', jsonb_build_array(f), 'd', d))), '>=', 5::bigint,
  format('published: %s, %s, %s, d = %s', algorithm, guarantee, f, d))
FROM unnest('{greedy,optimal,best}'::text[]) AS algorithm, unnest('{candidates,identical}'::text[]) AS guarantee,
  (VALUES (1, 'sum', 0.0), (2, 'max', 0.1)) AS asked (nr, f, d);
SELECT cmp_ok(pg_temp.fewest_candidates(format('attacked_%s_%s_%s', algorithm, guarantee, nr)::regclass, formula, d), '>=', 5::bigint,
  format('the attack on %s, %s, %s', algorithm, guarantee, formula))
FROM unnest('{greedy,optimal,best}'::text[]) AS algorithm, unnest('{candidates,identical}'::text[]) AS guarantee,
  (VALUES (1, 'pg_temp.plus(a, b, c)', 0.0), (2, 'greatest(a, b, c)', 0.1)) AS asked (nr, formula, d);

-- ---- Audits ---------------------------------------------------------------------------------------------
SELECT lives_ok($$SELECT anon_assert('attacked_optimal_candidates_1', '{salary,gains,losses}', k_f => 5, source => 'incomes')$$,
  'the release is asserted against its source');
SELECT lives_ok($$SELECT anon_assert('attacked_greedy_identical_2', '{salary,gains,losses}', k_f => 5, functions => '{max}', d => 0.1,
  guarantee => 'identical')$$, 'identical intervals need no source');
SELECT throws_ok($$SELECT anon_assert('incomes', '{salary,gains,losses}', k_f => 5)$$, '23514',
  'relation "incomes" violates k^f-anonymity against knowledge of sum', 'the original table is not anonymous');
SELECT is((SELECT level FROM anon_audit('incomes', '{salary,gains,losses}', functions => '{sum}', source => 'incomes')
  WHERE model = 'k^f-anonymity'), 1::float8, 'its level is 1');
SELECT is((SELECT detail->>'mean width of sum' FROM anon_audit('incomes', '{salary,gains,losses}', functions => '{sum}')
  WHERE model = 'k^f-anonymity')::float8, 0::float8, 'a plain table tells every sum exactly');
SELECT is((SELECT model FROM anon_audit('incomes', '{salary,gains,losses}', functions => '{min}', d => 0.2) WHERE attribute = 'min'),
  'k^(f,d)-anonymity', 'with d the model is k^(f,d)');
SELECT throws_ok($$SELECT * FROM anon_audit('incomes', '{salary,gains}', functions => '{sum,min}')$$, '22023', NULL,
  'several functions cannot be judged without a source');
SELECT throws_ok($$SELECT * FROM anon_audit('tax_greedy_candidates', '{salary,capital_gains}', functions => '{sum}', source => 'incomes')$$,
  '42703', NULL, 'the source must have the columns');
SELECT throws_ok($$SELECT * FROM anon_audit('pg_class', '{relpages,relname}', functions => '{sum}')$$, '42804',
  'column "relname" of type name is no number and no range of numbers', 'sums are of numbers');
CREATE TABLE one_income AS SELECT * FROM incomes LIMIT 1;
SELECT throws_ok($$SELECT * FROM anon_audit('one_income', '{salary,gains,losses}', functions => '{sum}', source => 'incomes')$$, '22000',
  'source and release have different numbers of rows', 'the source must be of the same records');
SELECT cmp_ok((SELECT value FROM anon_evaluate('incomes', '{salary,gains,losses}', 5, 'aggregate', functions => '{sum}')
    WHERE measure = 'mean width of sum'), '<', (SELECT value FROM anon_evaluate('incomes', '{salary,gains,losses}', 5, 'mdav',
    params => '{"recode": "range"}', functions => '{sum}') WHERE measure = 'mean width of sum'),
  'sums are read off the release more exactly than off ranges of classes');

-- ---- A sensitive column among the candidates -----------------------------------------------------------
SELECT lives_ok($$SELECT anon_publish('diverse', 'incomes', '{salary,gains,losses}', 3, 'aggregate', sensitive => '{branch}',
  params => '{"p": 3, "guarantee": "identical"}')$$, 'p is kept among the records that cannot be told apart');
SELECT cmp_ok((SELECT detail->>'p' FROM anon_audit('diverse', '{salary,gains,losses}', '{branch}', functions => '{sum}',
  guarantee => 'identical') WHERE model = 'k^f-anonymity')::int, '>=', 3, 'and the audit finds it');

-- ---- Dates and several functions ------------------------------------------------------------------------
SELECT is((SELECT rows FROM anon_publish('dated', 'incomes', '{salary,filed}', 4, 'aggregate', params => '{"functions": ["sum", "min", "max"]}')),
  700::bigint, 'dates take part as numbers of days');
SELECT is((SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = 'dated'::regclass AND attname = 'filed'), 'daterange'::regtype,
  'and are published as ranges');
SELECT lives_ok($$SELECT anon_refresh('dated')$$, 'a release is built again');

-- ---- Bad input --------------------------------------------------------------------------------------------
CREATE FUNCTION pg_temp.refused(arguments text, message text) RETURNS text LANGUAGE sql AS $$
  SELECT throws_like(format('SELECT * FROM anon_aggregate(''incomes'', %s)', arguments), message, arguments)
$$;
SELECT pg_temp.refused($$'{salary,branch}', 5$$, 'column "branch" of type text is no number');
SELECT pg_temp.refused($$'{salary}', 5$$, '%at least two quasi-identifiers');
SELECT pg_temp.refused($$'{salary,gains}', 5, d => 1$$, 'd must be at least 0 and less than 1');
SELECT pg_temp.refused($$'{salary,gains}', 5, d => -0.1$$, 'd must be at least 0 and less than 1');
SELECT pg_temp.refused($$'{salary,gains}', 5, functions => '{median}'$$, 'aggregate function "median" does not exist');
SELECT pg_temp.refused($$'{salary,gains}', 701$$, 'k is larger than the number of rows');
SELECT pg_temp.refused($$'{salary,gains}', 5, functions => '{weighted_sum}'$$, 'a weighted sum needs one weight%');
SELECT pg_temp.refused($$'{salary,gains}', 5, guarantee => 'none'$$, 'unknown value for "guarantee"');
SELECT pg_temp.refused($$'{salary,gains}', 5, algorithm => 'worst'$$, 'unknown algorithm of method "aggregate"');

-- ---- The promise in words: such a release is not k-anonymous ----------------------------------------------
CREATE TABLE pairs (a int NOT NULL, b int NOT NULL, s text);
INSERT INTO pairs SELECT i * i % 21, i * 5 % 17, 'value ' || i % 3 FROM generate_series(1, 12) AS i;
SELECT is((SELECT verdict FROM anon_publish('pairs_sum', 'pairs', '{a,b}', 4, 'aggregate')),
  'kept: 4^f-anonymous against knowledge of sum; 12 rows', 'the verdict does not say that the release is 4-anonymous');
SELECT cmp_ok((SELECT level FROM anon_audit('pairs_sum') WHERE model = 'k-anonymity'), '<', 4::float8, 'since it is not');
SELECT is((SELECT promises FROM anon_releases WHERE release = 'pairs_sum'::regclass),
  '4^f-anonymous against knowledge of sum', 'nor do lists of releases');
SELECT is((SELECT promises FROM anon_sweep('pairs', '{a,b}', '{3}', '{aggregate}', '{s}',
    spec => anon_spec(functions => '{sum,max}', d => 0.05, guarantee => 'identical', p => 2))),
  '3^(f,d)-anonymous by identical intervals, 2-sensitive against knowledge of sum, max within 5 %', 'all options are told');
SELECT finish();
ROLLBACK;
