-- anon_profile and anon_propose: roles from values, and a statement that runs.
BEGIN;
SELECT no_plan();
SET client_min_messages = warning;

-- Encounters of a hospital: 400 patients with three each.
CREATE TABLE encounters AS
SELECT e AS encounter_id, 70000 + p AS patient_nbr, (ARRAY['F', 'M'])[1 + p % 2] AS gender, date '1940-01-01' + p * p * 17 % 20000 AS born,
       (ARRAY['north', 'east', 'south', 'west'])[1 + p % 4] AS region, date '2024-01-01' + e * e % 700 AS admitted,
       1 + e % 8 AS admission_type_id, e * 7 % 14 AS days, (ARRAY['asthma', 'stroke', 'fracture'])[1 + e * e % 7 % 3] AS diagnosis,
       ARRAY[e, p] AS codes, '{}'::jsonb AS document, repeat('the patient said ', 5) || e AS note, true AS billed
FROM generate_series(1, 1200) AS e, LATERAL (SELECT e % 400 AS p) AS patient;
SELECT results_eq($$SELECT column_name, role FROM anon_profile('encounters')$$, $$VALUES ('encounter_id', 'identifier'),
  ('patient_nbr', 'unit'), ('gender', 'quasi-identifier'), ('born', 'quasi-identifier'), ('region', 'quasi-identifier'),
  ('admitted', 'quasi-identifier'), ('admission_type_id', 'quasi-identifier'), ('days', 'quasi-identifier'), ('diagnosis', 'sensitive'),
  ('codes', 'other'), ('document', 'free text'), ('note', 'free text'), ('billed', 'quasi-identifier')$$, 'roles');
SELECT is((SELECT count(DISTINCT reason) FROM anon_profile('encounters') WHERE role = 'quasi-identifier'), 4::bigint,
  'categories, dates, codes and constant columns have reasons of their own');
SELECT is(anon_propose('encounters', 3), format(
$$SELECT * FROM %s.anon_publish('encounters_public', '%I.encounters', '{gender,born,region,admitted,admission_type_id,days,billed}', 3,
  sensitive => '{diagnosis}', l => 2,
  unit => '{patient_nbr}');$$, (SELECT pronamespace::regnamespace FROM pg_proc WHERE proname = 'anon_propose'),
  (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = 'encounters'::regclass)), 'the statement');
DO $$BEGIN EXECUTE anon_propose('encounters', 3); END$$;
SELECT lives_ok($$SELECT anon_assert('encounters_public', k => 3, l => 2)$$, 'it runs, and its release keeps the promises');

-- The town follows from the postal code, which is no person.
CREATE TABLE residents AS
SELECT i AS number, (10000 + i % 50)::text AS postal_code, 'town ' || i % 50 % 20 AS town, 'county ' || i % 50 % 20 % 5 AS county, i % 90 AS "my age"
FROM generate_series(1, 1000) AS i;
SELECT is(role, 'quasi-identifier', 'a postal code with its town and county') FROM anon_profile('residents') WHERE column_name = 'postal_code';
SELECT matches(anon_propose('residents'), $$'\{postal_code,town,county,"my age"\}', 5\);$$, 'names are quoted; without a sensitive column no promise');
UPDATE residents SET "my age" = NULL WHERE number % 10 = 0;
SELECT matches(anon_propose('residents'), $$nulls => 'stratify'$$, 'numbers with nulls need a rule');
DO $$BEGIN EXECUTE anon_propose('residents', 2); END$$;
SELECT lives_ok($$SELECT anon_assert('residents_public', k => 2)$$, 'which runs, too');
CREATE TABLE "Odd name" AS SELECT i % 7 AS a FROM generate_series(1, 100) AS i;
DO $$BEGIN EXECUTE anon_propose('"Odd name"'); END$$;
SELECT has_materialized_view('Odd name_public', 'a name that must be quoted');

SELECT throws_ok($$SELECT anon_propose('residents', 0)$$, '22023', 'k must be at least 1');
CREATE TABLE numbered AS SELECT i AS id FROM generate_series(1, 9) AS i;
SELECT throws_ok($$SELECT anon_propose('numbered')$$, '22023', 'no column looks like a quasi-identifier');
SELECT is(anon_propose(NULL), NULL, 'no table, no statement');
CREATE TABLE nobody (LIKE residents);
SELECT throws_ok(call, '22000', 'there are no rows to profile', 'no rows have no roles: ' || call)
FROM unnest('{SELECT anon_profile(''nobody''),SELECT anon_propose(''nobody'')}'::text[]) AS call;
SELECT * FROM finish();
ROLLBACK;
