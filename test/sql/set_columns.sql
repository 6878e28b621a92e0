-- anon_publish_set: days since the first row, means, limits of rows, and protected values.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE SCHEMA ward;
SET search_path = public, ward;
CREATE TABLE ward.patients AS SELECT i AS id, i AS was, i % 2 AS sex, 50 + i * i % 37 AS weight, 1.5 + i % 11 AS height,
  date '2019-06-01' + i * 13 % 200 AS joined, CASE WHEN i % 50 = 0 THEN 'hiv' ELSE 'none' END AS note FROM generate_series(1, 300) AS i;
CREATE TABLE ward.stays AS SELECT i AS stay, i AS was, 1 + i * i % 300 AS patient, i % 3 AS kind, timestamptz '2020-01-01 18:00+00' + i * 7 % 400 * interval '11 hours' AS at,
  CASE WHEN i % 9 > 0 THEN date '2020-02-01' + i % 90 END AS left_on FROM generate_series(1, 900) AS i;
CREATE TABLE ward.diagnoses AS SELECT i AS nr, i AS was, 1 + i * 11 % 900 AS stay, (ARRAY['A01', 'A02', 'B10', 'F20', 'F32', 'I10', 'I11', 'J00'])[1 + i * i % 8] AS icd
FROM generate_series(1, 1200) AS i;
ALTER TABLE ward.patients ADD PRIMARY KEY (id);
ALTER TABLE ward.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES ward.patients;
ALTER TABLE ward.diagnoses ADD PRIMARY KEY (nr), ADD FOREIGN KEY (stay) REFERENCES ward.stays;

-- Days since the first date of a person, in any of the tables.
CREATE TABLE described AS SELECT '{
  "patients": {"qi": ["sex"], "since_first": ["joined"], "keep": ["was"]},
  "stays": {"qi": ["kind", "at"], "since_first": ["at", "left_on"], "keep": ["was"]}}'::jsonb AS tables;
SELECT lives_ok($$SELECT anon_publish_set('days', tables, k => 4) FROM described$$, 'days');
CREATE VIEW first AS SELECT id AS patient, least(min(joined::timestamp AT TIME ZONE 'UTC'), min(at), min(left_on::timestamp AT TIME ZONE 'UTC')) AS first
FROM patients LEFT JOIN stays ON patient = id GROUP BY id;
SELECT col_type_is('days', 'patients', 'joined', 'int4range', 'ranges of numbers');
SELECT col_type_is('days', 'stays', 'at', 'int4range', 'of timestamps, too');
SELECT ok(bool_and(d.joined @> floor(extract(epoch FROM p.joined::timestamp AT TIME ZONE 'UTC' - first) / 86400)::int), 'cover days since the first date of the person')
FROM days.patients d JOIN ward.patients p USING (was) JOIN first ON patient = p.id;
SELECT ok(bool_and(d.at @> floor(extract(epoch FROM s.at - first) / 86400)::int), 'in each table')
FROM days.stays d JOIN ward.stays s USING (was) JOIN first ON first.patient = s.patient;
SELECT ok(bool_and(d.left_on IS NULL OR d.left_on @> floor(extract(epoch FROM s.left_on::timestamp AT TIME ZONE 'UTC' - first) / 86400)::int), 'for each column')
FROM days.stays d JOIN ward.stays s USING (was) JOIN first ON first.patient = s.patient;
SELECT ok(min(lower(joined)) = 0 AND max(upper(at)) < 600 AND bool_and(lower(at) >= 0), 'they are not dates') FROM days.patients, days.stays;
SELECT lives_ok($$SELECT anon_assert_set('days', '{"patients": {"qi": ["sex", "joined"]}, "stays": {"qi": ["kind", "at", "left_on"]}}', k => 4)$$, 'the promise holds for days');
SELECT matches(anon_report_set('days', 0), 'sex, joined', 'the page has them among the quasi-identifiers');
UPDATE ward.stays SET at = at + interval '3650 days', left_on = left_on + 3650;
UPDATE ward.patients SET joined = joined + 3650;
CREATE TABLE before AS SELECT was, kind, at, left_on FROM days.stays;
SELECT lives_ok($$SELECT anon_refresh_set('days', beside => 'ignore')$$, 'a refresh');
SELECT set_eq('SELECT was, kind, at, left_on FROM days.stays', 'TABLE before', 'dates of all rows moved alike change nothing');

