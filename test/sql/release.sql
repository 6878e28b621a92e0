-- The promises of a release, checked with plain SQL on the hospital's discharges.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(54);
CALL hospital_table('discharges', rows => 3000);
ALTER TABLE discharges ADD COLUMN id serial;
CREATE TABLE known AS SELECT id, birth_date, admitted, weight, charge, diagnosis FROM discharges;

SELECT isnt_empty($$
  SELECT * FROM anon_publish('released', 'discharges', '{birth_date,admitted,weight,charge}', 5,
    method => 'mdav', sensitive => '{diagnosis}', keep => '{id}')$$, 'published');

-- k-anonymity by GROUP BY; completeness; only the requested columns.
SELECT is_empty($$
  SELECT birth_date, admitted, weight, charge FROM released GROUP BY 1, 2, 3, 4 HAVING count(*) < 5$$,
  'every record shares its quasi-identifiers with four others');
SELECT is_empty($$
  SELECT birth_date, admitted, weight, charge FROM released GROUP BY 1, 2, 3, 4 HAVING count(*) > 9$$,
  'no class of MDAV has 2k records, as no two have the same centroid here');
SELECT results_eq('SELECT id, diagnosis FROM released ORDER BY id', 'SELECT id, diagnosis FROM known ORDER BY id',
  'every record is in the release, once, with its own sensitive and kept values');
SELECT results_eq($$
  SELECT attname::text, format_type(atttypid, atttypmod), attcollation FROM pg_attribute
  WHERE attrelid = 'released'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum$$, $$
  SELECT attname::text, format_type(atttypid, atttypmod), attcollation FROM pg_attribute
  WHERE attrelid = 'discharges'::regclass AND attnum > 0 AND attname IN
    ('birth_date', 'admitted', 'weight', 'charge', 'diagnosis', 'id') ORDER BY attnum$$,
  'the columns that were named, in the order and with the types of the source, and no other');

-- The masked value is the mean of the class, in the column's own type.
CREATE TABLE classes AS
SELECT r.birth_date AS d, r.admitted AS a, r.weight AS w, r.charge AS c, count(*) AS n,
  date '2000-01-01' + round(avg(k.birth_date - date '2000-01-01'))::int AS mean_date,
  avg(extract(epoch FROM k.admitted)) AS mean_admitted, avg(k.weight) AS mean_weight, avg(k.charge) AS mean_charge
FROM released AS r JOIN known AS k USING (id) GROUP BY 1, 2, 3, 4;
SELECT is_empty('SELECT * FROM classes WHERE abs(d - mean_date) > 1', 'dates: the mean, rounded to a day');
SELECT is_empty('SELECT * FROM classes WHERE abs(extract(epoch FROM a) - mean_admitted) > 0.000002',
  'timestamps: the mean, to a microsecond');
SELECT is_empty('SELECT * FROM classes WHERE abs(w - mean_weight) > 0.0500001', 'numeric(5,1): the mean, to a tenth');
SELECT is_empty('SELECT * FROM classes WHERE abs(c - mean_charge) > 0.0050001', 'numeric(10,2): the mean, to a hundredth');

-- The release as the audit sees it.
SELECT is((SELECT level::bigint FROM anon_audit('released', '{birth_date,admitted,weight,charge}') WHERE model = 'k-anonymity'),
  (SELECT min(n) FROM classes), 'the audit finds the smallest class');
SELECT is((SELECT array[rows, classes, smallest_class] FROM anon_release_info('released')),
  (SELECT array[sum(n)::bigint, count(*), min(n)] FROM classes), 'so say the figures');
SELECT lives_ok($$SELECT anon_assert('released', '{birth_date,admitted,weight,charge}', k => 5)$$, '5-anonymous');
SELECT throws_ok($$SELECT anon_assert('released', '{birth_date,admitted,weight,charge}', k => 6)$$, '23514',
  'relation "released" violates k-anonymity', 'not 6-anonymous');

