
-- ---- prove ----------------------------------------------------------------------------------------

-- The second judge: sums and counts by GROUP BY, which Citus computes where the rows are and merges. A class is within a
-- part. Readers see classes of two parts with equal cells as one, which keeps a promise that both keep.
-- The shares of the labels are few, so every server gets them. Labels that a class lacks count by their share.
CREATE FUNCTION anonkit_distributed_prove_t(facts jsonb, class text, renamed text)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  published regclass := (facts ->> 'rows')::oid;
  shares text;
  item text;
  greatest_t float8;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(published);
  shares := format('%I.%I', facts ->> 'schema', @extschema@.anonkit_distributed_stem(facts ->> 'name') || '_shares');
  FOR item IN SELECT jsonb_array_elements_text(facts -> 'spec' -> 'sensitive') LOOP
    EXECUTE format('CREATE TABLE %s (label text, share float8)', shares);
    PERFORM @extschema@.anonkit_distributed_private(shares), create_reference_table(shares::regclass);
    EXECUTE format('INSERT INTO %1$s SELECT label, n / sum(n) OVER () FROM
      (SELECT quote_nullable(t.%2$I::text) AS label, count(*)::float8 AS n FROM %3$s AS t GROUP BY 1) AS c', shares, item, published);
    EXECUTE format('SELECT max(t) FROM (SELECT (sum(abs(n / size - share)) + 1 - sum(share)) / 2 AS t
      FROM (SELECT %1$s, label, count(*)::float8 AS n, sum(count(*)) OVER (PARTITION BY %1$s) AS size
        FROM (SELECT %2$s, quote_nullable(t.%3$I::text) AS label FROM %4$s AS t) AS r GROUP BY %1$s, label) AS c
        JOIN %5$s AS s USING (label) GROUP BY %1$s) AS classes',
      class, renamed, item, published, shares) INTO greatest_t;
    EXECUTE format('DROP TABLE %s', shares);
    IF greatest_t > (facts -> 'spec' ->> 't')::float8 * (1 + 1e-9) THEN
      RAISE check_violation USING MESSAGE = format('the release was not made: t-closeness of column "%s" is not kept', item);
    END IF;
  END LOOP;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_prove_t(jsonb, text, text) IS
'Internal: the distance of each published class from all published rows, measured where the rows are.';

-- Persons cannot be counted in the published rows: for them the values are counted, and the rest is the workers' proof.
CREATE FUNCTION anonkit_distributed_prove_values(facts jsonb, class text, renamed text)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  published regclass := (facts ->> 'rows')::oid;
  spec jsonb := facts -> 'spec';
  item record;
  found record;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(published);
  FOR item IN
    SELECT c.name, CASE WHEN c.number THEN @extschema@.anonkit_distributed_number(c.name, c.type) ELSE 'NULL::float8' END AS number
    FROM @extschema@.anonkit_distributed_columns((facts ->> 'source')::oid::regclass, spec) AS c
    WHERE c.role = 'sensitive' AND NOT coalesce(spec -> 'protected', '{}') ? c.name
  LOOP
    EXECUTE format('SELECT min(l) AS l, max(alpha) AS alpha, min(entropy) AS entropy, max(c) AS c, min(e) AS e FROM (
      SELECT count(*) AS l, max(n) / sum(n) AS alpha, ln(sum(n)) - sum(n * ln(n)) / sum(n) AS entropy,
        coalesce(max(n) / sum(n) FILTER (WHERE place >= %6$s), ''Infinity'') AS c,
        coalesce(max(number) - min(number) + (abs(max(number)) + abs(min(number))) * 1e-15, 0) AS e
      FROM (SELECT %1$s, value, min(number) AS number, count(*)::float8 AS n, row_number() OVER (PARTITION BY %1$s ORDER BY count(*) DESC) AS place
        FROM (SELECT %2$s, t.%3$I AS value, %7$s AS number FROM %4$s AS t) AS r GROUP BY %1$s, value) AS v
      GROUP BY %1$s HAVING count(value) > 0 OR NOT %5$s) AS c',
      class, renamed, item.name, published, coalesce(spec ->> 'transparent', 'false'), coalesce((spec ->> 'l')::int, 1), item.number) INTO found;
    IF found.l < greatest((spec ->> 'l')::int, (spec ->> 'p')::int)
      OR NOT spec ? 'unit' AND (found.alpha > (spec ->> 'alpha')::float8 * (1 + 1e-9)
        OR exp(found.entropy) < (spec ->> 'entropy_l')::float8 * (1 - 1e-9) OR found.c >= (spec ->> 'c')::float8
        OR item.number <> 'NULL::float8' AND found.e < (spec ->> 'e')::float8 * (1 - 1e-9)) THEN
      RAISE check_violation USING MESSAGE = format('the release was not made: a promise on column "%s" is not kept', item.name);
    END IF;
  END LOOP;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_prove_values(jsonb, text, text) IS
'Internal: measures the promises on values of each published class, where the rows are.';

