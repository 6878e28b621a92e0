-- Publishes person, visit_occurrence, condition_occurrence and drug_exposure of an OMOP Common Data Model 5.4 in schema
-- cdm as one set of joined tables, in which every person's whole record is shared by five: psql -f examples/omop/publish.sql
-- The role needs the right to read these tables. docs/guide/tables.md has the steps and the reasons.
\set ON_ERROR_STOP on
CREATE SCHEMA research;

-- 1. What an adversary may know. Codes are texts, since a range of codes means nothing, and dates are days since the
-- person's first visit. The views leave out columns without a use: day of birth, source values, providers.
CREATE VIEW research.person AS
SELECT person_id, gender_concept_id::text AS gender_concept_id, year_of_birth FROM cdm.person;
CREATE VIEW research.visit_occurrence AS
SELECT visit_occurrence_id, person_id, visit_concept_id::text AS visit_concept_id,
       visit_start_date - min(visit_start_date) OVER (PARTITION BY person_id) AS visit_start_day, visit_end_date - visit_start_date AS visit_days
FROM cdm.visit_occurrence;
CREATE VIEW research.condition_occurrence AS
SELECT condition_occurrence_id, visit_occurrence_id, person_id, condition_concept_id::text AS condition_concept_id FROM cdm.condition_occurrence;
CREATE VIEW research.drug_exposure AS
SELECT drug_exposure_id, visit_occurrence_id, person_id, drug_concept_id::text AS drug_concept_id, days_supply FROM cdm.drug_exposure;

-- 2. A hierarchy of the vocabulary, which is a graph: a concept may have several parents. Choose the concepts of each
-- level. Here these are the concepts one and two steps below the roots.
CREATE TABLE research.levels AS
SELECT 3 - min_levels_of_separation AS level, descendant_concept_id AS concept_id
FROM cdm.concept_ancestor WHERE ancestor_concept_id IN (100, 500) AND min_levels_of_separation IN (1, 2);

-- The rule: a concept goes to its nearest ancestor of the level, by min_levels_of_separation, and among equally near ones
-- to that of the lowest id. A concept of the level is its own ancestor. One without such an ancestor stays as it is.
CREATE FUNCTION research.nearest(concept integer, wanted integer) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT ancestor_concept_id FROM cdm.concept_ancestor JOIN research.levels ON concept_id = ancestor_concept_id
    WHERE descendant_concept_id = concept AND level = wanted ORDER BY min_levels_of_separation, ancestor_concept_id LIMIT 1), concept) $$;

-- The second level is that of the concept's first level, so that groups are nested.
CREATE TABLE research.concept_levels AS
SELECT concept_id::text, level_1::text, research.nearest(level_1, 2)::text AS level_2
FROM (SELECT concept_id, research.nearest(concept_id, 1) AS level_1 FROM cdm.concept WHERE domain_id IN ('Condition', 'Drug')) AS c;

-- 3. The risk of pseudonyms alone: persons who are alone, or among fewer than five, by what an adversary knows.
SELECT m, persons_alone, persons_below FROM anon_audit_set('research', '{
  "person": {"qi": ["gender_concept_id", "year_of_birth"], "key": ["person_id"]},
  "visit_occurrence": {"qi": ["visit_concept_id", "visit_start_day", "visit_days"], "parent": "person", "parent_key": ["person_id"], "key": ["visit_occurrence_id"]},
  "condition_occurrence": {"qi": ["condition_concept_id"], "parent": "visit_occurrence", "parent_key": ["visit_occurrence_id"], "person_key": ["person_id"]},
  "drug_exposure": {"qi": ["drug_concept_id"], "parent": "visit_occurrence", "parent_key": ["visit_occurrence_id"], "person_key": ["person_id"]}}',
  k => 5, largest_m => 2);

-- 4. The release.
SELECT table_name, rows, withheld, round(loss::numeric, 2) AS loss FROM anon_publish_set('omop_public', '{
  "research.person": {"qi": ["gender_concept_id", "year_of_birth"], "key": ["person_id"]},
  "research.visit_occurrence": {"qi": ["visit_concept_id", "visit_start_day", "visit_days"], "parent": "research.person", "parent_key": ["person_id"],
    "key": ["visit_occurrence_id"]},
  "research.condition_occurrence": {"qi": ["condition_concept_id"], "parent": "research.visit_occurrence", "parent_key": ["visit_occurrence_id"],
    "person_key": ["person_id"], "hierarchies": {"condition_concept_id": {"table": "research.concept_levels", "columns": ["concept_id", "level_1", "level_2"]}}},
  "research.drug_exposure": {"qi": ["drug_concept_id"], "keep": ["days_supply"], "parent": "research.visit_occurrence", "parent_key": ["visit_occurrence_id"],
    "person_key": ["person_id"], "hierarchies": {"drug_concept_id": {"table": "research.concept_levels", "columns": ["concept_id", "level_1", "level_2"]}}}}',
  k => 5);

-- 5. The proof, on the tables that readers see, and the grant: SELECT anon_grant_set('omop_public', 'researchers');
SELECT anon_assert_set('omop_public', '{
  "person": {"qi": ["gender_concept_id", "year_of_birth"]}, "visit_occurrence": {"qi": ["visit_concept_id", "visit_start_day", "visit_days"]},
  "condition_occurrence": {"qi": ["condition_concept_id"]}, "drug_exposure": {"qi": ["drug_concept_id"]}}', k => 5, counts => true);
