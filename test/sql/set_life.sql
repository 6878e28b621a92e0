-- anon_grant_set, anon_refresh_set, anon_drop_set, and sets among releases.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE ROLE holder;
CREATE ROLE reader;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO holder', current_database()); END $$;
CREATE SCHEMA clinic AUTHORIZATION holder;
SET ROLE holder;
CREATE TABLE clinic.patients AS SELECT i AS id, i AS was, (ARRAY['f', 'm'])[1 + i % 2] AS sex, 1930 + i * i % 23 AS born FROM generate_series(1, 300) AS i;
CREATE TABLE clinic.stays AS SELECT i AS stay, i AS was, 1 + i * 7 % 290 AS patient, i * i % 5 AS days, 'w' || i % 3 AS ward FROM generate_series(1, 500) AS i;
ALTER TABLE clinic.patients ADD PRIMARY KEY (id);
ALTER TABLE clinic.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES clinic.patients;
CREATE TABLE clinic.labels AS SELECT 'w' || i AS ward, 'any' AS any FROM generate_series(0, 2) AS i;
SET search_path = public, clinic;
CREATE TABLE clinic.first AS SELECT * FROM anon_publish_set('public_clinic', '{"stays": {"qi": ["days", "ward"], "keep": ["was"], "hierarchies": {"ward": {"table": "labels"}},
  "parent": "clinic.patients", "parent_key": ["patient"]}, "clinic.patients": {"qi": ["sex", "born"], "keep": ["was"]}}', k => 3);
RESET search_path;

-- The list of releases.
SELECT results_eq($$SELECT release::text, source::text, owner::text, rows, suppressed, spec ->> 'k', spec ->> 'm' FROM anon_releases$$,
  $$SELECT 'public_clinic.anon_set', 'clinic.patients', 'holder', sum(rows)::bigint, sum(withheld)::bigint, '3', 'all' FROM clinic.first$$, 'a set is listed');
SELECT is(spec -> 'tables', '{"clinic.stays": {"qi": ["days", "ward"], "keep": ["was"], "hierarchies": {"ward": {"table": "clinic.labels"}},
  "parent": "clinic.patients", "parent_key": ["patient"]}, "clinic.patients": {"qi": ["sex", "born"], "keep": ["was"]}}', 'with its tables') FROM anon_releases;
SELECT ok(ncp > 0 AND ncp < 100 AND seconds IS NOT NULL, 'and figures for its owner') FROM anon_releases;
SELECT is(obj_description('public_clinic.anon_set'::regclass), format('Masked by anonkit: P(3,all); %s rows.', sum(rows)), 'a comment has the promise') FROM clinic.first;
SELECT tables_are('public_clinic', '{patients,stays,anon_set_companion}'::name[]);
RESET ROLE;
GRANT USAGE ON SCHEMA clinic, public_clinic TO reader;
SET ROLE reader;
SELECT is(ncp, NULL, 'others see no figures') FROM anon_releases;
SELECT throws_ok($$SELECT anon_grant_set('public_clinic', 'reader')$$, '42501', NULL, 'others grant nothing');
SELECT throws_ok($$SELECT anon_refresh_set('public_clinic')$$, '42501', NULL, 'nor refresh it');
SELECT throws_ok($$SELECT anon_drop_set('public_clinic')$$, '42501', NULL, 'nor drop it');
RESET ROLE;
REVOKE USAGE ON SCHEMA public_clinic FROM reader;

