
-- ---- Releases of tables that Citus distributes ----------------------------------------------------
--
-- Citus places, moves and runs; a part of the table is a shard, and the ordinary anon_release makes its rows on the server
-- where it is. Steps: spread (learn parts from a sample, move each row to its part), form (rows of the release, part by
-- part), prove, show. Each is a transaction, so a call after a failure goes on where the last one ended.
--
-- NAME_state  the steps: a row for each part, and one of part 0 for the whole
-- NAME_parts  the source's columns, distributed by part
-- NAME_rows_N the published rows of version N, at the places of their parts; NAME is a view of them
--
-- All are tables of the caller. The first two are dropped when the release is shown.
--
-- Functions that only these calls use are named anonkit_..., so that lists of anon_* do not show them.

CREATE FUNCTION anonkit_distributed_query(release regclass, OUT source regclass, OUT spec jsonb, OUT layout jsonb, OUT rows regclass)
AS 'MODULE_PATHNAME', 'anonkit_distributed_query'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anonkit_distributed_query(regclass) IS
'Internal: what the query of a distributed release names; null for any other relation.';

CREATE FUNCTION anonkit_distributed_options(${arguments})
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anonkit_distributed_options'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anonkit_distributed_options(${types}) IS
'Internal: the options of anon_publish_distributed as one value, checked.';

CREATE FUNCTION anonkit_distributed_columns(tbl regclass, spec jsonb)
RETURNS TABLE (name text, type text, released text, role text, number boolean)
AS 'MODULE_PATHNAME', 'anonkit_distributed_columns'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100 ROWS 10;

COMMENT ON FUNCTION anonkit_distributed_columns(regclass, jsonb) IS
'Internal: the columns of a table that a release reads, and their definitions in the release.';

CREATE FUNCTION anonkit_distributed_figures()
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anonkit_distributed_figures'
LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 10;

COMMENT ON FUNCTION anonkit_distributed_figures() IS
'Internal: the figures of the last rows that anon_release made in this session.';

CREATE FUNCTION anonkit_distributed_note(release regclass, figures jsonb)
RETURNS void
AS 'MODULE_PATHNAME', 'anonkit_distributed_note'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100;

COMMENT ON FUNCTION anonkit_distributed_note(regclass, jsonb) IS
'Internal: notes the figures of a distributed release.';

-- Column `name` of alias t as a number, of any base type that anonkit takes for numbers.
CREATE FUNCTION anonkit_distributed_number(name text, type text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
SELECT CASE
  WHEN type = 'date' THEN format('(extract(epoch FROM t.%I)::float8 / 86400)', name)
  WHEN type LIKE 'timestamp%' THEN format('extract(epoch FROM t.%I)::float8', name)
  WHEN type LIKE 'numeric%' THEN format('least(greatest(t.%I, -1e300), 1e300)::float8', name)
  ELSE format('t.%I::float8', name) END
$function$;

COMMENT ON FUNCTION anonkit_distributed_number(text, text) IS
'Internal: an expression for the value of a column as a number: days of dates, seconds of timestamps.';

CREATE FUNCTION anonkit_distributed_private(tbl regclass)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  grantee text;
BEGIN
  FOR grantee IN
    SELECT DISTINCT CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(granted.grantee)) END
    FROM pg_class AS c, aclexplode(c.relacl) AS granted
    WHERE c.oid = tbl AND granted.grantee <> c.relowner
  LOOP
    EXECUTE format('REVOKE ALL ON %s FROM %s', tbl, grantee);
  END LOOP;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_private(regclass) IS
'Internal: revokes the rights that default privileges gave at the creation of a relation.';

-- ---- the caller's input ---------------------------------------------------------------------------

CREATE FUNCTION anonkit_distributed_check(source regclass, spec jsonb)
RETURNS void
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  placed_by text;
  refused text;
