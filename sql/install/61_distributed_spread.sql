
-- ---- spread ---------------------------------------------------------------------------------------

-- The sample has the text of a value whose hash differs from server to server, or that has none.
CREATE FUNCTION anonkit_distributed_values(sampled regclass)
RETURNS text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
SELECT string_agg(format(CASE WHEN atttypid = 'text'::regtype THEN 't.%I::text' ELSE 't.%I' END, attname), ', ' ORDER BY attnum)
FROM pg_attribute WHERE attrelid = sampled AND attnum > 1
$function$;

COMMENT ON FUNCTION anonkit_distributed_values(regclass) IS
'Internal: the quasi-identifiers of a row of the source or the sample, as the sample has them.';

CREATE FUNCTION anonkit_distributed_hash(sampled regclass, seed bigint)
RETURNS text
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
BEGIN
  ${require_schema}
  RETURN format('abs(hash_record_extended(ROW(%s), %s) / 2)', @extschema@.anonkit_distributed_values(sampled), seed);
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_hash(regclass, bigint) IS
'Internal: an expression for the hash of quasi-identifiers, from 0 to 2^62, which is the same on all servers.';

-- The sample is chosen by the values, so it depends neither on the order of the rows nor on their places. Equal
-- combinations are in it together, with their number; where few are different, more of them are taken.
CREATE FUNCTION anonkit_distributed_sample(sampled regclass, source regclass, source_rows bigint, wanted int, seed bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  share float8 := least(1, wanted::float8 / nullif(source_rows, 0));
  hash text;
  columns text;
  chosen text;
  found bigint;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(sampled);
  columns := @extschema@.anonkit_distributed_values(sampled);
  hash := @extschema@.anonkit_distributed_hash(sampled, seed);
  LOOP
    chosen := CASE WHEN share < 1 THEN format('%s < %s', hash, (share * 4611686018427387904)::numeric::bigint) ELSE 'true' END;
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

-- Numbers are cut as they are; labels by their place in the hierarchy, or in the order of their frequencies. The text of a date is another
-- on a server of another DateStyle or TimeZone.
CREATE FUNCTION anonkit_distributed_axes(sampled regclass, source regclass, spec jsonb)
RETURNS text[]
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  most constant int := 250;
  axes text[] := '{}';
  item record;
  label text;
  labels text[];
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(sampled);
  FOR item IN
    SELECT c.name, c.type, c.number, spec -> 'hierarchies' -> c.name AS hierarchy
    FROM @extschema@.anonkit_distributed_columns(source, spec) AS c WHERE c.role = 'quasi-identifier'
  LOOP
    ${require_schema}
    IF item.number THEN
      axes := axes || @extschema@.anonkit_distributed_number(item.name, item.type);
      CONTINUE;
    END IF;
    label := format(CASE WHEN item.hierarchy IS NULL AND (item.type = 'date' OR item.type LIKE 'timestamp%')
      THEN 'extract(epoch FROM t.%I)::text' ELSE 't.%I::text' END, item.name);
    EXECUTE format('SELECT array_agg(label ORDER BY %s, label COLLATE "C")
      FROM (SELECT %s AS label, sum(t.anon_rows) AS rows FROM %s AS t WHERE t.%I IS NOT NULL GROUP BY 1 LIMIT %s) AS l',
      CASE WHEN item.hierarchy IS NULL THEN 'rows DESC' ELSE format(
        '(ARRAY(SELECT @extschema@.anon_generalize(label, %1$L::jsonb, level)
          FROM generate_series((SELECT max(h.level) FROM @extschema@.anon_hierarchy_levels(%1$L::jsonb) AS h) - 1, 1, -1) AS level))::text COLLATE "C"',
        item.hierarchy) END, label, sampled, item.name, most + 1) INTO labels;
    IF cardinality(labels) BETWEEN 2 AND most THEN
      axes := axes || format('coalesce(array_position(%L::text[], %s), %s)::float8', labels, label, most);
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
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(tbl);
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