-- Rights.
SET ROLE holder;
SELECT lives_ok($$SELECT anon_grant_set('public_clinic', 'reader')$$, 'a grant');
RESET ROLE;
SELECT ok(has_schema_privilege('reader', 'public_clinic', 'USAGE') AND NOT has_schema_privilege('reader', 'public_clinic', 'CREATE'), 'is for the schema');
SELECT is(array_agg(relname::text ORDER BY relname), '{patients,stays}', 'and for its tables alone') FROM pg_class
WHERE relnamespace = 'public_clinic'::regnamespace AND relkind IN ('r', 'v') AND has_table_privilege('reader', oid, 'SELECT');
SELECT ok(NOT bool_or(has_table_privilege('reader', oid, 'INSERT, UPDATE, DELETE, TRUNCATE')), 'to read them') FROM pg_class
WHERE relnamespace = 'public_clinic'::regnamespace AND relkind IN ('r', 'v');
SELECT throws_ok($$SELECT anon_grant_set('public_clinic', 'nobody_of_that_name')$$, '42704', NULL, 'a role that does not exist');
SELECT throws_ok($$SELECT anon_grant_set('public_clinic', NULL)$$, '22004', 'role must not be null', 'no role');
SELECT throws_ok($$SELECT anon_grant_set('clinic', 'reader')$$, '42809', 'schema "clinic" is not a set', 'not a set');

-- A refresh by another role than the owner is none; the superuser's is the owner's work.
CREATE TABLE public.before AS SELECT 'p' AS of, was, id AS key FROM public_clinic.patients UNION ALL SELECT 's', was, stay FROM public_clinic.stays;
SET ROLE holder;
INSERT INTO clinic.patients SELECT i, i, 'f', 1940 FROM generate_series(301, 320) AS i;
INSERT INTO clinic.stays SELECT 500 + i, 500 + i, 300 + i, 2, 'w1' FROM generate_series(1, 20) AS i;
CREATE VIEW clinic.readers_own AS SELECT count(*) AS n FROM public_clinic.patients;
CREATE INDEX of_owner ON public_clinic.stays (ward);
ALTER TABLE clinic.patients RENAME TO persons;
RESET ROLE;
CREATE TABLE public.refreshed AS SELECT * FROM anon_refresh_set('public_clinic', beside => 'ignore');
SELECT results_eq('SELECT table_name, rows + withheld FROM refreshed ORDER BY 1', $$VALUES ('patients', 320::bigint), ('stays', 520)$$, 'a refresh has the new rows, whatever the name of their source');
SELECT is((SELECT n FROM clinic.readers_own), 320::bigint, 'views of the tables remain');
SELECT lives_ok($$SELECT anon_assert_set('public_clinic', '{"patients": {"qi": ["sex", "born"]}, "stays": {"qi": ["days", "ward"]}}', k => 3)$$, 'and the promise');
SELECT cmp_ok(count(*) FILTER (WHERE b.key = a.key), '<', 60::bigint, 'pseudonyms are new')
FROM public.before b JOIN (SELECT 'p' AS of, was, id AS key FROM public_clinic.patients UNION ALL SELECT 's', was, stay FROM public_clinic.stays) a USING (of, was);
SELECT is((SELECT array_agg((c.was, p.was)::text ORDER BY c.was) FROM public_clinic.stays c JOIN public_clinic.patients p ON p.id = c.patient),
  (SELECT array_agg((c.was, c.patient)::text ORDER BY c.was) FROM clinic.stays c WHERE was IN (SELECT was FROM public_clinic.stays)), 'links are those of the sources');
SELECT ok(has_table_privilege('reader', 'public_clinic.stays', 'SELECT'), 'rights remain');
SELECT has_index('public_clinic', 'stays', 'of_owner', 'so do the owner''s indexes');
SELECT fk_ok('public_clinic', 'stays', 'patient', 'public_clinic', 'patients', 'id');
SELECT tables_are('public_clinic', '{patients,stays,anon_set_companion}'::name[], 'nothing else is left');
SELECT is(relowner::regrole::text, 'holder', 'the owner is the same') FROM pg_class WHERE oid = 'public_clinic.patients'::regclass;
SELECT is((SELECT rows FROM anon_releases), (SELECT sum(rows)::bigint FROM refreshed), 'the list has the new figures');

