-- Transparent releases: by the judges of their definition, through SQL, and the withheld values.
BEGIN;
SELECT plan(45);
SET LOCAL client_min_messages = warning;

-- ---- simulate: every assignment of values to persons -----------------------------------------------

-- Eight persons with ties and duplicates; their values are assigned by the judge.
CREATE TABLE few (id int, x int, y int, kind text, job text);
INSERT INTO few SELECT i, (ARRAY[1, 1, 1, 2, 2, 6, 6, 9])[i], (ARRAY[1, 1, 2, 2, 2, 7, 7, 8])[i]
FROM generate_series(1, 8) AS i;

-- Each distinct order of a text of values, one letter a person.
CREATE FUNCTION pg_temp.assignments(letters text) RETURNS SETOF text LANGUAGE sql AS $$
  WITH RECURSIVE grown(placed, rest) AS (
    SELECT '', letters
    UNION
    SELECT placed || substr(rest, i, 1), overlay(rest PLACING '' FROM i FOR 1)
    FROM grown, generate_series(1, length(rest)) AS i)
  SELECT placed FROM grown WHERE rest = '' $$;

-- A letter is a kind; job goes with it in part: a, c and b, d.
CREATE FUNCTION pg_temp.assign(assignment text) RETURNS void LANGUAGE sql AS $$
  UPDATE few SET kind = nullif(substr(assignment, id, 1), 'd'),
    job = CASE WHEN substr(assignment, id, 1) IN ('a', 'c') THEN 'x' ELSE 'y' END $$;

CREATE TABLE worlds (assignment text, seed int, release text, classes int[]);

