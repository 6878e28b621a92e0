-- Code of a source or an index that refreshes the release or set that is being refreshed, or drops a type.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE SCHEMA ward;
-- A command that the next row read runs, once.
CREATE TABLE ward.planned (command text);
CREATE FUNCTION ward.run() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE planned text;
BEGIN
  DELETE FROM ward.planned RETURNING command INTO planned;
  IF planned IS NOT NULL THEN EXECUTE planned; END IF;
  RETURN true;
END $$;
CREATE FUNCTION ward.indexed(age int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN PERFORM ward.run(); RETURN age; END $$;
CREATE TABLE ward.people AS SELECT i AS id, i * i % 23 AS age, i % 7 AS days FROM generate_series(1, 120) AS i;
ALTER TABLE ward.people ADD PRIMARY KEY (id);
CREATE TABLE ward.stays AS SELECT i AS stay, 1 + i * 7 % 120 AS person, i % 3 AS days FROM generate_series(1, 200) AS i;
ALTER TABLE ward.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (person) REFERENCES ward.people;
CREATE VIEW ward.circle AS SELECT * FROM ward.people WHERE ward.run();
CREATE VIEW ward.stays_seen AS SELECT * FROM ward.stays WHERE ward.run();
CREATE FUNCTION ward.tables() RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"ward.people": {"qi": ["age"]},
  "ward.stays_seen": {"qi": ["days"], "parent": "ward.people", "parent_key": ["person"]}}'::jsonb $$;

SELECT FROM anon_publish('ward.plain', 'ward.circle', '{age}', 4, keep => '{id}');
CREATE UNIQUE INDEX ON ward.plain (id);
SELECT FROM anon_publish('ward.indexed', 'ward.people', '{age}', 4, recode => 'centroid');
CREATE INDEX ON ward.indexed (ward.indexed(age::int));
SELECT FROM anon_publish('ward.swapped', 'ward.circle', '{age,days}', 4, params => '{"recode": "swap"}');
SELECT FROM anon_publish('ward.keyed', 'ward.circle', '{age}', 4, key => '{id}', beside => 'ignore');
SELECT FROM anon_publish_set('whole', ward.tables(), k => 3);
SELECT FROM anon_publish_set('grown', ward.tables(), k => 3, key => '{id}');

-- The error of a refresh within one, and the refresh after it.
CREATE FUNCTION ward.refused(call text, what text, name text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ward.planned VALUES ('SELECT FROM public.' || call);
  RETURN NEXT throws_ok('SELECT FROM ' || call, '55006', format('%s "%s" is being refreshed by this session', what, name), call || ' within itself');
  DELETE FROM ward.planned;
  RETURN NEXT lives_ok('SELECT FROM ' || call, call || ' works afterwards');
END $$;
INSERT INTO ward.people SELECT i, i * i % 23, i % 7 FROM generate_series(121, 160) AS i;
INSERT INTO ward.stays SELECT i, i - 100, i % 3 FROM generate_series(221, 260) AS i;
SELECT ward.refused(format('anon_refresh(%L)', 'ward.' || name), 'release', name) FROM unnest('{plain,indexed,swapped,keyed}'::text[]) AS name;
SELECT ward.refused(format('anon_refresh(%L, true)', 'ward.plain'), 'release', 'plain');
SELECT ward.refused(format('anon_refresh_set(%L)', name), 'set', name) FROM unnest('{whole,grown}'::text[]) AS name;

-- Another release may be refreshed meanwhile.
INSERT INTO ward.planned VALUES ('SELECT FROM public.anon_refresh(''ward.plain'')');
SELECT lives_ok($$SELECT FROM anon_refresh('ward.swapped')$$, 'another release is refreshed within');
-- A handler of the function ends the inner call alone.
INSERT INTO ward.planned VALUES ('DO $d$ BEGIN PERFORM public.anon_refresh(''ward.swapped''); EXCEPTION WHEN object_in_use THEN NULL; END $d$');
SELECT lives_ok($$SELECT FROM anon_refresh('ward.swapped')$$, 'a refusal may be handled');
SELECT lives_ok($$SELECT anon_assert_swap('ward.swapped')$$, 'and the release is as verified');

-- Code that drops a type of the columns that are read.
CREATE TYPE ward.mood AS ENUM ('sad', 'fine', 'glad');
CREATE DOMAIN ward.days AS int;
CREATE TABLE ward.moods AS SELECT i AS id, i * i % 23 AS age, (enum_range(NULL::ward.mood))[1 + i % 3] AS mood, (i % 5)::ward.days AS days FROM generate_series(1, 100) AS i;
CREATE VIEW ward.seen AS SELECT * FROM ward.moods WHERE ward.run();
CREATE FUNCTION ward.dropped(type text, call text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ward.planned VALUES (format('DROP TYPE ward.%I CASCADE', type));
  RETURN NEXT throws_ok('SELECT FROM ' || call, '42704', 'a type was dropped during the call', type || ' is dropped in ' || call);
  DELETE FROM ward.planned;
END $$;
SELECT ward.dropped(type, call) FROM unnest('{mood,days}'::text[]) AS type, unnest(ARRAY[$$anon_publish('ward.r', 'ward.seen', '{age}', 3, keep => '{mood,days}')$$,
  $$anon_audit('ward.seen', '{age,mood}', '{days}')$$, $$anon_profile('ward.seen')$$, $$anon_mdav('ward.seen', '{age}', 3, keep => '{mood,days}')$$,
  $$anon_risk('ward.seen', '{age,mood,days}')$$]) AS call;
SELECT ward.dropped('mood', $$anon_publish('ward.r', 'ward.seen', '{age,mood}', 3)$$);
SELECT * FROM finish();
ROLLBACK;