-- Its page.
SET ROLE holder;
CREATE TEMP TABLE page AS SELECT anon_report_set('public_clinic', largest_m => 2) AS html;
SELECT is(count(*), 4::bigint, 'each promised level is kept') FROM page, regexp_matches(html, 'at least 3</td>.*?kept', 'g');
SELECT ok(html ~ 'not promised' AND html ~ 'patients / stays' AND html ~ 'P\(3,all\)' AND html ~ 'clinic.persons', 'the page has the tree') FROM page;
SELECT ok(html !~ 'not kept' AND html !~* '<script' AND html ~ 'default-src .none.', 'and loads nothing') FROM page;
SELECT ok(html !~ '>[wfm][0-9]?<', 'it has no cell') FROM page;
RESET ROLE;
SET ROLE reader;
SELECT ok(anon_report_set('public_clinic', 0) ~ 'for the owner of the set', 'others see no losses');
RESET ROLE;
SELECT throws_ok($$SELECT anon_report_set('clinic')$$, '42809', 'schema "clinic" is not a set', 'a page of no set');

-- Objects that others have attached to the tables.
SET ROLE holder;
CREATE TABLE clinic.notes AS SELECT 1::bigint AS id;
CREATE FUNCTION clinic.throws_attached(attach text, message text, detach text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN
  EXECUTE attach;
  RETURN NEXT throws_ok($t$SELECT anon_refresh_set('public_clinic')$t$, '55000', message, attach);
  EXECUTE detach;
END $$;
SELECT clinic.throws_attached('ALTER TABLE public_clinic.stays ADD CONSTRAINT of_owner CHECK (was > 0)', 'table "stays" of the set has the CHECK constraint "of_owner"',
  'ALTER TABLE public_clinic.stays DROP CONSTRAINT of_owner');
SELECT clinic.throws_attached('ALTER TABLE public_clinic.patients ADD CONSTRAINT noted FOREIGN KEY (id) REFERENCES clinic.persons NOT VALID', 'table "patients" of the set has the foreign key "noted" to table "persons"',
  'ALTER TABLE public_clinic.patients DROP CONSTRAINT noted');
SELECT clinic.throws_attached('ALTER TABLE clinic.notes ADD CONSTRAINT of_patient FOREIGN KEY (id) REFERENCES public_clinic.patients NOT VALID', 'table "patients" of the set is referred to by the foreign key "of_patient" of table "notes"',
  'DROP TABLE clinic.notes');
SELECT clinic.throws_attached('CREATE TABLE clinic.child () INHERITS (public_clinic.patients)', 'table "patients" of the set has the child "child"',
  'DROP TABLE clinic.child');
SELECT clinic.throws_attached('CREATE TABLE clinic.parent (LIKE public_clinic.patients); ALTER TABLE public_clinic.patients INHERIT clinic.parent', 'table "patients" of the set is a child of table "parent"',
  'ALTER TABLE public_clinic.patients NO INHERIT clinic.parent; DROP TABLE clinic.parent');
SELECT clinic.throws_attached('CREATE TABLE clinic.parts (LIKE public_clinic.stays) PARTITION BY LIST (ward); ALTER TABLE clinic.parts ATTACH PARTITION public_clinic.stays DEFAULT', 'table "stays" of the set is a child of table "parts"',
  'ALTER TABLE clinic.parts DETACH PARTITION public_clinic.stays');
ALTER TABLE public_clinic.stays ADD FOREIGN KEY (stay) REFERENCES public_clinic.stays;
DECLARE being_read CURSOR FOR SELECT * FROM public_clinic.patients;
SELECT throws_ok($$SELECT anon_refresh_set('public_clinic')$$, '55006', 'cannot refresh table "patients" because it is being used by active queries in this session',
  'nor while the session reads it');
CLOSE being_read;
SELECT lives_ok($$SELECT anon_refresh_set('public_clinic')$$, 'foreign keys within the set may stay');

-- Constraints of the owner: an error shows no cell.
CREATE FUNCTION clinic.detail_of(statement text) RETURNS text LANGUAGE plpgsql AS $$ DECLARE detail text; BEGIN
  EXECUTE statement;
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
  RETURN SQLSTATE || ' ' || detail;
END $$;
ALTER TABLE public_clinic.stays ADD CONSTRAINT of_owner_alone EXCLUDE USING btree (was WITH =);
UPDATE clinic.stays SET was = 77 WHERE was < 3;
SELECT is(clinic.detail_of($$SELECT anon_refresh_set('public_clinic')$$), '23P01 Two rows conflict under an exclusion constraint.', 'that of an exclusion constraint, either');
UPDATE clinic.stays SET was = stay WHERE was = 77;
ALTER TABLE public_clinic.stays DROP CONSTRAINT of_owner_alone;

-- All or nothing.
SET ROLE holder;
ALTER TABLE public_clinic.stays ALTER ward SET NOT NULL;
INSERT INTO clinic.stays SELECT 910 + i, 910 + i, i, 2, NULL FROM generate_series(1, 290) AS i;
SELECT throws_ok($$SELECT anon_refresh_set('public_clinic')$$, '23502', 'column "ward" of table "stays" is NOT NULL, and has a null', 'a null where the owner wants none');
DELETE FROM clinic.stays WHERE ward IS NULL;
ALTER TABLE public_clinic.stays ALTER ward DROP NOT NULL;
UPDATE clinic.stays SET patient = NULL;
CREATE TABLE clinic.kept AS SELECT * FROM public_clinic.stays;
INSERT INTO clinic.stays SELECT 900, 900, 1, 2, 'w9';
SAVEPOINT unknown;
SELECT throws_like($$SELECT anon_refresh_set('public_clinic')$$, '%', 'a refresh that fails');
SELECT results_eq('TABLE public_clinic.stays', 'TABLE clinic.kept', 'leaves the rows');
DELETE FROM clinic.stays WHERE stay = 900;
UPDATE clinic.stays SET patient = 1 + stay * 7 % 290;
-- A source column that is dropped and added again is the last of its table. The set keeps its order.
CREATE TABLE clinic.wards AS SELECT i AS id, i AS was, i % 2 AS floor FROM generate_series(1, 40) AS i;
CREATE TABLE clinic.beds AS SELECT i AS was, 1 + i % 40 AS id, i % 3 AS kind, 'b' || i AS name FROM generate_series(1, 90) AS i;
ALTER TABLE clinic.wards ADD PRIMARY KEY (id);
SELECT anon_publish_set('ordered', '{"clinic.wards": {"qi": ["floor"], "keep": ["was"]}, "clinic.beds": {"qi": ["kind"], "keep": ["was", "name"],
  "parent": "clinic.wards", "parent_key": ["id"]}}', k => 3) \g /dev/null
