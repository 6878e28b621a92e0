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
done_testing
