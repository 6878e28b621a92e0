-- MDAV on the reference files of the literature. The loss, computed here from the result of
-- anon_mdav, equals the published one, and classes have k to 2k-1 records. The papers divide equal
-- records, as here. The losses of a generated table of the shape of census.csv were measured when it was made.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
CREATE TEMP TABLE target (file text, columns text, k int, loss numeric);
INSERT INTO target VALUES
  ('census', '', 3, 5.692186), ('census', '', 5, 9.088435), ('census', '', 10, 14.155930),
  ('tarragona', '', 3, 16.932588), ('tarragona', '', 5, 22.461860), ('tarragona', '', 10, 33.192885),
  ('eia', '^(UTILITYID|.*REVENUE|.*SALES)$', 3, 0.482939), ('eia', '^(UTILITYID|.*REVENUE|.*SALES)$', 5, 1.666675),
  ('eia', '^(UTILITYID|.*REVENUE|.*SALES)$', 10, 3.839670), ('generated_census', '', 3, 6.797297),
  ('generated_census', '', 5, 12.169633), ('generated_census', '', 10, 21.111195);
\ir ../data/generated.sql

CREATE FUNCTION pg_temp.quasi_identifiers(file text, columns text) RETURNS text[] LANGUAGE sql AS $$
  SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute
  WHERE attrelid = to_regclass(file) AND attnum > 0 AND NOT attisdropped AND attname ~* columns
$$;

-- A copy of the file without anything that would be rounded.
CREATE FUNCTION pg_temp.exact_copy(file text, qi text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DROP TABLE IF EXISTS exact;
  EXECUTE format('CREATE TEMP TABLE exact AS SELECT %s FROM %I',
    (SELECT string_agg(format('%I::float8', name), ', ') FROM unnest(qi) AS name), file);
END $$;

-- 100 * SSE / SST of the columns, each in units of its sample standard deviation.
CREATE FUNCTION pg_temp.loss(qi text[], k int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE answer numeric;
BEGIN
  EXECUTE format($q$
    WITH masked AS (
      SELECT %1$s FROM exact AS e JOIN anon_mdav('exact', %2$L, %3$s, duplicates => 'divide') AS m ON m.source = e.ctid),
    deviation AS (SELECT %4$s FROM exact)
    SELECT round((100 * sum(%5$s) / ((count(*) - 1) * %6$s))::numeric, 6) FROM masked, deviation$q$,
    (SELECT string_agg(format('e.%1$I AS x%2$s, (m.masked->>%1$L)::float8 AS m%2$s', name, i), ', ')
     FROM unnest(qi) WITH ORDINALITY AS q (name, i)), qi, k,
    (SELECT string_agg(format('stddev_samp(%I) AS s%s', name, i), ', ') FROM unnest(qi) WITH ORDINALITY AS q (name, i)),
    (SELECT string_agg(format('((x%1$s - m%1$s) / s%1$s) ^ 2', i), ' + ') FROM generate_series(1, cardinality(qi)) AS i),
    cardinality(qi)) INTO answer;
  RETURN answer;
END $$;

CREATE FUNCTION pg_temp.check_file(file text, columns text, k int, target numeric) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
  qi text[] := pg_temp.quasi_identifiers(file, columns);
  found record;
BEGIN
  IF qi IS NULL THEN
    RETURN NEXT skip('optional reference data: ' || file, 5);
    RETURN;
  END IF;
  PERFORM pg_temp.exact_copy(file, qi);
  RETURN NEXT is(pg_temp.loss(qi, k), target, format('%s k=%s: loss', file, k));
  SELECT min(n) AS smallest, max(n) AS largest, sum(n) AS records,
         bool_and(same_value AND n = size) AS sound INTO found
  FROM (SELECT class_id, count(*) AS n, min(class_size) AS size, count(DISTINCT masked) = 1 AS same_value
        FROM anon_mdav('exact', qi, k, duplicates => 'divide') GROUP BY class_id) AS classes;
  -- eia has many equal records: their classes come out equal, and are united.
  RETURN NEXT ok(found.smallest >= k AND (found.largest < 2 * k OR file = 'eia'),
                 format('%s k=%s: classes of k to 2k-1 records', file, k));
  RETURN NEXT is(found.records, (SELECT count(*) FROM exact)::numeric, format('%s k=%s: no record is lost', file, k));
  RETURN NEXT is((SELECT round(value::numeric, 6) FROM anon_evaluate('exact', qi, k, method => 'mdav',
      params => '{"duplicates": "divide"}') WHERE measure = 'loss'), target,
    format('%s k=%s: the loss that anon_evaluate reports is the same', file, k));
  RETURN NEXT ok(found.sound, format('%s k=%s: one masked value and one size a class', file, k));
END $$;

SELECT plan(60);
SELECT pg_temp.check_file(file, columns, k, loss) FROM target ORDER BY file, k;
SELECT * FROM finish();
ROLLBACK;
