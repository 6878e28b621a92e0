-- Looking at the classes and masked values of a table, without a release.
SET datestyle = 'ISO, MDY';
SET timezone = 'UTC';
CREATE TABLE patients (
  id int PRIMARY KEY, born date, admitted timestamp, discharged timestamptz, weight numeric(5,1),
  charge float8, visits smallint, insured boolean, diagnosis text);
INSERT INTO patients VALUES
  (1, '1931-05-01', '2024-01-01 08:00:00', '2024-01-03 10:00:00+00', 61.2, 1000.5, 1, true, 'flu'),
  (2, '1931-05-02', '2024-01-01 09:00:00', '2024-01-03 11:00:00+00', 62.4, 1001.5, 2, true, 'flu'),
  (3, '1931-05-06', '2024-01-01 10:30:00', '2024-01-03 12:00:00+00', 60.1, 1003.0, 2, false, 'cold'),
  (4, '1960-02-28', '2024-03-10 23:00:00', '2024-03-20 10:00:00+00', 80.0, 9000.25, 11, false, 'hip'),
  (5, '1960-02-29', '2024-03-11 01:00:00', '2024-03-20 10:00:00+00', 81.0, 9100.25, 12, false, 'hip'),
  (6, '1960-03-01', '2024-03-11 02:00:00', '2024-03-21 10:00:00+00', 82.5, 9200.25, 14, true, null),
  (7, '2003-12-30', '2024-09-01 12:00:00', '2024-09-01 18:00:00+00', 70.1, 100, 5, true, 'birth'),
  (8, '2003-12-31', '2024-09-01 12:00:01', '2024-09-01 19:00:00+00', 70.2, 110, 5, true, 'birth'),
  (9, '2004-01-01', '2024-09-01 12:00:02', '2024-09-01 20:00:00+00', 70.3, 120, 5, true, 'birth'),
  (10, '2004-01-02', '2024-09-01 12:00:03', '2024-09-01 21:00:00+00', 70.5, 131, 6, false, 'birth');

-- Every type is masked in its own type: dates stay dates, integers are rounded.
SELECT source, class_id, class_size, masked FROM anon_mdav('patients', '{born,weight,visits}', 3);
SELECT DISTINCT ON (class_id) class_id, masked->>'admitted' AS admitted,
  masked->>'discharged' AS discharged, masked->>'charge' AS charge, masked->>'insured' AS insured
FROM anon_mdav('patients', '{admitted,discharged,charge,insured}', 3) ORDER BY class_id;

-- Kept columns come along with the record; identifiers only if the caller names them.
SELECT class_id, masked FROM anon_mdav('patients', '{born}', 5, keep => '{diagnosis}') LIMIT 4;
SELECT class_id, masked FROM anon_mdav('patients', '{born}', 5, keep => '{id, diagnosis}')
WHERE masked->>'id' = '6';

-- A column is named as in SQL: unquoted spelling folds to lower case, unless it is exact.
SELECT DISTINCT class_size FROM anon_mdav('patients', '{BORN, Weight}', 10);

-- k = 1 changes nothing; k = n is one class.
SELECT count(DISTINCT class_id), bool_and((masked->>'charge')::float8 = p.charge)
FROM anon_mdav('patients', '{charge}', 1) AS m JOIN patients AS p ON p.ctid = m.source;
SELECT DISTINCT class_id, class_size, masked FROM anon_mdav('patients', '{charge}', 10);

-- A t that no finer classes keep: one class of all is t-close, and a notice says so. A larger t needs none.
SELECT count(*), count(DISTINCT class_id)
FROM unnest('{t_first,k_first,merge,sabre,best}'::text[]) AS algorithm,
  anon_tclose('patients', '{born,weight}', '{charge}', 2, 1e-9, algorithm);
SELECT count(DISTINCT class_id) > 1 AS several FROM anon_tclose('patients', '{born,weight}', '{charge}', 2, 0.4);
SELECT rows, classes FROM anon_publish('hidden', 'patients', '{born,weight}', 2, method => 'tclose', sensitive => '{charge}',
  params => '{"t": 1e-9}');
SELECT anon_drop('hidden');

-- Weights and standardisation define distance.
CREATE TABLE points (x int, y int);
INSERT INTO points VALUES (0, 0), (1, 1000), (100, 0), (101, 1000);
SELECT array_agg(source ORDER BY source) FROM anon_mdav('points', '{x,y}', 2, weights => '{10,1}')
GROUP BY class_id ORDER BY 1;
SELECT array_agg(source ORDER BY source) FROM anon_mdav('points', '{x,y}', 2, weights => '{1,10}')
GROUP BY class_id ORDER BY 1;
SELECT array_agg(source ORDER BY source) FROM anon_mdav('points', '{x,y}', 2, standardize => 'none')
GROUP BY class_id ORDER BY 1;

-- Ranges instead of centroids.
SELECT DISTINCT ON (class_id) class_id, masked
FROM anon_mdav('patients', '{born,weight,visits,charge}', 3, recode => 'range') ORDER BY class_id;

