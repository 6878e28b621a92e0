-- Sources of every shape, and calls from every place.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(20);

CREATE TABLE no_columns ();
INSERT INTO no_columns DEFAULT VALUES;
SELECT throws_ok($$SELECT anon_mdav('no_columns', '{a}', 1)$$, '42703', NULL, 'a table without columns');
CREATE TABLE computed (gone text, a int, also_gone int, twice int GENERATED ALWAYS AS (a * 2) STORED, b text);
INSERT INTO computed (a, b) SELECT i, 'b' || i FROM generate_series(1, 12) AS i;
ALTER TABLE computed DROP COLUMN gone, DROP COLUMN also_gone;
SELECT is((SELECT rows FROM anon_publish('computed_public', 'computed', '{twice}', 3, keep => '{b,a}')), 12::bigint,
  'generated columns, dropped columns');
SELECT is_empty('SELECT FROM computed_public AS p JOIN computed AS c USING (b) WHERE p.a <> c.a OR abs(p.twice - c.twice) > 8',
  'each value in its column');
SELECT throws_ok($$SELECT anon_mdav('computed', '{gone}', 1)$$, '42703', NULL, 'a dropped column is gone');
SELECT throws_ok($$SELECT anon_mdav('computed', '{........pg.dropped.1........}', 1)$$, '42703', NULL, 'under any name');
ALTER TABLE computed ADD COLUMN late int DEFAULT 7;
SELECT is((SELECT DISTINCT masked->>'late' FROM anon_mdav('computed', '{a}', 12, '{late}')), '7', 'a column added later');

CREATE VIEW restless AS SELECT (random() * 1000)::int AS a, random() AS b, clock_timestamp() AS c FROM generate_series(1, 200);
SELECT is((SELECT rows FROM anon_publish('restless_public', 'restless', '{a,b}', 5, keep => '{c}')), 200::bigint,
  'a view of volatile functions is read once');
SELECT lives_ok($$SELECT anon_assert('restless_public', '{a,b}', k => 5)$$, 'and its release holds still');
CREATE VIEW looking AS SELECT (masked->>'a')::int AS a, class_size AS s FROM anon_mdav('computed', '{a}', 3);
SELECT is((SELECT count(*) FROM anon_mdav('looking', '{a}', 6)), 12::bigint, 'a view that looks itself');
CREATE VIEW failing AS SELECT i / (i - 5) AS a FROM generate_series(1, 9) AS i;
SELECT throws_ok($$SELECT anon_mdav('failing', '{a}', 3)$$, '22012', 'division by zero', 'an error of the source comes through');
SELECT throws_ok($$SELECT anon_publish('never', 'failing', '{a}', 3)$$, '22012', 'division by zero', 'also when publishing');
CREATE VIEW deep AS WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 500) SELECT i, i % 9 AS j FROM r;
SELECT is((SELECT count(DISTINCT class_id) FROM anon_mdav('deep', '{i,j}', 100)), 5::bigint, 'a recursive view');
CREATE VIEW ordered AS SELECT * FROM computed ORDER BY a DESC LIMIT 6;
SELECT is((SELECT min((masked->>'a')::int) FROM anon_mdav('ordered', '{a}', 3)), 8, 'a view with an order and a limit');
SELECT is((SELECT count(*) FROM anon_mdav('pg_catalog.pg_type', '{typlen,typname}', 5)
           WHERE class_size >= 5), (SELECT count(*) FROM pg_type), 'a system catalog');

-- Calls.
CREATE FUNCTION pg_temp.total(k int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE record record; total int := 0;
BEGIN
  FOR record IN SELECT * FROM anon_mdav('computed', '{a}', k) LOOP
    total := total + record.class_size;
  END LOOP;
  RETURN total;
END $$;
SELECT is(pg_temp.total(3) + pg_temp.total(4) + pg_temp.total(12), 36 + 48 + 144, 'in loops of a function');
SELECT is((SELECT array_agg(n) FROM (SELECT (SELECT count(*) FROM anon_mdav('computed', '{a}', k)) AS n
  FROM generate_series(1, 5) AS k) AS s), '{12,12,12,12,12}', 'in a subquery for each row');
SELECT is((SELECT count(*) FROM anon_mdav('computed', '{a}', 3) AS x, anon_mdav('computed', '{twice}', 4) AS y
  WHERE x.source = y.source), 12::bigint, 'twice in a statement');
WITH added AS (INSERT INTO computed (a, b) VALUES (99, 'x') RETURNING a)
SELECT is((SELECT count(*) FROM added, anon_mdav('computed', '{a}', 3)), 12::bigint, 'a statement does not see its own rows');
SELECT is((SELECT count(*) FROM anon_mdav('computed', '{a}', 3)), 13::bigint, 'the next one does');
SELECT is((SELECT count(*) FROM (SELECT 1 FROM anon_mdav('computed', '{a}', 3) LIMIT 2) AS l), 2::bigint, 'with a limit');
SELECT * FROM finish();
ROLLBACK;
