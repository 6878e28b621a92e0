-- beta-likeness and delta-disclosure as promises: counted again in plain SQL, and refused by name where they cannot be
-- kept.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
CREATE TABLE people AS
SELECT i AS id, (i * 37 % 101)::int AS age, CASE WHEN i % 9 > 0 THEN i * 5 % 23 END AS gap, (i * i * 11 % 97)::float8 AS height,
  (ARRAY['a', 'b', 'c'])[1 + i * i % 7 % 3] AS illness, CASE WHEN i % 6 > 0 THEN (i * i + i) % 4 END AS score
FROM generate_series(1, 240) AS i;

-- By value and class, its shares p of all and q of the class.
CREATE FUNCTION pg_temp.shares(qi text[], sensitive text, OUT p float8, OUT q float8) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('WITH cells AS (SELECT dense_rank() OVER (ORDER BY %s) AS class, %I AS value FROM made)
    SELECT t.p, (SELECT avg((c.value IS NOT DISTINCT FROM t.value)::int)::float8 FROM cells AS c WHERE c.class = k.class)
    FROM (SELECT value, count(*) / sum(count(*)) OVER ()::float8 AS p FROM cells GROUP BY value) AS t
      CROSS JOIN (SELECT DISTINCT class FROM cells) AS k',
    (SELECT string_agg(quote_ident(name), ', ') FROM unnest(qi) AS name), sensitive);
END $$;

CREATE TABLE wish (nr int, method text, qi text[], sensitive text[], params jsonb);
INSERT INTO wish VALUES
  (1, 'microaggregate', '{age,height}', '{illness}', '{"beta": 0.5}'), (2, 'microaggregate', '{age}', '{score,illness}', '{"beta": 1}'),
  (3, 'microaggregate', '{age,height}', '{illness}', '{"delta": 0.7}'), (4, 'mondrian', '{age,height}', '{illness}', '{"beta": 0.8}'),
  (5, 'mondrian', '{age,height}', '{score}', '{"delta": 1}'), (6, 'mondrian', '{age}', '{illness}', '{"beta": 0.9, "delta": 0.9, "l": 2}'),
  (7, 'microaggregate', '{age,height}', '{illness}', '{"beta": 0.8, "recode": "range", "max_suppression": 0.05}'),
  (8, 'microaggregate', '{age,height}', '{illness}', '{"delta": 0.8, "block_size": 60, "recode": "median"}'),
  (9, 'microaggregate', '{gap,height}', '{illness}', '{"beta": 1, "nulls": "stratify"}');

CREATE FUNCTION pg_temp.check_release(nr int, method text, qi text[], sensitive text[], params jsonb) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  classes bigint;
  worst record;
  one text;
BEGIN
  SELECT f.classes INTO classes FROM anon_publish('made', 'people', qi, 4, method => method, sensitive => sensitive, params => params) AS f;
  RETURN NEXT cmp_ok(classes, '>', 1::bigint, format('%s: several classes', nr));
  FOREACH one IN ARRAY sensitive LOOP
    SELECT max((q - p) / p) AS gain, max((q - p) / p + ln(p)) AS excess, max(CASE WHEN q = 0 THEN 'Infinity' ELSE abs(ln(q / p)) END) AS delta
    INTO worst FROM pg_temp.shares(qi, one);
    RETURN NEXT ok(NOT params ? 'beta' OR (worst.gain <= (params->>'beta')::float8 + 1e-9 AND worst.excess <= 1e-9),
      format('%s: no share of %s grows by more', nr, one));
    RETURN NEXT ok(NOT params ? 'delta' OR worst.delta < (params->>'delta')::float8 + 1e-9, format('%s: nor changes by more', nr));
  END LOOP;
  PERFORM anon_drop('made');
END $$;
SELECT plan(41);
SELECT pg_temp.check_release(nr, method, qi, sensitive, params) FROM wish ORDER BY nr;

SELECT cmp_ok((SELECT count(DISTINCT class_id) FROM anon_microaggregate('people', '{age}', 4, sensitive => '{illness}', beta => 0.3)),
  '<', (SELECT count(DISTINCT class_id) FROM anon_microaggregate('people', '{age}', 4)), 'a look takes them by name');
SELECT rows FROM anon_publish('noted', 'people', '{age}', 4, sensitive => '{illness}', params => '{"beta": 0.5, "delta": 1}') \g /dev/null
SELECT matches(obj_description('noted'::regclass), 'enhanced 0.5-like, delta-disclosure private with delta = 1', 'the note names them');
SELECT lives_ok($$ SELECT anon_refresh('noted') $$, 'a refresh keeps them');

-- ---- Refusals by name ------------------------------------------------------------------------------

SELECT throws_like(format('SELECT anon_publish(''made'', ''people'', ''{age}'', 4, sensitive => ''{illness}'', method => %L, params => %L %s)',
  method, params, arguments), message, message)
FROM (VALUES
  ('microaggregate', '{"beta": 0}', '', '%beta%'),
  ('microaggregate', '{"delta": -1}', '', '%delta%'),
  ('tclose', '{"t": 0.5, "beta": 1}', '', '%beta%'),
  ('microaggregate', '{"beta": 1, "transparent": true}', '', 'enhanced beta-likeness cannot be combined with transparent'),
  ('microaggregate', '{"beta": 1, "n": 40, "t": 0.5}', '', '(n,t)-closeness cannot be combined with enhanced beta-likeness'),
  ('mondrian', '{"delta": 1, "n": 40, "t": 0.5}', '', '(n,t)-closeness cannot be combined with delta-disclosure'),
  ('microaggregate', '{"delta": 1, "unit": ["id"]}', '', 'delta-disclosure cannot be promised with a unit'),
  ('microaggregate', '{"beta": 1}', ', key => ''{id}''', 'enhanced beta-likeness cannot be combined with a key')) AS r (method, params, arguments, message);
SELECT throws_like($$ SELECT anon_publish('made', 'people', '{age}', 4, params => '{"delta": 1}') $$,
  'delta-disclosure needs a sensitive column', 'a sensitive column');
SELECT * FROM finish();
ROLLBACK;
