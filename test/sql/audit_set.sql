-- anon_audit_set and anon_assert_set against plain SQL.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE SCHEMA clinic;
SET search_path = public, clinic;
CREATE TABLE clinic.patients AS
SELECT i AS id, (ARRAY['f', 'm'])[1 + i % 2] AS sex, 1930 + i * i % 23 AS born FROM generate_series(1, 300) AS i;
CREATE TABLE clinic.stays AS
SELECT i AS stay, 1 + i * 7 % 290 AS patient, (ARRAY['planned', 'urgent', NULL])[1 + i * i % 3] AS kind,
  i * i % 5 AS days, (ARRAY['home', 'moved', 'dead'])[1 + i % 11 % 3] AS outcome FROM generate_series(1, 500) AS i;
CREATE TABLE clinic.diagnoses AS
SELECT i AS nr, 1 + i * 11 % 480 AS stay, 'c' || i * i % 7 AS code FROM generate_series(1, 700) AS i;
ALTER TABLE clinic.patients ADD PRIMARY KEY (id);
ALTER TABLE clinic.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES clinic.patients;
ALTER TABLE clinic.diagnoses ADD PRIMARY KEY (nr), ADD FOREIGN KEY (stay) REFERENCES clinic.stays;

CREATE TABLE set_of (name text PRIMARY KEY, tables jsonb);
INSERT INTO set_of VALUES ('all', '{"patients": {"qi": ["sex", "born"]}, "stays": {"qi": ["kind", "days"], "sensitive": ["outcome"]},
  "diagnoses": {"qi": ["code"]}}');
CREATE FUNCTION set_of(text DEFAULT 'all') RETURNS jsonb LANGUAGE sql AS $$ SELECT tables FROM set_of WHERE name = $1 $$;
CREATE FUNCTION level(asked text, tables jsonb DEFAULT set_of(), k int DEFAULT 5) RETURNS text LANGUAGE sql AS $$
  SELECT format('%s: %s alone, %s below', level, persons_alone, persons_below)
  FROM anon_audit_set('clinic', tables, k) WHERE m = asked $$;