-- Sums of floating-point numbers differ in the last digits from plan to plan: nine are kept. The largest numbers have no sum of
-- squares. A worker would refuse nulls, too, but not before it has the rows.
CREATE FUNCTION anonkit_distributed_scales(source regclass, spec jsonb, OUT source_rows bigint, OUT scales jsonb)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  names text[];
  axes text[];
  spreads float8[];
  counts bigint[];
  refused record;
  label record;
  categories bigint;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_check(source, spec);
  SELECT array_agg(c.name), array_agg(@extschema@.anonkit_distributed_number(c.name, c.type)) INTO names, axes
  FROM @extschema@.anonkit_distributed_columns(source, spec) AS c WHERE c.role = 'quasi-identifier' AND c.number;
  EXECUTE format('SELECT count(*), ARRAY[%s]::float8[], ARRAY[%s]::bigint[] FROM %s AS t',
    (SELECT string_agg(format('stddev(%1$s) %2$s, max(%1$s) %2$s - min(%1$s) %2$s', axis, format('FILTER (WHERE abs(%s) <= 1e140)', axis)), ', ')
      FROM unnest(axes) AS axis),
    (SELECT string_agg(format('count(*) FILTER (WHERE %1$s IS NULL), count(*) FILTER (WHERE abs(%1$s) > 1e140)', axis), ', ') FROM unnest(axes) AS axis), source)
  INTO source_rows, spreads, counts;
  ${require_schema}
  SELECT min(names[i]) FILTER (WHERE counts[2 * i] > 0) AS beyond, count(*) FILTER (WHERE counts[2 * i - 1] > 0) AS columns,
    string_agg(format('"%s" %s', names[i], counts[2 * i - 1]), ', ' ORDER BY i) FILTER (WHERE counts[2 * i - 1] > 0) AS nulls,
    min(names[i]) FILTER (WHERE counts[2 * i - 1] > 0) AS name INTO refused
  FROM generate_subscripts(names, 1) AS i;
  IF refused.beyond IS NOT NULL THEN
    RAISE data_exception USING MESSAGE = format('column "%s" contains a value that is not a number from -1e140 to 1e140', refused.beyond),
      HINT = 'Leave rows with NaN, infinite and larger values out of the table.';
  END IF;
  IF refused.columns > 0 AND spec ->> 'nulls' IS DISTINCT FROM 'stratify' THEN
    RAISE data_exception USING
      MESSAGE = CASE refused.columns WHEN 1 THEN format('quasi-identifier "%s" contains nulls', refused.name) ELSE 'quasi-identifiers contain nulls' END,
      DETAIL = format('Number of nulls: %s.', refused.nulls),
      HINT = 'Use spec => anon_spec(nulls => ''stratify''), which full-domain generalisation does not take, or leave these rows out of the table.';
  END IF;
  SELECT coalesce(jsonb_object_agg(names[i], jsonb_build_object(
    'deviation', to_char(spreads[2 * i - 1], '9.99999999EEEE')::numeric,
    'extent', to_char(spreads[2 * i], '9.99999999EEEE')::numeric)), '{}') INTO scales
  FROM generate_subscripts(names, 1) AS i
  WHERE spreads[2 * i - 1] > 0 AND spreads[2 * i] > 0;
  ${require_schema}
  FOR label IN
    SELECT c.name, CASE WHEN c.hashed THEN '' ELSE '::text' END AS taken_as FROM @extschema@.anonkit_distributed_columns(source, spec) AS c
    WHERE c.role = 'quasi-identifier' AND NOT c.number AND NOT coalesce(spec -> 'hierarchies', '{}') ? c.name
  LOOP
    EXECUTE format('SELECT least(count(*), 1000000) FROM (SELECT DISTINCT t.%I%s FROM %s AS t) AS d', label.name, label.taken_as, source)
    INTO categories;
    scales := scales || jsonb_build_object(label.name, jsonb_build_object('categories', categories));
  END LOOP;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_scales(regclass, jsonb) IS
'Internal: the number of rows, the spread of each column of numbers, and how many categories each of the others has.';

