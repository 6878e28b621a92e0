#!/bin/bash
# examples/release.sh publishes, refreshes, and reports errors by its exit status. The statement of
# examples/dbt does so, too; it is run without dbt.
. test/t/tap.sh
fresh_database examples_t >/dev/null
status() { examples/release.sh "$1" >/dev/null 2>&1; printf '%s' "$?"; }
is "without its table it is another mistake" "$(status examples_t)" 3
value "CREATE TABLE patients AS SELECT date '1950-01-01' + i * 7 AS birth_date, 50 + i % 40 AS weight,
  'x' || i % 3 AS diagnosis FROM generate_series(1, 100) AS i" >/dev/null
is "it publishes" "$(status examples_t)" 0
is "it refreshes" "$(status examples_t)" 0
value "UPDATE patients SET diagnosis = 'x'" >/dev/null
is "a promise that cannot be kept has status 1" "$(status examples_t)" 1
is "and the old release is there" "$(value 'SELECT count(DISTINCT diagnosis) FROM visits_public')" 3
is "no database is status 2" "$(status no_such_database)" 2

publish_visits() {
  value "$(sed -e '/{%/d' -e 's/{{ target.schema }}/hospital/g' examples/dbt/macros/publish_visits.sql)"
}
model() { sed -e '/{{/d' examples/dbt/models/patients.sql; }
value "CREATE SCHEMA hospital; CREATE TABLE admissions AS SELECT row_number() OVER () AS patient_id, birth_date,
  weight, 'x' || weight % 3 AS diagnosis FROM patients" >/dev/null
value "CREATE TABLE hospital.patients AS $(model)" >/dev/null
is "the dbt project publishes" "$(publish_visits)" 100
value "DELETE FROM hospital.patients WHERE patient_id > 90" >/dev/null
is "and refreshes at the next run" "$(publish_visits)" 90
value "UPDATE hospital.patients SET diagnosis = 'x'" >/dev/null
like "a promise that cannot be kept ends the run" "$(publish_visits)" '^ERROR: +(22023|23514)'

# The OMOP example: generated rows, the hierarchy of a graph, the published set.
fresh_database examples_omop >/dev/null
omop() { PGOPTIONS='-c client_min_messages=warning' psql -X -q -At -v ON_ERROR_STOP=1 -f "examples/omop/$1.sql" 2>&1; }
is "rows of the Common Data Model" "$(omop cdm)" ''
like "the set is published and asserted" "$(omop publish)" 'person\|2000\|0\|.*drug_exposure\|'
is "whole records are those of five persons" "$(value "SELECT min(level) >= 5 FROM anon_audit_set('omop_public', '{
  \"person\": {\"qi\": [\"gender_concept_id\", \"year_of_birth\"]}, \"visit_occurrence\": {\"qi\": [\"visit_concept_id\", \"visit_start_day\", \"visit_days\"]},
  \"condition_occurrence\": {\"qi\": [\"condition_concept_id\"]}, \"drug_exposure\": {\"qi\": [\"drug_concept_id\"]}}', largest_m => 2)")" t
is "conditions join their visits and persons" "$(value 'SELECT count(*) FILTER (WHERE c.person_id = v.person_id) = count(*) AND count(*) > 3000
  FROM omop_public.condition_occurrence AS c JOIN omop_public.visit_occurrence AS v USING (visit_occurrence_id)')" t
# By definition: no other concept of the level is nearer, or as near with a lower id.
is "a concept goes to its nearest ancestor, the lowest id among several" "$(value "SELECT count(*) FROM research.concept_levels AS h
  JOIN cdm.concept_ancestor AS mine ON mine.descendant_concept_id::text = h.concept_id AND mine.ancestor_concept_id::text = h.level_1
  JOIN cdm.concept_ancestor AS other ON other.descendant_concept_id = mine.descendant_concept_id
  JOIN research.levels AS l ON l.level = 1 AND l.concept_id = other.ancestor_concept_id
  WHERE (other.min_levels_of_separation, other.ancestor_concept_id) < (mine.min_levels_of_separation, mine.ancestor_concept_id)")" 0
is "which decides where there are several" "$(value "SELECT string_agg(level_1 || ' ' || level_2, ', ' ORDER BY concept_id) FROM research.concept_levels
  WHERE concept_id IN ('300', '321', '200', '609', '100')")" '100 100, 200 110, 200 110, 202 112, 609 514'
is "and groups are nested" "$(value 'SELECT count(*) FROM (SELECT FROM research.concept_levels GROUP BY level_1 HAVING count(DISTINCT level_2) > 1) AS x')" 0
is "published conditions are groups or concepts" "$(value "SELECT count(*) FROM omop_public.condition_occurrence WHERE condition_concept_id <> '*'
  AND condition_concept_id NOT IN (SELECT unnest(ARRAY[concept_id, level_1, level_2]) FROM research.concept_levels)")" 0
done_testing
