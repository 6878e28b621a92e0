-- census.csv, k = 2, quasi-identifiers TAXINC and POTHVAL: the loss of 'best' after ten seconds, or
-- sixty on a busy machine. k, t and the loss are computed here by their definitions from the release.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(40);

CREATE TEMP TABLE target (sensitive text, t float8, loss float8);
INSERT INTO target VALUES ('FEDTAX', 0.05, 56), ('FEDTAX', 0.13, 44.5), ('FEDTAX', 0.21, 27.5), ('FEDTAX', 0.25, 24.5),
  ('FICA', 0.05, 32), ('FICA', 0.13, 15.5), ('FICA', 0.21, 5.6), ('FICA', 0.25, 4.0);

-- No value is rounded, and records stay identifiable.
CREATE TABLE original (id int, x float8, y float8, secret int);
CREATE TEMP TABLE released (LIKE original);

-- 100 * SSE / SST of the columns, each in units of its sample standard deviation.
CREATE FUNCTION pg_temp.loss() RETURNS float8 LANGUAGE sql AS $$
  SELECT 100 * sum(((o.x - r.x) / s1) ^ 2 + ((o.y - r.y) / s2) ^ 2) / (2 * (count(*) - 1))
  FROM original AS o JOIN released AS r USING (id),
    (SELECT stddev_samp(x) AS s1, stddev_samp(y) AS s2 FROM original) AS deviations
$$;

-- The greatest earth mover's distance of a class: 1/(m-1) * sum of |p_1 + .. + p_i - q_1 - .. - q_i|.
CREATE FUNCTION pg_temp.distance() RETURNS float8 LANGUAGE sql AS $$
  WITH classes AS (SELECT x, y, count(*) AS size FROM released GROUP BY 1, 2),
    shares AS (SELECT secret, count(*) / sum(count(*)) OVER () AS share FROM released GROUP BY 1),
    members AS (SELECT x, y, secret, count(*) AS records FROM released GROUP BY 1, 2, 3),
    moved AS (SELECT x, y, abs(sum(coalesce(records, 0) / size::numeric - share) OVER (PARTITION BY x, y ORDER BY secret)) AS mass
      FROM classes CROSS JOIN shares LEFT JOIN members USING (x, y, secret)),
    distances AS (SELECT sum(mass) / (SELECT count(*) - 1 FROM shares) AS distance FROM moved GROUP BY x, y)
  SELECT max(distance)::float8 FROM distances
$$;

CREATE FUNCTION pg_temp.check_best(target target) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  name text := format('%s, t = %s: ', target.sensitive, target.t);
  release text;
  seconds int;
BEGIN
  IF to_regclass('census') IS NULL THEN
    RETURN NEXT skip('there is no table census: set ANONKIT_DATA to the folder of census.csv', 5);
    RETURN;
  END IF;
  TRUNCATE original;
  EXECUTE format('INSERT INTO original SELECT row_number() OVER (), "TAXINC", "POTHVAL", %I FROM census', target.sensitive);
  FOREACH seconds IN ARRAY '{10,60}'::int[] LOOP
    release := lower(format('best_%s_%s_%s', target.sensitive, target.t * 100, seconds));
    PERFORM anon_publish(release, 'original', '{x,y}', 2, method => 'tclose', sensitive => '{secret}', keep => '{id}',
      params => jsonb_build_object('t', target.t, 'algorithm', 'best', 'refine_seconds', seconds));
    TRUNCATE released;
    EXECUTE format('INSERT INTO released SELECT id, x, y, secret FROM %I', release);
    EXIT WHEN pg_temp.loss() <= target.loss;
  END LOOP;
  RETURN NEXT cmp_ok(pg_temp.loss(), '<=', target.loss, name || 'the loss asked for');
  RETURN NEXT cmp_ok((SELECT min(size) FROM (SELECT count(*) AS size FROM released GROUP BY x, y) AS classes), '>=',
    2::bigint, name || 'k');
  RETURN NEXT cmp_ok(pg_temp.distance(), '<=', target.t + 1e-12, name || 't');
  RETURN NEXT lives_ok(format('SELECT anon_assert(%L, ''{x,y}'', ''{secret}'', k => 2, t => %s)', release, target.t),
    name || 'anon_assert agrees');
  RETURN NEXT ok(pg_temp.loss() <= (SELECT min(value) FROM unnest('{t_first,k_first,merge,sabre}'::text[]) AS algorithm,
      anon_evaluate('original', '{x,y}', 2, 'tclose', '{secret}', jsonb_build_object('t', target.t, 'algorithm', algorithm))
      WHERE measure = 'loss') + 1e-9, name || 'no more than any of the algorithms that it starts from');
END $$;

SELECT pg_temp.check_best(target) FROM target;

SELECT * FROM finish();
ROLLBACK;
