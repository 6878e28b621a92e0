-- Models of several relations as audits: k-map and delta-presence against a population, m-invariance of versions.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
SELECT setseed(0.6);

CREATE TABLE population AS
SELECT i AS id, (5 * random())::int AS age, (ARRAY['north', 'south', NULL])[ceil(3 * random() * random())] AS town
FROM generate_series(1, 300) AS i;
CREATE TABLE sample AS SELECT * FROM population WHERE random() < 0.3 AND age < 5;
CREATE VIEW crowds AS
SELECT p.age, p.town, count(s.id) AS n, count(*) AS crowd FROM population AS p LEFT JOIN sample AS s USING (id) GROUP BY p.age, p.town;
CREATE FUNCTION pg_temp.audited(name text, asked float8) RETURNS jsonb LANGUAGE sql AS $$
  SELECT a.detail || jsonb_build_object('level', round(a.level::numeric, 9))
  FROM anon_audit('sample', '{age,town}', asked => jsonb_build_object(name, asked), population => 'population') AS a WHERE a.model = name
$$;
SELECT is(pg_temp.audited('k-map', asked)->field, to_jsonb(value), format('k-map below %s: %s', asked, field))
FROM generate_series(1, 40, 13) AS asked, LATERAL (SELECT min(crowd) FILTER (WHERE n > 0) AS level,
  count(*) FILTER (WHERE n > 0 AND crowd < asked) AS classes, coalesce(sum(n) FILTER (WHERE n > 0 AND crowd < asked), 0) AS records FROM crowds) AS c,
LATERAL (VALUES ('level', level::numeric), ('classes_short', classes), ('records_short', records)) AS v (field, value);
SELECT is((pg_temp.audited('delta-presence: largest', asked)->>field)::numeric, value, format('delta-presence above %s: %s', asked, field))
FROM (VALUES (0.2), (0.3), (0.5)) AS a (asked), LATERAL (SELECT round(max(n::numeric / crowd), 9) AS level,
  count(*) FILTER (WHERE n::numeric / crowd > asked) AS classes, coalesce(sum(crowd) FILTER (WHERE n::numeric / crowd > asked), 0) AS records FROM crowds) AS c,
LATERAL (VALUES ('level', level), ('classes_short', classes), ('records_short', records)) AS v (field, value);
SELECT is((pg_temp.audited('delta-presence: least', asked)->>field)::numeric, value, format('delta-presence below %s: %s', asked, field))
FROM (VALUES (0.1), (0.3)) AS a (asked), LATERAL (SELECT round(min(n::numeric / crowd), 9) AS level,
  count(*) FILTER (WHERE n::numeric / crowd < asked) AS classes, coalesce(sum(crowd) FILTER (WHERE n::numeric / crowd < asked), 0) AS records FROM crowds) AS c,
LATERAL (VALUES ('level', level), ('classes_short', classes), ('records_short', records)) AS v (field, value);
SELECT is(a.detail->'population', to_jsonb(c.crowd), 'the worst class is named by its values')
FROM anon_audit('sample', '{age,town}', population => 'population') AS a, crowds AS c
WHERE a.model = 'k-map' AND (c.age::text, c.town) IS NOT DISTINCT FROM (a.detail->'class'->>'age', a.detail->'class'->>'town');
SELECT is((SELECT level FROM anon_audit('sample', '{age,town}', population => 'population') WHERE model = 'k-map'),
  (SELECT value FROM anon_risk('sample', '{age,town}', population => 'population') WHERE measure = 'k_map'), 'k-map is that of anon_risk');
SELECT is((SELECT detail ? 'class' FROM anon_audit('sample', '{age,town}', population => 'population') WHERE model = 'delta-presence: least'),
  false, 'a class of others alone has no values to show');
