
-- ---- Choose: the roles of columns, and a comparison of methods ----------------------------------

CREATE FUNCTION anon_profile(tbl regclass)
RETURNS TABLE (
  column_name text, type text, distinct_values bigint, nulls bigint, distinction float8, separation float8,
  uniques_added bigint, role text, reason text)
LANGUAGE plpgsql STABLE PARALLEL SAFE COST 100000 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  total bigint;
  named record;
  figures record;
  profiles jsonb[] := '{}';
  profile jsonb;
  quasi text[] := '{}';
  others text[];
  with_it bigint;
  without_it bigint;
  grouped CONSTANT text := 'SELECT count(*) FROM (SELECT FROM %s GROUP BY %s HAVING count(*) = 1) AS u';
BEGIN
  -- A regclass may be any number.
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = tbl) THEN
    RAISE EXCEPTION 'relation with OID % does not exist', tbl::oid USING ERRCODE = 'undefined_table';
  END IF;
  EXECUTE format('SELECT count(*) FROM %s', tbl) INTO total;
  FOR named IN
    SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, t.typcategory AS category,
      t.oid IN ('json'::regtype, 'jsonb'::regtype, 'xml'::regtype, 'bytea'::regtype) AS document,
      t.oid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) AS whole,
      -- Types without equality are compared by their texts.
      quote_ident(a.attname) || CASE WHEN t.oid IN ('json'::regtype, 'xml'::regtype) OR t.typcategory = 'G'
        THEN '::text' ELSE '' END AS expression
    FROM pg_attribute AS a
    JOIN pg_type AS d ON d.oid = a.atttypid
    JOIN pg_type AS t ON t.oid = CASE WHEN d.typtype = 'd' THEN d.typbasetype ELSE d.oid END
    WHERE a.attrelid = tbl AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum
  LOOP
    EXECUTE format(
      'SELECT count(*) FILTER (WHERE NOT missing) AS values, coalesce(sum(n) FILTER (WHERE missing), 0) AS nulls,'
      ' coalesce(sum(n::numeric * n), 0) AS squares,'
      ' coalesce(avg(length) FILTER (WHERE NOT missing), 0) AS length'
      ' FROM (SELECT count(*) AS n, v IS NULL AS missing, length(v::text) AS length'
      ' FROM (SELECT %s AS v FROM %s) AS c GROUP BY v) AS g', named.expression, tbl)
    INTO figures;
    profile := jsonb_build_object('name', named.name, 'type', named.type, 'expression', named.expression,
      'values', figures.values, 'nulls', figures.nulls,
      'distinction', CASE WHEN total > 0 THEN figures.values::float8 / total ELSE 0 END,
      'separation', CASE WHEN total > 1
        THEN (1 - (figures.squares - total) / (total::numeric * (total - 1)))::float8 ELSE 0 END);
    profile := profile || CASE
      WHEN named.document OR (named.category = 'S' AND figures.length > 40) THEN
        '{"role": "free text", "reason": "long texts or documents may say anything: leave it out"}'::jsonb
      WHEN named.name ~* '(^|_)(ssn|email|e_mail|phone|iban|passport|firstname|lastname|surname|name)($|_)' THEN
        '{"role": "identifier", "reason": "its name is that of an identifier"}'::jsonb
      WHEN total > 1 AND figures.values > 0.95 * (total - figures.nulls) AND figures.nulls < total
        AND (named.category IN ('S', 'U') OR (named.whole AND figures.values = total)) THEN
        '{"role": "identifier", "reason": "nearly every record has a value of its own"}'::jsonb
      WHEN named.name ~*
        '(diagnos|disease|illness|drug|therapy|health|salary|income|wage|debt|religio|politic|ethnic|crim|sexual)'
      THEN '{"role": "sensitive", "reason": "its name is that of a sensitive attribute"}'::jsonb
      WHEN figures.values <= 1 THEN
        '{"role": "quasi-identifier", "reason": "it has one value and tells nobody apart: keeping it costs nothing"}'::jsonb
      ELSE
        '{"role": "quasi-identifier", "reason": "others may know it, and it tells records apart"}'::jsonb END;
    profiles := profiles || profile;
    IF profile ->> 'role' = 'quasi-identifier' THEN
      quasi := quasi || (profile ->> 'expression');
    END IF;
  END LOOP;
  FOREACH profile IN ARRAY profiles LOOP
    -- Counts the records that are unique by the quasi-identifiers with this column, and without it.
    others := array_remove(quasi, profile ->> 'expression');
    EXECUTE format(grouped, tbl, array_to_string(others || (profile ->> 'expression'), ', ')) INTO with_it;
    IF cardinality(others) > 0 THEN
      EXECUTE format(grouped, tbl, array_to_string(others, ', ')) INTO without_it;
    ELSE
      without_it := (total = 1)::int;
    END IF;
    RETURN QUERY SELECT profile ->> 'name', profile ->> 'type', (profile ->> 'values')::bigint,
      (profile ->> 'nulls')::bigint, (profile ->> 'distinction')::float8, (profile ->> 'separation')::float8,
      with_it - without_it, profile ->> 'role', profile ->> 'reason';
  END LOOP;