CREATE VIEW clinic.unnumbered AS SELECT b.was, b.kind, b.name, w.was AS ward, w.floor FROM ordered.beds b JOIN ordered.wards w USING (id);
CREATE TABLE clinic.seen AS TABLE clinic.unnumbered;
ALTER TABLE clinic.beds ADD other int, ADD again int, ADD later int;
UPDATE clinic.beds SET other = id, again = kind, later = was;
ALTER TABLE clinic.beds DROP was, DROP id, DROP kind;
ALTER TABLE clinic.beds RENAME later TO was;
ALTER TABLE clinic.beds RENAME again TO kind;
ALTER TABLE clinic.beds RENAME other TO id;
SELECT lives_ok($$SELECT anon_refresh_set('ordered', beside => 'ignore')$$, 'columns in another order than at publication');
SELECT bag_eq('TABLE clinic.unnumbered', 'TABLE clinic.seen', 'are released under their names');
ALTER TABLE clinic.beds DROP name, ADD name int;
SELECT throws_ok($$SELECT anon_refresh_set('ordered')$$, '42804', 'table "beds" of the set would change its columns', 'but not with another type');
ALTER TABLE public_clinic.stays ADD more int;
SELECT throws_ok($$SELECT anon_refresh_set('public_clinic')$$, '42804', 'table "stays" of the set would change its columns', 'a table that was altered');
ALTER TABLE public_clinic.stays DROP more;
SELECT throws_ok($$SELECT anon_refresh_set('public_clinic')$$, '42804', 'table "stays" of the set would change its columns', 'and has lost a column');
RESET ROLE;
SELECT finish();
ROLLBACK;
