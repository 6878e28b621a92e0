-- Rows of the shape of the OMOP Common Data Model 5.4, to try examples/omop/publish.sql: psql -f examples/omop/cdm.sql
-- Tables and columns are named as in the model; columns that the example does not read are left out. All rows are made
-- by arithmetic, and so are the concepts: they stand for no vocabulary.
CREATE SCHEMA cdm;
SET search_path = cdm;

CREATE TABLE concept (
  concept_id integer PRIMARY KEY, concept_name varchar(255) NOT NULL, domain_id varchar(20) NOT NULL, vocabulary_id varchar(20) NOT NULL,
  concept_class_id varchar(20) NOT NULL, standard_concept varchar(1), concept_code varchar(50) NOT NULL,
  valid_start_date date NOT NULL DEFAULT '1970-01-01', valid_end_date date NOT NULL DEFAULT '2099-12-31', invalid_reason varchar(1));
CREATE TABLE concept_ancestor (
  ancestor_concept_id integer NOT NULL REFERENCES concept, descendant_concept_id integer NOT NULL REFERENCES concept,
  min_levels_of_separation integer NOT NULL, max_levels_of_separation integer NOT NULL);
CREATE TABLE person (
  person_id integer PRIMARY KEY, gender_concept_id integer NOT NULL REFERENCES concept, year_of_birth integer NOT NULL,
  month_of_birth integer, day_of_birth integer, race_concept_id integer NOT NULL, ethnicity_concept_id integer NOT NULL);
CREATE TABLE visit_occurrence (
  visit_occurrence_id integer PRIMARY KEY, person_id integer NOT NULL REFERENCES person, visit_concept_id integer NOT NULL REFERENCES concept,
  visit_start_date date NOT NULL, visit_end_date date NOT NULL, visit_type_concept_id integer NOT NULL,
  preceding_visit_occurrence_id integer REFERENCES visit_occurrence);
CREATE TABLE condition_occurrence (
  condition_occurrence_id integer PRIMARY KEY, person_id integer NOT NULL REFERENCES person,
  condition_concept_id integer NOT NULL REFERENCES concept, condition_start_date date NOT NULL, condition_type_concept_id integer NOT NULL,
  visit_occurrence_id integer REFERENCES visit_occurrence);
CREATE TABLE drug_exposure (
  drug_exposure_id integer PRIMARY KEY, person_id integer NOT NULL REFERENCES person, drug_concept_id integer NOT NULL REFERENCES concept,
  drug_exposure_start_date date NOT NULL, drug_exposure_end_date date NOT NULL, drug_type_concept_id integer NOT NULL,
  days_supply integer, visit_occurrence_id integer REFERENCES visit_occurrence);

INSERT INTO concept (concept_id, concept_name, domain_id, vocabulary_id, concept_class_id, standard_concept, concept_code)
SELECT id, name, domain, vocabulary, class, 'S', 'made-' || id FROM (
  VALUES (8507, 'MALE', 'Gender', 'Gender', 'Gender'), (8532, 'FEMALE', 'Gender', 'Gender', 'Gender'),
    (9201, 'Inpatient Visit', 'Visit', 'Visit', 'Visit'), (9202, 'Outpatient Visit', 'Visit', 'Visit', 'Visit'),
    (100, 'Finding', 'Condition', 'Made', 'Made'), (500, 'Drug', 'Drug', 'Made', 'Made')) AS c(id, name, domain, vocabulary, class)
UNION ALL SELECT 110 + i, 'Finding of system ' || i, 'Condition', 'Made', 'Made', 'S', 'made-' || 110 + i FROM generate_series(0, 3) AS i
UNION ALL SELECT 200 + i, 'Disorder ' || i, 'Condition', 'Made', 'Made', 'S', 'made-' || 200 + i FROM generate_series(0, 11) AS i
UNION ALL SELECT 300 + i, 'Form ' || i, 'Condition', 'Made', 'Made', 'S', 'made-' || 300 + i FROM generate_series(0, 35) AS i
UNION ALL SELECT 510 + i, 'Ingredient ' || i, 'Drug', 'Made', 'Ingredient', 'S', 'made-' || 510 + i FROM generate_series(0, 4) AS i
UNION ALL SELECT 600 + i, 'Product ' || i, 'Drug', 'Made', 'Clinical Drug', 'S', 'made-' || 600 + i FROM generate_series(0, 19) AS i;

-- The vocabulary is a graph: each third form is a form of two disorders, and each fourth disorder one of two systems.
-- concept_ancestor has all its paths, and each concept as an ancestor of itself.
WITH RECURSIVE edges(parent, child) AS (
  SELECT 100, 110 + i FROM generate_series(0, 3) AS i
  UNION ALL SELECT 110 + i % 4, 200 + i FROM generate_series(0, 11) AS i
  UNION ALL SELECT 110 + (i + 1) % 4, 200 + i FROM generate_series(0, 11, 4) AS i
  UNION ALL SELECT 200 + i % 12, 300 + i FROM generate_series(0, 35) AS i
  UNION ALL SELECT 200 + (i + 5) % 12, 300 + i FROM generate_series(0, 35, 3) AS i
  UNION ALL SELECT 500, 510 + i FROM generate_series(0, 4) AS i
  UNION ALL SELECT 510 + i % 5, 600 + i FROM generate_series(0, 19) AS i),
paths(ancestor, descendant, steps) AS (
  SELECT concept_id, concept_id, 0 FROM concept UNION ALL SELECT p.ancestor, e.child, p.steps + 1 FROM paths AS p JOIN edges AS e ON e.parent = p.descendant)
INSERT INTO concept_ancestor SELECT ancestor, descendant, min(steps), max(steps) FROM paths GROUP BY ancestor, descendant;

INSERT INTO person
SELECT i, (ARRAY[8507, 8532])[1 + i % 2], 1935 + i * i % 70, 1 + i % 12, 1 + i % 28, 0, 0 FROM generate_series(1, 2000) AS i;
INSERT INTO visit_occurrence
SELECT i, 1 + i * 7 % 2000, (ARRAY[9202, 9202, 9201])[1 + i * i % 7 % 3], start, start + i * i % 5, 32817, NULL
FROM generate_series(1, 3500) AS i, LATERAL (SELECT date '2020-01-01' + i * i % 1009 AS start) AS s;
INSERT INTO condition_occurrence
SELECT i, person_id, 300 + i * i % 36, visit_start_date, 32817, visit_occurrence_id
FROM generate_series(1, 4200) AS i JOIN visit_occurrence ON visit_occurrence_id = 1 + i * 11 % 3500;
INSERT INTO drug_exposure
SELECT i, person_id, 600 + i * i % 20, visit_start_date, visit_start_date + 7 * (1 + i % 3), 32817, 7 * (1 + i % 3), visit_occurrence_id
FROM generate_series(1, 2500) AS i JOIN visit_occurrence ON visit_occurrence_id = 1 + i * 13 % 3500;
RESET search_path;