CREATE VIEW ranges AS SELECT int4range(age / 2 * 2, age / 2 * 2 + 2) AS age FROM sample;
SELECT is((SELECT detail->'class'->>'age' FROM anon_audit('ranges', '{age}', population => 'population') WHERE model = 'k-map'),
  (SELECT s.age::text FROM (SELECT DISTINCT age FROM ranges) AS s ORDER BY (SELECT count(*) FROM population AS p WHERE p.age <@ s.age) LIMIT 1),
  'a population that is not masked, and ranges');
SELECT throws_ok($$SELECT * FROM anon_audit('population', '{age}', population => 'sample')$$, '22000',
  'the population lacks records of the relation', 'a population that is none');
SELECT throws_ok($$SELECT * FROM anon_audit('sample', '{age}', unit => '{id}', population => 'population')$$, '0A000',
  'persons of a population cannot be counted', 'persons of a population');
SELECT is((SELECT count(*) FROM anon_audit('sample', '{age}') WHERE model LIKE 'delta-presence%'), 0::bigint, 'no population, no such rows');

-- m-invariance, against a count in plain SQL.
CREATE TABLE first AS SELECT id, id / 3 AS class, (id % 3 + (random() < 0.1)::int) AS value FROM generate_series(0, 89) AS id;
CREATE TABLE second AS SELECT id, id / 3 AS class, CASE WHEN id IN (10, 40) THEN 7 ELSE value END AS value FROM first WHERE id < 80;
CREATE VIEW signatures AS
SELECT version, class, count(*) AS n, array_agg(DISTINCT value) AS values FROM (SELECT 1 AS version, * FROM first UNION ALL SELECT 2, * FROM second) AS v
GROUP BY version, class;
CREATE VIEW invariance AS
SELECT s.version, s.class, s.n, CASE WHEN s.n > cardinality(s.values) OR EXISTS (
    SELECT FROM signatures AS o WHERE o.class = s.class AND o.values <> s.values) THEN 0 ELSE cardinality(s.values) END AS m FROM signatures AS s;
SELECT unnest(ARRAY[is((v.detail->>'classes_short')::bigint, count(*) FILTER (WHERE i.m < asked), format('classes below %s', asked)),
  is((v.detail->>'records_short')::bigint, coalesce(sum(i.n) FILTER (WHERE i.m < asked), 0)::bigint, format('records below %s', asked)),
  is(v.value, min(i.m)::float8, 'm'),
  ok(bool_or((i.version, i.class, i.m) = ((v.detail->>'version')::int, (v.detail->'class'->>'class')::int, v.value::int)), 'the worst class')])
FROM generate_series(1, 4) AS asked, anon_audit_versions('{first,second}', '{class}', '{value}', '{id}', asked => asked) AS v, invariance AS i
WHERE v.measure = 'm-invariance' GROUP BY asked, v.value, v.detail;
SELECT is((SELECT detail ? 'asked' FROM anon_audit_versions('{first}', '{class}', '{value}', '{id}') WHERE measure = 'm-invariance'), false,
  'nothing is counted that is not asked');

-- The mean of three persons and that of two of them tell that of the third; labels and ranges tell no number.
CREATE TABLE threes AS SELECT id, CASE WHEN id < 4 THEN 7 ELSE 8 END AS number, id % 2 AS value FROM generate_series(1, 5) AS id;
CREATE TABLE twos AS SELECT id, CASE WHEN id < 3 THEN 6 ELSE 9 END AS number, value FROM threes;
SELECT is((SELECT value FROM anon_audit_versions('{threes,twos}', '{number}', '{value}', '{id}') WHERE measure ~ 'solved'), 20::float8,
  'one of five is solved');
ALTER TABLE threes ALTER number TYPE int4range USING int4range(number, 10);
ALTER TABLE twos ALTER number TYPE text;
SELECT is((SELECT value FROM anon_audit_versions('{threes,twos}', '{number}', '{value}', '{id}') WHERE measure ~ 'solved'), NULL,
  'nobody by labels and ranges');
SELECT * FROM finish();
ROLLBACK;
