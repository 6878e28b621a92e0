-- Names work with any characters, in any schema, and under any search path.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(24);

-- Injection.
CREATE TABLE x (precious int);
CREATE TABLE "a""; DROP TABLE x; --" ("b"" c" int, "d'; DROP TABLE x; --" text, "%s %n %d" numeric, "é{}," date,
  "kept" int, source int, release int, rel int, masked text);
INSERT INTO "a""; DROP TABLE x; --"
SELECT i, 'v' || i, i, date '1999-12-31' + i, i, i, i, i, 'm' FROM generate_series(1, 9) AS i;
SELECT is((SELECT count(DISTINCT masked) FROM anon_mdav('"a""; DROP TABLE x; --"', ARRAY['b" c', '%s %n %d', 'é{},'], 3)),
  3::bigint, 'anon_mdav');
SELECT is((SELECT masked - 'é{},' FROM anon_mdav('"a""; DROP TABLE x; --"', ARRAY['é{},'], 9,
    keep => ARRAY['d''; DROP TABLE x; --', 'kept', 'source', 'release', 'rel', 'masked', 'b" c']) LIMIT 1),
  '{"d''; DROP TABLE x; --": "v1", "kept": 1, "source": 1, "release": 1, "rel": 1, "masked": "m", "b\" c": 1}'::jsonb,
  'kept columns with names that anonkit uses itself');
SELECT is((SELECT masked - 'b" c' FROM anon_mdav('"a""; DROP TABLE x; --"', ARRAY['b" c'], 9, keep => '{kept}') LIMIT 1),
  '{"kept": 1}'::jsonb, 'a single kept column called kept');
CREATE SCHEMA "An odd; schema""";
SELECT is((SELECT rows FROM anon_publish('"An odd; schema"""."r""; DROP TABLE x; --"', '"a""; DROP TABLE x; --"',
    ARRAY['b" c', 'é{},'], 3, sensitive => ARRAY['d''; DROP TABLE x; --'],
    keep => '{kept,source,release,rel,masked}')), 9::bigint, 'anon_publish');
SELECT is((SELECT rows FROM anon_refresh('"An odd; schema"""."r""; DROP TABLE x; --"')), 9::bigint, 'anon_refresh');
SELECT is((SELECT source FROM anon_releases WHERE release = '"An odd; schema"""."r""; DROP TABLE x; --"'::regclass),
  '"a""; DROP TABLE x; --"'::regclass, 'anon_releases');
SELECT is((SELECT count(*) FROM anon_audit('"An odd; schema"""."r""; DROP TABLE x; --"', ARRAY['b" c', 'é{},'],
    ARRAY['d''; DROP TABLE x; --'])), 12::bigint, 'anon_audit');
SELECT throws_like($$SELECT anon_mdav('x', ARRAY['precious", ctid FROM x; DROP TABLE x; --'], 1)$$, 'column % does not exist',
  'a column name is looked up, never run');
SELECT throws_ok($$SELECT anon_publish('r', 'x', '{precious}', 1, method => 'mdav(x); DROP TABLE x; --')$$, '22023',
  'unknown method "mdav(x); DROP TABLE x; --"', 'a method is looked up');
SELECT throws_ok($$SELECT anon_publish('r', 'x', '{precious}', 1, grant_to => ARRAY['postgres; DROP TABLE x; --'])$$,
  '42704', 'role "postgres; DROP TABLE x; --" does not exist', 'a role is looked up');
SELECT throws_ok($$SELECT anon_publish('r; DROP TABLE x; --', 'a', '{precious}', 1)$$);
SELECT lives_ok($$SELECT anon_drop('"An odd; schema"""."r""; DROP TABLE x; --"')$$, 'anon_drop');
SELECT has_table('x'::name, 'nothing was dropped');
CREATE TABLE long_name AS SELECT i AS aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggg FROM generate_series(1, 9) AS i;
SELECT is((SELECT count(*) FROM anon_mdav('long_name', ARRAY['AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDDDDDDDDEEEEEEEEEEFFFFFFFFFFGGGHHH'], 3)),
  9::bigint, 'a name is cut off where PostgreSQL cuts it off');