-- Every relation with rows can be looked at; only rows of one table or materialized view have a tid.
CREATE VIEW patients_view AS SELECT born, weight, visits FROM patients;
CREATE MATERIALIZED VIEW patients_matview AS SELECT born, weight, visits FROM patients;
CREATE TABLE patients_by_year (LIKE patients_view) PARTITION BY RANGE (born);
CREATE TABLE patients_before PARTITION OF patients_by_year FOR VALUES FROM (MINVALUE) TO ('1960-02-29');
CREATE TABLE patients_after PARTITION OF patients_by_year FOR VALUES FROM ('1960-02-29') TO (MAXVALUE);
INSERT INTO patients_by_year SELECT * FROM patients_view;
CREATE EXTENSION file_fdw;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
SELECT current_setting('data_directory') || '/patients.csv' AS file \gset
COPY (SELECT * FROM patients_matview) TO :'file' (FORMAT csv);
CREATE FOREIGN TABLE patients_foreign (born date, weight numeric(5,1), visits smallint)
  SERVER files OPTIONS (filename :'file', format 'csv');
CREATE TABLE patients_parent (LIKE patients_view);
CREATE TABLE patients_child (extra text) INHERITS (patients_parent);
INSERT INTO patients_parent SELECT * FROM patients_view LIMIT 4;
INSERT INTO patients_child SELECT *, 'x' FROM patients_view OFFSET 4;

CREATE TABLE expected AS
SELECT masked, count(*) FROM anon_mdav('patients', '{born,weight,visits}', 3) GROUP BY masked;
SELECT relation, count(DISTINCT masked) AS classes, count(source) AS tids,
  sum(class_size) = 34 AS same_sizes, bool_and(masked IN (SELECT masked FROM expected)) AS same_values
FROM unnest('{patients_view,patients_matview,patients_by_year,patients_after,patients_foreign,
              patients_parent}'::regclass[]) AS relation,
  LATERAL anon_mdav(relation, '{born,weight,visits}', CASE WHEN relation = 'patients_after'::regclass
                                                           THEN 2 ELSE 3 END)
GROUP BY relation ORDER BY relation;

-- Where a statement may call a function, it may call this one.
SELECT (anon_mdav('points', '{x,y}', 2)).class_id LIMIT 1;
SELECT k, count(DISTINCT class_id) FROM (VALUES (2), (4)) AS v (k), anon_mdav('points', '{x,y}', k)
GROUP BY k ORDER BY k;
PREPARE classes (int) AS SELECT count(DISTINCT class_id) FROM anon_mdav('patients', '{born,visits}', $1);
EXECUTE classes (2);
EXECUTE classes (5);
BEGIN TRANSACTION READ ONLY;
DECLARE looking CURSOR WITH HOLD FOR SELECT class_id, masked FROM anon_mdav('patients', '{visits}', 5);
FETCH 2 FROM looking;
COMMIT;
MOVE 6 IN looking;
FETCH 1 FROM looking;
CLOSE looking;
-- Its name is another one from 16 on.
SELECT count(set_config(name, 'on', false)) FROM pg_settings
WHERE name IN ('force_parallel_mode', 'debug_parallel_query');
SELECT count(*), count(DISTINCT class_id) FROM anon_mdav('patients', '{born,visits}', 3);
SELECT count(set_config(name, 'off', false)) FROM pg_settings
WHERE name IN ('force_parallel_mode', 'debug_parallel_query');

-- An error is trapped, and work goes on, in the same transaction.
BEGIN;
SAVEPOINT before;
SELECT count(*) FROM anon_mdav('patients', '{born}', 11);
ROLLBACK TO before;
SELECT count(*) FROM anon_mdav('patients', '{born}', 5);
COMMIT;
DO $$
DECLARE found int;
BEGIN
  BEGIN
    SELECT count(*) INTO found FROM anon_mdav('patients', '{born}', 5);
    RAISE EXCEPTION 'rolled back after % rows', found;
  EXCEPTION WHEN raise_exception THEN
    RAISE NOTICE '%', SQLERRM;
  END;
  SELECT count(*) INTO found FROM anon_mdav('patients', '{born}', 4);
  RAISE NOTICE '% rows', found;
END $$;

-- Means of codes are told of, unless they are called categories, or are not published.
CREATE TABLE coded AS SELECT i % 5 AS race, i % 40 AS age FROM generate_series(1, 80) AS i;
SELECT count(*) FROM anon_mdav('coded', '{race,age}', 4);
SELECT count(*) FROM anon_mdav('coded', '{race,age}', 4, categories => '{race}');
SELECT count(*) FROM anon_mdav('coded', '{race,age}', 4, recode => 'range');
SELECT count(*) FROM anon_publish('coded_public', 'coded', '{race}', 4);
DROP MATERIALIZED VIEW coded_public;
DROP TABLE coded;