-- t-closeness compares classes with all rows. A class that is t - d close to its part is t close to the table if the part is at
-- a distance of d, since the distance is a metric. Half the sum of absolute differences bounds it for all ground distances.
CREATE FUNCTION anonkit_distributed_margins(state regclass, facts jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  item text;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
  FOR item IN SELECT jsonb_array_elements_text(facts -> 'spec' -> 'sensitive') LOOP
    EXECUTE format($query$
      WITH counted AS MATERIALIZED (SELECT anon_part, quote_nullable(t.%1$I::text) AS label, count(*)::float8 AS n FROM %2$s AS t GROUP BY 1, 2),
        shares AS (SELECT label, sum(n) / (SELECT sum(n) FROM counted) AS share FROM counted GROUP BY label),
        distances AS (SELECT p.part, sum(abs(coalesce(c.n, 0) / p.rows - s.share)) / 2 AS distance
          FROM %3$s AS p CROSS JOIN shares AS s LEFT JOIN counted AS c ON c.anon_part = p.key AND c.label = s.label
          WHERE p.part > 0 AND p.rows > 0 GROUP BY p.part)
      UPDATE %3$s AS p SET t = least(p.t, $1 - d.distance) FROM distances AS d
      WHERE d.part = p.part$query$, item, (facts ->> 'parts')::oid::regclass, state) USING (facts -> 'spec' ->> 't')::float8;
  END LOOP;
  EXECUTE format('SELECT string_agg(part::text, '', '') FROM %s WHERE part > 0 AND t <= 0', state) INTO item;
  IF item IS NOT NULL THEN
    RAISE check_violation USING MESSAGE = format('parts differ from the table by more than t: %s', item),
      HINT = 'Larger parts differ less.';
  END IF;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_margins(regclass, jsonb) IS
'Internal: by part the t that makes its classes close to the whole table.';

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
  stem text;
  parts text;
  published text;
  sampled text;
  points text;
  columns record;
  spreads record;
  axes text[];
  place text;
  wanted int;
  found bigint;
  cuts jsonb := '{"qi": ["c1"], "cuts": 1}';
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
  columns := @extschema@.anonkit_distributed_lists(source, spec, to_regclass(format('%I.%I', facts ->> 'schema', facts ->> 'name')));
  ${require_schema}
  stem := @extschema@.anonkit_distributed_stem(facts ->> 'name');
  parts := format('%I.%I', facts ->> 'schema', stem || '_parts');
  published := format('%I.%I', facts ->> 'schema', stem || '_rows_' || (facts ->> 'version'));
  sampled := format('%I.%I', facts ->> 'schema', stem || '_sample');
  points := format('%I.%I', facts ->> 'schema', stem || '_points');
  spreads := @extschema@.anonkit_distributed_scales(source, spec);
  ${require_schema}
  IF spreads.source_rows = 0 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('%s has no rows', source);
  END IF;

  EXECUTE format('CREATE TABLE %s (anon_rows bigint, %s)', sampled, columns.sampled);
  PERFORM @extschema@.anonkit_distributed_private(sampled);
  PERFORM @extschema@.anonkit_distributed_sample(sampled, source, spreads.source_rows, sample, seed);
  ${require_schema}
  axes := @extschema@.anonkit_distributed_axes(sampled, source, spec);
  ${require_schema}
  wanted := ceil(spreads.source_rows::float8 / part_rows);
  IF wanted > 1 AND spec ? 't' THEN
    -- Parts of neighbours are no likeness of the table. Equal combinations stay together. The largest seed has no successor.
    place := format('(1 + %s %% %s)::int', @extschema@.anonkit_distributed_hash(sampled, seed # 1), wanted);
  ELSIF wanted > 1 AND axes <> '{}' THEN
    EXECUTE format('CREATE TABLE %s (%s)', points, (SELECT string_agg(format('c%s float8', i), ', ') FROM generate_subscripts(axes, 1) AS i));
    PERFORM @extschema@.anonkit_distributed_private(points);
    EXECUTE format('INSERT INTO %s SELECT %s FROM %s AS t, (SELECT sum(anon_rows) AS all_rows FROM %s) AS s,
      generate_series(1, greatest(1, round(t.anon_rows * least(1, %s / s.all_rows)))::int)', points, array_to_string(axes, ', '), sampled, sampled, sample);
    GET DIAGNOSTICS found = ROW_COUNT;
    ${require_schema}
    cuts := @extschema@.anon_blocks(points, (SELECT array_agg('c' || i) FROM generate_subscripts(axes, 1) AS i),
      block_size => greatest(1, ceil(found::float8 / wanted)::int), sample => least(2::bigint * sample, greatest(found, 1))::int, seed => seed);
    EXECUTE format('SELECT max(@extschema@.anon_block(%L, %s)) FROM %s', cuts,
      (SELECT string_agg('c' || i, ', ') FROM generate_subscripts(axes, 1) AS i), points) INTO wanted;
    EXECUTE format('DROP TABLE %s', points);
  ELSE
    wanted := 1;
  END IF;
  EXECUTE format('DROP TABLE %s', sampled);

  EXECUTE format('CREATE TABLE %s (anon_part int, %s)', parts, columns.copied);
  EXECUTE format('CREATE TABLE %s (anon_part int, %s)', published, columns.released);
  PERFORM @extschema@.anonkit_distributed_private(parts), @extschema@.anonkit_distributed_private(published);
  PERFORM create_distributed_table(parts::regclass, 'anon_part', shard_count => wanted, colocate_with => 'none');
  PERFORM create_distributed_table(published::regclass, 'anon_part', colocate_with => parts);
  place := CASE WHEN place IS NOT NULL THEN place WHEN wanted = 1 THEN '1' ELSE format('@extschema@.anon_block(%L::jsonb, %s)', cuts, array_to_string(axes, ', ')) END;
  IF spec ? 'unit' THEN
    place := format('min(%s) OVER (PARTITION BY %s)', place,
      (SELECT string_agg(format('t.%I', name), ', ') FROM jsonb_array_elements_text(spec -> 'unit') AS name));
  END IF;
  RETURN facts || jsonb_build_object('step', 'move', 'scales', spreads.scales, 'place', place, 'columns', columns.copied,
    'keys', to_jsonb(@extschema@.anonkit_distributed_keys(parts)),
    'parts', parts::regclass::oid::bigint, 'rows', published::regclass::oid::bigint);
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_spread(regclass, jsonb) IS
'Internal: learns parts of neighbouring rows from a sample, and makes the tables of the parts.';

-- The tables are there for other sessions, the empty shards private on all servers, before a row is copied. Rows of the source may
-- have come and gone since they were counted for the scales, so those that are copied count.
CREATE FUNCTION anonkit_distributed_move(state regclass, facts jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  source regclass := (facts ->> 'source')::oid;
  spec jsonb := facts -> 'spec';
  parts regclass := (facts ->> 'parts')::oid;
  published regclass := (facts ->> 'rows')::oid;
  keys text := translate(facts ->> 'keys', '[]', '{}');
  columns record;
  copied bigint;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
  PERFORM @extschema@.anonkit_distributed_check(source, spec);
  columns := @extschema@.anonkit_distributed_lists(source, spec, NULL);
  IF columns.copied <> facts ->> 'columns' THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('columns of %s have changed since the call began', source),
      HINT = format('DROP TABLE %s, %s, %s; and call again.', state, parts, published);
  END IF;
  PERFORM @extschema@.anonkit_distributed_private_shards(parts, published);
  ${require_schema}
  EXECUTE format('INSERT INTO %s SELECT (%L::int[])[%s], %s FROM %s AS t', parts, keys, facts ->> 'place', columns.cast_to, source);
  GET DIAGNOSTICS copied = ROW_COUNT;
  IF copied = 0 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('%s has no rows', source);
  END IF;
  EXECUTE format('INSERT INTO %s (part, key, rows, formed) SELECT p.part, p.key, coalesce(c.rows, 0), c.rows IS NULL
    FROM unnest($1) WITH ORDINALITY AS p(key, part) LEFT JOIN (SELECT anon_part, count(*) AS rows FROM %s GROUP BY 1) AS c
    ON c.anon_part = p.key', state, parts) USING keys::int[];
  facts := facts - '{place,columns,keys}'::text[] || jsonb_build_object('step', 'form', 'source_rows', copied);
  IF spec ? 't' THEN
    ${require_schema}
    PERFORM @extschema@.anonkit_distributed_margins(state, facts);
  END IF;
  RETURN facts;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_move(regclass, jsonb) IS
'Internal: copies the rows to the servers of their parts.';