-- The first and the last date, and dates beside timestamps.
CREATE TABLE ward.epochs AS SELECT 1 + i % 8 AS patient, i AS was, CASE WHEN i < 9 THEN date '4713-01-01 BC' WHEN i < 17 THEN date '5874897-12-31' END AS day,
  CASE WHEN i > 16 THEN timestamp '294276-12-31 23:59:59.999999' END AS at FROM generate_series(1, 24) AS i;
SELECT lives_ok($$SELECT anon_publish_set('epochs', '{"patients": {"qi": ["sex"], "key": ["id"]}, "epochs": {"since_first": ["day", "at"], "parent": "patients", "parent_key": ["patient"], "keep": ["was"]}}', k => 4, beside => 'ignore')$$, 'the limits of dates');
SELECT ok(bool_and(p.day @> s.day - date '4713-01-01 BC' OR p.at @> s.at::date - date '4713-01-01 BC'), 'are counted') FROM epochs.epochs p JOIN ward.epochs s USING (was);
UPDATE ward.epochs SET day = 'infinity' WHERE was = 1;
SELECT throws_ok($$SELECT anon_refresh_set('epochs', beside => 'ignore')$$, '22000', NULL, 'an infinite date has no days');

-- Means of the root.
CREATE FUNCTION means(tables jsonb) RETURNS bigint LANGUAGE sql AS $$ SELECT sum(rows)::bigint FROM anon_publish_set('means', tables, k => 4, beside => 'ignore') $$;
SELECT lives_ok($$SELECT means('{"patients": {"qi": ["sex", "weight", "height", "joined"], "means": ["weight", "height", "joined"], "keep": ["was"]}, "stays": {"qi": ["kind"]}}')$$, 'means');
SELECT col_type_is('means', 'patients', 'weight', 'integer', 'have the type of their column');
SELECT col_type_is('means', 'patients', 'height', 'numeric', 'of any');
SELECT col_type_is('means', 'patients', 'joined', 'date', 'dates, too');
SELECT ok(bool_and(abs(m.weight - p.mean) <= 0.5 AND abs(m.height - p.mean_height) < 1e-9), 'and are those of classes') FROM
  (SELECT weight, height, joined, sex, array_agg(was) AS members FROM means.patients GROUP BY 1, 2, 3, 4) AS m
  CROSS JOIN LATERAL (SELECT avg(weight) AS mean, avg(height) AS mean_height FROM ward.patients WHERE was = ANY (members)) AS p;
SELECT cmp_ok(min(n), '>=', 4::bigint, 'of k persons') FROM (SELECT count(*) AS n FROM means.patients GROUP BY sex, weight, height, joined) AS c;
SELECT anon_drop_set('means') \g /dev/null
CREATE TABLE ward.last AS SELECT DISTINCT ON (patient) patient, stay AS was, kind FROM ward.stays ORDER BY patient, stay;
ALTER TABLE ward.last ADD FOREIGN KEY (patient) REFERENCES ward.patients;
SELECT lives_ok($$SELECT means('{"patients": {"qi": ["sex"]}, "last": {"qi": ["kind"], "means": ["kind"]}}')$$, 'of a table with one row a person');
SELECT anon_drop_set('means') \g /dev/null
SELECT lives_ok($$SELECT means('{"patients": {"qi": ["sex"]}, "stays": {"qi": ["kind"], "means": ["kind"], "max_rows": 1}}')$$, 'or of which one may be published');

-- Limits of rows.
CREATE TABLE limited AS SELECT m, p.* FROM unnest('{0,1,2,3,all}'::text[]) AS m, LATERAL anon_publish_set('limited_' || m, '{
  "patients": {"qi": ["sex"]}, "stays": {"qi": ["kind"], "keep": ["was"], "max_rows": 2}, "diagnoses": {"qi": ["icd"], "max_rows": 1}}', k => 3, m => m, beside => 'ignore') AS p;
