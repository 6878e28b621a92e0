-- Pseudonyms of kept columns: random for each release, equal where the originals are.
BEGIN;
SET client_min_messages = warning;
SELECT plan(31);

CREATE TABLE visits AS
SELECT i AS visit, i % 50 AS patient_id, (i % 50)::numeric(6, 2) AS number, 'P' || i % 50 AS name, rpad('P' || i % 50, 8)::char(8) AS padded,
       md5((i % 50)::text)::uuid AS id, i % 7 AS ward, CASE WHEN i % 50 < 40 THEN i % 50 END AS mother_id,
       20 + (i % 50) * 31 % 60 AS age, i % 50 * 17 % 40 AS weight, i % 3 AS result
FROM generate_series(1, 400) AS i;

CREATE FUNCTION publish_visits(release text, columns text[], others text[] DEFAULT '{}') RETURNS bigint LANGUAGE sql AS $$
  SELECT rows FROM anon_publish(release, 'visits', '{age}', 5, keep => columns || others || '{weight}', pseudonym => columns,
                                unit => '{patient_id}', unit_rows => 'together', beside => 'ignore') $$;

-- ---- Equal originals, equal pseudonyms --------------------------------------------------------

SELECT lives_ok($$SELECT publish_visits('first', '{patient_id,number,name,padded,id,mother_id,ward}', '{visit}')$$, 'it publishes');
CREATE FUNCTION pairs(name text) RETURNS TABLE(pseudonyms bigint, originals bigint, pairs bigint) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT count(DISTINCT r.%1$I), count(DISTINCT v.%1$I), count(DISTINCT (r.%1$I, v.%1$I)) FROM first AS r
    JOIN visits AS v USING (visit) WHERE v.%1$I IS NOT NULL', name);
END $$;
SELECT results_eq(format('SELECT * FROM pairs(%L)', name), format('VALUES (%1$s::bigint, %1$s::bigint, %1$s::bigint)', persons),
                  format('column %s has a pseudonym a value', name))
FROM (VALUES ('patient_id', 50), ('number', 50), ('name', 50), ('padded', 50), ('id', 50), ('mother_id', 40), ('ward', 7)) AS c(name, persons);
SELECT is((SELECT count(*) FROM first AS r JOIN visits AS v USING (visit) WHERE (r.mother_id IS NULL) <> (v.mother_id IS NULL)),
          0::bigint, 'null stays null');
SELECT is((SELECT count(*) FROM first WHERE patient_id IN (SELECT mother_id FROM first)), 0::bigint,
          'equal values of different columns have different pseudonyms');
SELECT ok((SELECT bool_and(patient_id > 1000000) FROM first), 'pseudonyms are of 63 bits');
SELECT is((SELECT array_agg(format_type(atttypid, atttypmod) ORDER BY attname) FROM pg_attribute
           WHERE attrelid = 'first'::regclass AND attname IN ('padded', 'patient_id')), '{bigint,bigint}', 'they are bigints');
SELECT is((SELECT count(*) FROM first AS r WHERE r.patient_id IN (SELECT patient_id FROM visits)), 0::bigint, 'no original is published');

