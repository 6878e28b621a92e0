-- anon_publish_set: every published cell covers its source, links are those of the source, and the audits agree.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

-- A hospital with rows of each kind: stays of patients, diagnoses of stays, and drugs of stays or of patients.
CREATE SCHEMA hospital;
SET search_path = public, hospital;
CREATE TABLE hospital.patients AS
SELECT i AS id, i AS was, (ARRAY['f', 'm'])[1 + i % 2] AS sex, 1930 + i * i % 23 AS born, CASE WHEN i % 9 > 0 THEN i * i % 31 END AS weight
FROM generate_series(1, 400) AS i;
CREATE TABLE hospital.stays AS
SELECT i AS stay, i AS was, 1 + i * 7 % 390 AS patient, (ARRAY['planned', 'urgent', NULL])[1 + i * i % 3] AS kind,
  i * i % 5 AS days, (ARRAY['home', 'moved', 'dead'])[1 + i % 11 % 3] AS outcome FROM generate_series(1, 700) AS i;
CREATE TABLE hospital.diagnoses AS
SELECT i AS nr, i AS was, 1 + i * 11 % 680 AS stay, chr(65 + i % 3) || i * i % 7 AS code FROM generate_series(1, 900) AS i;
ALTER TABLE hospital.patients ADD PRIMARY KEY (id);
ALTER TABLE hospital.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES hospital.patients, ALTER patient SET NOT NULL;
ALTER TABLE hospital.diagnoses ADD PRIMARY KEY (nr), ADD FOREIGN KEY (stay) REFERENCES hospital.stays;
CREATE TABLE hospital.drugs AS
SELECT CASE WHEN i % 4 > 0 THEN i * 3 % 650 + 1 END AS stay, i % 400 + 1 AS patient, 'd' || i % 3 AS drug, i AS was FROM generate_series(1, 300) AS i;
UPDATE hospital.drugs SET patient = s.patient FROM hospital.stays s WHERE s.stay = drugs.stay;
ALTER TABLE hospital.drugs ADD FOREIGN KEY (stay) REFERENCES hospital.stays, ADD FOREIGN KEY (patient) REFERENCES hospital.patients;
COMMENT ON TABLE hospital.stays IS 'stays of ''patients''';
COMMENT ON COLUMN hospital.stays.days IS 'length';

CREATE TABLE described AS SELECT '{
  "patients": {"qi": ["sex", "born", "weight"], "keep": ["was"]},
  "stays": {"qi": ["kind", "days"], "sensitive": ["outcome"], "keep": ["was"]},
  "diagnoses": {"qi": ["code"], "hierarchies": {"code": {"prefix": 2}}, "keep": ["was"]},
  "drugs": {"qi": ["drug"], "keep": ["was"]}}'::jsonb AS tables;
CREATE FUNCTION described() RETURNS jsonb LANGUAGE sql AS 'SELECT tables FROM described';
-- The description for audits, without what only a release has.
CREATE FUNCTION audited() RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_object_agg(key, value - 'keep' - 'hierarchies') FROM described, jsonb_each(tables) $$;

CREATE TABLE figures AS SELECT * FROM anon_publish_set('released', described(), k => 4);
SELECT lives_ok($$SELECT anon_assert_set('released', audited(), k => 4)$$, '4 persons have equal records');
SELECT lives_ok($$SELECT anon_assert_set('released', audited(), k => 4, m => '2', counts => true)$$, 'and so less knowledge has 4 candidates');
SELECT is((SELECT sum(rows + withheld) FROM figures), (SELECT count(*)::numeric FROM (SELECT FROM patients UNION ALL SELECT FROM stays
  UNION ALL SELECT FROM diagnoses UNION ALL SELECT FROM drugs) AS r), 'each row is published or withheld');