CREATE FUNCTION most(m text) RETURNS text LANGUAGE plpgsql AS $$ DECLARE said text; BEGIN
  EXECUTE format('SELECT concat_ws('','', (SELECT max(n) FROM (SELECT count(*) AS n FROM %1$I.stays GROUP BY patient) AS s),
    (SELECT max(n) FROM (SELECT count(*) AS n FROM %1$I.diagnoses JOIN %1$I.stays USING (stay) GROUP BY patient) AS d))', 'limited_' || m) INTO said;
  RETURN said; END $$;
SELECT is(most(m), '2,1', 'rows of a person for m = ' || m) FROM unnest('{0,1,2,3,all}'::text[]) AS m;
SELECT is(sum(rows + withheld), (SELECT count(*)::numeric FROM (SELECT FROM patients UNION ALL SELECT FROM stays UNION ALL SELECT FROM diagnoses) AS r), 'others are withheld') FROM limited WHERE m = 'all';
SELECT ok(bool_and(withheld > 0), 'and counted') FROM limited WHERE table_name <> 'patients';
SELECT is((SELECT array_agg(n) FROM (SELECT DISTINCT least(2, count(*)) AS n FROM ward.stays GROUP BY patient ORDER BY 1) AS s),
  (SELECT array_agg(n) FROM (SELECT DISTINCT count(*) AS n FROM limited_0.stays GROUP BY patient ORDER BY 1) AS s), 'no more than needed, for m = 0');
SELECT lives_ok($$SELECT anon_assert_set('limited_all', '{"patients": {"qi": ["sex"]}, "stays": {"qi": ["kind"]}, "diagnoses": {"qi": ["icd"]}}', k => 3)$$, 'the promise holds');
SELECT lives_ok($$SELECT anon_publish_set('of_column', '{"stays": {"person": ["patient"], "qi": ["kind"], "max_rows": 2}, "diagnoses": {"qi": ["icd"]}}', k => 3, beside => 'ignore')$$, 'of a root with several rows of a person');
SELECT is(max(n), 2::bigint, 'has the limit, too') FROM (SELECT count(*) AS n FROM of_column.stays GROUP BY patient) AS s;

-- Protected values: labels of a hierarchy.
CREATE TABLE ward.chapters AS SELECT DISTINCT icd, left(icd, 1) AS chapter, 'any' AS any FROM ward.diagnoses;
CREATE FUNCTION protecting(tables jsonb DEFAULT '{}', protected jsonb DEFAULT '{"icd": ["F", "A01"]}') RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('patients', '{"qi": ["sex", "weight"]}'::jsonb, 'stays', '{"qi": ["kind"]}'::jsonb, 'diagnoses', '{"sensitive": ["icd"], "hierarchies": {"icd": {"table": "chapters"}}}'::jsonb || jsonb_build_object('protected', protected) || tables) $$;
SELECT lives_ok($$SELECT anon_publish_set('protecting', protecting(), k => 4, alpha => 0.5, l => 2, beside => 'ignore')$$, 'protected values');
SELECT lives_ok($$SELECT anon_assert_set('protecting', protecting(), k => 4, alpha => 0.5, l => 2)$$, 'are protected');
CREATE VIEW of_patients AS SELECT p.id, p.sex, p.weight, array_agg(s.kind ORDER BY s.kind) AS kinds, bool_or(icd LIKE 'F%') AS f, bool_or(icd = 'A01') AS a
FROM protecting.patients p LEFT JOIN protecting.stays s ON s.patient = p.id LEFT JOIN protecting.diagnoses d USING (stay) GROUP BY p.id;
SELECT ok(bool_and(f <= 0.5 * n AND a <= 0.5 * n), 'at most half of similar persons have one, counted in plain SQL') FROM
  (SELECT count(*) AS n, count(*) FILTER (WHERE f) AS f, count(*) FILTER (WHERE a) AS a FROM of_patients GROUP BY sex, weight) AS c;
SELECT is((detail -> 'alpha' ->> 'diagnoses.icd')::float8, (SELECT max(greatest(f, a)::float8 / n) FROM
  (SELECT count(*) AS n, count(*) FILTER (WHERE f) AS f, count(*) FILTER (WHERE a) AS a FROM of_patients GROUP BY sex, weight) AS c), 'the audit counts them so')