-- Nothing of the original's order: in none of ten releases is the rank of the pseudonyms near that of the originals.
SELECT publish_visits('again_' || i, '{patient_id}', '{visit}') FROM generate_series(1, 10) AS i;
CREATE FUNCTION order_kept(release text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE kept float8;
BEGIN
  EXECUTE format('SELECT abs(corr(r.patient_id, v.patient_id)) FROM (SELECT DISTINCT v.patient_id AS original,
    rank() OVER (ORDER BY r.patient_id) AS patient_id, v.patient_id AS v FROM %I AS r JOIN visits AS v USING (visit)) AS r
    JOIN (SELECT DISTINCT patient_id FROM visits) AS v ON v.patient_id = r.v', release) INTO kept;
  RETURN kept;
END $$;
SELECT ok(max(order_kept('again_' || i)) < 0.75, 'nothing of the order of the originals remains') FROM generate_series(1, 10) AS i;

-- The rows of a class stand in an order of published values alone: neither in that of the originals, nor in one order always.
SELECT isnt((SELECT array_agg(visit) FROM (SELECT visit FROM again_1) AS r), (SELECT array_agg(visit) FROM (SELECT visit FROM again_2) AS r),
            'rows are in the order of their pseudonyms, which differs');

-- ---- Per release -----------------------------------------------------------------------------

SELECT is((SELECT count(*) FROM again_1 JOIN again_2 USING (patient_id)), 0::bigint, 'two releases have no pseudonym in common');
CREATE TABLE before AS SELECT * FROM again_1;
SELECT lives_ok($$SELECT anon_refresh('again_1')$$, 'a refresh');
SELECT is((SELECT count(*) FROM again_1 JOIN before USING (patient_id)), 0::bigint, 'draws new ones');
SELECT is((SELECT count(DISTINCT patient_id) FROM again_1), 50::bigint, 'for all persons');
TRUNCATE before;
INSERT INTO before SELECT * FROM again_1;
REFRESH MATERIALIZED VIEW again_1;
SELECT is((SELECT count(*) FROM again_1 JOIN before USING (patient_id)), 0::bigint, 'so does REFRESH MATERIALIZED VIEW');
SELECT is((SELECT count(DISTINCT patient_id) FROM again_1), 50::bigint, 'for all persons');
CREATE UNIQUE INDEX ON again_1 (visit);
SELECT lives_ok($$SELECT anon_refresh('again_1', concurrently => true)$$, 'a refresh that readers do not notice');

-- ---- Audits count persons by their pseudonyms -----------------------------------------------------

SELECT lives_ok($$SELECT anon_assert('again_1', '{age}', k => 5, unit => '{patient_id}', unit_rows => 'together')$$,
                'the release proves its promise to persons');
SELECT ok(length(anon_report('again_1')) > 1000, 'the page of a release');
SELECT lives_ok($$SELECT anon_audit_releases('{again_1,again_2}')$$, 'joint audits do not follow pseudonyms');

-- ---- Refused -----------------------------------------------------------------------------------------

CREATE FUNCTION with_options(options jsonb) RETURNS bigint LANGUAGE sql AS $$
  SELECT rows FROM anon_publish('refused', 'visits', '{age}', 5, spec => options) $$;
SELECT throws_ok(format('SELECT with_options(%L)', options), state, message, 'refused: ' || message)
FROM (VALUES
  ('{"pseudonym": ["patient_id"]}', '22023', 'column "patient_id" of pseudonym is not kept'),
  ('{"pseudonym": ["weight", "weight"], "keep": ["weight"]}', '22023', 'column "weight" of pseudonym is named twice'),
  ('{"pseudonym": ["weight"], "keep": ["weight"], "coarsen": {"weight": {"round": 5}}}', '22023', 'column "weight" of pseudonym is coarsened'),
  ('{"pseudonym": ["patient_id"], "keep": ["patient_id"], "key": ["visit"], "weight": true}', '0A000', 'pseudonym cannot be combined with a key')
) AS c(options, state, message);
ALTER TABLE visits ADD happened timestamptz DEFAULT now();
SELECT throws_ok($$SELECT with_options('{"pseudonym": ["happened"], "keep": ["happened"]}')$$, '42804',
                 'column "happened" of type timestamp with time zone cannot have pseudonyms', 'refused: types that settings format');
SELECT throws_ok($$SELECT * FROM anon_mdav('visits', '{age}', 5, keep => '{patient_id}', spec => '{"pseudonym": ["patient_id"]}')$$,
                 '22023', 'method "mdav" has no parameter "pseudonym"', 'refused: a look at the method');

SELECT * FROM finish();
ROLLBACK;
