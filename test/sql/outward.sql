-- Ranges that end on a public grid, outward of their class.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(26);

CREATE TABLE people AS
SELECT i, (i * i * 37 % 97)::int AS age, (i * i * 61 % 997 / 10.0)::numeric(6, 2) AS income,
  date '1950-01-01' + (i * i * 13 % 20000) AS born, timestamp '2020-01-01' + (i * i % 5000) * interval '1 hour' AS seen,
  (i * i % 331)::float8 / 7 AS score, 'town ' || i * 7 % 5 AS town, 'illness ' || i * i * 13 % 9 AS illness
FROM generate_series(1, 600) AS i;

CREATE FUNCTION pg_temp.refused(call text, code text, message text, test text) RETURNS text LANGUAGE sql AS $$
  SELECT throws_ok('SELECT * FROM ' || call, code, message, test)
$$;

-- Ends of ranges.
CREATE TABLE aged AS
SELECT p.*, (g.masked ->> 'age')::int4range AS ages, (g.masked ->> 'income')::numrange AS incomes, class_size
FROM anon_mdav('people', '{age,income}', 5, recode => 'range', outward => 'grid', widths => '{"age": 5, "income": 2.5}') AS g
  JOIN people AS p ON p.ctid = source;
SELECT ok(bool_and(lower(ages) % 5 = 0 AND upper(ages) % 5 = 0), 'ranges of integers end at multiples of the width') FROM aged;
SELECT ok(bool_and(age <@ ages AND income <@ incomes), 'and hold every record') FROM aged;
SELECT ok(bool_and(lower(incomes) % 2.5 = 0 AND (upper(incomes) + 0.01) % 2.5 = 0), 'so do ranges of decimals') FROM aged;
SELECT ok(bool_and(l / 5 * 5 = lower(ages) AND h / 5 * 5 + 5 = upper(ages)), 'they are no wider than needed')
FROM (SELECT ages, min(age) AS l, max(age) AS h FROM aged GROUP BY ages, incomes) AS c;
SELECT ok(bool_and(n >= 5 AND n = class_size), 'classes as readers see them have k records')
FROM (SELECT count(*) OVER (PARTITION BY ages, incomes) AS n, class_size FROM aged) AS c;
SELECT ok(bool_and((upper(days) - lower(days)) % 365 = 0 AND born <@ days), 'a width of dates is in days')
FROM (SELECT source, (masked ->> 'born')::daterange AS days FROM anon_microaggregate('people', '{born}', 5, recode => 'range', outward => 'grid',
  widths => '{"born": 365}')) AS g JOIN people AS p ON p.ctid = source;
SELECT ok(bool_and(extract(epoch FROM lower(days)) % 86400 = 0 AND seen <@ days), 'one of timestamps in seconds')
FROM (SELECT source, (masked ->> 'seen')::tsrange AS days FROM anon_mondrian('people', '{seen}', 5, outward => 'grid',
  widths => '{"seen": 86400}')) AS g JOIN people AS p ON p.ctid = source;
SELECT ok(bool_and(score::numeric <@ scores AND lower(scores) % 0.5 = 0), 'floating-point numbers have multiples of their width')
FROM (SELECT source, (masked ->> 'score')::numrange AS scores FROM anon_vmdav('people', '{score}', 5, recode => 'range', outward => 'grid',
  widths => '{"score": 0.5}')) AS g JOIN people AS p ON p.ctid = source;
SELECT is((SELECT array_agg(masked -> 'town' ORDER BY source) FROM anon_mdav('people', '{town,age}', 5, recode => 'range', outward => 'grid', widths => '{"age": 1}')),
  (SELECT array_agg(masked -> 'town' ORDER BY source) FROM anon_mdav('people', '{town,age}', 5, recode => 'range')), 'categories stay as they are');
SELECT is((SELECT array_agg(masked ORDER BY source) FROM anon_mdav('people', '{age}', 5, recode => 'range', outward => 'grid', widths => '{"age": 1}')),
  (SELECT array_agg(masked ORDER BY source) FROM anon_mdav('people', '{age}', 5, recode => 'range')), 'integers are a grid of width 1');
CREATE TABLE limits AS SELECT (CASE i % 2 WHEN 0 THEN -2147483648 ELSE 2147483647 END)::int AS whole,
  (CASE i % 2 WHEN 0 THEN date '4713-01-01 BC' ELSE date '5874897-12-31' END) AS day FROM generate_series(1, 20) AS i;