-- A schema before pg_catalog in which everything is something else.
CREATE TABLE people AS SELECT i AS id, i % 7 AS age, i * 3 % 11 AS pay, chr(65 + i % 3)::text AS job FROM generate_series(1, 50) AS i;
CREATE SCHEMA hostile;
CREATE FUNCTION hostile.wrong() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE 'the search path was followed'; END $$;
CREATE FUNCTION hostile.never(int, int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'the search path was followed'; END $$;
CREATE FUNCTION hostile.never(bigint, bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'the search path was followed'; END $$;
CREATE FUNCTION hostile.never(bigint, int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'the search path was followed'; END $$;
CREATE FUNCTION hostile.never("char", "char") RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'the search path was followed'; END $$;
CREATE OPERATOR hostile.= (LEFTARG = int, RIGHTARG = int, FUNCTION = hostile.never);
CREATE OPERATOR hostile.< (LEFTARG = int, RIGHTARG = int, FUNCTION = hostile.never);
CREATE OPERATOR hostile.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = hostile.never);
CREATE OPERATOR hostile.= (LEFTARG = bigint, RIGHTARG = int, FUNCTION = hostile.never);
CREATE OPERATOR hostile.= (LEFTARG = "char", RIGHTARG = "char", FUNCTION = hostile.never);
CREATE FUNCTION hostile.to_jsonb(anyelement) RETURNS pg_catalog.jsonb LANGUAGE sql AS $$SELECT '"hostile"'::pg_catalog.jsonb$$;
CREATE FUNCTION hostile.dense_rank() RETURNS bigint LANGUAGE sql AS $$SELECT 1::bigint$$;
CREATE FUNCTION hostile.anon_release(regclass, jsonb) RETURNS SETOF record LANGUAGE sql AS $$SELECT 1, 2$$;
CREATE FUNCTION hostile.anon_release_info(regclass) RETURNS int LANGUAGE sql AS $$SELECT 1$$;
CREATE TABLE hostile.people (id int, age text);
CREATE TABLE hostile.pg_class (oid oid, relkind "char");
CREATE TABLE hostile.pg_enum (enumlabel text);
CREATE DOMAIN hostile.jsonb AS pg_catalog.text;
CREATE DOMAIN hostile.regclass AS pg_catalog.text;
CREATE DOMAIN hostile.text AS pg_catalog.int4;
CREATE DOMAIN hostile.int4 AS pg_catalog.text;
CREATE TABLE friendly (what text, answer text);
INSERT INTO friendly SELECT 'look', masked::text || class_id FROM anon_mdav('people', '{age,pay}', 3, keep => '{job}');
SELECT anon_publish('friendly_release', 'people', '{age,pay}', 3, sensitive => '{job}');
INSERT INTO friendly SELECT 'release', r::text FROM friendly_release AS r;
INSERT INTO friendly SELECT 'audit', a::text FROM anon_audit('friendly_release', '{age,pay}', '{job}') AS a;

CREATE TABLE answers (what pg_catalog.text, answer pg_catalog.text);
SET search_path = hostile, pg_catalog, public;
INSERT INTO public.answers SELECT 'look', m.masked::pg_catalog.text || m.class_id
FROM public.anon_mdav('public.people', '{age,pay}', 3, keep => '{job}') AS m;
INSERT INTO public.answers SELECT 'published', p.rows::pg_catalog.text
FROM public.anon_publish('public.hostile_release', 'public.people', '{age,pay}', 3, sensitive => '{job}') AS p;
INSERT INTO public.answers SELECT 'refreshed', p.rows::pg_catalog.text FROM public.anon_refresh('public.hostile_release') AS p;
INSERT INTO public.answers SELECT 'release', r::pg_catalog.text FROM public.hostile_release AS r;
INSERT INTO public.answers SELECT 'audit', a::pg_catalog.text
FROM public.anon_audit('public.hostile_release', '{age,pay}', '{job}') AS a;
INSERT INTO public.answers SELECT 'listed', r.rows::pg_catalog.text FROM public.anon_releases AS r;
SELECT public.anon_assert('public.hostile_release', '{age,pay}', '{job}', k => 3);
RESET search_path;
SELECT is((SELECT string_agg(answer, ',' ORDER BY answer) FROM answers WHERE what = 'look'),
  (SELECT string_agg(answer, ',' ORDER BY answer) FROM friendly WHERE what = 'look'), 'a hostile search path: anon_mdav');
SELECT is((SELECT string_agg(answer, ',') FROM answers WHERE what = 'release'),
  (SELECT string_agg(answer, ',') FROM friendly WHERE what = 'release'), 'a hostile search path: the release');
SELECT is((SELECT string_agg(answer, ',') FROM answers WHERE what = 'audit'),
  (SELECT string_agg(answer, ',') FROM friendly WHERE what = 'audit'), 'a hostile search path: anon_audit');
SELECT is((SELECT string_agg(answer, ',') FROM answers WHERE what IN ('published', 'refreshed', 'listed')), '50,50,50,50',
  'a hostile search path: anon_publish, anon_refresh, anon_releases');

-- The extension in a separate schema, outside of every search path.
DROP EXTENSION anonkit CASCADE;
CREATE SCHEMA "An On";
CREATE EXTENSION anonkit SCHEMA "An On";
SELECT is((SELECT count(*) FROM "An On".anon_mdav('people', '{age,pay}', 3)), 50::bigint, 'elsewhere: anon_mdav');
SELECT is((SELECT rows FROM "An On".anon_publish('elsewhere', 'people', '{age,pay}', 3,
    method => 'mdav', params => '{"standardize": "range"}')), 50::bigint, 'elsewhere: anon_publish');
SELECT is((SELECT rows FROM "An On".anon_refresh('elsewhere')), 50::bigint, 'elsewhere: anon_refresh');
SELECT is((SELECT release::text FROM "An On".anon_releases), 'elsewhere', 'elsewhere: anon_releases');
REFRESH MATERIALIZED VIEW elsewhere;
SELECT lives_ok($$SELECT "An On".anon_assert('elsewhere', '{age,pay}', k => 3)$$, 'elsewhere: anon_assert');
SELECT lives_ok($$SELECT "An On".anon_drop('elsewhere')$$, 'elsewhere: anon_drop');
SELECT * FROM finish();
ROLLBACK;