SELECT results_eq('SELECT table_name, rows FROM figures ORDER BY 1', $$SELECT 'diagnoses', count(*) FROM released.diagnoses UNION ALL
  SELECT 'drugs', count(*) FROM released.drugs UNION ALL SELECT 'patients', count(*) FROM released.patients UNION ALL
  SELECT 'stays', count(*) FROM released.stays$$, 'as many as the figures say');
SELECT ok(bool_and(loss > 0 AND loss < 1) AND sum(withheld) > 0, 'some rows are withheld, and every table has a loss') FROM figures;
SELECT is((SELECT withheld FROM figures WHERE table_name = 'patients'), 0::bigint, 'persons are never withheld');

-- Cells.
SELECT ok(bool_and((p.sex = s.sex OR p.sex = '*') AND p.born @> s.born AND (p.weight IS NULL OR p.weight @> s.weight)), 'patients cover their sources')
FROM released.patients p JOIN hospital.patients s USING (was);
SELECT ok(bool_and((p.kind IS NOT DISTINCT FROM s.kind OR p.kind = '*') AND p.days @> s.days AND p.outcome = s.outcome), 'stays do')
FROM released.stays p JOIN hospital.stays s USING (was);
SELECT ok(bool_and(s.code LIKE replace(p.code, '*', '_')), 'diagnoses have their labels') FROM released.diagnoses p JOIN hospital.diagnoses s USING (was);
SELECT ok(bool_or(p.code ~ '^[A-C]\*$'), 'of any level') FROM released.diagnoses p;

-- Links.
SELECT is((SELECT array_agg((c.was, p.was)::text ORDER BY (c.was, p.was)::text) FROM released.stays c JOIN released.patients p ON p.id = c.patient),
  (SELECT array_agg((c.was, c.patient)::text ORDER BY (c.was, c.patient)::text) FROM stays c WHERE was IN (SELECT was FROM released.stays)), 'stays have their patients');
SELECT is((SELECT array_agg((c.was, p.was)::text ORDER BY (c.was, p.was)::text) FROM released.diagnoses c JOIN released.stays p USING (stay)),
  (SELECT array_agg((c.was, c.stay)::text ORDER BY (c.was, c.stay)::text) FROM diagnoses c WHERE was IN (SELECT was FROM released.diagnoses)), 'diagnoses have their stays');
SELECT is((SELECT array_agg((d.was, s.was, p.was)::text ORDER BY (d.was, s.was, p.was)::text) FROM released.drugs d LEFT JOIN released.stays s USING (stay) JOIN released.patients p ON p.id = d.patient),
  (SELECT array_agg((d.was, d.stay, d.patient)::text ORDER BY (d.was, d.stay, d.patient)::text) FROM drugs d WHERE was IN (SELECT was FROM released.drugs)), 'drugs have a stay and a patient, or a patient');
SELECT ok(count(*) > 0, 'drugs without a stay hang on the patient') FROM released.drugs WHERE stay IS NULL;

-- Pseudonyms.
SELECT is(array_agg(id ORDER BY id), array_agg(n ORDER BY n), 'pseudonyms are the numbers from 1')
FROM (SELECT id, row_number() OVER ()::bigint AS n FROM released.patients) AS p;
SELECT is(array_agg(stay ORDER BY ctid), array_agg(stay ORDER BY stay), 'rows are in their order') FROM released.stays;
SELECT ok(abs(corr(p.id, p.was)) < 0.3 AND abs(corr(p.id, p.was)) > 0, 'which says nothing of the keys') FROM released.patients p;
SELECT isnt((SELECT array_agg(was ORDER BY id) FROM released.patients), (SELECT array_agg(was ORDER BY id) FROM patients), 'nor are they the keys');
SELECT lives_ok($$SELECT anon_publish_set('again', described(), k => 4)$$, 'a second release');
SELECT isnt((SELECT array_agg(was ORDER BY id) FROM again.patients), (SELECT array_agg(was ORDER BY id) FROM released.patients), 'has other pseudonyms');
SELECT is((SELECT array_agg(p::text ORDER BY was) FROM (SELECT was, sex, born, weight FROM again.patients) AS p),
  (SELECT array_agg(p::text ORDER BY was) FROM (SELECT was, sex, born, weight FROM released.patients) AS p), 'and the same cells');