SELECT ok(bool_and(p.whole <@ (masked ->> 'whole')::int4range AND p.day <@ (masked ->> 'day')::daterange)
    AND bool_or(lower_inf((masked ->> 'whole')::int4range)) AND bool_or(upper_inf((masked ->> 'whole')::int4range)), 'there is no end beyond the first value of a type')
FROM anon_mdav('limits', '{whole,day}', 5, recode => 'range', outward => 'grid', widths => '{"whole": 7, "day": 1000}') JOIN limits AS p ON p.ctid = source;

-- A release: its figures, its refresh, its notices and its report.
SELECT is(rows, 600::bigint, 'a release') FROM anon_publish('grown', 'people', '{age,income}', 5, sensitive => '{illness}', l => 2, recode => 'range',
  params => '{"outward": "grid", "widths": {"age": 10, "income": 20}}');
SELECT lives_ok($$SELECT anon_assert('grown', '{age,income}', '{illness}', k => 5, l => 2)$$, 'its promises hold');
SELECT is((SELECT round(value::numeric, 9) FROM anon_evaluate('people', '{age,income}', 5, sensitive => '{illness}', l => 2, recode => 'range',
    params => '{"outward": "grid", "widths": {"age": 10, "income": 20}}') WHERE measure = 'NCP'),
  (SELECT round(100 * avg((least(upper(g.age) - 1, b.a1) - greatest(lower(g.age), b.a0)) / (b.a1 - b.a0)::numeric / 2
     + (least(upper(g.income), b.i1) - greatest(lower(g.income), b.i0)) / (b.i1 - b.i0) / 2), 9)
   FROM grown AS g, (SELECT min(age) AS a0, max(age) AS a1, min(income) AS i0, max(income) AS i1 FROM people) AS b), 'NCP is that of the published ranges');
CREATE TABLE grown_first AS SELECT * FROM grown;
SELECT is(rows, 600::bigint, 'its refresh') FROM anon_refresh('grown');
SELECT is_empty('(TABLE grown EXCEPT ALL TABLE grown_first)', 'has the same rows');
SELECT ok(page LIKE '%few other tables lead to this release%' AND page LIKE '%all values outside a class%' AND page NOT LIKE '%ends of a range are values%',
  'the report names what an attacker with the code learns, and no attained ends') FROM anon_report('grown') AS page;
SELECT ok(bool_and(form >= code) AND avg(form) > 1, 'the form leaves more than one value') FROM anon_replay_qi('people', '{age,income}', 5, 'mdav',
  params => '{"recode": "range", "outward": "grid", "widths": {"age": 10, "income": 20}}', cells => 20, persons => 0, classes => 0, tries => 20);

-- Refusals.
SELECT pg_temp.refused($$anon_mdav('people', '{age}', 5, outward => 'grid', widths => '{"age": 5}')$$, '22023',
  'outward ''grid'' cannot be combined with recode ''centroid''', 'means have no ends');
SELECT pg_temp.refused($$anon_mdav('people', '{age}', 5, recode => 'range', outward => 'grid')$$, '22023', 'outward ''grid'' needs widths', 'no widths');
SELECT pg_temp.refused($$anon_mdav('people', '{age,income}', 5, recode => 'range', outward => 'grid', widths => '{"age": 5}')$$, '22023',
  'outward ''grid'' needs a width of column "income"', 'a column without one');
SELECT pg_temp.refused($$anon_mdav('people', '{age}', 5, recode => 'range', outward => 'grid', widths => '{"age": 2.5}')$$, '22023',
  'the finest width of column "age" is no multiple of the distance of its numbers', 'half an integer');
SELECT pg_temp.refused($$anon_mdav('people', '{age}', 5, recode => 'range', outward => 'grid', widths => '{"age": 1e19}')$$, '22023',
  'the finest width of column "age" is too large', 'more units than are counted');
SELECT pg_temp.refused($$anon_mdav('people', '{age}', 5, recode => 'range', widths => '{"age": 5}')$$, '22023',
  'widths need outward ''grid'', or algorithm ''grid'' of method "mondrian"', 'widths alone');
SELECT pg_temp.refused($$anon_mondrian('people', '{age}', 5, algorithm => 'grid', outward => 'grid', widths => '{"age": 5}')$$, '22023',
  'outward ''grid'' cannot be combined with algorithm ''grid''', 'a grid has no other one');
SELECT pg_temp.refused($$anon_publish('never', 'people', '{age}', 5, recode => 'range', key => '{i}',
  params => '{"outward": "grid", "widths": {"age": 5}}')$$, '0A000', 'outward ''grid'' cannot be combined with a key', 'nor with a key');

SELECT * FROM finish();
ROLLBACK;
