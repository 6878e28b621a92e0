-- Full-domain generalisation: a textbook example, promises and suppression of each method, the
-- lattice, bad input, and adult_arx with its hierarchies.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(83);

-- The error of a failing statement, with detail and hint.
CREATE FUNCTION pg_temp.failure(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text; hint text;
BEGIN
  EXECUTE command;
  RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
    hint = PG_EXCEPTION_HINT;
  RETURN concat_ws(' | ', state, message, nullif(detail, ''), nullif(hint, ''));
END $$;

-- The example's table PT: two races x four ZIP codes.
CREATE TABLE race (value text, person text);
INSERT INTO race VALUES ('Black', 'Person'), ('White', 'Person');
CREATE TABLE zip AS SELECT z, left(z, 4) || '*' AS z1, left(z, 3) || '**' AS z2
FROM unnest('{02138,02139,02141,02142}'::text[]) AS z;
SELECT is(max(r.level) || '/' || max(z.level), '1/2', 'the slides'' hierarchies')
FROM anon_hierarchy_levels('{"table": "race"}') AS r, anon_hierarchy_levels('{"table": "zip"}') AS z;
CREATE TABLE pt AS SELECT value AS race, z AS zip FROM race, zip;
\set both '''{"race": {"table": "race"}, "zip": {"table": "zip"}}'''
SELECT results_eq($$ SELECT levels, minimal, feasible, k_reached, suppressed, classes, prec, dm, avg
    FROM anon_lattice('pt', '{race,zip}', '{"race": {"table": "race"}, "zip": {"table": "zip"}}', 2) $$,
  $$ VALUES ('{0,1}'::int[], true, true, 2::bigint, 0::bigint, 4::bigint, 0.75::float8, 16::float8, 1::float8),
    ('{1,0}', true, true, 2, 0, 4, 0.5, 16, 1) $$, 'the minimal generalisations [0,1] and [1,0], and their Prec');
SELECT results_eq($$ SELECT levels, minimal, feasible, k_reached, suppressed, prec
    FROM anon_lattice('pt', '{race,zip}', '{"race": {"table": "race"}, "zip": {"table": "zip"}}', 2, frontier => false) $$,
  $$ VALUES ('{0,0}'::int[], false, false, 1::bigint, 8::bigint, 0::float8), ('{0,1}', true, true, 2, 0, 0.75), ('{0,2}', false, true, 4, 0, 0.5),
    ('{1,0}', true, true, 2, 0, 0.5), ('{1,1}', false, true, 4, 0, 0.25), ('{1,2}', false, true, 8, 0, 0) $$, 'all generalisations');
SELECT is((SELECT count(*) FROM anon_lattice('pt', '{race,zip}', :both, 3)), 2::bigint, 'for k = 3 there are others');
SELECT is((SELECT string_agg(DISTINCT masked::text, ' ' ORDER BY masked::text) FROM anon_mingen('pt', '{race,zip}', :both, 2, metric => metric)),
  '{"zip": "0213*", "race": "Black"} {"zip": "0213*", "race": "White"} {"zip": "0214*", "race": "Black"} {"zip": "0214*", "race": "White"}',
  'MinGen by ' || metric || ': [0,1]') FROM unnest('{prec,ncp}'::text[]) AS metric;
SELECT results_eq('SELECT class_id, class_size, masked FROM anon_' || method || $$('pt', '{race,zip}', '{"race": {"table": "race"}, "zip": {"table": "zip"}}', 2)$$,
  $$ SELECT class_id, class_size, masked FROM anon_mingen('pt', '{race,zip}', '{"race": {"table": "race"}, "zip": {"table": "zip"}}', 2, metric => 'prec') $$,
  method || ': [0,1]') FROM unnest('{incognito,datafly,topdown}'::text[]) AS method;
SELECT is((SELECT string_agg(DISTINCT masked::text, ' ' ORDER BY masked::text) FROM anon_argus('pt', '{race,zip}', :both, 2)),
  '{"zip": "02138", "race": "Person"} {"zip": "02139", "race": "Person"} {"zip": "02141", "race": "Person"} {"zip": "02142", "race": "Person"}',
  'mu-Argus suppresses the race of all, the value of most outliers');
SELECT is((SELECT value FROM anon_evaluate('pt', '{race,zip}', 2, 'argus', params => '{"hierarchies": {"race": {"table": "race"}, "zip": {"table": "zip"}}}')
  WHERE measure = 'suppressed_cells'), 8::float8, 'eight cells');

-- mu-Argus may reach a lower k than requested.
SELECT is((SELECT min(class_size) FROM anon_argus('pt', '{race,zip}', :both, 2, identifying => '{most,most}', complete => false)), 1,
  'without complete it tests some combinations only');
SELECT is((SELECT value FROM anon_evaluate('pt', '{race,zip}', 2, 'argus', params => '{"complete": false, "identifying": ["most", "most"],
  "hierarchies": {"race": {"table": "race"}, "zip": {"table": "zip"}}}') WHERE measure = 'smallest_class'), 1::float8, 'the k that it reached');
SELECT is((SELECT min(class_size) FROM anon_argus('pt', '{race,zip}', :both, 2, identifying => '{most,most}')), 2, 'complete finishes the job');
SELECT is(pg_temp.failure($$ SELECT anon_publish('bad', 'pt', '{race,zip}', 2, 'argus', params => '{"complete": false, "hierarchies": {"zip": {"table": "zip"}}}') $$),
  '22023 | a release must be complete | Without complete, method "argus" does not promise k. | '
  'Leave complete at true. anon_argus and anon_evaluate show the k reached without.', 'a release must be');

-- Every method, every model.
CREATE TABLE people AS
SELECT i, i * i * 37 % 89 AS age, CASE WHEN i % 50 = 0 THEN 'village ' || i ELSE 'town ' || i * 7 % 5 END AS town,
  nullif('v' || i % 11, 'v0') AS gap, 'illness ' || i * i * 13 % 9 AS illness, i % 2 = 0 AS label
FROM generate_series(1, 700) AS i;
SELECT is(max(level), 4, 'ages') FROM anon_hierarchy_levels(anon_hierarchy_range('{5,20,40}'));
CREATE FUNCTION pg_temp.published(method text, name text, params jsonb) RETURNS bigint LANGUAGE sql AS $$
  SELECT suppressed FROM anon_publish(method || '_' || name, 'people', '{age,town,gap}', 5, method => method, sensitive => '{illness}',
    params => params || '{"hierarchies": {"age": {"range": [5, 20, 40]}}, "max_suppression": 0.1}')
$$;
SELECT ok(pg_temp.published(method, name, params) <= CASE method WHEN 'argus' THEN 700 ELSE 70 END, method || ' publishes with ' || name)
FROM unnest('{incognito,mingen,datafly,argus,topdown}'::text[]) WITH ORDINALITY AS m(method, nr),
  (VALUES ('k', '{}'::jsonb), ('l', '{"l": 3}'), ('t', '{"t": 0.35}'), ('p', '{"p": 3, "alpha": 0.6, "entropy_l": 2}')) AS p(name, params)
ORDER BY nr, name;
SELECT lives_ok(format($$ SELECT anon_assert(%L, '{age,town,gap}', '{illness}', k => 5 %s) $$, method || '_' || name, demand),
  method || ' keeps ' || name)
FROM unnest('{incognito,mingen,datafly,argus,topdown}'::text[]) WITH ORDINALITY AS m(method, nr),
  (VALUES ('k', ''), ('l', ', l => 3'), ('t', ', t => 0.35'), ('p', ', p => 3, alpha => 0.6, entropy_l => 2')) AS p(name, demand)
ORDER BY nr, name;
SELECT is(string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum), 'int4range text text text', 'ranges and labels')
FROM pg_attribute WHERE attrelid = 'incognito_k'::regclass AND attnum > 0;

-- Suppressed records: looked at without a class, not published, counted.
CREATE TABLE looked AS SELECT * FROM anon_incognito('people', '{age,town,gap}', '{"age": {"range": [5, 20, 40]}}', 5, max_suppression => 0.1);
SELECT is((SELECT count(*) FROM looked), 700::bigint, 'looking shows every record');
SELECT is(format('%s %s', rows, suppressed), (SELECT format('%s %s', count(class_id), count(*) - count(class_id)) FROM looked),
  'a release has those that have a class') FROM anon_releases WHERE release = 'incognito_k'::regclass;
SELECT is((SELECT count(*) FROM incognito_k), (SELECT count(class_id) FROM looked), 'and no other');
SELECT ok(count(*) > 0 AND bool_and(class_size IS NULL AND masked IS NULL), 'suppressed ones have neither class nor values')
FROM looked WHERE class_id IS NULL;
SELECT ok(bool_and(p.age <@ (masked ->> 'age')::int4range AND (masked ->> 'town') IN (p.town, '*')), 'labels contain what they stand for')
FROM looked JOIN people AS p ON p.ctid = source WHERE class_id IS NOT NULL;
SELECT ok((SELECT prec BETWEEN 0 AND 1 AND ncp BETWEEN 0 AND 100 AND il BETWEEN 0 AND 3 FROM anon_releases WHERE release = 'topdown_k'::regclass),
  'figures of a release');
SELECT is(round(r.prec::numeric, 4) || ' ' || round(r.ncp::numeric, 2) || ' ' || r.dm || ' ' || r.suppressed,
  round(n.prec::numeric, 4) || ' ' || round(n.ncp::numeric, 2) || ' ' || n.dm || ' ' || n.suppressed, 'that are those of the lattice')
FROM anon_releases AS r, LATERAL (SELECT * FROM anon_lattice('people', '{age,town,gap}', '{"age": {"range": [5, 20, 40]}}', 5, max_suppression => 0.1, frontier => false)
  WHERE feasible ORDER BY ncp, levels LIMIT 1) AS n WHERE release = 'incognito_k'::regclass;
SELECT cmp_ok((SELECT value FROM anon_evaluate('people', '{age,town,gap}', 5, 'incognito', params => '{"hierarchies": {"age": {"range": [5, 20, 40]}}, "max_suppression": 0.1,
  "local_suppression": true}') WHERE measure = 'NCP'), '<=', (SELECT ncp::float8 + 0.001 FROM anon_releases WHERE release = 'incognito_k'::regclass), 'local suppression loses no more');
SELECT is((SELECT count(*) FROM anon_topdown('people', '{age,town}', '{"age": {"range": [5, 20, 40]}}', 5, target => 'label') WHERE class_id IS NOT NULL), 700::bigint, 'class labels');

-- Bad input.
SELECT is(pg_temp.failure($$ SELECT anon_incognito('people', '{i,town}', NULL, 5) $$), '22023 | column "i" has no hierarchy | '
  'Give it one in hierarchies, for instance by anon_hierarchy_range or anon_hierarchy_auto.', 'a number without a hierarchy');
CREATE TABLE zip3 AS SELECT * FROM zip WHERE z <> '02138';
SELECT is(pg_temp.failure($$ SELECT anon_datafly('pt', '{race,zip}', '{"zip": {"table": "zip3"}}', 2) $$), '22000 | column "zip" has values without a leaf in its hierarchy | '
  'Distinct values without a leaf: 1 of 4. | Add them to the hierarchy, or leave their records out in a view.', 'a value without a leaf');
UPDATE zip3 SET z2 = z WHERE z = '02141';
ALTER TABLE zip3 ADD z3 text DEFAULT '*';
SELECT matches(pg_temp.failure($$ SELECT anon_hierarchy_table('zip3') $$), '^22000 \| the hierarchy is not a tree \| At level 1, ', 'no tree');
SELECT is(pg_temp.failure($$ SELECT anon_generalize('02139', '{"table": "zip"}', 3) $$), '22023 | the hierarchy has no level 3 | '
  'Its levels are 0, the values themselves, to 2.', 'a level out of range');
SELECT matches(pg_temp.failure($$ SELECT anon_topdown('people', '{town}', '{"town": {"range": [5]}}', 5) $$), '^42804 \| the hierarchy of column "town" is not about values', 'the wrong type');
SELECT is(pg_temp.failure($$ SELECT anon_incognito('people', '{town}', NULL, 5, max_suppression => 1.5) $$), '22023 | max_suppression must be between 0 and 1', 'too much suppression');
SELECT matches(pg_temp.failure($$ SELECT anon_incognito('people', '{town}', NULL, 5, metric => 'best') $$), '^22023 .* ''prec'', ''ncp'', ''dm'', ''avg'', ''entropy''', 'an unknown metric');
SELECT matches(pg_temp.failure($$ SELECT anon_argus('people', '{town,gap}', NULL, 5, identifying => '{most}') $$), '^22023 .*The number of values is 1, that of columns 2', 'too few are identifying');
SELECT matches(pg_temp.failure($$ SELECT anon_argus('people', '{town,gap}', NULL, 5, complete => false, sensitive => '{illness}', l => 2) $$), '^22023 .*promises no model', 'no model without complete');
SELECT matches(pg_temp.failure($$ SELECT anon_incognito('people', '{town,gap}', NULL, 5, sensitive => '{illness}', l => 12) $$), 'no generalisation of the table keeps the promises', 'what cannot be');
SELECT is(pg_temp.failure($$ SELECT anon_topdown('people', '{town}', NULL, 5, target => 'nothing') $$), '42703 | column "nothing" does not exist | The columns are "i", "age", "town", "gap", "illness", "label". | Columns are named as in the table, without quotes.', 'no such target');
CREATE TABLE wide AS SELECT 'a' AS a1, 'b' AS a2, 'c' AS a3, 'd' AS a4, 'e' AS a5, 'f' AS a6 FROM generate_series(1, 10);
SELECT matches(pg_temp.failure($$ SELECT anon_mingen('wide', '{a1,a2,a3,a4,a5,a6}', '{"a1": {"prefix": 9}, "a2": {"prefix": 9}, "a3": {"prefix": 9}, "a4": {"prefix": 9}, "a5": {"prefix": 9}, "a6": {"prefix": 9}}', 5) $$),
  '1000000.*incognito', 'a lattice too large for MinGen');

-- adult_arx with its hierarchies, if the reference data are here.
CREATE FUNCTION pg_temp.on_adult(max_suppression float8, models jsonb, sensitive text[], hierarchies jsonb DEFAULT '{}') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN format('%s classes, %s suppressed', classes, suppressed) FROM anon_publish('adult_release', 'adult_arx',
    '{sex,age,race,marital-status,education,native-country,workclass,salary-class}', 5, 'incognito', sensitive,
    params => models || jsonb_build_object('max_suppression', max_suppression, 'hierarchies', hierarchies || (
      SELECT jsonb_object_agg(column_name, anon_hierarchy_table(tbl)) FROM (VALUES ('sex', 'adult_sex'::regclass), ('age', 'adult_age'),
        ('race', 'adult_race'), ('marital-status', 'adult_marital_status'), ('education', 'adult_education'),
        ('native-country', 'adult_native_country'), ('workclass', 'adult_workclass'), ('salary-class', 'adult_income')) AS v (column_name, tbl))));
END $$;
SELECT to_regclass('adult_arx') IS NULL AS missing \gset
\if :missing
SELECT skip('optional reference data: adult_arx', 4);
\else
SELECT is(pg_temp.on_adult(0.02, '{}', '{}'), '222 classes, 506 suppressed', 'adult_arx, k = 5');
SELECT anon_drop('adult_release') \g /dev/null
SELECT is(pg_temp.on_adult(0.02, '{"l": 3}', '{occupation}'), '219 classes, 522 suppressed', 'and 3-diverse');
SELECT anon_drop('adult_release') \g /dev/null
SELECT is(pg_temp.on_adult(0.02, '{"t": 0.2}', '{occupation}'), '6 classes, 235 suppressed', 'and 0.2-close');
SELECT anon_drop('adult_release') \g /dev/null
SELECT is(pg_temp.on_adult(0.02, '{"t": 0.2}', '{occupation}', '{"occupation": {"table": "adult_occupation"}}'), '9 classes, 151 suppressed', 'by a hierarchy');
\endif

-- ---- a column of one value -----------------------------------------------------------------------
CREATE TABLE one_town AS SELECT 'Rome'::text AS town, i / 3 AS room FROM generate_series(0, 10) AS i;
SELECT is(p.ncp, to_char(l.ncp, '9.999EEEE')::float8, 'a suppressed record loses as much of a column of one value in a release as in the lattice')
FROM anon_publish('of_one_town', 'one_town', '{town,room}', 3, 'incognito', hierarchies => '{"room": {"range": [10]}}', max_suppression => 0.2) AS p,
  anon_lattice('one_town', '{town,room}', '{"room": {"range": [10]}}', 3, max_suppression => 0.2) AS l
WHERE l.levels = '{0,0}';

SELECT * FROM finish();
ROLLBACK;
