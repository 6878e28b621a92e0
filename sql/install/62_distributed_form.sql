
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
