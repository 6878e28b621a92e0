-- anon_replay_qi: what a release tells of quasi-identifiers to an adversary who knows nearly all of the table.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(20);

CREATE TABLE people AS
SELECT i, (i * i * 37 % 97)::int AS age, (i * i * 61 % 41)::int AS hours, 'town ' || i * 7 % 5 AS town, 'illness ' || i * 13 % 9 AS illness
FROM generate_series(1, 300) AS i;
CREATE TABLE towns AS SELECT 'town ' || i AS town, CASE WHEN i < 3 THEN 'north' ELSE 'south' END AS half, '*' AS every FROM generate_series(0, 4) AS i;

CREATE VIEW searched AS SELECT * FROM anon_replay_qi('people', '{age,hours}', 5, 'microaggregate',
  params => '{"recode": "range"}', cells => 12, persons => 3, classes => 2, tries => 12);
SELECT is((SELECT array_agg(unknown || ' ' || n ORDER BY unknown) FROM (SELECT unknown, count(*) AS n FROM searched GROUP BY 1) AS s),
  '{cell 12,class 2,person 3}', 'a row for each target');
SELECT ok(bool_and(code BETWEEN 1 AND form AND form <= box), 'knowledge shrinks what is left, the truth always is') FROM searched;
SELECT ok(bool_and((attribute IS NOT NULL) = (unknown = 'cell')), 'a cell has its column') FROM searched;
SELECT ok(bool_and(records = 1) FILTER (WHERE unknown <> 'class') AND bool_and(records >= 5) FILTER (WHERE unknown = 'class'), 'a class has its records') FROM searched;
SELECT cmp_ok((SELECT sum(code)::numeric / sum(form) FROM anon_replay_qi('people', '{age,hours}', 5, 'microaggregate',
    params => '{"recode": "range"}', cells => 20, persons => 0, classes => 0, tries => 12)), '<',
  (SELECT sum(code)::numeric / sum(form) FROM anon_replay_qi('people', '{age,hours}', 5, 'mondrian', cells => 20, persons => 0, classes => 0, tries => 12)),
  'a search tells more of a cell than strict cuts');
SELECT ok(bool_and(code = form), 'levels of full-domain generalisation tell next to nothing')
FROM anon_replay_qi('people', '{town}', 5, 'incognito', params => '{"hierarchies": {"town": {"table": "towns"}}}', cells => 10, persons => 0, classes => 0);
SELECT is((SELECT array_agg(r::text ORDER BY attack) FROM anon_replay_qi('people', '{age}', 5, 'mdav', cells => 5, persons => 1, classes => 1, tries => 6, seed => 3) AS r),
  (SELECT array_agg(r::text ORDER BY attack) FROM anon_replay_qi('people', '{age}', 5, 'mdav', cells => 5, persons => 1, classes => 1, tries => 6, seed => 3) AS r),
  'a seed repeats the attack');
SELECT cmp_ok(count(*), '=', 6::bigint, 'means have a window') FROM anon_replay_qi('people', '{age,hours}', 5, cells => 6, persons => 0, classes => 0, tries => 6) WHERE box > 1;
SELECT cmp_ok(count(*), '=', 4::bigint, 'promises on values count') FROM anon_replay_qi('people', '{age,hours}', 5, 'microaggregate', '{illness}', '{"l": 2}', cells => 4, persons => 0, classes => 0, tries => 4);
SELECT throws_ok($$SELECT * FROM anon_replay_qi('people', '{age}', 5, cells => -1)$$, '22023', 'cells must be between 0 and 100000', 'counts are not negative');
SELECT throws_ok($$SELECT * FROM anon_replay_qi('people', '{age}', 5, tries => 1)$$, '22023', 'tries must be between 2 and 10000', 'one value is no attack');
SELECT throws_ok($$SELECT * FROM anon_replay_qi('people', '{age,hours}', 5, 'aggregate')$$, '0A000', NULL, 'aggregates are refused');
SELECT throws_ok($$SELECT * FROM anon_replay_qi('people', '{age}', 5, spec => anon_spec(unit => '{i}'))$$, '0A000', NULL, 'so are units');
SELECT throws_ok($$SELECT * FROM anon_replay_qi('people', '{age}', 5, 'mondrian', params => '{"algorithm": "grid"}')$$, '0A000',
  'a release with a secret seed cannot be replayed', 'nobody can replay secret coins');
-- A sweep has the shares of determined cells.
CREATE TABLE swept AS SELECT * FROM anon_sweep('people', '{age,hours}', '{5}', '{mdav,mondrian,aggregate}', params => '[{"recode": "range"}, {"algorithm": "grid"}]', cells => 6);
SELECT is((determined_by_form, determined_by_code)::text, (SELECT (avg((form = 1)::int)::float8, avg((code = 1)::int)::float8)::text
    FROM anon_replay_qi('people', '{age,hours}', 5, s.method, params => s.parameters, cells => 6, persons => 0, classes => 0)),
  'a sweep has those of ' || method) FROM swept AS s WHERE method IN ('mdav', 'mondrian') AND parameters ? 'recode' ORDER BY method;
SELECT ok(bool_and(determined_by_form IS NULL AND determined_by_code IS NULL) AND bool_or(error IS NULL), 'and none where nobody can replay')
FROM swept WHERE method = 'aggregate' OR parameters ? 'algorithm';
SELECT ok(bool_and(determined_by_form IS NULL AND determined_by_code IS NULL), 'nor where no cell is attacked') FROM anon_sweep('people', '{age}', '{5}');
SELECT throws_ok($$SELECT * FROM anon_sweep('people', '{age}', '{5}', cells => -1)$$, '22023', 'cells must be between 0 and 100000', 'counts of cells are not negative');
SELECT throws_ok($$SELECT * FROM anon_replay_qi('people', '{age}', 1000)$$, '22023', NULL, 'a release must exist');

SELECT * FROM finish();
ROLLBACK;