BEGIN
  IF to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN
    RAISE feature_not_supported USING MESSAGE = 'distributed releases need Citus',
      HINT = 'CREATE EXTENSION citus, on every server; or use anon_publish.';
  END IF;
  SELECT column_to_column_name(d.logicalrelid, d.partkey) INTO placed_by
  FROM pg_dist_partition AS d WHERE d.logicalrelid = source AND d.partmethod = 'h';
  IF placed_by IS NULL THEN
    RAISE wrong_object_type USING MESSAGE = format('%s is not distributed by a column', source),
      HINT = 'create_distributed_table distributes it; anon_publish publishes other tables.';
  END IF;
  IF row_security_active(source) THEN
    RAISE feature_not_supported USING MESSAGE = format('%s has policies for rows', source),
      DETAIL = 'Their functions would run with the rights of the caller, on every server.',
      HINT = 'Publish as a role that the policies do not concern.';
  END IF;
  -- What compares a class with the whole table, draws secrets, or follows records over time, cannot be said part by part.
  SELECT string_agg(option, ', ' ORDER BY option) INTO refused FROM jsonb_object_keys(spec) AS option
  WHERE option <> ALL ('{qi,k,method,sensitive,keep,unit,categories,ordered,orders,coarsen,hierarchies,protected,p,l,
    entropy_l,c,alpha,e,dominance,risk_mean,risk_above,risk_threshold,weights,standardize,recode,nulls,duplicates,
    algorithm,gamma,effort,refine,seed,block_size,max_suppression,metric,local_suppression,transparent,decoys}'::text[]);
  IF refused IS NOT NULL OR spec ->> 'recode' = 'swap' OR spec ->> 'algorithm' = 'grid' OR spec ->> 'method' = 'aggregate' THEN
    RAISE feature_not_supported USING
      MESSAGE = format('a distributed release cannot have %s', coalesce(refused,
        CASE WHEN spec ->> 'recode' = 'swap' THEN 'recode ''swap''' WHEN spec ->> 'algorithm' = 'grid' THEN 'algorithm ''grid'''
          ELSE 'method ''aggregate''' END)),
      DETAIL = 'Parts of the table are anonymized where they are, each by itself.';
  END IF;
  SELECT string_agg(label #>> '{}', ', ') INTO refused FROM jsonb_path_query(spec, '$.hierarchies.*.table') AS label
  WHERE NOT EXISTS (SELECT FROM pg_dist_partition AS d WHERE d.logicalrelid = (label #>> '{}')::regclass AND d.partmethod = 'n');
  IF refused IS NOT NULL THEN
    RAISE feature_not_supported USING MESSAGE = format('not every server has the hierarchies of %s', refused),
      HINT = 'create_reference_table gives all servers such a table.';
  END IF;
  IF spec ? 'unit' AND NOT spec -> 'unit' ? placed_by THEN
    RAISE feature_not_supported USING MESSAGE = format('%s is not distributed by a column of unit', source),
      DETAIL = 'All rows of a person go to one part, so they must be on one server.',
      HINT = format('Distribute it by a column of unit, not by %I.', placed_by);
  END IF;
  SELECT string_agg(c.name, ', ') INTO refused
  FROM @extschema@.anonkit_distributed_columns(source, spec) AS c, pg_type AS t
  WHERE t.oid = to_regtype(regexp_replace(c.type, '\(.*\)', '')) AND t.oid >= 16384 AND t.typtype <> 'e';
  IF refused IS NOT NULL THEN
    RAISE feature_not_supported USING MESSAGE = format('columns of types that users made cannot be moved between servers: %s', refused),
      DETAIL = 'Reading such a value runs its owner''s code.', HINT = 'Leave them out, or give them a type of PostgreSQL.';
  END IF;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_check(regclass, jsonb) IS
'Internal: an error for a source or options that a distributed release cannot have.';

CREATE FUNCTION anonkit_distributed_begin(
  schema text, release text, source regclass, spec jsonb, layout jsonb, grant_to text[], version int)
RETURNS regclass
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  named text[] := parse_ident(release);
  name text := named[array_upper(named, 1)];
  state text;
  facts jsonb;
  before jsonb;
BEGIN
  IF array_length(named, 1) > 1 THEN schema := named[array_upper(named, 1) - 1]; END IF;
  state := format('%I.%I', schema, left(name, 40) || '_state');
  PERFORM @extschema@.anonkit_distributed_check(source, spec);
  PERFORM role.oid FROM unnest(grant_to) AS asked(name) LEFT JOIN pg_roles AS role ON role.rolname = asked.name
  WHERE asked.name IS DISTINCT FROM 'public' AND role.oid IS NULL;
  IF FOUND THEN
    RAISE undefined_object USING MESSAGE = 'grant_to names a role that does not exist';
  END IF;
  IF version = 1 AND to_regclass(format('%I.%I', schema, name)) IS NOT NULL THEN
    RAISE duplicate_table USING MESSAGE = format('relation "%s" already exists', name),
      HINT = 'Use anon_refresh_distributed to build a release again, or anon_drop first.';
  END IF;
  IF EXISTS (SELECT FROM @extschema@.anon_releases AS r WHERE r.source = anonkit_distributed_begin.source
      AND r.release IS DISTINCT FROM to_regclass(format('%I.%I', schema, name))) THEN
    RAISE NOTICE 'other releases of % exist', source USING DETAIL = 'What they tell together with this one is not measured.';
  END IF;
  facts := jsonb_build_object('step', 'spread', 'schema', schema, 'name', name, 'source', source::oid::bigint,
    'spec', spec, 'layout', layout, 'grant_to', to_jsonb(grant_to), 'version', version, 'began', now());
  IF to_regclass(state) IS NOT NULL THEN
    PERFORM FROM pg_class AS c WHERE c.oid = state::regclass AND c.relkind = 'r' AND c.relowner = current_user::regrole;
    IF NOT FOUND THEN
      RAISE duplicate_table USING MESSAGE = format('relation "%s" already exists', state::regclass);
    END IF;
    EXECUTE format('SELECT facts FROM %s WHERE part = 0', state) INTO before;
    IF EXISTS (SELECT FROM unnest('{source,spec,layout,grant_to,version}'::text[]) AS asked
        WHERE before -> asked IS DISTINCT FROM facts -> asked) THEN
      RAISE NOTICE 'work that was begun for release "%" with other options is dropped', name;
      PERFORM @extschema@.anonkit_distributed_end(state, before);
    ELSE
      RETURN state;
    END IF;
  END IF;
  EXECUTE format('CREATE TABLE %s (part int PRIMARY KEY, key int, rows bigint, joined int, formed boolean NOT NULL DEFAULT false,
    facts jsonb)', state);
  PERFORM @extschema@.anonkit_distributed_private(state);
  EXECUTE format('INSERT INTO %s (part, facts) VALUES (0, $1)', state) USING facts;
  RETURN state;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_begin(text, text, regclass, jsonb, jsonb, text[], int) IS
'Internal: checks a call, and makes the table of its steps or finds that of a call which did not end.';

-- The table of rows, too, unless the release shows it.
CREATE FUNCTION anonkit_distributed_end(state regclass, facts jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  view regclass := to_regclass(format('%I.%I', facts ->> 'schema', facts ->> 'name'));
  item regclass;
BEGIN
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE NOWAIT', state);
  FOR item IN
    SELECT c.oid::regclass FROM pg_class AS c WHERE c.oid = ANY (ARRAY[facts ->> 'parts', facts ->> 'rows', state::oid::text]::oid[])
    AND c.oid IS DISTINCT FROM (@extschema@.anonkit_distributed_query(view)).rows
  LOOP
    EXECUTE format('DROP TABLE %s', item);
  END LOOP;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_end(regclass, jsonb) IS
'Internal: drops the tables of the steps of a distributed release.';

-- ---- spread ---------------------------------------------------------------------------------------

-- The sample is chosen by the values, so it depends neither on the order of the rows nor on their places. Equal
-- combinations are in it together, with their number; where few are different, more of them are taken.
CREATE FUNCTION anonkit_distributed_sample(sampled regclass, source regclass, source_rows bigint, wanted int, seed bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  share float8 := least(1, wanted::float8 / source_rows);
  columns text;
  chosen text;
  found bigint;
BEGIN
  SELECT string_agg(format('t.%I', attname), ', ' ORDER BY attnum) INTO columns
  FROM pg_attribute WHERE attrelid = sampled AND attnum > 1;
  LOOP
    chosen := CASE WHEN share < 1 THEN format('abs(hash_record_extended(ROW(%s), %s) / 2) < %s', columns, seed,
      (share * 4611686018427387904)::numeric::bigint) ELSE 'true' END;
    EXECUTE format('DELETE FROM %s', sampled);
    EXECUTE format('INSERT INTO %s SELECT count(*), %s FROM %s AS t WHERE %s GROUP BY %s', sampled, columns, source, chosen, columns);
    GET DIAGNOSTICS found = ROW_COUNT;
    EXIT WHEN share = 1 OR found >= wanted / 4;
    share := least(1, share * 8);
  END LOOP;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_sample(regclass, regclass, bigint, int, bigint) IS
'Internal: fills a table with combinations of quasi-identifiers, and how many rows have each.';

-- Numbers are cut as they are; labels by their place in the hierarchy, or in the order of their frequencies.
CREATE FUNCTION anonkit_distributed_axes(sampled regclass, source regclass, spec jsonb)
RETURNS text[]
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  most constant int := 250;
  axes text[] := '{}';
  item record;
  labels text[];
BEGIN
  FOR item IN
    SELECT c.name, c.type, c.number, spec -> 'hierarchies' -> c.name AS hierarchy
    FROM @extschema@.anonkit_distributed_columns(source, spec) AS c WHERE c.role = 'quasi-identifier'
  LOOP
    IF item.number THEN
      axes := axes || @extschema@.anonkit_distributed_number(item.name, item.type);
      CONTINUE;
    END IF;
    EXECUTE format('SELECT array_agg(label ORDER BY %s, label COLLATE "C")
      FROM (SELECT t.%I::text AS label, sum(t.anon_rows) AS rows FROM %s AS t WHERE t.%I IS NOT NULL GROUP BY 1 LIMIT %s) AS l',
      CASE WHEN item.hierarchy IS NULL THEN 'rows DESC' ELSE format(
        '(ARRAY(SELECT @extschema@.anon_generalize(label, %1$L::jsonb, level)
          FROM generate_series((SELECT max(h.level) FROM @extschema@.anon_hierarchy_levels(%1$L::jsonb) AS h) - 1, 1, -1) AS level))::text COLLATE "C"',
        item.hierarchy) END, item.name, sampled, item.name, most + 1) INTO labels;
    IF cardinality(labels) BETWEEN 2 AND most THEN
      axes := axes || format('coalesce(array_position(%L::text[], t.%I::text), %s)::float8', labels, item.name, most);
    END IF;
  END LOOP;
  RETURN axes;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_axes(regclass, regclass, jsonb) IS
'Internal: expressions for the numbers by which rows are divided into parts.';

-- A number is found for each shard by trying: of as many numbers as shards, hashing would leave some shards empty.
CREATE FUNCTION anonkit_distributed_keys(tbl regclass)
RETURNS int[]
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  shards bigint[] := ARRAY(SELECT shardid FROM pg_dist_shard WHERE logicalrelid = tbl ORDER BY shardminvalue::int);
  keys int[] := array_fill(NULL::int, ARRAY[cardinality(shards)]);
  missing int := cardinality(shards);
  tried int := 0;
  place int;
BEGIN
  WHILE missing > 0 LOOP
    tried := tried + 1;
    place := array_position(shards, get_shard_id_for_distribution_column(tbl, tried));
    IF keys[place] IS NULL THEN
      keys[place] := tried;
      missing := missing - 1;
    END IF;
  END LOOP;
  RETURN keys;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_keys(regclass) IS
'Internal: for each shard of a table, a value of the distribution column that belongs to it.';

-- Sums of floating-point numbers differ in the last digits from plan to plan: nine are kept.
CREATE FUNCTION anonkit_distributed_scales(source regclass, spec jsonb, OUT source_rows bigint, OUT scales jsonb)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  names text[];
  axes text[];
  spreads float8[];
BEGIN
  SELECT array_agg(c.name), array_agg(@extschema@.anonkit_distributed_number(c.name, c.type)) INTO names, axes
  FROM @extschema@.anonkit_distributed_columns(source, spec) AS c WHERE c.role = 'quasi-identifier' AND c.number;
  EXECUTE format('SELECT count(*), ARRAY[%s]::float8[] FROM %s AS t',
    (SELECT string_agg(format('stddev(%1$s), max(%1$s) - min(%1$s)', axis), ', ') FROM unnest(axes) AS axis), source)
  INTO source_rows, spreads;
  SELECT coalesce(jsonb_object_agg(names[i], jsonb_build_object(
    'deviation', to_char(spreads[2 * i - 1], '9.99999999EEEE')::numeric,
    'extent', to_char(spreads[2 * i], '9.99999999EEEE')::numeric)), '{}') INTO scales
  FROM generate_subscripts(names, 1) AS i
  WHERE spreads[2 * i - 1] > 0 AND spreads[2 * i] > 0 AND spreads[2 * i] < 'Infinity' AND spreads[2 * i - 1] < 'Infinity';
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_scales(regclass, jsonb) IS
'Internal: the number of rows, and the spread of each column of numbers.';

CREATE FUNCTION anonkit_distributed_spread(state regclass, facts jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  source regclass := (facts ->> 'source')::oid;
  spec jsonb := facts -> 'spec';
  part_rows int := facts -> 'layout' -> 'part_rows';
  sample int := facts -> 'layout' -> 'sample';
  seed bigint := coalesce(spec ->> 'seed', '0');
  stem text := left(facts ->> 'name', 40);
  parts text := format('%I.%I', facts ->> 'schema', stem || '_parts');
  published text := format('%I.%I', facts ->> 'schema', stem || '_rows_' || (facts ->> 'version'));
  sampled text := format('%I.%I', facts ->> 'schema', stem || '_sample');
  points text := format('%I.%I', facts ->> 'schema', stem || '_points');
  columns record;
  spreads record;
  axes text[];
  place text;
  wanted int;
  found bigint;
  cuts jsonb := '{"qi": ["c1"], "cuts": 1}';
  keys int[];
BEGIN
  SELECT string_agg(format('%I %s', name, type), ', ') AS read, string_agg(format('t.%I::%s', name, type), ', ') AS copied,
    string_agg(released, ', ') AS released,
    string_agg(format('%I %s', name, type), ', ') FILTER (WHERE role = 'quasi-identifier') AS qi INTO columns
  FROM @extschema@.anonkit_distributed_columns(source, spec);
  spreads := @extschema@.anonkit_distributed_scales(source, spec);
  IF spreads.source_rows = 0 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('%s has no rows', source);
  END IF;

  EXECUTE format('CREATE TABLE %s (anon_rows bigint, %s)', sampled, columns.qi);
  PERFORM @extschema@.anonkit_distributed_private(sampled);
  PERFORM @extschema@.anonkit_distributed_sample(sampled, source, spreads.source_rows, sample, seed);
  axes := @extschema@.anonkit_distributed_axes(sampled, source, spec);
  wanted := ceil(spreads.source_rows::float8 / part_rows);
  IF wanted > 1 AND axes <> '{}' THEN
    EXECUTE format('CREATE TABLE %s (%s)', points, (SELECT string_agg(format('c%s float8', i), ', ') FROM generate_subscripts(axes, 1) AS i));
    PERFORM @extschema@.anonkit_distributed_private(points);
    EXECUTE format('INSERT INTO %s SELECT %s FROM %s AS t, (SELECT sum(anon_rows) AS all_rows FROM %s) AS s,
      generate_series(1, greatest(1, round(t.anon_rows * least(1, %s / s.all_rows)))::int)', points, array_to_string(axes, ', '), sampled, sampled, sample);
    GET DIAGNOSTICS found = ROW_COUNT;
    cuts := @extschema@.anon_blocks(points, (SELECT array_agg('c' || i) FROM generate_subscripts(axes, 1) AS i),
      block_size => greatest(1, ceil(found::float8 / wanted)::int), sample => 2 * sample, seed => seed);
    EXECUTE format('SELECT max(@extschema@.anon_block(%L, %s)) FROM %s', cuts,
      (SELECT string_agg('c' || i, ', ') FROM generate_subscripts(axes, 1) AS i), points) INTO wanted;
    EXECUTE format('DROP TABLE %s', points);
  ELSE
    wanted := 1;
  END IF;
  EXECUTE format('DROP TABLE %s', sampled);

  EXECUTE format('CREATE TABLE %s (anon_part int, %s)', parts, columns.read);
  EXECUTE format('CREATE TABLE %s (anon_part int, %s)', published, columns.released);
  PERFORM @extschema@.anonkit_distributed_private(parts), @extschema@.anonkit_distributed_private(published);
  PERFORM create_distributed_table(parts::regclass, 'anon_part', shard_count => wanted, colocate_with => 'none');
  PERFORM create_distributed_table(published::regclass, 'anon_part', colocate_with => parts);
  keys := @extschema@.anonkit_distributed_keys(parts);
  place := CASE WHEN wanted = 1 THEN '1' ELSE format('@extschema@.anon_block(%L::jsonb, %s)', cuts, array_to_string(axes, ', ')) END;
  IF spec ? 'unit' THEN
    place := format('min(%s) OVER (PARTITION BY %s)', place,
      (SELECT string_agg(format('t.%I', name), ', ') FROM jsonb_array_elements_text(spec -> 'unit') AS name));
  END IF;
  EXECUTE format('INSERT INTO %s SELECT (%L::int[])[%s], %s FROM %s AS t', parts, keys, place, columns.copied, source);
  EXECUTE format('INSERT INTO %s (part, key, rows, formed) SELECT p.part, p.key, coalesce(c.rows, 0), c.rows IS NULL
    FROM unnest($1) WITH ORDINALITY AS p(key, part) LEFT JOIN (SELECT anon_part, count(*) AS rows FROM %s GROUP BY 1) AS c
    ON c.anon_part = p.key', state, parts) USING keys;
  RETURN facts || jsonb_build_object('step', 'form', 'scales', spreads.scales, 'source_rows', spreads.source_rows,
    'parts', parts::regclass::oid::bigint, 'rows', published::regclass::oid::bigint);
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_spread(regclass, jsonb) IS
'Internal: learns parts of neighbouring rows from a sample, and copies the rows to the servers of their parts.';

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
  -- Nobody but the release's owner can reach the shard by its name.
  PERFORM set_config('citus.enable_manual_changes_to_shards', 'on', true);
  EXECUTE format('LOCK TABLE %s IN EXCLUSIVE MODE', target);
  EXECUTE format('DELETE FROM %s', target);
  SELECT string_agg(format('made.%I', name), ', ') AS names, string_agg(released, ', ') AS definitions INTO columns
  FROM @extschema@.anonkit_distributed_columns(source, spec) WHERE released IS NOT NULL;
  EXECUTE format('INSERT INTO %s SELECT %s, %s FROM @extschema@.anon_release(%L::regclass, %L::jsonb) AS made(%s)',
    target, key, columns.names, source, spec, columns.definitions);
  figures := @extschema@.anonkit_distributed_figures();
  -- What the loss is a share of: the sum of squares around the part's own mean, on the scales of the whole.
  EXECUTE format('SELECT %s FROM %s AS t', (SELECT coalesce(string_agg(format('coalesce(var_samp(%s) * (count(*) - 1) / %s ^ 2, 0)',
      @extschema@.anonkit_distributed_number(name, type), spec -> 'scales' -> name ->> 'deviation'), ' + '), '0')
    FROM @extschema@.anonkit_distributed_columns(source, spec) WHERE role = 'quasi-identifier' AND spec -> 'scales' ? name), source)
  INTO squares;
  figures := figures || jsonb_build_object('squares', squares);
  PERFORM @extschema@.anon_assert(target, withheld => coalesce((spec ->> 'transparent')::boolean, false), spec => asked);
  RETURN figures;
EXCEPTION WHEN invalid_parameter_value OR check_violation THEN
  RETURN jsonb_build_object('refused', sqlerrm);
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
  EXECUTE format('SELECT part, key FROM %s WHERE part > 0 AND joined IS NULL AND part <> $1 AND rows > 0
    ORDER BY abs(part - $1), part LIMIT 1', state) INTO neighbour USING refused;
  IF neighbour.part IS NULL THEN
    RAISE check_violation USING MESSAGE = 'the release was not made: ' || reason,
      DETAIL = 'All parts are joined already.', HINT = 'Promise less. A call with other options begins anew.';
  END IF;
  EXECUTE format('SELECT key, rows FROM %s WHERE part = $1', state) INTO own USING refused;
  SELECT string_agg(format('t.%I', attname), ', ' ORDER BY attnum) INTO columns
  FROM pg_attribute WHERE attrelid = parts AND attnum > 1 AND NOT attisdropped;
  -- From a single shard Citus would move the rows by way of the coordinator. The sum lets it look at all.
  EXECUTE format('INSERT INTO %s SELECT %s, %s FROM %s AS t WHERE t.anon_part + 0 = %s', parts, neighbour.key, columns, parts, own.key);
  EXECUTE format('DELETE FROM %s WHERE anon_part = %s', parts, own.key);
  EXECUTE format('UPDATE %s SET joined = $1, formed = true, rows = 0, facts = NULL WHERE part = $2', state) USING neighbour.part, refused;
  EXECUTE format('UPDATE %s SET formed = false, rows = rows + $1, facts = NULL WHERE part = $2', state) USING own.rows, neighbour.part;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_join(regclass, jsonb, int, text) IS
'Internal: moves the rows of a part that cannot keep the promises to a neighbouring part.';

-- As many parts at a time as the layout says, on each server. Answers come back when all are done, and those that came
-- are kept.
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
  EXECUTE format($query$
    WITH found AS (
      SELECT p.part, p.key, p.rows, n.nodename, n.nodeport, of_parts.shardid AS source, of_rows.shardid AS target,
        row_number() OVER (PARTITION BY n.nodeid ORDER BY p.rows DESC, p.part) AS turn
      FROM %1$s AS p
      JOIN pg_dist_shard AS of_parts ON of_parts.logicalrelid = $1
       AND of_parts.shardid = get_shard_id_for_distribution_column($1, p.key)
      JOIN pg_dist_shard AS of_rows ON of_rows.logicalrelid = $2 AND of_rows.shardminvalue = of_parts.shardminvalue
      JOIN pg_dist_placement AS at ON at.shardid = of_parts.shardid
      JOIN pg_dist_node AS n ON n.groupid = at.groupid AND n.noderole = 'primary'
      WHERE p.part > 0 AND NOT p.formed)
    SELECT array_agg(part ORDER BY part) AS parts, array_agg(nodename ORDER BY part) AS names, array_agg(nodeport ORDER BY part) AS ports,
      array_agg(format('SELECT @extschema@.anonkit_distributed_part(%%L::pg_catalog.regclass, %%L::pg_catalog.regclass, %%s, %%L::pg_catalog.jsonb)',
        $4 || '_' || source, $5 || '_' || target, key, $6) ORDER BY part) AS commands
    FROM found WHERE turn <= $3 $query$, state)
  INTO wave USING parts, published, (facts -> 'layout' ->> 'parallel')::int, parts::text, published::text, spec;
  IF wave.parts IS NULL THEN
    RETURN facts || '{"step": "prove"}';
  END IF;
  FOR answer IN
    SELECT wave.parts[ordinality] AS part, node_name, node_port, success, result
    FROM master_run_on_worker(wave.names, wave.ports, wave.commands, true) WITH ORDINALITY
    -- Refused parts last: a neighbour that one joins must be formed anew.
    ORDER BY success AND result LIKE '{"refused"%', part
  LOOP
    IF NOT answer.success THEN
      failed := coalesce(failed, jsonb_build_object('part', answer.part, 'server', answer.node_name || ':' || answer.node_port,
        'reason', answer.result));
    ELSIF answer.result::jsonb ? 'refused' THEN
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
  measured int := (SELECT count(*) FROM jsonb_object_keys(facts -> 'scales'));
  -- The loss of labels, of weighted columns and on other scales is not a sum of those of the parts.
  only_numbers boolean := NOT spec ?| '{weights,standardize}' AND measured > 0 AND NOT EXISTS (
    SELECT FROM @extschema@.anonkit_distributed_columns((facts ->> 'source')::oid::regclass, spec) AS c
    WHERE c.role = 'quasi-identifier' AND NOT c.number);
  counted record;
  formed record;
  source_rows bigint;
  lost int;
  item text;
  levels record;
BEGIN
  SELECT 'anon_part, ' || string_agg(format('%I', c.name), ', ') INTO class
  FROM @extschema@.anonkit_distributed_columns((facts ->> 'source')::oid::regclass, spec) AS c WHERE c.role = 'quasi-identifier';
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
  EXECUTE format('SELECT coalesce(sum(n), 0) AS rows, count(*) AS classes, min(n) AS smallest_class, sum(n * n) AS dm
    FROM (SELECT count(*) AS n FROM %s GROUP BY %s) AS c', published, class) INTO counted;
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
  FOR item IN SELECT jsonb_array_elements_text(spec -> 'sensitive') WHERE NOT coalesce(spec -> 'protected', '{}') ? item LOOP
    EXECUTE format('SELECT min(l) AS l, max(alpha) AS alpha, min(entropy) AS entropy FROM (
      SELECT count(*) AS l, max(n) / sum(n) AS alpha, ln(sum(n)) - sum(n * ln(n)) / sum(n) AS entropy
      FROM (SELECT %1$s, count(*)::float8 AS n FROM %2$s GROUP BY %1$s, %3$I) AS v GROUP BY %1$s
      HAVING count(%3$I) > 0 OR NOT %4$s) AS c', class, published, item, coalesce(spec ->> 'transparent', 'false')) INTO levels;
    IF levels.l < greatest((spec ->> 'l')::int, (spec ->> 'p')::int)
      OR NOT spec ? 'unit' AND (levels.alpha > (spec ->> 'alpha')::float8 * (1 + 1e-9)
        OR exp(levels.entropy) < (spec ->> 'entropy_l')::float8 * (1 - 1e-9)) THEN
      RAISE check_violation USING MESSAGE = format('the release was not made: a promise on column "%s" is not kept', item);
    END IF;
  END LOOP;
  RETURN facts || jsonb_build_object('step', 'show', 'figures', jsonb_strip_nulls(jsonb_build_object(
    'rows', counted.rows, 'classes', counted.classes, 'smallest_class', counted.smallest_class,
    'mean_class', counted.rows / counted.classes, 'dm', counted.dm, 'avg', counted.rows / counted.classes / k,
    'loss', CASE WHEN only_numbers THEN formed.errors / (source_rows - 1) / measured END, 'ncp', formed.ncp, 'suppressed', formed.suppressed, 'suppressed_cells', formed.suppressed_cells,
    'coarsened_cells', formed.coarsened_cells, 'withheld', formed.withheld, 'reproducible', formed.reproducible = 1)));
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_prove(regclass, jsonb) IS
'Internal: counts rows and measures promises on all published rows, where they are.';

-- ---- show -----------------------------------------------------------------------------------------

-- Readers keep one whole version: the view is replaced, and the rows before it dropped, when all is proven. They need the
-- columns of the rows, too: servers connect to each other as the reader, and find the table in place of the view.
CREATE FUNCTION anonkit_distributed_show(state regclass, facts jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  source regclass := (facts ->> 'source')::oid;
  published regclass := (facts ->> 'rows')::oid;
  view text := format('%I.%I', facts ->> 'schema', facts ->> 'name');
  before regclass;
  columns text;
  readers text := (SELECT string_agg(CASE role WHEN 'public' THEN 'PUBLIC' ELSE quote_ident(role) END, ', ')
    FROM jsonb_array_elements_text(facts -> 'grant_to') AS role);
BEGIN
  IF (facts ->> 'version')::int > 1 THEN
    before := (@extschema@.anonkit_distributed_query(view)).rows;
    SELECT string_agg(DISTINCT CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(granted.grantee)) END, ', ')
    INTO readers FROM pg_class AS c, aclexplode(c.relacl) AS granted
    WHERE c.oid = view::regclass AND granted.privilege_type = 'SELECT' AND granted.grantee <> c.relowner;
  END IF;
  SELECT string_agg(format('%I', attname), ', ' ORDER BY attnum) INTO columns
  FROM pg_attribute WHERE attrelid = published AND attnum > 1 AND NOT attisdropped;
  EXECUTE format('CREATE OR REPLACE VIEW %s AS SELECT %s FROM %s AS published
    WHERE @extschema@.anon_distributed_spec(%L::pg_catalog.regclass, %L::pg_catalog.jsonb, %L::pg_catalog.jsonb)',
    view, columns, published, source, facts -> 'spec', facts -> 'layout');
  IF before IS NULL THEN
    PERFORM @extschema@.anonkit_distributed_private(view);
  END IF;
  IF readers IS NOT NULL THEN
    EXECUTE format('GRANT SELECT ON %s TO %s', view, readers);
    EXECUTE format('GRANT SELECT (%s) ON %s TO %s', columns, published, readers);
  END IF;
  PERFORM @extschema@.anonkit_distributed_note(view, (facts -> 'figures')
    || jsonb_build_object('seconds', extract(epoch FROM clock_timestamp() - (facts ->> 'began')::timestamptz)));
  IF before IS NOT NULL THEN
    EXECUTE format('DROP TABLE %s', before);
    RAISE NOTICE 'release "%" replaces a version that readers may have kept', facts ->> 'name'
      USING DETAIL = 'What both versions tell together was not measured.';
  END IF;
  PERFORM @extschema@.anonkit_distributed_end(state, facts);
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_show(regclass, jsonb) IS
'Internal: makes the view of a proven release, or lets it show the new rows.';

-- ---- the calls ------------------------------------------------------------------------------------

-- True: there are steps left; false: a step failed on a server, and what succeeded beside it can be committed; null: the end.
CREATE FUNCTION anonkit_distributed_step(state regclass)
RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  facts jsonb;
  step text;
  said_detail text;
  said_hint text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = state) THEN
    RAISE undefined_table USING MESSAGE = 'another session has finished this release';
  END IF;
  BEGIN
    EXECUTE format('SELECT facts - ''failed'' FROM %s WHERE part = 0 FOR UPDATE NOWAIT', state) INTO facts;
  EXCEPTION WHEN lock_not_available THEN
    RAISE lock_not_available USING MESSAGE = 'another session makes this release';
  END;
  step := facts ->> 'step';
  CASE step
    WHEN 'spread' THEN facts := @extschema@.anonkit_distributed_spread(state, facts);
    WHEN 'form' THEN facts := @extschema@.anonkit_distributed_form(state, facts);
    WHEN 'prove' THEN facts := @extschema@.anonkit_distributed_prove(state, facts);
    WHEN 'show' THEN
      PERFORM @extschema@.anonkit_distributed_show(state, facts);
      RETURN NULL;
  END CASE;
  EXECUTE format('UPDATE %s SET facts = $1 WHERE part = 0', state) USING facts;
  RETURN NOT facts ? 'failed';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS said_detail = PG_EXCEPTION_DETAIL, said_hint = PG_EXCEPTION_HINT;
  RAISE USING ERRCODE = sqlstate, MESSAGE = sqlerrm, DETAIL = said_detail, HINT = coalesce(nullif(said_hint, ''),
    format('Step "%s" was undone. The same call goes on from there.', step));
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_step(regclass) IS
'Internal: the next step of a distributed release.';

CREATE FUNCTION anonkit_distributed_failure(state regclass)
RETURNS void
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  failed jsonb;
  left_over record;
BEGIN
  EXECUTE format('SELECT facts -> ''failed'' FROM %s WHERE part = 0', state) INTO failed;
  EXECUTE format('SELECT count(*) FILTER (WHERE NOT formed) AS missing, count(*) AS parts FROM %s WHERE part > 0', state) INTO left_over;
  RAISE external_routine_exception USING
    MESSAGE = format('part %s was not formed on server %s', failed ->> 'part', failed ->> 'server'),
    DETAIL = failed ->> 'reason',
    HINT = format('The same call forms the %s of %s parts that are missing.', left_over.missing, left_over.parts);
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_failure(regclass) IS
'Internal: raises the error of a step that failed on a server.';

CREATE FUNCTION anonkit_distributed_again(release regclass)
RETURNS regclass
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  asked record := @extschema@.anonkit_distributed_query(release);
  named record;
BEGIN
  IF asked IS NULL THEN
    RAISE wrong_object_type USING MESSAGE = format('%s is not a distributed release', release),
      HINT = 'anon_refresh refreshes other releases.';
  END IF;
  SELECT n.nspname, c.relname, c.relowner INTO named
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = release;
  IF named.relowner <> current_user::regrole THEN
    RAISE insufficient_privilege USING MESSAGE = format('must be owner of release %s', release);
  END IF;
  RETURN @extschema@.anonkit_distributed_begin(named.nspname, quote_ident(named.relname), asked.source, asked.spec, asked.layout, '{}',
    1 + (substring((SELECT relname FROM pg_class WHERE oid = asked.rows) FROM '_rows_(\d+)$'))::int);
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_again(regclass) IS
'Internal: begins the refresh of a distributed release, or finds that which did not end.';

CREATE PROCEDURE anon_publish_distributed(${arguments})
LANGUAGE plpgsql
AS $procedure$
DECLARE
  state pg_catalog.regclass;
  more pg_catalog.bool;
BEGIN
  IF release IS NULL OR tbl IS NULL OR grant_to IS NULL OR part_rows IS NULL OR sample IS NULL OR parallel IS NULL THEN
    RAISE null_value_not_allowed USING MESSAGE = 'release, tbl, grant_to, part_rows, sample and parallel must not be null';
  END IF;
  state := @extschema@.anonkit_distributed_begin(pg_catalog.current_schema()::pg_catalog.text, release, tbl,
    @extschema@.anonkit_distributed_options(tbl => tbl, qi => qi, k => k, method => method, sensitive => sensitive, keep => keep,
      unit => unit, p => p, l => l, entropy_l => entropy_l, c => c, alpha => alpha, e => e, dominance => dominance,
      coarsen => coarsen, weights => weights, recode => recode, hierarchies => hierarchies, transparent => transparent,
      spec => spec),
    pg_catalog.jsonb_build_object('part_rows', part_rows, 'sample', sample, 'parallel', parallel), grant_to, 1);
  LOOP
    COMMIT;
    more := @extschema@.anonkit_distributed_step(state);
    EXIT WHEN more IS NULL;
    IF NOT more THEN
      COMMIT;
      PERFORM @extschema@.anonkit_distributed_failure(state);
    END IF;
  END LOOP;
END
$procedure$;

COMMENT ON PROCEDURE anon_publish_distributed(${types}) IS
'Publishes a table that Citus distributes: a view of rows that the servers anonymize and verify, part by part, where they '
'are. Arguments are those of anon_publish; what compares a class with the whole table is refused. The coordinator sees '
'a sample, at most about sample combinations of quasi-identifiers, and sums. Ends transactions, so it must be a statement '
'of its own. After an error the same call goes on where it ended. anon_release_info has the figures.';

CREATE PROCEDURE anon_refresh_distributed(release regclass)
LANGUAGE plpgsql
AS $procedure$
DECLARE
  state pg_catalog.regclass;
  more pg_catalog.bool;
BEGIN
  state := @extschema@.anonkit_distributed_again(release);
  IF state IS NULL THEN
    RAISE null_value_not_allowed USING MESSAGE = 'release must not be null';
  END IF;
  LOOP
    COMMIT;
    more := @extschema@.anonkit_distributed_step(state);
    EXIT WHEN more IS NULL;
    IF NOT more THEN
      COMMIT;
      PERFORM @extschema@.anonkit_distributed_failure(state);
    END IF;
  END LOOP;
END
$procedure$;

COMMENT ON PROCEDURE anon_refresh_distributed(regclass) IS
'Builds a distributed release again from the present rows of its source. Readers keep the old rows until the new ones are '
'proven. After an error the same call goes on where it ended. Only for the owner.';