-- Equal data give equal releases, row by row, for any order in the heap.
CREATE FUNCTION pg_temp.lines(relation regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
  EXECUTE format('SELECT md5(string_agg(r::text, E''\n'')) FROM (SELECT * FROM %s) AS r', relation) INTO answer;
  RETURN answer;
END $$;
CREATE FUNCTION pg_temp.release_of(tbl regclass, keep text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
  PERFORM anon_publish('again', tbl, '{birth_date,admitted,weight,charge}', 5, method => 'mdav',
                       sensitive => '{diagnosis}', keep => keep);
  answer := pg_temp.lines('again');
  PERFORM anon_drop('again');
  RETURN answer;
END $$;
SELECT is(pg_temp.release_of('discharges', '{id}'), pg_temp.lines('released'), 'the same call, the same rows');
CREATE TABLE shuffled AS SELECT * FROM discharges ORDER BY md5(id::text);
CREATE TABLE reversed AS SELECT * FROM discharges ORDER BY id DESC;
SELECT is(pg_temp.release_of('shuffled', '{id}'), pg_temp.lines('released'), 'a shuffled heap, the same rows in the same order');
SELECT is(pg_temp.release_of('reversed', '{id}'), pg_temp.lines('released'), 'a reversed heap, too');
UPDATE discharges SET id = id WHERE id % 3 = 0;
SELECT is(pg_temp.release_of('discharges', '{id}'), pg_temp.lines('released'), 'rows that were updated in place, too');
SELECT is((SELECT md5(string_agg(masked::text || class_id, ',' ORDER BY masked->>'id'))
           FROM anon_mdav('shuffled', '{birth_date,weight}', 4, '{id}')),
          (SELECT md5(string_agg(masked::text || class_id, ',' ORDER BY masked->>'id'))
           FROM anon_mdav('discharges', '{birth_date,weight}', 4, '{id}')),
  'looking gives the same classes with the same numbers');

-- Many ties in every quasi-identifier, and records that agree in all published columns.
CREATE TABLE ties AS
SELECT i AS id, i % 4 AS a, (i / 7) % 3 AS b, (i % 5)::text AS s FROM generate_series(1, 500) AS i;
CREATE TABLE ties_shuffled AS SELECT * FROM ties ORDER BY md5(id::text);
CREATE FUNCTION pg_temp.ties_release(tbl regclass, keep text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
  PERFORM anon_publish('again', tbl, '{a,b}', 7, method => 'mdav', keep => keep);
  answer := pg_temp.lines('again');
  PERFORM anon_drop('again');
  RETURN answer;
END $$;
SELECT is(pg_temp.ties_release('ties_shuffled', '{s}'), pg_temp.ties_release('ties', '{s}'), 'ties: same rows, same order');
SELECT is(pg_temp.ties_release('ties_shuffled', '{}'), pg_temp.ties_release('ties', '{}'), 'ties without kept columns');
SELECT is(pg_temp.ties_release('ties_shuffled', '{id}'), pg_temp.ties_release('ties', '{id}'), 'ties with a kept key');

-- The order of the rows is a function of the published values: it reveals nothing about unpublished
-- ids.
CREATE TABLE relabelled AS SELECT 501 - id AS id, a, b, s FROM ties;
SELECT is(pg_temp.ties_release('relabelled', '{s}'), pg_temp.ties_release('ties', '{s}'),
  'other values in a column that is not published change nothing');

-- A composite type has other texts under other settings, and orders equal records alike.
CREATE TYPE stay AS (since date, costs float8);
CREATE TABLE stays AS SELECT id, a, (date '2020-01-01' + id, id / 3.0)::stay AS stay FROM ties;
CREATE FUNCTION pg_temp.classes_of_stays() RETURNS text LANGUAGE sql AS $$
  SELECT string_agg(concat(class_id, ' ', id), ',' ORDER BY id)
  FROM anon_mdav('stays', '{a}', 4, '{stay}', duplicates => 'divide') AS m JOIN stays ON stays.ctid = m.source $$;
CREATE TEMP TABLE in_iso AS SELECT pg_temp.classes_of_stays() AS classes;
SET LOCAL datestyle = 'German';
SET LOCAL extra_float_digits = -10;
SELECT is(pg_temp.classes_of_stays(), (SELECT classes FROM in_iso), 'another DateStyle, the same classes');
RESET datestyle;
RESET extra_float_digits;

-- Why a promise is broken.
CREATE FUNCTION pg_temp.broken(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE why text;
BEGIN
  EXECUTE command;
  RETURN 'nothing is broken';
EXCEPTION WHEN check_violation THEN
  GET STACKED DIAGNOSTICS why = PG_EXCEPTION_DETAIL;
  RETURN regexp_replace(why, '^Promised is .*, found is [0-9.]*[.] ', '');
END $$;

-- Rounding may join classes: they are counted as joined, and the promise still holds.
CREATE TABLE joined (x int, id int);
INSERT INTO joined SELECT CASE WHEN i % 3 = 0 THEN i / 8 ELSE i / 8 + 1 END, i FROM generate_series(0, 63) AS i;
SELECT isnt_empty($$SELECT * FROM anon_publish('joined_public', 'joined', '{x}', 3, method => 'mdav', keep => '{id}',
    params => '{"duplicates": "divide"}')$$,
  'classes whose means round to one integer');
SELECT is((SELECT classes FROM anon_release_info('joined_public'))::bigint,
  (SELECT count(DISTINCT class_id) FROM anon_mdav('joined', '{x}', 3, duplicates => 'divide')), 'are one class, in a look too');
SELECT is((SELECT array[classes, smallest_class] FROM anon_release_info('joined_public')),
  (SELECT array[count(*), min(n)] FROM (SELECT count(*) AS n FROM joined_public GROUP BY x) AS c),
  'and are counted so');
SELECT lives_ok($$SELECT anon_assert('joined_public', '{x}', k => 3)$$, 'of at least k records');
-- If that would break a promise, classes are united until every promise holds.
CREATE TABLE joining AS SELECT r * 304 * 31 % 5 AS x, (r * 14 * 17 % 11) / 3 AS s, r * r % 5 AS y FROM generate_series(1, 29) AS r;
SELECT is(pg_temp.broken($$SELECT * FROM anon_kpqr('joining', '{x,y}', '{s}', 2, p => 2, q => 0.3, r => 0.35)$$),
  'nothing is broken', 'classes that come out equal keep the promise as one');

-- A null is no value: not even the one that looks like it.
CREATE TABLE nulls AS
SELECT i AS id, i % 2 AS a, CASE WHEN i % 3 = 0 THEN 0 END AS n, CASE WHEN i % 5 > 2 THEN '' END AS t FROM generate_series(1, 300) AS i;
CREATE TABLE nulls_shuffled AS SELECT * FROM nulls ORDER BY md5(id::text);
CREATE FUNCTION pg_temp.nulls_release(tbl regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
  PERFORM anon_publish('again', tbl, '{a}', 7, method => 'mdav', keep => '{n,t}');
  answer := pg_temp.lines('again');
  PERFORM anon_drop('again');
  RETURN answer;
END $$;
SELECT is(pg_temp.nulls_release('nulls_shuffled'), pg_temp.nulls_release('nulls'), 'ties between null, 0 and the empty text');

-- Nor is the number that a type's value has in this database.
CREATE TYPE mood AS ENUM ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
CREATE TYPE moods AS (first mood, second mood);
CREATE TABLE moody AS
SELECT i % 2 AS a, chr(97 + i % 8)::mood AS m, ARRAY['a'::mood] AS ms, ('a', 'b')::moods AS mc
FROM generate_series(1, 40) AS i;
CREATE FUNCTION pg_temp.moody_release() RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
  PERFORM anon_publish('again', 'moody', '{a}', 7, method => 'mdav', keep => '{m,ms,mc}');
  answer := pg_temp.lines('again');
  DROP TABLE moody CASCADE;
  RETURN answer;
END $$;
CREATE TEMP TABLE moody_before AS SELECT pg_temp.moody_release() AS lines;
DROP TYPE mood CASCADE;
DROP TYPE moods;
CREATE TYPE mood AS ENUM ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
CREATE TYPE moods AS (first mood, second mood);
CREATE TABLE moody AS
SELECT i % 2 AS a, chr(97 + i % 8)::mood AS m, ARRAY['a'::mood] AS ms, ('a', 'b')::moods AS mc
FROM generate_series(1, 40) AS i;
SELECT is(pg_temp.moody_release(), (SELECT lines FROM moody_before), 'the same values of types with other OIDs');

-- Standardisation and weights.
CREATE FUNCTION pg_temp.classes_of(tbl regclass, qi text[], weights float8[], standardize text) RETURNS text
LANGUAGE sql AS $$
  SELECT string_agg(class_id::text, ',' ORDER BY source)
  FROM anon_mdav(tbl, qi, 10, weights => weights, standardize => standardize)
$$;
CREATE TABLE scaled AS SELECT id, weight * 1000 AS weight, charge / 7 AS charge FROM discharges;
SELECT isnt(pg_temp.classes_of('discharges', '{weight,charge}', '{1,1}', 'none'),
  pg_temp.classes_of('scaled', '{weight,charge}', '{1,1}', 'none'), 'without standardisation units decide');
CREATE TABLE doubled AS SELECT (id * 37) % 1009 AS a, (id * 91) % 997 AS b FROM discharges;
CREATE TABLE quadrupled AS SELECT a * 4 AS a, b * 1024 AS b FROM doubled;
SELECT is(pg_temp.classes_of('doubled', '{a,b}', '{1,1}', 'range'),
  pg_temp.classes_of('quadrupled', '{a,b}', '{1,1}', 'range'), 'standardised by range, units do not matter');
SELECT is(pg_temp.classes_of('doubled', '{a,b}', NULL, 'zscore'),
  pg_temp.classes_of('doubled', '{a,b}', '{1,1}', 'zscore'), 'no weights are equal weights');
SELECT is(pg_temp.classes_of('doubled', '{a,b}', '{1,1}', 'zscore'),
  pg_temp.classes_of('doubled', '{a,b}', '{4,4}', 'zscore'), 'only their proportion matters');
SELECT is(pg_temp.classes_of('doubled', '{a,b}', '{1,0}', 'zscore'),
  pg_temp.classes_of('quadrupled', '{a,b}', '{1,0}', 'none'), 'a weight of 0 leaves a column out');
SELECT isnt(pg_temp.classes_of('doubled', '{a,b}', '{1,9}', 'zscore'),
  pg_temp.classes_of('doubled', '{a,b}', '{9,1}', 'zscore'), 'weights decide what is near');

-- The comments of the owner.
COMMENT ON MATERIALIZED VIEW released IS 'mine: Masked by anonkit: not yours';
COMMENT ON COLUMN released.birth_date IS 'mine: anonkit: not yours, rows=1';
SELECT is((SELECT rows FROM anon_refresh('released')), 3000::bigint, 'a comment that looks like a note does no harm');
SELECT matches(obj_description('released'::regclass), E'^mine: Masked by anonkit: not yours\nMasked by anonkit: 5-anonymous; 3000 rows in \\d+ classes of at least 5[.]$', 'and stays');
SELECT matches(col_description('released'::regclass, 1), E'^mine: anonkit: not yours, rows=1\nanonkit: built=', 'at the column, too');
SELECT is((SELECT rows FROM anon_release_info('released')), 3000::bigint, 'and is not taken for figures');
COMMENT ON COLUMN released.birth_date IS 'anonkit: built=nonsense rows=1e99 classes=NaN file=';
SELECT lives_ok($$SELECT * FROM anon_releases$$, 'a garbled note is no error');
SELECT is((SELECT rows FROM anon_release_info('released')), 3000::bigint, 'and figures are those of the companion');
COMMENT ON MATERIALIZED VIEW released IS E'100 % mine: %s %n %d \\ '' $1';
COMMENT ON COLUMN released.birth_date IS E'100 % mine: %s %n %d \\ '' $1';
SELECT isnt_empty($$SELECT * FROM anon_refresh('released')$$, 'a comment of percent signs is refreshed');
SELECT matches(obj_description('released'::regclass), E'^100 % mine: %s %n %d \\\\ '' \\$1\nMasked by .*', 'and stays as it is');
SELECT matches(col_description('released'::regclass, 1), E'^100 % mine: %s %n %d \\\\ '' \\$1\nanonkit: ', 'and that of the column');

SELECT isnt_empty($$SELECT * FROM anon_refresh('released')$$, 'and again');
SELECT is((SELECT count(*) FROM regexp_matches(obj_description('released'::regclass), 'anonkit:', 'g')), 1::bigint, 'which replaces the sentence');
SELECT is((SELECT count(*) FROM regexp_matches(col_description('released'::regclass, 1), 'anonkit:', 'g')), 1::bigint, 'and the record');
COMMENT ON COLUMN released.birth_date IS E'anonkit: built=1 rows=7\nmy last word';
SELECT is((SELECT rows FROM anon_release_info('released')), NULL, 'a record that somebody wrote on is none');
SELECT isnt_empty($$SELECT * FROM anon_refresh('released')$$, 'a comment after a record');
SELECT matches(col_description('released'::regclass, 1), E'^anonkit: built=1 rows=7\nmy last word\nanonkit: built=', 'stays');

-- anon_releases lists exactly the releases.
CREATE MATERIALIZED VIEW plain AS SELECT 1 AS one;
SELECT set_eq('SELECT release::text FROM anon_releases', ARRAY['released', 'joined_public'], 'all releases are listed');
SELECT lives_ok($$SELECT anon_drop('released')$$, 'dropped');
SELECT hasnt_materialized_view('released'::name, 'and gone');
SELECT * FROM finish();
ROLLBACK;