CREATE FUNCTION anonkit_distributed_prove(state regclass, facts jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  parts regclass := (facts ->> 'parts')::oid;
  published regclass := (facts ->> 'rows')::oid;
  spec jsonb := facts -> 'spec';
  k int := spec -> 'k';
  class text;
  renamed text;
  measured int := (SELECT count(*) FROM jsonb_each(facts -> 'scales') WHERE value ? 'deviation');
  only_numbers boolean;
  counted record;
  formed record;
  source_rows bigint;
  lost int;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
  -- A column may have any name, also those of the counts below, so columns of classes are renamed.
  -- The loss of labels, of weighted columns and on other scales is not a sum of those of the parts.
  SELECT 'c0, ' || string_agg('c' || c.place, ', '), 't.anon_part AS c0, ' || string_agg(format('t.%I AS c%s', c.name, c.place), ', '),
    NOT spec ?| '{weights,standardize}' AND measured > 0 AND bool_and(c.number)
  INTO class, renamed, only_numbers
  FROM @extschema@.anonkit_distributed_columns((facts ->> 'source')::oid::regclass, spec)
    WITH ORDINALITY AS c(name, type, copied, released, role, number, hashed, place) WHERE c.role = 'quasi-identifier';
  EXECUTE format('SELECT count(*) FROM %s', parts) INTO source_rows;
  IF source_rows <> (facts ->> 'source_rows')::bigint THEN
    RAISE data_corrupted USING MESSAGE = 'a server has lost rows that were copied to it',
      DETAIL = format('Of %s rows %s are left.', facts ->> 'source_rows', source_rows),
      HINT = format('DROP TABLE %s, %s, %s, and call again.', state, parts, published);
  END IF;
  -- A server that lost its last transactions makes these parts again.
  EXECUTE format('UPDATE %s AS p SET formed = false FROM %s AS q
    LEFT JOIN (SELECT anon_part, count(*) AS rows FROM %s GROUP BY anon_part) AS c ON c.anon_part = q.key
    WHERE q.part = p.part AND p.part > 0 AND p.joined IS NULL
    AND coalesce(c.rows, 0) <> p.rows - coalesce((p.facts ->> ''suppressed'')::float8, 0)', state, state, published);
  GET DIAGNOSTICS lost = ROW_COUNT;
  IF lost > 0 AND NOT facts ? 'again' THEN
    RETURN facts || '{"step": "form", "again": true}';
  END IF;
  EXECUTE format('SELECT coalesce(sum(n), 0) AS rows, count(*) AS classes, min(n) AS smallest_class, sum(n * n) AS dm,
    sum(n) FILTER (WHERE 1 / n::float8 > %s) AS at_risk FROM (SELECT count(*) AS n FROM (SELECT %s FROM %s AS t) AS r GROUP BY %s) AS c',
    coalesce((spec ->> 'risk_threshold')::float8, 0.09), renamed, published, class) INTO counted;
  EXECUTE format($query$SELECT coalesce(sum((facts ->> 'suppressed')::float8), 0) AS suppressed, min((facts ->> 'reproducible')::boolean::int) AS reproducible,
    sum((facts ->> 'ncp')::float8 * rows) / sum(rows) AS ncp, sum((facts ->> 'suppressed_cells')::float8) AS suppressed_cells,
    100 * sum((facts ->> 'loss')::float8 / 100 * (facts ->> 'squares')::float8) AS errors, sum((facts ->> 'coarsened_cells')::float8) AS coarsened_cells, sum((facts ->> 'withheld')::float8) AS withheld
    FROM %s WHERE part > 0 AND rows > 0$query$, state) INTO formed;
  IF counted.rows + formed.suppressed <> source_rows THEN
    RAISE check_violation USING MESSAGE = 'the release was not made: some rows were lost or written twice',
      DETAIL = format('Read were %s rows, published %s, suppressed %s.', source_rows, counted.rows, formed.suppressed);
  END IF;
  IF counted.smallest_class < k THEN
    RAISE check_violation USING MESSAGE = 'the release was not made: k-anonymity is not kept',
      DETAIL = format('The smallest class has %s rows.', counted.smallest_class);
  END IF;
  IF NOT spec ? 'unit' AND (counted.classes / counted.rows::float8 > (spec ->> 'risk_mean')::float8 * (1 + 1e-9)
    OR counted.at_risk / counted.rows::float8 > (spec ->> 'risk_above')::float8 * (1 + 1e-9)) THEN
    RAISE check_violation USING MESSAGE = 'the release was not made: a limit of the risk is not kept';
  END IF;
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_prove_values(facts, class, renamed);
  IF spec ? 't' THEN
    ${require_schema}
    PERFORM @extschema@.anonkit_distributed_prove_t(facts, class, renamed);
  END IF;
  RETURN facts || jsonb_build_object('step', 'show', 'figures', jsonb_strip_nulls(jsonb_build_object(
    'rows', counted.rows, 'classes', counted.classes, 'smallest_class', counted.smallest_class,
    'mean_class', counted.rows / counted.classes, 'dm', counted.dm, 'avg', counted.rows / counted.classes / k,
    'loss', CASE WHEN only_numbers THEN formed.errors / (source_rows - 1) / measured END, 'ncp', formed.ncp, 'suppressed', formed.suppressed, 'suppressed_cells', formed.suppressed_cells,
    'coarsened_cells', formed.coarsened_cells, 'withheld', formed.withheld, 'reproducible', formed.reproducible = 1)));
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_prove(regclass, jsonb) IS
'Internal: counts rows and measures promises on all published rows, where they are.';
