-- Releases of tables that are larger than anonkit.max_memory: formed part by part, they keep what a release of the
-- whole table keeps.
BEGIN;
SELECT plan(58);

CREATE TABLE visits AS
SELECT i AS id, i::bigint * i * 7919 % 100003 AS income, i * 104729 % 97 AS age, ((i * 31 % 8009)::numeric / 7)::numeric(9, 3) AS weight,
  date '1990-01-01' + i * 613 % 9973 AS day, 'd' || i * 13 % 11 % 6 AS disease, 1 + i % 2 AS sex
FROM generate_series(1, 12000) AS i;
CREATE TABLE shuffled AS SELECT * FROM visits ORDER BY md5(id::text);

LOAD 'anonkit';
SET LOCAL client_min_messages = warning;

SELECT throws_ok('SELECT anonkit_distributed_figures()', '55000', 'the role has made no release in this transaction', 'a session without a release has no figures');

CREATE FUNCTION pg_temp.number_of(anyelement) RETURNS numeric LANGUAGE sql AS $$ SELECT $1::text::numeric $$;
CREATE FUNCTION pg_temp.number_of(date) RETURNS numeric LANGUAGE sql AS $$ SELECT ($1 - date '1970-01-01')::numeric $$;

-- 100 * SSE / SST of a release that keeps the row's number, from its rows alone.
CREATE FUNCTION pg_temp.counted_loss(release regclass, qi text[]) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE answer numeric;
BEGIN
  EXECUTE format('SELECT 100 * sum(%s) / ((count(*) - 1) * %s) FROM visits JOIN %s AS r USING (id), (SELECT %s FROM visits) AS d',
    (SELECT string_agg(format('((pg_temp.number_of(visits.%1$I) - pg_temp.number_of(r.%1$I)) / d.%1$I) ^ 2', q), ' + ') FROM unnest(qi) AS q),
    cardinality(qi), release,
    (SELECT string_agg(format('stddev_samp(pg_temp.number_of(%1$I)) AS %1$I', q), ', ') FROM unnest(qi) AS q)) INTO answer;
  RETURN answer;
