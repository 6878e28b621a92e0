
-- ---- form -----------------------------------------------------------------------------------------

-- It runs on the server where the part is. Promises are verified twice: by anon_release before a row is written, and by
-- an audit of what is written. A part that cannot keep them says so, and joins another.
CREATE FUNCTION anonkit_distributed_part(source regclass, target regclass, key int, spec jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  columns record;
  figures jsonb;
  squares float8;
  -- Persons cannot be counted in the published rows; anon_release has counted them.
  asked jsonb := (SELECT jsonb_object_agg(e.key, e.value) FROM jsonb_each(spec) AS e
    WHERE e.key = ANY ('{qi,k,sensitive,categories,protected,p,l}'::text[])
    OR NOT spec ? 'unit' AND e.key = ANY ('{entropy_l,c,alpha,e,risk_mean,risk_above,risk_threshold}'::text[]));
BEGIN
  ${require_schema}
  -- Shards are named, and the owner of their schema can put others in their places.
  PERFORM @extschema@.anonkit_distributed_own(source), @extschema@.anonkit_distributed_own(target);
  PERFORM set_config('citus.enable_manual_changes_to_shards', 'on', true);
  EXECUTE format('LOCK TABLE %s IN EXCLUSIVE MODE', target);
  EXECUTE format('DELETE FROM %s', target);
  -- A part that is refused keeps no rows of an earlier try.
  BEGIN
    SELECT string_agg(format('%I', name), ', ') AS names, string_agg(released, ', ') AS definitions INTO columns
    FROM @extschema@.anonkit_distributed_columns(source, spec) WHERE released IS NOT NULL;
    EXECUTE format('INSERT INTO %s (anon_part, %s) SELECT %s, made.* FROM @extschema@.anon_release(%L::regclass, %L::jsonb) AS made(%s)',
      target, columns.names, key, source, spec, columns.definitions);
    ${require_schema}
    figures := @extschema@.anonkit_distributed_figures();
    -- The loss is a share of this: the sum of squares around the part's own mean, on the scales of the whole.
    EXECUTE format('SELECT %s FROM %s AS t', (SELECT coalesce(string_agg(format('coalesce(var_samp(%s) * (count(*) - 1) / %s ^ 2, 0)',
        @extschema@.anonkit_distributed_number(name, type), spec -> 'scales' -> name ->> 'deviation'), ' + '), '0')
      FROM @extschema@.anonkit_distributed_columns(source, spec) WHERE role = 'quasi-identifier' AND spec -> 'scales' -> name ? 'deviation'), source)
    INTO squares;
    figures := figures || jsonb_build_object('squares', squares);
    ${require_schema}
    PERFORM @extschema@.anon_assert(target, withheld => coalesce((spec ->> 'transparent')::boolean, false), spec => asked);
    RETURN figures;
  EXCEPTION WHEN invalid_parameter_value OR check_violation THEN
    RETURN jsonb_build_object('refused', sqlerrm);
  END;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_part(regclass, regclass, int, jsonb) IS
'Internal: makes the rows of a part, in place of those that are there, and returns their figures.';

-- The neighbour in the tree of cuts, which the numbers of parts follow.
CREATE FUNCTION anonkit_distributed_join(state regclass, facts jsonb, refused int, reason text)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  parts regclass := (facts ->> 'parts')::oid;
  neighbour record;
  own record;
  columns text;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
  EXECUTE format('SELECT part, key FROM %s WHERE part > 0 AND joined IS NULL AND part <> $1 AND rows > 0
    ORDER BY abs(part - $1), part LIMIT 1', state) INTO neighbour USING refused;
  IF neighbour.part IS NULL THEN
    RAISE check_violation USING MESSAGE = 'the release was not made: ' || reason,
      DETAIL = 'All parts are joined already.', HINT = 'Promise less. A call with other options begins anew.';
  END IF;
  EXECUTE format('SELECT key, rows, t FROM %s WHERE part = $1', state) INTO own USING refused;
  SELECT string_agg(format('t.%I', attname), ', ' ORDER BY attnum) INTO columns
  FROM pg_attribute WHERE attrelid = parts AND attnum > 1 AND NOT attisdropped;
  -- From a single shard Citus would move the rows by way of the coordinator. The sum lets it look at all.
  EXECUTE format('INSERT INTO %s SELECT %s, %s FROM %s AS t WHERE t.anon_part + 0 = %s', parts, neighbour.key, columns, parts, own.key);
  EXECUTE format('DELETE FROM %s WHERE anon_part = %s', parts, own.key);
  EXECUTE format('UPDATE %s SET joined = $1, formed = true, rows = 0, facts = NULL WHERE part = $2', state) USING neighbour.part, refused;
  EXECUTE format('UPDATE %s SET formed = false, rows = rows + $1, t = least(t, $3), facts = NULL WHERE part = $2', state)
    USING own.rows, neighbour.part, own.t;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_join(regclass, jsonb, int, text) IS
'Internal: moves the rows of a part that cannot keep the promises to a neighbouring part.';

-- As many parts at a time as the layout says, on each server. Answers come back when all are done, and those that came
-- are kept. A part with replicas is formed in all of them at a time: the largest one that is left is the first of each server.
CREATE FUNCTION anonkit_distributed_form(state regclass, facts jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  parts regclass := (facts ->> 'parts')::oid;
  published regclass := (facts ->> 'rows')::oid;
  spec jsonb := (facts -> 'spec') || jsonb_build_object('scales', facts -> 'scales');
  wave record;
  answer record;
  failed jsonb;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
  EXECUTE format($query$
    WITH found AS (
      SELECT p.part, p.key, p.rows, p.t AS own_t, n.nodename, n.nodeport, of_parts.shardid AS source, of_rows.shardid AS target,
        row_number() OVER (PARTITION BY n.nodeid ORDER BY p.rows DESC, p.part) AS turn
      FROM %1$s AS p
      JOIN pg_dist_shard AS of_parts ON of_parts.logicalrelid = $1
       AND of_parts.shardid = get_shard_id_for_distribution_column($1, p.key)
      JOIN pg_dist_shard AS of_rows ON of_rows.logicalrelid = $2 AND of_rows.shardminvalue = of_parts.shardminvalue
      JOIN pg_dist_placement AS at ON at.shardid = of_parts.shardid
      JOIN pg_dist_node AS n ON n.groupid = at.groupid AND n.noderole = 'primary'
      WHERE p.part > 0 AND NOT p.formed)
    SELECT array_agg(part) AS parts, array_agg(nodename) AS names, array_agg(nodeport) AS ports,
      array_agg(@extschema@.anonkit_distributed_command('anonkit_distributed_part(a.source, a.target, a.key, a.spec)',
        format('%%L::pg_catalog.regclass AS source, %%L::pg_catalog.regclass AS target, %%s AS key, %%L::pg_catalog.jsonb AS spec',
        (SELECT format('%%I.%%I', (SELECT nspname FROM pg_namespace WHERE oid = relnamespace), relname || '_' || source) FROM pg_class WHERE oid = $1),
        (SELECT format('%%I.%%I', (SELECT nspname FROM pg_namespace WHERE oid = relnamespace), relname || '_' || target) FROM pg_class WHERE oid = $2),
        key, $4 || jsonb_strip_nulls(jsonb_build_object('t', own_t))))) AS commands
    FROM (SELECT * FROM found WHERE part NOT IN (SELECT part FROM found WHERE turn > $3) ORDER BY part) AS f$query$, state)
  INTO wave USING parts, published, (facts -> 'layout' ->> 'parallel')::int, spec;
  IF wave.parts IS NULL THEN
    RETURN facts || '{"step": "prove"}';
  END IF;
  FOR answer IN
    SELECT wave.parts[ordinality] AS part, node_name, node_port, success, result
    FROM master_run_on_worker(wave.names, wave.ports, wave.commands, true) WITH ORDINALITY
    -- A replica that failed undoes the success of another. Refused parts last: a neighbour that one joins must be formed anew.
    ORDER BY CASE WHEN NOT success OR result = '' THEN 1 WHEN result LIKE '{"refused"%' THEN 2 ELSE 0 END, part
  LOOP
    IF NOT answer.success OR answer.result = '' THEN
      ${require_schema}
      failed := coalesce(failed, jsonb_build_object('part', answer.part, 'server', answer.node_name || ':' || answer.node_port,
        'reason', @extschema@.anonkit_distributed_reason(answer.result)));
      EXECUTE format('UPDATE %s SET formed = false WHERE part = $1', state) USING answer.part;
    ELSIF answer.result::jsonb ? 'refused' THEN
      ${require_schema}
      PERFORM @extschema@.anonkit_distributed_join(state, facts, answer.part, answer.result::jsonb ->> 'refused');
    ELSE
      EXECUTE format('UPDATE %s SET formed = true, facts = $1 WHERE part = $2', state) USING answer.result::jsonb, answer.part;
    END IF;
  END LOOP;
  RETURN facts || CASE WHEN failed IS NULL THEN '{}' ELSE jsonb_build_object('failed', failed) END;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_form(regclass, jsonb) IS
'Internal: lets each server make the rows of its next parts.';

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
