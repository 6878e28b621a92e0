
-- ---- Releases of tables that Citus distributes ----------------------------------------------------
--
-- Citus places, moves and runs; a part of the table is a shard, and the ordinary anon_release makes its rows on the server
-- where it is. Steps: spread (learn parts from a sample, make their tables), move (each row to its part), form (rows of the
-- release, part by part), prove, show. Each is a transaction, so a call after a failure goes on where the last one ended.
--
-- NAME_state  the steps: a row for each part, and one of part 0 for the whole
-- NAME_parts  the source's columns, distributed by part
-- NAME_rows_N the published rows of version N, at the places of their parts; NAME is a view of them
--
-- All are tables of the caller. The first two are dropped when the release is shown.
--
-- Functions that only these calls use are named anonkit_..., so that lists of anon_* do not show them. Those in SQL call each
-- other by name, also after a rename of the schema, when another role may have the name. So each begins with
-- the check of require_schema in options.awk, an error then, and calls nothing of @extschema@ before it, as in initial values.
-- A procedure repeats it after each COMMIT, and a function after each statement that reads the rows: steps take hours.

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
RETURNS TABLE (name text, type text, copied text, released text, role text, number boolean, hashed boolean)
AS 'MODULE_PATHNAME', 'anonkit_distributed_columns'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100 ROWS 10;

COMMENT ON FUNCTION anonkit_distributed_columns(regclass, jsonb) IS
'Internal: the columns of a table that a release reads: their definitions in the copy and in the release, if they are numbers, and if the '
'hash of a value is the same on all servers.';

CREATE FUNCTION anonkit_distributed_lists(source regclass, spec jsonb, shown regclass, OUT copied text, OUT released text, OUT sampled text, OUT cast_to text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $function$
BEGIN
  ${require_schema}
  -- The view keeps its order. The source's columns may have another one now: one that was dropped and added again is the last.
  SELECT string_agg(c.copied, ', ' ORDER BY c.place), string_agg(c.released, ', ' ORDER BY v.attnum, c.place),
    string_agg(CASE WHEN c.hashed THEN c.copied ELSE format('%I text', c.name) END, ', ' ORDER BY c.place) FILTER (WHERE c.role = 'quasi-identifier'),
    string_agg(format('t.%I::%s', c.name, c.type), ', ' ORDER BY c.place) INTO copied, released, sampled, cast_to
  FROM @extschema@.anonkit_distributed_columns(source, spec) WITH ORDINALITY AS c(name, type, copied, released, role, number, hashed, place)
  LEFT JOIN pg_attribute AS v ON v.attrelid = shown AND v.attname = c.name;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_lists(regclass, jsonb, regclass) IS
'Internal: the columns of the tables of the steps: of the copied rows, of the release in the order of its view, of the sample, and '
'the values of the source to copy.';

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
  WHEN type LIKE 'numeric%' THEN format('(CASE WHEN t.%1$I IS NOT NULL THEN least(greatest(t.%1$I, -1e300), 1e300)::float8 END)', name)
  ELSE format('t.%I::float8', name) END
$function$;

COMMENT ON FUNCTION anonkit_distributed_number(text, text) IS
'Internal: an expression for the value of a column as a number: days of dates, seconds of timestamps.';

-- Names have at most 63 bytes, and a letter may have four.
CREATE FUNCTION anonkit_distributed_stem(name text)
RETURNS text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
SELECT left(name, (SELECT max(n) FROM generate_series(1, 40) AS n WHERE octet_length(left(name, n)) <= 40))
$function$;

COMMENT ON FUNCTION anonkit_distributed_stem(text) IS
'Internal: the beginning of a release''s name that names of its tables share.';

CREATE FUNCTION anonkit_distributed_private(VARIADIC tables regclass[])
RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  item record;
BEGIN
  FOR item IN
    SELECT DISTINCT c.oid::regclass AS tbl, CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(granted.grantee)) END AS grantee
    FROM pg_class AS c, aclexplode(c.relacl) AS granted
    WHERE c.oid = ANY (tables) AND granted.grantee <> c.relowner
  LOOP
    EXECUTE format('REVOKE ALL ON %s FROM %s', item.tbl, item.grantee);
  END LOOP;
  PERFORM FROM pg_class AS c, aclexplode(c.relacl) AS granted WHERE c.oid = ANY (tables) AND granted.grantee <> c.relowner;
  IF FOUND THEN
    RAISE insufficient_privilege USING MESSAGE = 'a private table has other readers than its owner',
      DETAIL = 'They have rights on it although those that default privileges gave were revoked.';
  END IF;
  RETURN true;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_private(VARIADIC regclass[]) IS