END $$;
-- All rows in their physical order.
CREATE FUNCTION pg_temp.digest(release regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
  EXECUTE format('SELECT md5(string_agg(r::text, chr(10) ORDER BY ctid)) FROM %s AS r', release) INTO answer;
  RETURN answer;
END $$;

CREATE TEMP TABLE whole AS SELECT * FROM anon_publish('of_whole', 'visits', '{income,age,weight,day}', 5, keep => '{id}');
SET LOCAL anonkit.max_memory = '1MB';
SELECT throws_ok($$SELECT count(*) FROM anon_mdav('visits', '{income,age,weight,day}', 5)$$, '53400', NULL,
  'the table does not fit in memory');

-- ---- the release ----------------------------------------------------------------------------------
CREATE TEMP TABLE reported AS SELECT * FROM anon_publish('of_parts', 'visits', '{income,age,weight,day}', 5, keep => '{id,disease}');
CREATE TEMP TABLE parted AS SELECT * FROM anon_release_info('of_parts');
SELECT is((SELECT rows FROM parted), 12000::bigint, 'every row is published');
SELECT is((SELECT count(*) FROM (SELECT id, disease FROM of_parts EXCEPT SELECT id, disease FROM visits) AS d), 0::bigint,
  'kept values stay with their rows');
SELECT is((SELECT count(DISTINCT id) FROM of_parts), 12000::bigint, 'each row once');
SELECT lives_ok($$SELECT anon_assert('of_parts', '{income,age,weight,day}', k => 5)$$, 'every class has k records');
CREATE TEMP TABLE classes AS SELECT count(*) AS size FROM of_parts GROUP BY income, age, weight, day;
SELECT is(parted.classes, counted.classes, 'classes are those of GROUP BY') FROM parted, (SELECT count(*) AS classes FROM classes) AS counted;
SELECT is(smallest_class, (SELECT min(size) FROM classes), 'so is the smallest') FROM parted;
SELECT is(mean_class, (SELECT avg(size)::float8 FROM classes), 'their mean') FROM parted;
SELECT is(dm, (SELECT sum(size * size)::float8 FROM classes), 'their discernibility') FROM parted;
SELECT is(avg, 12000 / (classes * 5.0::float8), 'and their normalised size') FROM parted;
SELECT cmp_ok(abs(loss / pg_temp.counted_loss('of_parts', '{income,age,weight,day}') - 1), '<', 1e-10::float8,
  'the loss is that of the published cells') FROM parted;
SELECT cmp_ok(parted.loss, '<', 1.1 * whole.loss, 'parts cost little loss') FROM parted, whole;
SELECT is((SELECT array_agg(income) FROM of_parts), (SELECT array_agg(income ORDER BY income) FROM of_parts),
  'rows are in the order of published values');
SELECT is(reproducible, true, 'data and seed decide it') FROM parted;
SELECT is(suppressed, 0::bigint, 'no row is suppressed') FROM parted;
SELECT is(coarsened_cells, NULL, 'no kept cell is coarsened') FROM parted;
SELECT is(reported.loss, to_char(parted.loss, '9.999EEEE')::float8, 'the publication reports four digits') FROM parted, reported;

-- ---- invariance -----------------------------------------------------------------------------------
SELECT lives_ok($$SELECT anon_publish('of_shuffled', 'shuffled', '{income,age,weight,day}', 5, keep => '{id,disease}')$$,
  'the same rows in another order');
SELECT is(pg_temp.digest('of_shuffled'), pg_temp.digest('of_parts'), 'make the same release, in the same order');
SET LOCAL anonkit.threads = 4;
SELECT lives_ok($$SELECT anon_publish('in_threads', 'visits', '{income,age,weight,day}', 5, keep => '{id,disease}')$$, 'four threads');
SELECT is(pg_temp.digest('in_threads'), pg_temp.digest('of_parts'), 'make the same release');
SET LOCAL work_mem = '64kB';
SET LOCAL maintenance_work_mem = '1MB';
SELECT lives_ok($$SELECT anon_publish('on_disk', 'visits', '{income,age,weight,day}', 5, keep => '{id,disease}')$$, 'little memory for sorts');
SELECT is(pg_temp.digest('on_disk'), pg_temp.digest('of_parts'), 'changes nothing');
SELECT lives_ok($$SELECT anon_publish('other_order', 'visits', '{day,weight,age,income}', 5, keep => '{disease,id}')$$,
  'columns named in another order');
SELECT is((SELECT count(*) FROM (SELECT income, age, weight, day, id FROM other_order EXCEPT SELECT income, age, weight, day, id FROM of_parts) AS d),
  0::bigint, 'have the same cells');

-- ---- without kept columns, and other options ------------------------------------------------------
SELECT is((SELECT rows FROM anon_publish('alone', 'visits', '{income,weight}', 3)), 12000::bigint, 'no column is kept');
SELECT is((SELECT min(n) >= 3 AND sum(n) = 12000 FROM (SELECT count(*) AS n FROM alone GROUP BY income, weight) AS c), true,
  'every class has k records');
SELECT is((SELECT smallest_class >= 5 FROM anon_publish('by_mdav', 'visits', '{income,age,weight,day}', 5, 'mdav', keep => '{id}',
    params => '{"block_size": 1000, "standardize": "range", "weights": [1, 2, 1, 1]}')), true, 'MDAV by blocks of given scales and weights');
SELECT is((SELECT coarsened_cells > 0 FROM anon_publish('coarse', 'visits', '{income,age,weight,day}', 5, keep => '{id}',
    params => '{"coarsen": {"id": {"round": 10}}}')), true, 'kept numbers may be rounded');

-- ---- refreshes ------------------------------------------------------------------------------------
UPDATE visits SET income = 100003 - income WHERE id % 10 = 0;
SELECT is((SELECT rows FROM anon_refresh('of_parts')), 12000::bigint, 'a refresh works in parts, too');
SELECT isnt(pg_temp.digest('of_parts'), pg_temp.digest('of_shuffled'), 'and has new rows');
REFRESH MATERIALIZED VIEW of_shuffled;
SELECT is(pg_temp.digest('of_shuffled'), pg_temp.digest('in_threads'), 'a plain REFRESH of unchanged rows changes nothing');

-- ---- refusals -------------------------------------------------------------------------------------
SELECT throws_ok(format('SELECT anon_publish(''never'', ''visits'', %s)', arguments), '53400',
  'anonymization needs more memory than anonkit.max_memory allows', 'not in parts: ' || arguments)
FROM unnest(ARRAY[
  '''{income,age,weight,day}'', 5, sensitive => ''{disease}'', params => ''{"t": 0.4}''',
  '''{income,age,weight,day}'', 5, sensitive => ''{disease}'', params => ''{"beta": 2}''',
  '''{income,age,weight,day}'', 5, params => ''{"risk_mean": 0.1}''',
  '''{income,age,weight,day}'', 5, sensitive => ''{disease}'', params => ''{"l": 2, "transparent": true}''',
  '''{income,age,weight,day}'', 5, ''mdav''',
  '''{income,age,weight,day}'', 5, ''mondrian''',
  '''{income,age,weight,day}'', 5, params => ''{"effort": "thorough"}''',
  '''{income,age,weight,day}'', 5, params => ''{"recode": "swap"}''',
  '''{income,age,weight,day}'', 5, params => ''{"unit": ["id"], "unit_rows": "together"}''',
  '''{income,age,weight,day}'', 5, params => ''{"nulls": "stratify"}''',
  '''{income,age,weight,day}'', 5, lower_bound => true',
  '''{income,age,weight,day}'', 5000']) AS arguments;
CREATE SEQUENCE readings;
CREATE VIEW fading AS SELECT income, age FROM visits WHERE nextval('readings') <= 12000;
SELECT throws_ok($$SELECT anon_publish('never', 'fading', '{income,age}', 5)$$, '22000', 'the source returns other rows each time that it is read',
  'no rows at the second reading');
UPDATE visits SET weight = NULL WHERE id % 6 = 0;
SELECT throws_ok($$SELECT anon_publish('never', 'visits', '{income,age,weight,day}', 5)$$, '22000', 'quasi-identifier "weight" contains nulls',
  'nulls are refused as in memory');
UPDATE visits SET weight = NULL, age = NULL;
SELECT throws_ok($$SELECT anon_publish('never', 'visits', '{income,age,weight,day}', 5)$$, '22000', 'quasi-identifiers contain nulls',
  'also where there is nothing else');
UPDATE visits SET income = 1, age = 1, weight = 1, day = '2000-01-01';
SELECT throws_ok($$SELECT anon_publish('never', 'visits', '{income,age,weight,day}', 5)$$, '53400', NULL,
  'equal rows share a part, which has to fit');

-- ---- audits of stored rows that do not fit --------------------------------------------------------
CREATE TABLE pairs AS SELECT i / 2 AS x, repeat('-', 50) AS note FROM generate_series(0, 19999) AS i;
SELECT lives_ok($$SELECT anon_assert('pairs', '{x}', k => 2)$$, 'k is counted on disk');
SELECT throws_ok($$SELECT anon_assert('pairs', '{x}', k => 3)$$, '23514', 'relation "pairs" violates k-anonymity', 'and found short');
-- Stored class by class, rows of other promises are judged in batches. Where a batch falls short they are judged at once, if
-- memory suffices.
CREATE TABLE values_of_pairs AS SELECT x, note, 'd' || (row_number() OVER (PARTITION BY x) + x % 3) AS value FROM pairs;
CREATE MATERIALIZED VIEW in_order AS SELECT * FROM values_of_pairs ORDER BY x;
CREATE MATERIALIZED VIEW in_disorder AS SELECT * FROM values_of_pairs ORDER BY md5(x::text || value);
SELECT lives_ok($$SELECT anon_assert('in_order', '{x}', '{value}', k => 2, l => 2, alpha => 0.5)$$, 'promises about classes are judged in batches');
SELECT throws_ok($$SELECT anon_assert('in_order', '{x}', '{value}', l => 3)$$, '53400', NULL, 'one that a batch breaks needs memory');
SELECT throws_ok($$SELECT anon_assert('in_order', '{x}', '{value}', t => 1)$$, '53400', NULL, 'so does one about all rows');
SELECT throws_ok($$SELECT anon_assert('in_order', '{x}', '{value}', spec => anon_spec(asked => '{"t-closeness": 1}'))$$, '53400', NULL, 'by its name, too');
SELECT throws_ok($$SELECT anon_assert('in_disorder', '{x}', '{value}', l => 2)$$, '53400', NULL, 'and classes in several places');
SET LOCAL anonkit.max_memory = '3MB';
SELECT throws_ok($$SELECT anon_assert('in_order', '{x}', '{value}', l => 3)$$, '23514', 'relation "in_order" violates distinct l-diversity of column "value"', 'then the level is found');
SELECT lives_ok($$SELECT anon_assert('in_disorder', '{x}', '{value}', l => 2)$$, 'and classes are put together');

SELECT * FROM finish();
ROLLBACK;
