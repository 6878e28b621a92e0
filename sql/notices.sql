-- Notices to a publisher before anybody reads a release: once each, with a hint, and without a cell's value.
\set SHOW_CONTEXT never
\pset format unaligned
\pset tuples_only on

-- As a steward would have it: a record number, names, a weight that may be missing.
CREATE TABLE admissions AS
SELECT 314000 + i AS record, 'sesame' || i AS name, i * 7919 % 50 AS age, (i * 31 % 977) / 10.0 AS weight,
  'ward' || i % 4 AS ward, 'd' || i % 3 AS diagnosis, 'c' || i % 190 AS contact, i AS number
FROM generate_series(1, 200) AS i;
ALTER TABLE admissions ALTER record SET NOT NULL, ALTER age SET NOT NULL;

-- Nothing to say: no nulls can come, nothing is unique, every class has two diagnoses.
SELECT rows FROM anon_publish('quiet', 'admissions', '{age,ward}', 20, sensitive => '{diagnosis}');

-- One null would stop a refresh, as it does; stratify takes it.
SELECT rows FROM anon_publish('stops', 'admissions', '{age,weight}', 5);
SELECT rows FROM anon_publish('goes_on', 'admissions', '{age,weight}', 5, params => '{"nulls": "stratify"}');
SELECT count(*) AS differ FROM (SELECT * FROM stops EXCEPT ALL SELECT * FROM goes_on) AS d;
UPDATE admissions SET weight = NULL WHERE number <= 5;
SELECT rows FROM anon_refresh('stops');
SELECT rows FROM anon_refresh('goes_on');
UPDATE admissions SET weight = 1 WHERE number <= 5;
-- Beside labels, a number without a hierarchy has a range, which ends at values of records.
SELECT count(*) FROM anon_mdav('admissions', '{age,weight}', 5, hierarchies => '{"age": {"range": [10, 50]}}');
-- Full-domain generalisation has no strata.
SELECT rows FROM anon_publish('has_no_strata', 'admissions', '{age,weight}', 5, 'incognito',
  hierarchies => '{"age": {"range": [10, 50]}, "weight": {"range": [10, 100]}}', beside => 'ignore');
SELECT anon_drop('has_no_strata');
-- A view does not declare which columns may be null, so nothing is said.
CREATE VIEW of_admissions AS SELECT * FROM admissions;
SELECT rows FROM anon_publish('of_view', 'of_admissions', '{age}', 5);

-- Kept columns that are unique, and nearly; one of many repeated values, and one of a type without an order.
ALTER TABLE admissions ADD place point DEFAULT '(1,1)';
SELECT rows FROM anon_publish('kept', 'admissions', '{age}', 5, keep => '{record,contact,ward,place}');

-- Kept columns that are unique together, none of them alone; a sensitive column that is unique.
CREATE VIEW weekly AS SELECT weight, age, number / 10 AS week FROM admissions;
SELECT rows FROM anon_publish('together', 'weekly', '{weight}', 5, keep => '{age,week}');
SELECT rows FROM anon_publish('secret', 'of_admissions', '{age}', 5, sensitive => '{number}');
-- A kept unit links rows, unless persons share their histories.
CREATE TABLE stays AS SELECT i % 60 AS person, i * 7919 % 50 AS age FROM generate_series(1, 180) AS i;
ALTER TABLE stays ALTER age SET NOT NULL;
SELECT rows FROM anon_publish('linked', 'stays', '{age}', 5, keep => '{person}', unit => '{person}');
SELECT rows FROM anon_publish('alike', 'stays', '{age}', 5, keep => '{person}', unit => '{person}', params => '{"unit_rows": "together"}');
SELECT rows FROM anon_publish('unlinked', 'stays', '{age}', 5, unit => '{person}');
-- Hierarchies of quasi-identifiers imply the recoding.
SELECT rows FROM anon_publish('labels', 'stays', '{age}', 5, params => '{"hierarchies": {"age": {"range": [10]}}}');
SELECT DISTINCT pg_typeof(age) FROM labels;
SELECT rows FROM anon_publish('neither', 'stays', '{age}', 5, params => '{"recode": "centroid", "hierarchies": {"age": {"range": [10]}}}');

