-- Releases do not depend on whether PostgreSQL reads the source in parallel.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

-- Two kept columns of one type hold each other's values in other rows.
CREATE TABLE people AS SELECT i AS id, i * 37 % 60 AS age, i * 11 % 90 AS km, i % 50 AS visits, (i + 25) % 50 AS stays, i % 7 AS illness, i % 2 AS part FROM generate_series(1, 2000) AS i;
CREATE VIEW source AS SELECT id, age, km, visits, stays, illness FROM people WHERE part = 1;
ANALYZE people;
CREATE FUNCTION pg_temp.plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$BEGIN RETURN QUERY EXECUTE 'EXPLAIN ' || query; END$$;
CREATE FUNCTION pg_temp.in_parallel(workers int) RETURNS void LANGUAGE sql AS $$
  SELECT set_config(name, '0', true) FROM unnest('{parallel_setup_cost,parallel_tuple_cost,min_parallel_table_scan_size}'::text[]) AS name;
  SELECT set_config('max_parallel_workers_per_gather', workers::text, true) $$;
CREATE FUNCTION pg_temp.rows_of(release regclass) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE result text; BEGIN EXECUTE format('SELECT md5(string_agg(r::text, E''\n'' ORDER BY ctid)) FROM %s AS r', release) INTO result; RETURN result; END $$;

SELECT pg_temp.in_parallel(2);
SELECT ok(EXISTS (SELECT FROM pg_temp.plan('SELECT age, km FROM source') AS line WHERE line ~ 'Gather'), 'the source is read in parallel');

SELECT lives_ok($$SELECT FROM anon_publish('swapped', 'source', '{age,km}', 5, sensitive => '{illness}', keep => '{visits,stays}',
  params => '{"recode": "swap"}', beside => 'ignore')$$, 'swapping publishes');
SELECT lives_ok($$SELECT anon_assert_swap('swapped')$$, 'is verified in parallel');
SELECT pg_temp.in_parallel(0);
SELECT lives_ok($$SELECT anon_assert_swap('swapped')$$, 'and without');

CREATE FUNCTION pg_temp.published(workers int, release text, asked text) RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_temp.in_parallel(workers);
    EXECUTE format($q$SELECT FROM anon_publish(%L, 'source', '{age,km}', 5, keep => '{visits,stays}', beside => 'ignore'%s)$q$, release, asked);
    RETURN pg_temp.rows_of(release::regclass);
  END $$;
SELECT is(pg_temp.published(0, 'alone' || n, asked), pg_temp.published(2, 'together' || n, asked), 'published in parallel' || asked)
  FROM unnest(ARRAY['', ', method => ''mondrian''', ', sensitive => ''{illness}'', l => 3', ', unit => ''{id}''', ', recode => ''range'', params => ''{"seed": 7}''']) WITH ORDINALITY AS u(asked, n);
SELECT pg_temp.in_parallel(0);
SELECT FROM anon_refresh('together1');
SELECT is(pg_temp.rows_of('together1'), pg_temp.rows_of('alone1'), 'a refresh without workers of what was published with some');

SELECT * FROM finish();
ROLLBACK;