-- The schema.
SELECT columns_are('released', 'stays', '{stay,was,patient,kind,days,outcome}'::name[]);
SELECT col_is_pk('released', 'stays', 'stay', 'the primary key');
SELECT fk_ok('released', 'stays', 'patient', 'released', 'patients', 'id');
SELECT fk_ok('released', 'diagnoses', 'stay', 'released', 'stays', 'stay');
SELECT fk_ok('released', 'drugs', 'patient', 'released', 'patients', 'id');
SELECT is_indexed('released', 'diagnoses', 'stay', 'joins have an index');
SELECT col_not_null('released', 'stays', 'patient', 'NOT NULL is kept');
SELECT col_is_null('released', 'stays', 'kind', 'and so are nulls');
SELECT is(obj_description('released.stays'::regclass), 'stays of ''patients''', 'the comment of a table');
SELECT is(col_description('released.stays'::regclass, 5), 'length', 'the comment of a column');

-- Nobody else has a right to it, whatever default privileges say.
CREATE ROLE reader;
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO reader;
SELECT lives_ok($$SELECT anon_publish_set('private', described(), k => 4)$$, 'default privileges');
SELECT ok(NOT has_schema_privilege('reader', 'private', 'USAGE') AND NOT has_schema_privilege('reader', 'private', 'CREATE'), 'not to the schema');
SELECT ok(NOT bool_or(has_table_privilege('reader', oid, 'SELECT') OR has_table_privilege('reader', oid, 'INSERT')), 'nor to a table or the description')
FROM pg_class WHERE relnamespace = 'private'::regnamespace AND relkind IN ('r', 'v');
ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE ALL ON SCHEMAS FROM reader;

-- The caller's own rights decide.
GRANT CREATE ON SCHEMA public TO reader;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO reader', current_database()); END $$;
GRANT USAGE ON SCHEMA hospital TO reader;
GRANT SELECT ON described, hospital.patients, hospital.stays TO reader;
SET ROLE reader;
SELECT throws_ok($$SELECT anon_publish_set('of_reader', described(), k => 4)$$, '42501', NULL, 'without the right to a table');
SELECT lives_ok($$SELECT anon_publish_set('of_reader', described() - 'diagnoses' - 'drugs', k => 4)$$, 'with the right to all');
RESET ROLE;
SELECT is(nspowner::regrole::text, 'reader', 'it belongs to its maker') FROM pg_namespace WHERE nspname = 'of_reader';
ALTER TABLE hospital.patients ENABLE ROW LEVEL SECURITY;
ALTER TABLE hospital.stays ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON hospital.patients TO reader USING (id <= 100);
CREATE POLICY few ON hospital.stays TO reader USING (patient <= 100);
SET ROLE reader;
SELECT is((SELECT array_agg(rows + withheld) FROM anon_publish_set('of_policy', described() - 'diagnoses' - 'drugs', k => 4) WHERE table_name = 'patients'),
  '{100}', 'policies hold');
RESET ROLE;

-- Promises on values.
SELECT lives_ok($$SELECT anon_publish_set('diverse', described(), k => 4, alpha => 0.7, l => 2)$$, 'alpha and l');
SELECT lives_ok($$SELECT anon_assert_set('diverse', audited(), k => 4, alpha => 0.7, l => 2)$$, 'are kept');
SELECT throws_ok($$SELECT anon_assert_set('released', audited(), k => 4, alpha => 0.7, l => 2)$$, '23514', NULL, 'which are not by themselves');
SELECT throws_ok($$SELECT anon_publish_set('impossible', described() - 'diagnoses' - 'drugs' || '{"patients": {"sensitive": ["sex"]}}', k => 4, alpha => 0.1)$$, '22023', 'no groups of persons keep alpha and l', 'impossible promises');
SELECT hasnt_schema('impossible', 'leave no schema');