'Internal: revokes the rights that default privileges gave at the creation of relations, and looks whether any are left; true.';

-- All that the steps read and write are tables of the caller, as the call made them: no role can lend another one its steps.
CREATE FUNCTION anonkit_distributed_own(tbl regclass)
RETURNS void
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
BEGIN
  IF to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN
    RAISE feature_not_supported USING MESSAGE = 'distributed releases need Citus',
      HINT = 'CREATE EXTENSION citus, on every server; or use anon_publish.';
  END IF;
  PERFORM FROM pg_class AS c WHERE c.oid = tbl AND c.relkind = 'r' AND pg_get_userbyid(c.relowner) = current_user
  AND NOT c.relhasrules AND NOT c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_trigger AS t WHERE t.tgrelid = tbl AND NOT t.tgisinternal);
  IF NOT FOUND THEN
    RAISE insufficient_privilege USING MESSAGE = format('%s is no plain table of role %I', tbl, current_user);
  END IF;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_own(regclass) IS
'Internal: an error unless a table is the caller''s own, and runs no code when it is read or written.';

-- Names of functions are looked up where a command arrives. A server where anonkit has another schema, or another version, gets no row
-- and calls nothing, so that nobody there runs a function of that name as the caller. Arguments are columns of a subquery that
-- stays one, since the planner would compute an immutable function of constants.
CREATE FUNCTION anonkit_distributed_command(call text, arguments text)
RETURNS text
LANGUAGE sql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
SELECT format('SELECT %s.%s FROM (SELECT %s FROM pg_catalog.pg_extension AS installed
  WHERE installed.extname OPERATOR(pg_catalog.=) ''anonkit'' AND installed.extversion OPERATOR(pg_catalog.=) %L
  AND installed.extnamespace OPERATOR(pg_catalog.=) pg_catalog.to_regnamespace(%L)::pg_catalog.oid OFFSET 0) AS a',
  '@extschema@', call, arguments, (SELECT extversion FROM pg_extension WHERE extname = 'anonkit'), '@extschema@')
$function$;

COMMENT ON FUNCTION anonkit_distributed_command(text, text) IS
'Internal: a command for other servers that calls a function of anonkit, and has no row where anonkit is not the one here.';

CREATE FUNCTION anonkit_distributed_reason(answer text)
RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $function$
SELECT coalesce(nullif(answer, ''),
  format('anonkit %s is not in schema @extschema@ there.', (SELECT extversion FROM pg_extension WHERE extname = 'anonkit')))
$function$;

COMMENT ON FUNCTION anonkit_distributed_reason(text) IS
'Internal: why a command failed on a server, from its answer, which is empty if anonkit is not the one here.';

-- Default privileges are those of each server.
CREATE FUNCTION anonkit_distributed_private_shards(VARIADIC tables regclass[])
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  asked record;
  answer record;
BEGIN
  ${require_schema}
  SELECT array_agg(nodename) AS names, array_agg(nodeport) AS ports, array_agg(@extschema@.anonkit_distributed_command(
    'anonkit_distributed_private(VARIADIC a.shards)', format('%L::pg_catalog.regclass[] AS shards', shards))) AS commands
  INTO asked FROM (
    SELECT n.nodename, n.nodeport, array_agg(format('%I.%I', s.nspname, c.relname || '_' || d.shardid)) AS shards
    FROM pg_class AS c JOIN pg_namespace AS s ON s.oid = c.relnamespace
    JOIN pg_dist_shard AS d ON d.logicalrelid = c.oid
    JOIN pg_dist_placement AS p ON p.shardid = d.shardid
    JOIN pg_dist_node AS n ON n.groupid = p.groupid AND n.noderole = 'primary'
    WHERE c.oid = ANY (tables) GROUP BY n.nodename, n.nodeport) AS servers;
  SELECT * INTO answer FROM master_run_on_worker(asked.names, asked.ports, asked.commands, true) WHERE NOT success OR result = '' LIMIT 1;
  IF FOUND THEN
    ${require_schema}
    RAISE external_routine_exception USING
      MESSAGE = format('tables of parts cannot be made private on server %s:%s', answer.node_name, answer.node_port),
      DETAIL = @extschema@.anonkit_distributed_reason(answer.result);
  END IF;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_private_shards(VARIADIC regclass[]) IS