-- Releases every assignment under every seed. A person's class is null where the values are withheld; a release is
-- the set of its rows, without the persons in them.
CREATE FUNCTION pg_temp.simulate(letters text, seeds int, look text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one text;
  s int;
  rows text;
  places int[];
BEGIN
  DELETE FROM worlds;
  FOR one IN SELECT pg_temp.assignments(letters) LOOP
    PERFORM pg_temp.assign(one);
    FOR s IN 0 .. seeds - 1 LOOP
      BEGIN
        EXECUTE format('SELECT string_agg(masked::text, '' '' ORDER BY masked::text),
          array_agg(CASE WHEN masked -> ''kind'' <> ''null'' OR masked -> ''job'' <> ''null'' THEN class_id END ORDER BY few.id)
          FROM %s AS l JOIN few ON few.ctid = l.source', format(look, s)) INTO rows, places;
        INSERT INTO worlds VALUES (one, s, rows, places);
      EXCEPTION WHEN data_exception OR check_violation THEN
        NULL;
      END;
    END LOOP;
  END LOOP;
END $$;

-- The worst belief in a value of a published person beyond its frequency in the class. One adversary knows
-- quasi-identifiers alone, the other all values of other classes too. Both are exact, in integers.
CREATE FUNCTION pg_temp.excess(known_others boolean, OUT worst numeric, OUT published bigint) LANGUAGE sql AS $$
  WITH persons AS (
    SELECT w.release, w.assignment, i AS person, w.classes[i] AS class, substr(w.assignment, i, 1) AS value,
      CASE WHEN known_others THEN (SELECT string_agg(CASE WHEN w.classes[j] = w.classes[i] THEN '-'
        ELSE substr(w.assignment, j, 1) END, '' ORDER BY j) FROM generate_series(1, 8) AS j) ELSE '' END AS others,
      (SELECT string_agg(substr(w.assignment, j, 1), '' ORDER BY substr(w.assignment, j, 1))
       FROM generate_series(1, 8) AS j WHERE w.classes[j] = w.classes[i]) AS held
    FROM worlds AS w, generate_series(1, 8) AS i WHERE w.classes[i] IS NOT NULL),
  beliefs AS (
    SELECT value, held, count(*) AS times, sum(count(*)) OVER (PARTITION BY release, others, person, class) AS of
    FROM persons GROUP BY release, others, person, class, value, held)
  SELECT max(greatest(times::numeric * length(held) - of * (length(held) - length(replace(held, value, ''))), 0)
      / (of * length(held))), count(*) FROM beliefs $$;

CREATE FUNCTION pg_temp.judged(letters text, seeds int, look text, what text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  PERFORM pg_temp.simulate(letters, seeds, look);
  FOR found IN SELECT o.o, e.* FROM unnest('{false,true}'::boolean[]) AS o, pg_temp.excess(o) AS e LOOP
    RETURN NEXT ok(found.worst = 0 AND found.published > 100, format('%s: %s gains nothing (worst %s of %s beliefs)', what,
      CASE WHEN found.o THEN 'who knows the other classes' ELSE 'who knows quasi-identifiers' END, found.worst, found.published));
  END LOOP;
END $$;

SELECT pg_temp.judged('aaaabbcc', 2, $$anon_microaggregate('few', '{x,y}', 3, sensitive => '{kind}', l => 2,
  transparent => true, decoys => 0.3, seed => %s)$$, 'microaggregate');
SELECT pg_temp.judged('aaaabbdd', 1, $$anon_microaggregate('few', '{x,y}', 2, sensitive => '{kind,job}', p => 2,
  transparent => true, seed => %s)$$, 'microaggregate, two columns and nulls');
SELECT pg_temp.judged('aaaabbcc', 1, $$anon_microaggregate('few', '{x,y}', 2, sensitive => '{kind}', l => 2,
  transparent => true, adapt => 0.5, seed => %s)$$, 'microaggregate, adapted');
SELECT pg_temp.judged('aaaabbcc', 1, $$anon_mdav('few', '{x,y}', 3, sensitive => '{kind}', alpha => 0.67,
  transparent => true, seed => %s)$$, 'mdav');
SELECT pg_temp.judged('aaaabbcc', 1, $$anon_vmdav('few', '{x,y}', 3, sensitive => '{kind}', entropy_l => 1.5,
  transparent => true, seed => %s)$$, 'vmdav');
SELECT pg_temp.judged('aaaabbcc', 1, $$anon_mondrian('few', '{x,y}', 2, sensitive => '{kind}', l => 2, algorithm => 'best',
  refine => 'fast', transparent => true, seed => %s)$$, 'mondrian');

SELECT pg_temp.simulate('aaaabbcc', 1, $$anon_microaggregate('few', '{x,y}', 2, sensitive => '{kind}', l => 2, seed => %s)$$);
SELECT cmp_ok((pg_temp.excess(false)).worst, '>', 0.1, 'the usual search tells who knows quasi-identifiers');
SELECT cmp_ok((pg_temp.excess(true)).worst, '>', 0.1, 'and more who knows the other classes');

-- ---- shuffle: values change hands within published classes -----------------------------------------

CREATE TABLE many AS
SELECT i AS id, (i::bigint * i * 7919 % 31)::int AS x, (i * 104729 % 29)::int AS y,
  CASE WHEN i % 13 > 0 THEN (ARRAY['a', 'b', 'c', 'd', 'e'])[1 + (i::bigint * i % 101 * i % 17)::int % 5] END AS kind,
  (i * 31 % 7)::int AS job
FROM generate_series(1, 1000) AS i;

-- The classes of a look, and their members.
CREATE TABLE classes (id int, class_id int, place int);

CREATE FUNCTION pg_temp.shuffle(round int) RETURNS void LANGUAGE sql AS $$
  WITH dealt AS (
    SELECT c.id, o.kind, o.job FROM (
      SELECT id, class_id, row_number() OVER (PARTITION BY class_id ORDER BY hashint8extended(id, round)) AS place FROM classes) AS c
    JOIN (SELECT c.class_id, m.kind, m.job, row_number() OVER (PARTITION BY c.class_id ORDER BY m.id) AS place
          FROM classes AS c JOIN many AS m USING (id)) AS o USING (class_id, place))
  UPDATE many SET kind = d.kind, job = d.job FROM dealt AS d WHERE many.id = d.id $$;

-- All that a reader sees: the rows in their order, the figures and the comment, but for times.
CREATE FUNCTION pg_temp.published(method text, params jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  figures jsonb;
  seen text;
BEGIN
  EXECUTE 'SELECT to_jsonb(f) - ''seconds'' FROM anon_publish(''shuffled'', ''many'', ''{x,y}'', 5, method => $1,
    sensitive => ''{kind,job}'', params => $2) AS f' INTO figures USING method, params;
  SELECT md5(string_agg(s::text, E'\n' ORDER BY s.ctid)) INTO seen FROM shuffled AS s;
  seen := seen || figures::text || obj_description('shuffled'::regclass) ||
    regexp_replace(col_description('shuffled'::regclass, 1), '(seconds|built|oid|xid|writes)=\S+', '', 'g');
  PERFORM anon_drop('shuffled');
  RETURN seen;
END $$;

-- The number of distinct releases of 100 shuffles (fewer of the search, which takes longer). With adapt,
-- withheld values stay where they are: those of classes with equal cells belong to several sets.
CREATE FUNCTION pg_temp.distinct_releases(method text, params jsonb, rounds int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  first text;
  others bigint := 0;
BEGIN
  DELETE FROM classes;
  EXECUTE format('INSERT INTO classes SELECT id, class_id, 0 FROM anon_%s(''many'', ''{x,y}'', 5, sensitive => ''{kind,job}'', %s) AS l
    JOIN many ON many.ctid = l.source WHERE %L OR masked -> ''job'' <> ''null''', method,
    (SELECT string_agg(format('%I => %L', key, value), ', ') FROM jsonb_each_text(params)), NOT params ? 'adapt');
  first := pg_temp.published(method, params);
  FOR round IN 1 .. rounds LOOP
    PERFORM pg_temp.shuffle(round);
    others := others + (pg_temp.published(method, params) <> first)::int;
  END LOOP;
  RETURN others;
END $$;

SELECT is(pg_temp.distinct_releases('microaggregate', '{"l": 3, "transparent": true}', 100), 0::bigint,
  'microaggregate: 100 of 100 shuffles give the same rows, order, figures and comment');
SELECT is(pg_temp.distinct_releases('microaggregate', '{"alpha": 0.5, "transparent": true, "adapt": 0.05}', 10), 0::bigint,
  'so with adapt');
SELECT is(pg_temp.distinct_releases('mdav', '{"p": 3, "transparent": true}', 10), 0::bigint, 'so mdav');
SELECT is(pg_temp.distinct_releases('vmdav', '{"l": 3, "transparent": true}', 10), 0::bigint, 'so vmdav');
SELECT is(pg_temp.distinct_releases('mondrian', '{"l": 3, "transparent": true}', 10), 0::bigint, 'so mondrian');
SELECT cmp_ok(pg_temp.distinct_releases('microaggregate', '{"l": 3}', 3), '>', 0::bigint, 'the usual search gives others');

-- ---- Withheld values ---------------------------------------------------------------------------------

CREATE TABLE figures AS SELECT * FROM anon_publish('clear', 'many', '{x,y}', 5, sensitive => '{kind,job}', keep => '{id}',
  params => '{"l": 4}', transparent => true);
SELECT is((SELECT withheld FROM figures), (SELECT count(*) FROM clear WHERE kind IS NULL AND job IS NULL),
  'the figure counts the records withheld');
SELECT is((SELECT count(*) FROM (SELECT FROM clear GROUP BY x, y HAVING count(job) NOT IN (0, count(*))) AS c), 0::bigint,
  'a class withholds all its values or none');
SELECT ok(bool_and(c.kinds >= 4 AND c.jobs >= 4), 'published classes keep the promise; a null that is a value counts')
FROM (SELECT count(DISTINCT coalesce(kind, '-')) AS kinds, count(DISTINCT job) AS jobs FROM clear GROUP BY x, y
      HAVING count(job) > 0) AS c;
SELECT is((SELECT count(*) FROM clear JOIN many USING (id) WHERE clear.job IS NOT NULL
    AND (clear.kind IS DISTINCT FROM many.kind OR clear.job <> many.job)), 0::bigint, 'and publish the values of their records');
SELECT lives_ok($$ SELECT anon_assert('clear', '{x,y}', '{kind,job}', k => 5, l => 4, withheld => true) $$,
  'an audit that is told so ignores what is withheld');
SELECT throws_ok($$ SELECT anon_assert('clear', '{x,y}', '{kind,job}', k => 5, l => 4) $$, '23514', NULL,
  'one that is not takes null for a value');
SELECT is((SELECT (detail ->> 'withheld')::bigint FROM anon_audit('clear', '{x,y}', '{kind,job}', withheld => true)
    WHERE model = 'p-sensitivity' AND attribute = 'job'), (SELECT withheld FROM anon_release_info('clear')),
  'and counts them');
CREATE TABLE refreshed AS SELECT * FROM anon_refresh('clear');
SELECT is((SELECT withheld FROM refreshed), (SELECT count(*) FROM clear WHERE job IS NULL), 'a refresh withholds, too');
SELECT is((SELECT count(*) FROM anon_mdav('many', '{x,y}', 5, sensitive => '{job}', l => 5, transparent => true)
    WHERE masked -> 'job' = 'null'),
  (SELECT value::bigint FROM anon_evaluate('many', '{x,y}', 5, 'mdav', '{job}', '{"l": 5, "transparent": true}')
   WHERE measure = 'withheld'), 'a look shows them, an evaluation counts them');
SELECT cmp_ok((SELECT withheld FROM anon_publish('all_keep', 'many', '{x,y}', 50, sensitive => '{kind}', params => '{"l": 2}',
    transparent => true)), '<', 300::bigint, 'where all keep the promise, decoys withhold');
SELECT is((SELECT withheld FROM anon_publish('no_decoys', 'many', '{x,y}', 50, sensitive => '{kind}',
    params => '{"l": 2, "decoys": 0}', transparent => true)), 0::bigint, 'unless there are none');
SELECT is((SELECT sum(tried - consistent) FROM anon_replay('many', '{x,y}', 5, 'microaggregate', '{kind}',
    '{"l": 3, "transparent": true}', classes => 4, arrangements => 4)), 0::bigint, 'a replay tells nothing');

-- ---- Refusals ------------------------------------------------------------------------------------------

CREATE FUNCTION pg_temp.refused(params jsonb, message text, method text DEFAULT 'microaggregate') RETURNS text LANGUAGE sql AS $$
  SELECT throws_ok(format('SELECT * FROM anon_evaluate(''many'', ''{x,y}'', 5, %L, ''{kind}'', %L)', method, params), '22023', message,
    params::text) $$;
SELECT pg_temp.refused('{"t": 0.3, "transparent": true}', 't-closeness cannot be combined with transparent');
SELECT pg_temp.refused('{"q": 0.1, "p": 2, "transparent": true}', '(k,p,q,r)-anonymity cannot be combined with transparent');
SELECT pg_temp.refused('{"l": 2, "duplicates": "divide", "transparent": true}', 'duplicates ''divide'' cannot be combined with transparent');
SELECT pg_temp.refused('{"l": 2, "decoys": 0.1}', 'decoys, adapt and max_withheld need transparent');
SELECT pg_temp.refused('{"l": 2, "algorithm": "relaxed", "transparent": true}',
  'algorithm ''relaxed'' of method "mondrian" cannot be transparent', 'mondrian');
SELECT throws_ok($$ SELECT * FROM anon_publish('no', 'many', '{x,y}', 5, 'psensitive', '{kind}', params => '{"p": 2}', transparent => true) $$,
  '22023', 'method "psensitive" cannot be transparent', 'a method that looks at values');
SELECT throws_ok(format('SELECT * FROM anon_publish(''no'', ''many'', ''{x,y}'', 5, sensitive => ''{kind}'', key => ''{id}'', params => %L,
  transparent => true)', params), '22023', message || ' cannot be combined with transparent', 'a release over time: ' || message)
FROM (VALUES ('{"t": 0.3}', 't-closeness'), ('{"q": 0.1, "p": 2}', '(k,p,q,r)-anonymity'), ('{"l": 2, "unit": ["id"]}', 'a unit of persons'),
  ('{"l": 2, "adapt": 0.1}', 'adapt with a key'), ('{"l": 2, "max_withheld": 0.5}', 'max_withheld with a key'),
  ('{"alpha": 0.3}', 'an alpha below 2/k with a key')) AS refused(params, message);
SELECT throws_ok($$ SELECT * FROM anon_publish('no', 'many', '{x,y}', 5, sensitive => '{job}',
  params => '{"l": 5, "max_withheld": 0.01}', transparent => true) $$, NULL, 'too many sensitive values would be withheld',
  'more than may be withheld');

SELECT * FROM finish();
ROLLBACK;