END
$$;

COMMENT ON FUNCTION anon_profile(regclass) IS
'The figures of each column of a table: distinct values, nulls, distinction (distinct values over records), '
'separation (the share of pairs of records with different values), the records that are unique by the '
'quasi-identifiers with it but not without it, and a proposed role: identifier, quasi-identifier, sensitive, '
'or free text to leave out, with the reason. The proposal uses names, types and counts; an expert on the data'
' must decide.';

CREATE FUNCTION anon_sweep(
  tbl regclass,
  qi text[],
  ks int[],
  methods text[] DEFAULT '{microaggregate}',
  sensitive text[] DEFAULT '{}',
  params jsonb DEFAULT '{}')
RETURNS TABLE (
  method text, k int, parameters jsonb, loss float8, ncp float8, risk_max float8, risk_mean float8, classes bigint,
  suppressed bigint, seconds float8, on_frontier boolean, error text)
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED COST 1000000 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  one record;
  figures jsonb;
  failure text;
  found jsonb[] := '{}';
BEGIN
  FOR one IN
    SELECT m.method, c.k, p.value AS params
    FROM unnest(methods) WITH ORDINALITY AS m (method, place)
    CROSS JOIN unnest(ks) WITH ORDINALITY AS c (k, place)
    CROSS JOIN jsonb_array_elements(CASE jsonb_typeof(params) WHEN 'array' THEN params
      ELSE jsonb_build_array(params) END) WITH ORDINALITY AS p (value, place)
    ORDER BY m.place, p.place, c.place
  LOOP
    figures := '{}';
    failure := NULL;
    BEGIN
      SELECT jsonb_object_agg(e.measure, e.value) INTO figures
      FROM @extschema@.anon_evaluate(tbl, qi, one.k, one.method, sensitive, one.params) AS e;
    EXCEPTION
      -- An infeasible combination gets a row of its own.
      WHEN data_exception OR check_violation THEN
        failure := SQLERRM;
    END;
    found := found || (figures || jsonb_build_object('method', one.method, 'k', one.k, 'params', one.params,
      'error', failure));
  END LOOP;
  RETURN QUERY
  WITH swept AS (
    SELECT place, f ->> 'method' AS method, (f ->> 'k')::int AS k, f -> 'params' AS params,
      (f ->> 'loss')::float8 AS loss, (f ->> 'NCP')::float8 AS ncp,
      1 / nullif((f ->> 'smallest_class')::float8, 0) AS risk_max,
      (f ->> 'classes')::float8 / nullif((f ->> 'rows')::float8 - (f ->> 'suppressed')::float8, 0) AS risk_mean,
      (f ->> 'classes')::float8::bigint AS classes, (f ->> 'suppressed')::float8::bigint AS suppressed,
      (f ->> 'seconds')::float8 AS seconds, f ->> 'error' AS error
    FROM unnest(found) WITH ORDINALITY AS u (f, place)),
  costed AS (SELECT s.*, s.loss IS NULL AS by_ncp, coalesce(s.loss, s.ncp) AS cost FROM swept AS s)
  SELECT c.method, c.k, c.params, c.loss, c.ncp, c.risk_max, c.risk_mean, c.classes, c.suppressed, c.seconds,
    c.cost IS NOT NULL AND NOT EXISTS (
      SELECT FROM costed AS o
      WHERE o.by_ncp = c.by_ncp AND o.cost <= c.cost AND o.risk_mean <= c.risk_mean
        AND (o.cost < c.cost OR o.risk_mean < c.risk_mean)), c.error
  FROM costed AS c ORDER BY c.place;
END
$$;

COMMENT ON FUNCTION anon_sweep(regclass, text[], int[], text[], text[], jsonb) IS
'Evaluates each combination of methods, ks and parameters (params, an object or an array of objects) without '
'a release: loss, NCP, the largest and the mean re-identification risk, classes, suppressed records and '
'seconds. on_frontier is true if no other combination has both less loss (NCP for a method without squared '
'loss) and less mean risk. An infeasible combination has its error instead of figures.';