-- Knowledge of fewer rows.
CREATE TABLE losses (m text, table_name text, rows bigint, withheld bigint, loss float8);
INSERT INTO losses SELECT m, p.* FROM unnest('{0,1,2,3,all}'::text[]) AS m, LATERAL anon_publish_set('for_' || m, described(), k => 4, m => m, beside => 'ignore') AS p;
SELECT lives_ok(format('SELECT anon_assert_set(%L, audited(), k => 4, m => %L)', 'for_' || m, m), 'P(4,' || m || ')') FROM unnest('{0,1,2,3,all}'::text[]) AS m;
SELECT throws_ok(format('SELECT anon_assert_set(%L, audited(), k => 4, m => %L)', 'for_' || m, m::int + 1), '23514', NULL, 'and no more for m = ' || m)
FROM unnest('{0,1}'::text[]) AS m;
SELECT ok(bool_and(lost >= before), 'less knowledge costs less') FROM (SELECT lost, lag(lost, 1, 0) OVER (ORDER BY m) AS before
  FROM (SELECT m, sum(loss * (rows + withheld)) AS lost FROM losses GROUP BY m) AS l) AS l;
SELECT is((SELECT array_agg((was, kind, days::text, outcome)::text ORDER BY was) FROM for_0.stays),
  (SELECT array_agg((was, kind, format('[%s,%s)', days, days + 1), outcome)::text ORDER BY was) FROM stays), 'm = 0 publishes all other rows as they are');
SELECT ok(bool_and((p.kind IS NOT DISTINCT FROM s.kind OR p.kind = '*' OR p.kind IS NULL) AND (p.days @> s.days OR p.days IS NULL) AND p.outcome = s.outcome), 'cells of m = 1 cover their source')
FROM for_1.stays p JOIN hospital.stays s USING (was);
SELECT is((SELECT array_agg((d.was, s.was, p.was)::text ORDER BY (d.was, s.was, p.was)::text) FROM for_2.drugs d LEFT JOIN for_2.stays s USING (stay) JOIN for_2.patients p ON p.id = d.patient),
  (SELECT array_agg((d.was, d.stay, d.patient)::text ORDER BY (d.was, d.stay, d.patient)::text) FROM drugs d WHERE was IN (SELECT was FROM for_2.drugs)), 'links of m = 2 are those of the source');
SELECT lives_ok($$SELECT anon_publish_set('valued', described(), k => 4, m => '1', alpha => 0.7, l => 2, beside => 'ignore')$$, 'alpha and l for m = 1');
SELECT lives_ok($$SELECT anon_assert_set('valued', audited(), k => 4, m => '1', alpha => 0.7, l => 2)$$, 'are kept');