-- Facts of each person as texts: of the root, and of the pairs of its diagnoses by their stays.
CREATE FUNCTION plainly(facts text, k int DEFAULT 5) RETURNS text LANGUAGE plpgsql AS $$
DECLARE said text;
BEGIN
  EXECUTE format('SELECT format(''%%s: %%s alone, %%s below'', min(least), count(*) FILTER (WHERE least = 1), count(*) FILTER (WHERE least < %s))
    FROM (SELECT person, min(persons) AS least FROM (%s) AS f JOIN (SELECT fact, count(DISTINCT person) AS persons FROM (%2$s) AS f GROUP BY fact) AS c
    USING (fact) GROUP BY person) AS p', k, facts) INTO said;
  RETURN said;
END $$;
CREATE FUNCTION root_facts() RETURNS text LANGUAGE sql AS $$ SELECT 'SELECT id AS person, row(sex, born)::text AS fact FROM patients' $$;
CREATE FUNCTION row_facts() RETURNS text LANGUAGE sql AS $$ SELECT root_facts() ||
  ' UNION ALL SELECT id, row(sex, born, kind, days)::text FROM patients JOIN stays ON patient = id' ||
  ' UNION ALL SELECT id, row(sex, born, code)::text FROM patients JOIN stays ON patient = id JOIN diagnoses USING (stay)' $$;
SELECT is(level('0'), plainly(root_facts()), 'who knows the root');
SELECT is(level('1'), plainly(row_facts()), 'who knows one more row');
SELECT is(level('1', k => 2), plainly(row_facts(), 2), 'and another k');
SELECT is(level('2', '{"patients": {"qi": ["sex"]}, "stays": {}, "diagnoses": {"qi": ["code"]}}'), plainly($$
  WITH d AS (SELECT id, sex, s.stay, nr, code FROM patients JOIN stays s ON patient = id LEFT JOIN diagnoses d USING (stay))
  SELECT id AS person, sex AS fact FROM patients
  UNION ALL SELECT id, sex || ' stay' FROM d UNION ALL SELECT id, row(sex, code)::text FROM d WHERE nr IS NOT NULL
  UNION ALL SELECT a.id, a.sex || ' two stays' FROM d a JOIN d b ON a.id = b.id AND a.stay < b.stay
  UNION ALL SELECT id, row(sex, 'stay of', code)::text FROM d WHERE nr IS NOT NULL
  UNION ALL SELECT a.id, row(a.sex, 'stay beside', b.code)::text FROM d a JOIN d b ON a.id = b.id AND a.stay <> b.stay WHERE b.nr IS NOT NULL
  UNION ALL SELECT a.id, row(a.sex, a.stay = b.stay, least(a.code, b.code), greatest(a.code, b.code))::text
    FROM d a JOIN d b ON a.id = b.id AND a.nr < b.nr$$), 'who knows two more rows with their links');
SELECT is(level('all'), plainly($$SELECT id AS person, row(sex, born, (SELECT array_agg(row(kind, days, codes)::text ORDER BY row(kind, days, codes)::text)
    FROM (SELECT kind, days, (SELECT array_agg(code ORDER BY code) FROM diagnoses d WHERE d.stay = s.stay) AS codes FROM stays s WHERE patient = id) AS s))::text AS fact
  FROM patients$$), 'who knows the whole record');
SELECT is(level('counts'), plainly($$SELECT id AS person, row(sex, born, count(DISTINCT stay), count(nr))::text AS fact
  FROM patients LEFT JOIN stays ON patient = id LEFT JOIN diagnoses USING (stay) GROUP BY id$$), 'who knows the numbers of rows');
SELECT is((SELECT array_agg(m) FROM anon_audit_set('clinic', set_of(), largest_m => 1)), '{0,1,all,counts}', 'levels of m up to the largest');

-- The values of supporters, with null as a value.
SELECT is((SELECT (detail -> 'alpha' ->> 'stays.outcome')::float8 FROM anon_audit_set('clinic', set_of(), largest_m => 0) WHERE m = '0'),
  (SELECT max(holders::float8 / persons) FROM (SELECT sex, born, count(*) AS persons FROM patients GROUP BY 1, 2) AS r
   JOIN (SELECT sex, born, outcome, count(DISTINCT id) AS holders FROM patients JOIN stays ON patient = id GROUP BY 1, 2, 3) AS v USING (sex, born)),
  'the largest share of a value');
SELECT is((SELECT (detail -> 'l' ->> 'stays.outcome')::bigint FROM anon_audit_set('clinic', set_of(), largest_m => 0) WHERE m = '0'),
  (SELECT min(least(kinds, persons - holders + 1)) FROM (SELECT sex, born, count(*) AS persons FROM patients GROUP BY 1, 2) AS r
   JOIN (SELECT sex, born, outcome, count(DISTINCT id) AS holders FROM patients JOIN stays ON patient = id GROUP BY 1, 2, 3) AS v USING (sex, born)
   JOIN (SELECT sex, born, count(DISTINCT outcome) AS kinds FROM patients JOIN stays ON patient = id GROUP BY 1, 2) AS w USING (sex, born)),
  'the fewest values, and persons who lack any of them');

-- Parents are named for views, and the order of the description does not matter.
CREATE VIEW clinic.v_patients AS SELECT id::bigint AS id, sex, born FROM clinic.patients;
CREATE VIEW clinic.v_stays AS SELECT * FROM clinic.stays ORDER BY md5(stay::text);
CREATE VIEW clinic.v_diagnoses AS SELECT stay::text::varchar(20) AS stay, code FROM clinic.diagnoses;
CREATE VIEW clinic.v_keys AS SELECT *, stay::text AS key FROM clinic.stays;
INSERT INTO set_of VALUES ('views', '{"v_diagnoses": {"qi": ["code"], "parent": "v_keys", "parent_key": ["stay"]},
  "v_keys": {"qi": ["days", "kind"], "sensitive": ["outcome"], "parent": "v_patients", "parent_key": ["patient"], "key": ["key"]},
  "v_patients": {"qi": ["born", "sex"], "key": ["id"]}}');
SELECT is(array_agg(v::text ORDER BY v.m), array_agg(t::text ORDER BY t.m), 'views have the levels of their tables')
FROM (SELECT m, level, persons, persons_alone, persons_below FROM anon_audit_set('clinic', set_of('views'))) AS v
JOIN (SELECT m, level, persons, persons_alone, persons_below FROM anon_audit_set('clinic', set_of())) AS t USING (m);

-- Several columns are a key, and rows without a parent hang on the person.
CREATE TABLE clinic.wards (house int, ward int, patient int REFERENCES clinic.patients, kind text, PRIMARY KEY (house, ward));
CREATE TABLE clinic.drugs (house int, ward int, patient int NOT NULL REFERENCES clinic.patients, drug text,
  FOREIGN KEY (ward, house) REFERENCES clinic.wards (ward, house));
INSERT INTO clinic.wards SELECT i % 10, i / 10, 1 + i % 300, 'k' FROM generate_series(0, 299) AS i;
INSERT INTO clinic.drugs SELECT i % 10, i / 10, 1 + i % 300, 'd' FROM generate_series(0, 299) AS i;
INSERT INTO set_of VALUES ('wards', '{"patients": {}, "wards": {"qi": ["kind"]}, "drugs": {"qi": ["drug"]}}');
SELECT is(level('all', set_of('wards')), '300: 0 alone, 0 below', 'all records are equal');
UPDATE clinic.drugs SET house = NULL WHERE patient = 17;
SELECT is(level('0', set_of('wards')), '300: 0 alone, 0 below', 'a drug has no parent: the root does not tell');
SELECT is(level('1', set_of('wards')), '1: 1 alone, 1 below', 'a row does, since its links are known');
UPDATE clinic.drugs SET patient = 18 WHERE patient = 19;
SELECT throws_ok($$SELECT * FROM anon_audit_set('clinic', set_of('wards'))$$, '22000',
  'rows of table "drugs" belong to another person than their parents', 'a row of two persons');

-- Persons are a column of the root.
SELECT is(level('0', '{"stays": {"person": ["patient"]}}'), '290: 0 alone, 0 below', 'persons above the root');
SELECT is(level('1', '{"stays": {"person": ["patient"], "qi": ["kind", "days"]}}'),
  plainly('SELECT patient AS person, row(kind, days)::text AS fact FROM stays'), 'who knows one of its rows');
SELECT is(level('1', '{"patients": {"person": ["id"], "qi": ["sex", "born"]}, "stays": {"qi": ["kind", "days"]}, "diagnoses": {"qi": ["code"]}}'),
  level('1'), 'a person a row is the root itself');

-- Errors name the table.
SELECT throws_ok(format('SELECT * FROM anon_audit_set(%L, %L)', schema, tables), state, message, message) FROM (VALUES
  ('clinic', '{"nobody": {}}', '42P01', 'schema "clinic" has no table "nobody"'),
  ('clinic', '{}', '22023', 'there are no tables to audit'),
  ('clinic', '[]', '22023', 'parameter "tables" must be an object with a member for each table'),
  ('clinic', '{"patients": 1}', '22023', 'table "patients" needs an object of options'),
  ('clinic', '{"patients": {"k": 1}}', '22023', 'table "patients" has an unknown option "k"'),
  ('clinic', '{"patients": {"qi": ["sex"], "suppressed": {"sex": "*"}}}', '22023', 'table "patients" has the option "suppressed", which related tables do not take'),
  ('clinic', '{"patients": {"qi": ["sex"], "wildcards": true}}', '22023', 'table "patients" has the option "wildcards", which related tables do not take'),
  ('clinic', '{"patients": {"qi": ["nobody"]}}', '42703', 'column "nobody" of table "patients" does not exist'),
  ('clinic', '{"patients": {}, "diagnoses": {}}', '22023', 'table "diagnoses" has no parent, like table "patients"'),
  ('clinic', '{"patients": {}, "diagnoses": {"parent": "stays"}}', '22023', 'table "diagnoses" has the parent "stays", which is not described'),
  ('clinic', '{"patients": {}, "diagnoses": {"parent": "patients"}}', '22023', 'table "diagnoses" has no foreign keys to table "patients"'),
  ('clinic', '{"patients": {}, "stays": {"parent_key": ["patient"]}}', '22023', 'table "stays" has a "parent_key" without a "parent"'),
  ('clinic', '{"patients": {}, "stays": {"person": ["patient"]}}', '22023', 'table "stays" has a parent, and names the columns of a person'),
  ('clinic', '{"patients": {"person_key": ["id"]}}', '22023', 'table "patients" is the root, and has a "person_key"'),
  ('clinic', '{"patients": {"parent": "stays", "parent_key": ["id"]}, "stays": {}}', '22023', 'table "stays" belongs to a cycle of parents'),
  ('clinic', '{"patients": {}, "v_stays": {"parent": "v_stays", "parent_key": ["stay"]}}', '22023', 'table "v_stays" belongs to a cycle of parents'),
  ('clinic', '{"patients": {}, "v_stays": {"parent": "patients", "parent_key": ["kind"]}}', '42804', 'column "kind" of table "v_stays" cannot refer to column "id" of table "patients"'),
  ('clinic', '{"patients": {}, "v_stays": {"parent": "patients", "parent_key": ["patient", "stay"]}}', '22023', 'table "patients" has a key of 1 columns, not of 2'),
  ('clinic', '{"v_stays": {"key": ["days"]}, "v_diagnoses": {"parent": "v_stays", "parent_key": ["stay"]}}', '42804', 'column "stay" of table "v_diagnoses" cannot refer to column "days" of table "v_stays"'),
  ('clinic', '{"v_stays": {"key": ["days"]}, "patients": {"parent": "v_stays", "parent_key": ["born"]}}', '22000', 'the key of table "v_stays" is not unique'),
  ('clinic', '{"patients": {}, "v_stays": {"parent": "patients", "parent_key": ["stay"]}}', '22000', 'rows of table "v_stays" have no parent')
) AS e (schema, tables, state, message);
SELECT throws_ok($$SELECT * FROM anon_audit_set(NULL, '{}')$$, '22004', 'the schema must not be null', 'no schema');
SELECT throws_ok($$SELECT * FROM anon_audit_set('clinic', NULL)$$, '22004', 'tables must not be null', 'no tables');
SELECT throws_ok($$SELECT * FROM anon_audit_set('clinic', '{"patients": {}}', largest_m => 4)$$, '22023', 'largest_m must be between 0 and 3', 'm is up to 3');
DELETE FROM clinic.drugs;
SELECT is(level('all', set_of('wards')), '300: 0 alone, 0 below', 'a table may be empty');

-- Assertions.
SELECT lives_ok($$SELECT anon_assert_set('clinic', '{"patients": {"qi": ["sex"]}}', k => 150)$$, '150 persons of either sex');
SELECT throws_ok($$SELECT anon_assert_set('clinic', '{"patients": {"qi": ["sex"]}}', k => 151)$$, '23514', 'the tables violate P(k,all)', 'not 151');
SELECT lives_ok($$SELECT anon_assert_set('clinic', '{"patients": {"qi": ["sex"]}, "stays": {"qi": ["kind"]}}', k => 5, m => '0')$$, 'who knows no more');
SELECT throws_ok($$SELECT anon_assert_set('clinic', set_of(), k => 5, m => '1')$$, '23514', 'the tables violate P(k,1)', 'who knows one row');
SELECT throws_ok($$SELECT anon_assert_set('clinic', '{"patients": {}, "stays": {}}', k => 20, m => '1', counts => true)$$, '23514',
  'the tables violate k by the numbers of rows', 'who knows the number of rows');
SELECT throws_ok($$SELECT anon_assert_set('clinic', set_of(), alpha => 0.5, m => '1')$$, '23514',
  'the tables violate A(alpha,m) of column "stays.outcome"', 'a value that is too frequent');
SELECT throws_ok($$SELECT anon_assert_set('clinic', set_of(), l => 2, m => '1')$$, '23514',
  'the tables violate linked l-diversity of column "stays.outcome"', 'too few values');
SELECT lives_ok($$SELECT anon_assert_set('clinic', set_of(), l => 1, alpha => 1, m => '2')$$, 'nothing promised is kept');
-- Persons 1, 2, 5 and 6 have codes a and b in one visit, and 3 to 6 in two: of either half the share of v. Four of these six have it.
CREATE SCHEMA heap;
CREATE TABLE heap.persons (id int PRIMARY KEY, said text);
CREATE TABLE heap.visits (visit int PRIMARY KEY, person int REFERENCES heap.persons);
CREATE TABLE heap.codes (nr int PRIMARY KEY, visit int REFERENCES heap.visits, code text);
INSERT INTO heap.persons SELECT i, CASE WHEN i <= 4 THEN 'v' ELSE 'w' || i END FROM generate_series(1, 10) AS i;
INSERT INTO heap.visits SELECT 10 * i + j, i FROM generate_series(1, 10) AS i, generate_series(1, 2) AS j WHERE j = 1 OR i BETWEEN 3 AND 6;
INSERT INTO heap.codes SELECT row_number() OVER (), visit, code FROM (VALUES (11, 'a'), (11, 'b'), (21, 'a'), (21, 'b'), (31, 'a'), (32, 'b'),
  (41, 'a'), (42, 'b'), (51, 'a'), (51, 'b'), (52, 'a'), (61, 'a'), (61, 'b'), (62, 'a'), (71, 'a'), (81, 'a'), (91, 'b'), (101, 'b')) AS c(visit, code);
INSERT INTO set_of VALUES ('heap', '{"persons": {"sensitive": ["said"]}, "visits": {}, "codes": {"qi": ["code"]}}');
SELECT lives_ok($$SELECT anon_assert_set('heap', set_of('heap'), alpha => 0.5, m => '1')$$, 'one fact tells of half the candidates');
SELECT lives_ok($$SELECT anon_assert_set('heap', set_of('heap'), alpha => 0.67, m => '2')$$, 'two facts of two thirds');
SELECT throws_ok($$SELECT anon_assert_set('heap', set_of('heap'), alpha => 0.66, m => '2')$$, '23514',
  'the tables violate A(alpha,m) without links of column "persons.said"', 'for who does not know which rows belong together');
SELECT throws_ok($$SELECT anon_assert_set('clinic', '{"patients": {}}', alpha => 0.5)$$, '22023', 'alpha and l need sensitive columns', 'no values');
SELECT throws_ok($$SELECT anon_assert_set('clinic', set_of())$$, '22023', 'there is nothing to assert', 'no promise');
SELECT throws_ok($$SELECT anon_assert_set('clinic', set_of(), k => 2, m => '4')$$, '22023', 'm must be ''0'', ''1'', ''2'', ''3'' or ''all''', 'm');

-- Where no person has a row with a value, no fact counts.
CREATE SCHEMA of_nobody;
CREATE TABLE of_nobody.people AS SELECT i AS id, 1 AS age FROM generate_series(1, 6) AS i;
ALTER TABLE of_nobody.people ADD PRIMARY KEY (id);
CREATE TABLE of_nobody.stays (person int REFERENCES of_nobody.people, kind int, finding text);
SELECT is(array_agg(DISTINCT detail - 'alpha_without_links'), ARRAY['{"l": {"stays.finding": null}, "alpha": {"stays.finding": null}}'::jsonb], 'levels of values that nobody has')
FROM anon_audit_set('of_nobody', '{"people": {"qi": ["age"]}, "stays": {"qi": ["kind"], "sensitive": ["finding"]}}', k => 3, largest_m => 1) WHERE m IN ('0', 'all');

SELECT finish();
ROLLBACK;