'Internal: makes the shards of tables private on all servers.';

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
  ${require_schema}
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
  -- A promise relative to the whole table, a secret, or a record followed over time cannot be had part by part.
  SELECT string_agg(option, ', ' ORDER BY option) INTO refused FROM jsonb_object_keys(spec) AS option
  WHERE option <> ALL ('{qi,k,method,sensitive,keep,unit,categories,ordered,orders,coarsen,hierarchies,protected,p,l,
    t,entropy_l,c,alpha,e,dominance,risk_mean,risk_above,risk_threshold,weights,standardize,recode,nulls,duplicates,
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
  -- Distances of labels are sums over labels, which servers compute; those of numbers and enums are of their ranks among all.
  IF spec ? 't' THEN
    SELECT string_agg(c.name, ', ') INTO refused FROM @extschema@.anonkit_distributed_columns(source, spec) AS c
    WHERE c.role = 'sensitive' AND NOT coalesce(spec -> 'categories', '[]') ? c.name AND (spec -> 'hierarchies' ? c.name
      OR to_regtype(c.type) <> ALL ('{text,varchar,bpchar,boolean,uuid}'::regtype[]));
    IF refused IS NOT NULL OR spec ?| '{unit,transparent,max_suppression}' THEN
      RAISE feature_not_supported USING MESSAGE = coalesce('a distributed release cannot have t of ordered values: ' || refused,
          'a distributed release cannot have t together with unit, transparent or max_suppression'),
        HINT = 'categories makes codes of values, whose distances are equal.';
    END IF;
  END IF;
  SELECT min(c.name) INTO refused FROM @extschema@.anonkit_distributed_columns(source, spec) AS c
  WHERE c.name = 'anon_part' OR c.name = 'anon_rows' AND c.role = 'quasi-identifier';
  IF refused IS NOT NULL THEN
    RAISE duplicate_column USING MESSAGE = format('a distributed release cannot have a column called %s', refused),
      DETAIL = 'Tables of its steps have a column of that name.', HINT = 'Give the column another name.';
  END IF;
  SELECT string_agg(c.name, ', ') INTO refused
  FROM @extschema@.anonkit_distributed_columns(source, spec) AS c, pg_type AS t
  WHERE t.oid = to_regtype(c.type) AND t.oid >= 16384 AND t.typtype <> 'e';
  IF refused IS NOT NULL THEN
    RAISE feature_not_supported USING MESSAGE = format('columns of types that users made cannot be moved between servers: %s', refused),
      DETAIL = 'Reading such a value runs its owner''s code.', HINT = 'Leave them out, or give them a type of PostgreSQL.';
  END IF;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_check(regclass, jsonb) IS
'Internal: an error for a source or options that a distributed release cannot have.';

CREATE FUNCTION anonkit_distributed_is_state(tbl regclass)
RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $function$
SELECT count(*) > 0 AND array_agg(format('%s %s', a.attname, a.atttypid::regtype) ORDER BY a.attnum)
  = '{part integer,key integer,rows bigint,joined integer,formed boolean,t double precision,facts jsonb}'
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.oid = tbl AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
$function$;

COMMENT ON FUNCTION anonkit_distributed_is_state(regclass) IS
'Internal: true for a table with the columns of the table of steps.';

-- CREATE OR REPLACE VIEW would refuse another name or type of a column, after all other steps.
CREATE FUNCTION anonkit_distributed_same_columns(view regclass, source regclass, spec jsonb)
RETURNS void
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  present text;
  wanted text;
BEGIN
  ${require_schema}
  SELECT string_agg(format('%I %s%s', a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE ' || a.attcollation::regcollation ELSE '' END), ', ' ORDER BY a.attnum)
  INTO present FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid WHERE a.attrelid = view AND a.attnum > 0;
  wanted := (@extschema@.anonkit_distributed_lists(source, spec, view)).released;
  IF present IS DISTINCT FROM wanted THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('release %s has other columns than a refresh would publish', view),
      DETAIL = format('It has %s; a refresh has %s.', present, wanted),
      HINT = 'Give the columns of the release their names again, and those of its source their types; or drop the release, and publish anew.';
  END IF;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_same_columns(regclass, regclass, jsonb) IS
'Internal: an error unless a refresh of a release has its columns.';

-- `shown` is the table of the rows that a refresh replaces, null at a first publication.
CREATE FUNCTION anonkit_distributed_begin(
  schema text, release text, source regclass, spec jsonb, layout jsonb, grant_to text[], version int, shown regclass DEFAULT NULL)
RETURNS regclass
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  named text[] := parse_ident(release);
  name text := named[array_upper(named, 1)];
  stem text;
  state text;
  taken regclass;
  facts jsonb;
  before jsonb;
BEGIN
  ${require_schema}
  IF array_length(named, 1) > 2 THEN
    RAISE feature_not_supported USING MESSAGE = format('%s is not a name with at most a schema', release);
  END IF;
  IF array_length(named, 1) > 1 THEN schema := named[array_upper(named, 1) - 1]; END IF;
  IF schema IS NULL THEN
    RAISE invalid_schema_name USING MESSAGE = 'no schema has been selected to create in', HINT = 'Give the release''s name with a schema.';
  END IF;
  stem := @extschema@.anonkit_distributed_stem(name);
  state := format('%I.%I', schema, stem || '_state');
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
  IF version > 1 THEN
    PERFORM @extschema@.anonkit_distributed_same_columns(to_regclass(format('%I.%I', schema, name)), source, spec);
  END IF;
  IF EXISTS (SELECT FROM @extschema@.anon_releases AS r WHERE r.source = anonkit_distributed_begin.source
      AND r.release IS DISTINCT FROM to_regclass(format('%I.%I', schema, name))) THEN
    RAISE NOTICE 'other releases of % exist', source USING DETAIL = 'What they tell together with this one is not measured.';
  END IF;
  facts := jsonb_build_object('step', 'spread', 'schema', schema, 'name', name, 'source', source::oid::bigint,
    'spec', spec, 'layout', layout, 'grant_to', to_jsonb(grant_to), 'version', version, 'shown', shown::oid::bigint, 'began', now());
  IF version = 1 AND to_regtype(format('%I.%I', schema, name)) IS NOT NULL THEN
    RAISE duplicate_object USING MESSAGE = format('type "%s" already exists', name), HINT = 'Give the release another name.';
  END IF;
  IF @extschema@.anonkit_distributed_is_state(to_regclass(state)) THEN
    PERFORM @extschema@.anonkit_distributed_own(state);
    EXECUTE format('SELECT facts FROM %s WHERE part = 0', state) INTO before;
    IF before ->> 'name' <> name THEN
      RAISE duplicate_table USING MESSAGE = format('release "%s" is being made, whose tables would have the same names', before ->> 'name');
    END IF;
    IF EXISTS (SELECT FROM unnest('{schema,source,spec,layout,grant_to,version,shown}'::text[]) AS asked
        WHERE before -> asked IS DISTINCT FROM facts -> asked) THEN
      RAISE NOTICE 'work that was begun for release "%" with other options is dropped', name;
      PERFORM @extschema@.anonkit_distributed_end(state, before);
    ELSE
      RETURN state;
    END IF;
  END IF;
  -- Any version's rows are in the way of a first one: a refresh would meet them.
  SELECT min(c.oid)::regclass INTO taken FROM pg_class AS c
  WHERE c.relnamespace = to_regnamespace(quote_ident(schema)) AND starts_with(c.relname, stem || '_')
  AND (substr(c.relname, length(stem) + 2) = ANY (ARRAY['state', 'parts', 'sample', 'points', 'shares', 'rows_' || version])
    OR version = 1 AND substr(c.relname, length(stem) + 2) ~ '^rows_[0-9]+$');
  IF taken IS NOT NULL THEN
    RAISE duplicate_table USING MESSAGE = format('%s already exists', taken),
      DETAIL = 'Names of the tables of a distributed release begin with the first 40 bytes of its own.',
      HINT = 'Give the release another name, or drop the table if no release shows it.';
  END IF;
  BEGIN
    EXECUTE format('CREATE TABLE %s (part int PRIMARY KEY, key int, rows bigint, joined int, formed boolean NOT NULL DEFAULT false,
      t float8, facts jsonb)', state);
  EXCEPTION WHEN duplicate_table OR unique_violation THEN
    RAISE lock_not_available USING MESSAGE = 'another session makes this release';
  END;
  PERFORM @extschema@.anonkit_distributed_private(state);
  EXECUTE format('INSERT INTO %s (part, facts) VALUES (0, $1)', state) USING facts;
  RETURN state;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_begin(text, text, regclass, jsonb, jsonb, text[], int, regclass) IS
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
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
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