-- Quasi-identifiers that identify: numbers, texts; not a weight, and not an age.
ALTER TABLE admissions ALTER weight SET NOT NULL, ALTER number SET NOT NULL;
SELECT rows FROM anon_publish('identified', 'admissions', '{number,name,age,weight}', 5);
SELECT count(*) FROM anon_mdav('admissions', '{number,age}', 5);
-- Each tells once, also when it comes again.
SELECT rows FROM anon_refresh('identified');
REFRESH MATERIALIZED VIEW identified;

-- The ends of ranges are values; ages are shared, weights are not. Counted in plain SQL.
SELECT rows FROM anon_publish('ranges', 'admissions', '{age,weight}', 5, keep => '{number}', params => '{"recode": "range"}');
SELECT round(100.0 * count(*) FILTER (WHERE weight IN (lower(r), upper(r)) AND alike = 1) / count(*)) AS shown FROM (
  SELECT a.weight, p.weight AS r, count(*) OVER (PARTITION BY a.weight) AS alike FROM ranges AS p JOIN admissions AS a USING (number)) AS w;
-- The ranges of aggregates, which each record has of its own, end at values, too.
SELECT rows FROM anon_publish('summed', 'admissions', '{age,weight}', 5, 'aggregate', keep => '{number}', params => '{"functions": ["sum"]}',
  beside => 'ignore');
SELECT round(100.0 * count(*) FILTER (WHERE weight IN (lower(r), upper(r)) AND alike = 1) / count(*), 1) AS shown FROM (
  SELECT a.weight, p.weight AS r, count(*) OVER (PARTITION BY a.weight) AS alike FROM summed AS p JOIN admissions AS a USING (number)) AS w;
SELECT anon_drop('summed');

-- k of 1.
SELECT rows FROM anon_publish('exact', 'admissions', '{age}', 1);
SELECT count(*) FROM anon_microaggregate('admissions', '{age}', 1);

-- Classes of one value: ages go with diagnoses here.
CREATE TABLE tied AS
SELECT i / 20 AS age, CASE WHEN i < 100 THEN 'sesame' ELSE 'd' || i % 5 END AS diagnosis FROM generate_series(0, 199) AS i;
ALTER TABLE tied ALTER age SET NOT NULL;
SELECT rows FROM anon_publish('tied_public', 'tied', '{age}', 5, sensitive => '{diagnosis}');
SELECT count(*) FROM (SELECT FROM tied_public GROUP BY age HAVING count(DISTINCT diagnosis) = 1) AS counted;
-- A promise on values is worth less to those who know the code, unless the release is transparent.
SELECT rows FROM anon_publish('diverse', 'tied', '{age}', 5, sensitive => '{diagnosis}', params => '{"p": 2}');
SELECT rows, withheld FROM anon_publish('clear', 'tied', '{age}', 5, sensitive => '{diagnosis}', p => 2, transparent => true);

-- A release over time tells as much, of its first version.
SELECT rows FROM anon_publish('over_time', 'admissions', '{age,weight}', 2, sensitive => '{diagnosis}',
  keep => '{record}', key => '{record}', weight => false);
UPDATE admissions SET age = age + 1 WHERE number = 1;
SELECT version FROM anon_refresh('over_time');
ALTER TABLE admissions ALTER weight DROP NOT NULL;
SELECT rows FROM anon_publish('over_time_2', 'admissions', '{number,weight}', 5, key => '{record}', weight => false);

-- Chance makes few rows unique.
CREATE TABLE few AS SELECT i AS id, i AS age FROM generate_series(1, 10) AS i;
ALTER TABLE few ALTER age SET NOT NULL;
SELECT rows FROM anon_publish('few_public', 'few', '{age}', 5, keep => '{id}');

-- Hints recommend nothing that the method or the key excludes.
CREATE TABLE encounters AS SELECT i AS id, i % 60 AS person, i * 7919 % 997 AS age FROM generate_series(1, 180) AS i;
ALTER TABLE encounters ALTER age SET NOT NULL;
SELECT rows FROM anon_publish('encounters_by_key', 'encounters', '{age}', 5, keep => '{person}', unit => '{person}', key => '{id}', recode => 'range', beside => 'ignore');
SELECT rows FROM anon_publish('encounters_by_number', 'encounters', '{age}', 5, 'univariate', keep => '{person}', pseudonym => '{person}', beside => 'ignore');
SELECT rows FROM anon_publish('tied_by_mdav', 'tied', '{age}', 5, 'mdav', sensitive => '{diagnosis}', beside => 'ignore');

SET client_min_messages = warning;
SELECT anon_drop(release) FROM anon_releases;
DROP TABLE admissions, tied, few, stays, encounters CASCADE;