FROM anon_audit_set('protecting', protecting(), largest_m => 0) WHERE m = '0';
SELECT is((detail -> 'l' ->> 'diagnoses.icd')::bigint, (SELECT min(n - greatest(f, a) + 1) FROM
  (SELECT count(*) AS n, count(*) FILTER (WHERE f) AS f, count(*) FILTER (WHERE a) AS a FROM of_patients GROUP BY sex, weight) AS c WHERE f + a > 0), 'and those who lack them')
FROM anon_audit_set('protecting', protecting(), largest_m => 0) WHERE m = '0';
SELECT throws_ok($$SELECT anon_assert_set('protecting', protecting(protected => '{"icd": ["any"]}'), alpha => 0.5)$$, '23514', 'the tables violate A(alpha,m) of column "diagnoses.icd"', 'other values are not');
SELECT lives_ok($$SELECT anon_refresh_set('protecting', beside => 'ignore')$$, 'they are kept with the set');
SELECT matches(anon_report_set('protecting', 0), 'A\(0.5,all\)', 'and its page is written');
SELECT cmp_ok((SELECT sum(loss) FROM anon_publish_set('less', protecting(protected => '{"icd": ["F32"]}'), k => 4, alpha => 0.5, beside => 'ignore')), '<=',
  (SELECT sum(loss) FROM anon_publish_set('more', protecting() #- '{diagnoses,protected}', k => 4, alpha => 0.5, beside => 'ignore')), 'fewer protected values cost less');

-- Refusals, by name.
SELECT throws_ok(format('SELECT * FROM anon_publish_set(%L, %L, 4, alpha => %L)', 'x', tables, alpha), state, message, message) FROM (VALUES
  ('{"patients": {"max_rows": 3}, "stays": {}}', NULL, '22023', 'table "patients" has one row a person, and "max_rows"'),
  ('{"patients": {}, "stays": {"max_rows": 0}}', NULL, '22023', 'max_rows must be an integer of at least 1'),
  ('{"patients": {}, "stays": {"max_rows": "few"}}', NULL, '22023', 'parameter "max_rows" must be a number'),
  ('{"patients": {}, "stays": {"since_first": ["kind"]}}', NULL, '42804', 'column "kind" of type integer is no date'),
  ('{"patients": {}, "stays": {"since_first": ["nobody"]}}', NULL, '42703', 'column "nobody" of table "stays" does not exist'),
  ('{"patients": {}, "stays": {"since_first": ["at"], "keep": ["at"]}}', NULL, '42701', 'column "at" cannot be both quasi-identifier and kept column'),
  ('{"patients": {}, "stays": {"since_first": ["at"], "hierarchies": {"at": {"widths": ["1 day", "1 month"]}}}}', NULL, '22023', NULL),
  ('{"patients": {}, "stays": {"since_first": ["left_on"], "hierarchies": {"left_on": {"units": ["month", "year"]}}}}', NULL, '22023', NULL),
  ('{"patients": {"means": ["weight"]}, "stays": {}}', NULL, '22023', 'table "patients" has column "weight" in "means", which is not a quasi-identifier'),
  ('{"patients": {"qi": ["note"], "means": ["note"]}, "stays": {}}', NULL, '42804', 'column "note" of type text has no mean'),
  ('{"patients": {}, "stays": {"qi": ["kind"], "means": ["kind"]}}', NULL, '22023', 'table "stays" has means, and several rows of a person'),
  ('{"patients": {}, "stays": {"sensitive": ["kind"], "protected": {"kind": ["1"]}}}', '0.5', '22023', 'column "kind" has protected values, but no hierarchy'),
  ('{"patients": {"protected": {"note": ["hiv"]}}, "stays": {"sensitive": ["kind"]}}', '0.5', '22023', 'column "note" has protected values, but is not sensitive'),
  ('{"patients": {"sensitive": ["note"], "hierarchies": {"note": {"levels": [{"none": "ill", "hiv": "ill"}]}}, "protected": {"note": ["x"]}}, "stays": {}}', '0.5', '22023', NULL),
  ('{"patients": {"sensitive": ["note"], "protected": {"note": ["hiv"]}}, "stays": {}}', NULL, '22023', 'protected values need alpha or l')
) AS e (tables, alpha, state, message);
SELECT throws_ok($$SELECT anon_audit_set('ward', '{"patients": {}, "stays": {"max_rows": 3}}')$$, '22023', 'table "stays" has an unknown option "max_rows"', 'limits are of publications');
SELECT hasnt_schema('x', 'a refusal leaves nothing');

-- Rows of a person that are equal in all quasi-identifiers are drawn, so no value is published more often.
CREATE TABLE equal_people AS SELECT i AS id, i % 4 AS age FROM generate_series(1, 400) AS i;
CREATE TABLE equal_stays AS SELECT id, 1 AS kind, result FROM equal_people, unnest('{a,b}'::text[]) AS result;
ALTER TABLE equal_people ADD PRIMARY KEY (id);
ALTER TABLE equal_stays ADD FOREIGN KEY (id) REFERENCES equal_people;
SELECT lives_ok($$SELECT * FROM anon_publish_set('drawn', '{"equal_people": {"qi": ["age"]}, "equal_stays": {"qi": ["kind"], "sensitive": ["result"], "max_rows": 1}}', k => 5)$$, 'one row of two');
SELECT cmp_ok(count(*), '>', 160::bigint, 'with the value ' || result) FROM drawn.equal_stays GROUP BY result ORDER BY result;
SELECT is(count(DISTINCT result), 2::bigint, 'both values') FROM drawn.equal_stays;

-- One published row of several in the root is the root's row to readers, who know it beside m others.
CREATE TABLE events (id int PRIMARY KEY, person int, kind text);
INSERT INTO events VALUES (1, 1, 'x'), (2, 1, 'x'), (3, 2, 'y'), (4, 3, 'y'), (5, 4, 'x');
CREATE TABLE findings (event int REFERENCES events, finding text);
INSERT INTO findings VALUES (1, 'B'), (3, 'B'), (4, 'A');
SELECT lives_ok(format($$SELECT * FROM anon_publish_set('one_event_' || %1$L, '{"events": {"qi": ["kind"], "person": ["person"], "max_rows": 1}, "findings": {"qi": ["finding"]}}',
  k => 2, m => %1$L, beside => 'ignore')$$, m), 'one event of a person, m = ' || m) FROM unnest('{0,1,2,3,all}'::text[]) AS m;

-- Rows of a person beside the rows of such a root hang on the person, who keeps a row in the root.
CREATE TABLE trips (trip int PRIMARY KEY, person int, kind text);
INSERT INTO trips VALUES (1, 0, 'f'), (2, 1, 'f'), (3, 1, 'm'), (4, 2, 'm'), (5, 3, 'm'), (6, 4, 'f'), (7, 5, 'f');
CREATE TABLE remarks (trip int REFERENCES trips, person int, was int, remark text);
INSERT INTO remarks VALUES (3, 1, 1, 'B'), (NULL, 1, 2, 'B'), (4, 2, 3, 'B'), (NULL, 3, 4, 'A'), (5, 3, 5, 'A'), (NULL, 5, 6, 'A');
SELECT lives_ok(format($$SELECT * FROM anon_publish_set('travelled_' || %1$L, '{"trips": {"qi": ["kind"], "person": ["person"]}, "remarks": {"qi": ["remark"], "keep": ["was"], "person_key": ["person"]}}',
  k => 2, m => %1$L, beside => 'ignore')$$, m), 'remarks on persons, m = ' || m) FROM unnest('{0,1,2,3,all}'::text[]) AS m;
SELECT is_empty('SELECT was FROM travelled_2.remarks WHERE person NOT IN (SELECT person FROM travelled_2.trips)', 'whose persons are in the root');
SELECT is(count(*), 3::bigint, 'all are there') FROM travelled_0.remarks WHERE trip IS NULL;
SELECT is(level, 6, 'audits read them so') FROM anon_audit_set('public', '{"trips": {"qi": ["kind"], "person": ["person"]}, "remarks": {"qi": ["remark"], "person_key": ["person"]}}', k => 2) WHERE m = '0';

SELECT finish();
ROLLBACK;
