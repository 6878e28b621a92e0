-- The life of a release: published, read, refreshed, dropped.
\set SHOW_CONTEXT never
SET datestyle = 'ISO, MDY';
CREATE TABLE staff (name text, born date, salary int, rating numeric(3,1), department text, boss boolean);
INSERT INTO staff
SELECT 'n' || i, date '1970-01-01' + i * 400, 1000 * i, i / 10.0, chr(65 + i % 3), i > 7
FROM generate_series(1, 9) AS i;

SELECT rows, classes, smallest_class, mean_class, round(loss::numeric, 4) AS loss, suppressed, suppressed_cells,
  seconds BETWEEN 0 AND 60 AS timed
FROM anon_publish('staff_public', 'staff', '{born,salary}', 3, method => 'mdav',
                  sensitive => '{department}', keep => '{rating}');

-- The source's names, types and order of columns; masked quasi-identifiers, the rest as it is.
\d staff_public
SELECT * FROM staff_public ORDER BY born, rating;
SELECT model, attribute, round(level::numeric, 4) AS level
FROM anon_audit('staff_public', '{born,salary}', '{department}');
SELECT anon_assert('staff_public', '{born,salary}', '{department}', k => 3, p => 3, l => 3, alpha => 0.34);

-- The notes on it.
SELECT release, source, spec->>'method' AS method, spec->'qi' AS qi, spec->'k' AS k, current, rows, classes, smallest_class, mean_class,
  built BETWEEN now() - interval '1 minute' AND clock_timestamp() AS just_now
FROM anon_releases;
-- Older servers name the function before each column.
SELECT regexp_replace(replace(pg_get_viewdef('staff_public'), ' release.', ' '), '{.*}', '{...}');

-- The source changes; the release does not, until it is refreshed.
INSERT INTO staff VALUES ('n10', '1999-01-01', 10000, 9.9, 'B', false);
DELETE FROM staff WHERE name = 'n1';
UPDATE staff SET department = 'D' WHERE name = 'n2';
SELECT count(*), string_agg(DISTINCT department, '' ORDER BY department) FROM staff_public;
SELECT rows, classes, smallest_class FROM anon_refresh('staff_public');
SELECT count(*), string_agg(DISTINCT department, '' ORDER BY department) FROM staff_public;

-- A plain REFRESH does the same; the figures noted are then no longer current.
INSERT INTO staff VALUES ('n11', '1999-01-02', 11000, 1.1, 'A', false);
REFRESH MATERIALIZED VIEW staff_public;
SELECT r.current, r.rebuilt, r.rows, count(s.*) FROM anon_releases AS r, staff_public AS s GROUP BY 1, 2, 3;
SELECT rows FROM anon_refresh('staff_public');
SELECT current, rows FROM anon_release_info('staff_public');

-- The owner's own comment stays.
COMMENT ON MATERIALIZED VIEW staff_public IS E'Staff, without names.\nFor the works council.';
SELECT built IS NOT NULL AS built, current, rows FROM anon_releases;
SELECT rows FROM anon_refresh('staff_public');
SELECT rows FROM anon_refresh('staff_public');
COMMENT ON COLUMN staff_public.born IS 'Mean of the class.';
SELECT built, current, rows FROM anon_releases;
SELECT rows FROM anon_refresh('staff_public');
SELECT obj_description('staff_public'::regclass),
  regexp_replace(col_description('staff_public'::regclass, 1), 'anonkit: built=.*', 'anonkit: ...');
SELECT current, rows FROM anon_release_info('staff_public');

-- A change that would break the promise is refused, and the release stays as it is.
DELETE FROM staff WHERE name NOT IN ('n2', 'n3');
SELECT rows FROM anon_refresh('staff_public');
REFRESH MATERIALIZED VIEW staff_public;
SELECT count(*) FROM staff_public;

-- Not publishing leaves nothing behind.
SELECT * FROM anon_publish('staff_nobody', 'staff', '{born}', 3);
SELECT to_regclass('staff_nobody');

-- The parameters of the method; ranges instead of centroids; grants.
INSERT INTO staff SELECT 'm' || i, date '1970-01-01' + i * 400, 1000 * i, i / 10.0, 'C', false
FROM generate_series(1, 9) AS i;
CREATE ROLE regress_reader;
SELECT rows, classes, smallest_class
FROM anon_publish('staff_ranges', 'staff', '{born,salary,rating}', 5, method => 'mdav', keep => '{boss}',
  params => '{"recode": "range", "weights": [1, 2, 3], "standardize": "range"}',
  grant_to => '{regress_reader}');
\d staff_ranges
SELECT *, count(*) FROM staff_ranges GROUP BY born, salary, rating, boss ORDER BY born, boss;
SELECT jsonb_pretty(spec - 'lower_bound') FROM anon_releases WHERE release = 'staff_ranges'::regclass;
-- From 17 on an owner has m, for MAINTAIN, too.
SELECT replace(relacl::text, 'xtm', 'xt') AS relacl FROM pg_class WHERE relname = 'staff_ranges';
SELECT bool_and(s.born <@ r.born AND s.salary <@ r.salary AND s.rating <@ r.rating) AS covered
FROM (SELECT *, row_number() OVER (ORDER BY born, salary, rating) AS i FROM staff) AS s,
     (SELECT *, row_number() OVER (ORDER BY born, salary, rating) AS i FROM staff_ranges) AS r
WHERE s.i = r.i;

-- A release is dropped by its own function, or as a materialized view.
SELECT anon_drop('staff_public');
DROP MATERIALIZED VIEW staff_ranges;
SELECT count(*) FROM anon_releases;
DROP ROLE regress_reader;