-- Views, a table of labels, dates, and persons that are a column of the root.
-- The table of labels is found in the caller's search path.
CREATE TABLE hospital.labels AS SELECT DISTINCT drug, 'any' AS any FROM hospital.drugs;
CREATE VIEW hospital.v_stays AS SELECT stay, was, patient, date '2020-01-01' + days AS at FROM hospital.stays ORDER BY md5(stay::text);
CREATE VIEW hospital.v_drugs AS SELECT stay, drug, was FROM hospital.drugs WHERE stay IS NOT NULL ORDER BY md5(was::text);
SELECT lives_ok($$SELECT anon_publish_set('of_views', '{"v_stays": {"person": ["patient"], "qi": ["at"], "key": ["stay"], "keep": ["was"]},
  "v_drugs": {"qi": ["drug"], "hierarchies": {"drug": {"table": "labels"}}, "parent": "v_stays", "parent_key": ["stay"], "keep": ["was"]}}', k => 3)$$, 'views');
SELECT lives_ok($$SELECT anon_assert_set('of_views', '{"v_stays": {"person": ["patient"], "qi": ["at"]}, "v_drugs": {"qi": ["drug"]}}', k => 3)$$,
  'persons above the root');
SELECT ok(bool_and(p.at @> s.at), 'dates are covered') FROM of_views.v_stays p JOIN hospital.v_stays s USING (was);
SELECT is((SELECT count(DISTINCT (p.patient, s.patient)) FROM of_views.v_stays p JOIN hospital.v_stays s USING (was)),
  (SELECT count(DISTINCT patient) FROM of_views.v_stays), 'a person has one pseudonym');
SELECT is((SELECT array_agg((d.was, s.was)::text ORDER BY (d.was, s.was)::text) FROM of_views.v_drugs d JOIN of_views.v_stays s USING (stay)),
  (SELECT array_agg((d.was, d.stay)::text ORDER BY (d.was, d.stay)::text) FROM hospital.drugs d WHERE was IN (SELECT was FROM of_views.v_drugs)), 'and links are those of the view');
SELECT ok(bool_and(drug IN ('d0', 'd1', 'd2', 'any')), 'labels of a table') FROM of_views.v_drugs;
SELECT is(max(patient), count(DISTINCT patient), 'no gap tells of persons without a published row') FROM of_views.v_stays;

-- A declaration that PostgreSQL does not check, as for foreign tables.
CREATE TABLE hospital.notes AS SELECT stay, nullif(kind, 'urgent') AS kind, nullif(days, 4) AS days FROM hospital.stays;
UPDATE pg_attribute SET attnotnull = true WHERE attrelid = 'hospital.notes'::regclass;
SELECT throws_ok($$SELECT anon_publish_set('x', '{"stays": {"key": ["stay"]}, "notes": {"keep": ["days"], "parent": "stays", "parent_key": ["stay"]}}', k => 3)$$,
  '23502', 'column "days" of table "notes" is NOT NULL, and has a null', 'a kept null that should not be');
SELECT throws_ok($$SELECT anon_publish_set('x', '{"stays": {"key": ["stay"]}, "notes": {"qi": ["kind"], "parent": "stays", "parent_key": ["stay"]}}', k => 3)$$,
  '23502', 'column "kind" of table "notes" is NOT NULL, and has a null', 'a null among the cells');

-- Refusals, by name.
CREATE TABLE hospital.wards (house int, ward int, patient int REFERENCES hospital.patients, PRIMARY KEY (house, ward));
CREATE TABLE hospital.beds (house int, ward int, bed int, FOREIGN KEY (house, ward) REFERENCES hospital.wards);
CREATE TABLE hospital.letters (stay int PRIMARY KEY REFERENCES hospital.stays);
CREATE TABLE hospital.pages (stay int REFERENCES hospital.letters);
CREATE TEMP TABLE visits AS SELECT 1 AS patient;
CREATE TABLE hospital.transfers (former int REFERENCES hospital.patients, later int REFERENCES hospital.patients);
CREATE SCHEMA annex;
CREATE TABLE annex.stays (patient int REFERENCES hospital.patients);
CREATE TABLE hospital.calls (call int PRIMARY KEY, line int UNIQUE, caller int);
CREATE TABLE hospital.answers (answer int PRIMARY KEY, call int REFERENCES hospital.calls);
CREATE TABLE hospital.words (answer int REFERENCES hospital.answers, line int REFERENCES hospital.calls (line));
INSERT INTO hospital.calls SELECT i, i, i % 3 FROM generate_series(1, 9) AS i;
INSERT INTO hospital.answers SELECT i, i FROM generate_series(1, 9) AS i;
INSERT INTO hospital.words SELECT i, i FROM generate_series(1, 9) AS i;
SELECT throws_ok(format('SELECT * FROM anon_publish_set(%L, %L, %s)', name, tables, k), state, message, message) FROM (VALUES
  ('x', '{}', 4, '22023', 'there are no tables to publish'),
  ('x', '{"nobody": {}}', 4, '42P01', 'relation "nobody" does not exist'),
  ('x', '{"patients": {"t": 0.2}}', 4, '22023', 'table "patients" has an unknown option "t"'),
  ('x', '{"patients": {"qi": ["sex"]}}', 4, '22023', 'a set has at least two tables'),
  ('x', '{"patients": {"qi": ["id"]}, "stays": {}}', 4, '22023', 'table "patients" names column "id", which is a key'),
  ('x', '{"patients": {"qi": ["sex"]}, "stays": {"qi": ["nobody"]}}', 4, '42703', 'column "nobody" does not exist'),
  ('x', '{"patients": {}, "stays": {}}', 401, '22023', 'there are fewer persons than k'),
  ('x', '{"patients": {}, "stays": {}}', 0, '22023', NULL),
  ('hospital', '{"patients": {}, "stays": {}}', 4, '42P06', 'schema "hospital" already exists'),
  ('x', '{"patients": {}, "wards": {}, "beds": {}}', 4, '22023', 'table "beds" refers to another table by several columns'),
  ('x', '{"patients": {}, "stays": {}, "letters": {}, "pages": {}}', 4, '22023', 'table "letters" has a key, column "stay", that also refers to another table'),
  ('x', '{"patients": {}, "transfers": {}}', 4, '22023', 'table "transfers" has several foreign keys to table "patients"'),
  ('x', '{"patients": {}, "stays": {}, "annex.stays": {}}', 4, '22023', 'table "stays" has the name of another one in the release'),
  ('x', '{"patients": {}, "visits": {"parent": "patients", "parent_key": ["patient"]}}', 4, '22023', 'table "visits" is temporary'),
  ('x', '{"patients": {}, "v_stays": {"parent": "patients", "parent_key": ["stay"]}}', 4, '22000', 'rows of table "v_stays" have no parent'),
  ('x', '{"calls": {"person": ["caller"]}, "answers": {}, "words": {}}', 2, '22023', 'table "words" refers to another column of the root than its "person"'),
  ('x', '{"patients": {"coarsen": {"id": {"round": 10}}}, "stays": {}}', 4, '22023', 'table "patients" coarsens column "id", which is a key'),
  ('x', '{"patients": {}, "stays": {"coarsen": {"patient": {"top": 10}}}}', 4, '22023', 'table "stays" coarsens column "patient", which is a key'),
  ('pg_x', '{"patients": {}, "stays": {}}', 4, '42939', 'unacceptable schema name "pg_x"')
) AS e (name, tables, k, state, message);
SELECT throws_ok($$SELECT * FROM anon_publish_set('x', described(), k => 4, m => '4')$$, '22023', 'm must be ''0'', ''1'', ''2'', ''3'' or ''all''', 'm');
SELECT throws_ok($$SELECT * FROM anon_publish_set('x', described(), k => 4, m => NULL)$$, '22023', 'm must be ''0'', ''1'', ''2'', ''3'' or ''all''', 'no m');
SELECT throws_ok($$SELECT * FROM anon_publish_set('x', described() #- '{stays,sensitive}', k => 4, l => 2)$$, '22023', 'alpha and l need sensitive columns', 'no values');
SELECT throws_ok($$SELECT * FROM anon_publish_set(NULL, described(), k => 4)$$, '22004', 'name must not be null', 'no name');
SELECT throws_ok($$SELECT * FROM anon_publish_set('x', NULL, k => 4)$$, '22004', 'tables must not be null', 'no tables');
SELECT throws_ok($$SELECT * FROM anon_publish_set('x', described(), k => NULL)$$, '22004', 'k must not be null', 'no k');
SELECT hasnt_schema('x', 'a refusal leaves nothing');
SELECT lives_ok($$SELECT anon_publish_set(repeat('long', 20), described(), k => 400)$$, 'a name that PostgreSQL shortens; a group of all');

SELECT finish();
ROLLBACK;
