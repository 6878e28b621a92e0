#!/bin/bash
# The sample data: the same table everywhere, and shaped like a hospital's.
. test/t/tap.sh
fresh_database hospital_t
ok "the generator installs" psql -X -q -v ON_ERROR_STOP=1 -f test/data/hospital.sql
value "CALL hospital_table('h')"

fingerprint() { value "SELECT md5(string_agg(r::text, E'\n' ORDER BY ssn)) FROM $1 AS r"; }

is "5,000 records by default" "$(value 'SELECT count(*) FROM h')" 5000
is "the same records on every machine" "$(fingerprint h)" 1ce74769ab8aff6984467c6e5e2152b6
is "the same again" "$(fingerprint 'hospital_discharges()')" "$(fingerprint h)"
is "another seed, other records" \
  "$(value 'SELECT count(*) FROM h JOIN hospital_discharges(5000, 2) AS o USING (birth_date, admitted)')" 0
is "more records begin with the same" \
  "$(value 'SELECT count(*) FROM h JOIN hospital_discharges(23435) AS o USING (ssn, admitted, weight)')" 5000
is "23,435 records, each with an ssn of its own" \
  "$(value 'SELECT count(DISTINCT ssn), count(*) FROM hospital_discharges(23435)')" '23435|23435'
is "types" "$(value "SELECT string_agg(format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
  FROM pg_attribute WHERE attrelid = 'h'::regclass AND attnum > 0")" \
  "text, text, date, timestamp without time zone, timestamp without time zone, text, text, numeric(5,1), text, numeric(10,2)"

# Facts of the domain.
fact() { is "$1" "$(value "SELECT $2 FROM h")" t; }
fact "nobody is admitted before birth or discharged before admission" \
  "bool_and(birth_date <= admitted AND admitted < discharged)"
fact "nobody is older than 101" "min(birth_date) >= date '1921-12-31'"
fact "only women give birth, between 18 and 50" \
  "bool_and(coalesce(sex, 'F') = 'F' AND admitted - birth_date BETWEEN interval '6570 days' AND interval '18270 days')
   FILTER (WHERE diagnosis IN ('O80', 'O82'))"
fact "a hip fracture is a matter of age" \
  "avg(admitted::date - birth_date) FILTER (WHERE diagnosis = 'S72.0') > 365 * 68"
fact "newborns weigh less than 6 kg" "max(weight) FILTER (WHERE diagnosis = 'Z38.0') < 6.0"
fact "the charge follows the stay" "corr(charge, extract(epoch FROM discharged - admitted)) > 0.6"
fact "men are heavier" \
  "avg(weight) FILTER (WHERE sex = 'M') > 5 + avg(weight) FILTER (WHERE sex = 'F')"
fact "the postal code moves the charge" "corr(charge, postal_code::int) < -0.05"
fact "a few nulls in postal code, sex and diagnosis, none elsewhere" \
  "count(*) - count(postal_code) BETWEEN 10 AND 60 AND count(*) - count(sex) BETWEEN 5 AND 40
   AND count(*) - count(diagnosis) BETWEEN 5 AND 50
   AND count(*) = count(name || ssn || birth_date || admitted || discharged || weight || charge)"
fact "a few outliers in weight and charge" \
  "count(*) FILTER (WHERE weight > 140) BETWEEN 3 AND 50
   AND max(charge) > 20 * percentile_disc(0.5) WITHIN GROUP (ORDER BY charge)"
done_testing
