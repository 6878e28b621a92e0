
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
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
  IF (facts ->> 'version')::int > 1 THEN
    before := (@extschema@.anonkit_distributed_query(to_regclass(view))).rows;
    SELECT string_agg(DISTINCT CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(granted.grantee)) END, ', ')
    INTO readers FROM pg_class AS c, aclexplode(c.relacl) AS granted
    WHERE c.oid = to_regclass(view) AND granted.privilege_type = 'SELECT' AND granted.grantee <> c.relowner;
  END IF;
  SELECT string_agg(format('%I', attname), ', ' ORDER BY attnum) INTO columns
  FROM pg_attribute WHERE attrelid = published AND attnum > 1 AND NOT attisdropped;
  EXECUTE format('CREATE %s VIEW %s AS SELECT %s FROM %s AS published
    WHERE @extschema@.anon_distributed_spec(%L::pg_catalog.regclass, %L::pg_catalog.jsonb, %L::pg_catalog.jsonb)',
    CASE WHEN before IS NOT NULL THEN 'OR REPLACE' ELSE '' END, view, columns, published, source, facts -> 'spec', facts -> 'layout');
  -- It is locked now. The owner of its schema may have dropped it since the call began, and another role have taken its name.
  PERFORM FROM pg_class AS c WHERE c.oid = view::regclass AND pg_get_userbyid(c.relowner) = current_user;
  IF NOT FOUND THEN
    RAISE insufficient_privilege USING MESSAGE = format('must be owner of release %s', view);
  END IF;
  IF before::oid::bigint IS DISTINCT FROM (facts ->> 'shown')::bigint THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('%s is not the release any more whose refresh this is', view),
      HINT = format('A refresh of the release begins anew. If it was dropped: DROP TABLE %s, %s, %s;',
        state, (facts ->> 'parts')::oid::regclass, published);
  END IF;
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
  ${require_schema}
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = state) THEN
    RAISE undefined_table USING MESSAGE = 'another session has finished this release';
  END IF;
  PERFORM @extschema@.anonkit_distributed_own(state);
  -- Citus would not merge the groups of shards, or would leave the copied rows on the workers when their table is dropped.
  PERFORM set_config('citus.subquery_pushdown', 'off', true), set_config('citus.enable_ddl_propagation', 'on', true);
  BEGIN
    EXECUTE format('SELECT facts - ''failed'' FROM %s WHERE part = 0 FOR UPDATE NOWAIT', state) INTO facts;
  EXCEPTION WHEN lock_not_available THEN
    RAISE lock_not_available USING MESSAGE = 'another session makes this release';
  END;
  step := facts ->> 'step';
  CASE step
    WHEN 'spread' THEN facts := @extschema@.anonkit_distributed_spread(state, facts);
    WHEN 'move' THEN facts := @extschema@.anonkit_distributed_move(state, facts);
    WHEN 'form' THEN facts := @extschema@.anonkit_distributed_form(state, facts);
    WHEN 'prove' THEN facts := @extschema@.anonkit_distributed_prove(state, facts);
    WHEN 'show' THEN
      PERFORM @extschema@.anonkit_distributed_show(state, facts);
      RETURN NULL;
  END CASE;
  EXECUTE format('UPDATE %s SET facts = $1 WHERE part = 0', state) USING facts;
  RETURN NOT facts ? 'failed';
EXCEPTION WHEN OTHERS THEN
  IF step IS NULL THEN RAISE; END IF;
  GET STACKED DIAGNOSTICS said_detail = PG_EXCEPTION_DETAIL, said_hint = PG_EXCEPTION_HINT;
  said_hint := coalesce(nullif(said_hint, ''), format('Step "%s" was undone. The same call goes on from there.', step));
  IF said_detail = '' THEN
    RAISE USING ERRCODE = sqlstate, MESSAGE = sqlerrm, HINT = said_hint;
  END IF;
  RAISE USING ERRCODE = sqlstate, MESSAGE = sqlerrm, DETAIL = said_detail, HINT = said_hint;
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
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
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

-- A release that got another name since its refresh began is found by the rows that it shows.
CREATE FUNCTION anonkit_distributed_left(shown regclass)
RETURNS TABLE (state regclass, facts jsonb)
LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
BEGIN
  ${require_schema}
  FOR state IN
    SELECT c.oid::regclass FROM pg_class AS c WHERE c.relname LIKE '%\_state' AND pg_get_userbyid(c.relowner) = current_user
    AND NOT c.relhasrules AND NOT c.relrowsecurity AND @extschema@.anonkit_distributed_is_state(c.oid)
  LOOP
    EXECUTE format('SELECT s.facts FROM %s AS s WHERE s.part = 0', state) INTO facts;
    IF (facts ->> 'shown')::bigint = shown::oid::bigint THEN RETURN NEXT; END IF;
  END LOOP;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_left(regclass) IS
'Internal: the caller''s refreshes that did not end, of the release that shows these rows.';

CREATE FUNCTION anonkit_distributed_again(release regclass)
RETURNS regclass
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  asked record;
  named record;
  earlier record;
BEGIN
  ${require_schema}
  asked := @extschema@.anonkit_distributed_query(release);
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = release) THEN
    RAISE undefined_table USING MESSAGE = 'the release was dropped by another session';
  END IF;
  IF asked IS NULL THEN
    RAISE wrong_object_type USING MESSAGE = format('%s is not a distributed release', release),
      HINT = 'anon_refresh refreshes other releases.';
  END IF;
  SELECT n.nspname, c.relname, c.relowner INTO named
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = release;
  IF pg_get_userbyid(named.relowner) <> current_user THEN
    RAISE insufficient_privilege USING MESSAGE = format('must be owner of release %s', release);
  END IF;
  -- The last step drops it.
  PERFORM @extschema@.anonkit_distributed_own(asked.rows);
  FOR earlier IN
    SELECT l.state, l.facts FROM @extschema@.anonkit_distributed_left(asked.rows) AS l
    WHERE (l.facts ->> 'schema', l.facts ->> 'name') <> (named.nspname, named.relname)
  LOOP
    RAISE NOTICE 'work that was begun under the former name of release % is dropped', release;
    PERFORM @extschema@.anonkit_distributed_end(earlier.state, earlier.facts);
  END LOOP;
  RETURN @extschema@.anonkit_distributed_begin(named.nspname, quote_ident(named.relname), asked.source, asked.spec, asked.layout, '{}',
    1 + (substring((SELECT relname FROM pg_class WHERE oid = asked.rows) FROM '_rows_([0-9]+)$'))::int, asked.rows);
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_again(regclass) IS
'Internal: begins the refresh of a distributed release, or finds that which did not end.';

-- A call that did not end has left a copy of the source's rows.
CREATE FUNCTION anonkit_distributed_forget(release regclass)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  owner text := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = release);
  shown regclass;
  earlier record;
BEGIN
  ${require_schema}
  shown := (@extschema@.anonkit_distributed_query(release)).rows;
  IF owner = current_user THEN
    FOR earlier IN SELECT l.state, l.facts FROM @extschema@.anonkit_distributed_left(shown) AS l LOOP
      PERFORM @extschema@.anonkit_distributed_end(earlier.state, earlier.facts);
    END LOOP;
    RETURN;
  END IF;
  -- Only its owner reads such a table: an index on it may have code.
  FOR earlier IN
    SELECT c.oid::regclass AS state FROM pg_class AS c WHERE pg_get_userbyid(c.relowner) = owner AND c.relname LIKE '%\_state'
    AND (c.relnamespace, c.relname) IN (SELECT v.relnamespace, @extschema@.anonkit_distributed_stem(v.relname) || '_state'
      FROM pg_class AS v WHERE v.oid = release UNION SELECT r.relnamespace, regexp_replace(r.relname, '_rows_[0-9]+$', '_state')
      FROM pg_class AS r WHERE r.oid = shown) AND @extschema@.anonkit_distributed_is_state(c.oid)
  LOOP
    RAISE NOTICE 'the refresh of release % that did not end keeps its tables', release
      USING HINT = format('%s lists them. Their owner can drop them.', earlier.state);
  END LOOP;
END
$function$;

COMMENT ON FUNCTION anonkit_distributed_forget(regclass) IS
'Internal: drops the tables of a refresh that did not end, before its release is dropped.';

CREATE PROCEDURE anonkit_distributed_steps(state regclass)
LANGUAGE plpgsql
AS $procedure$
DECLARE
  more pg_catalog.bool;
BEGIN
  LOOP
    COMMIT;
    ${require_schema}
    more := @extschema@.anonkit_distributed_step(state);
    EXIT WHEN more IS NULL;
    IF NOT more THEN
      COMMIT;
      ${require_schema}
      PERFORM @extschema@.anonkit_distributed_failure(state);
    END IF;
  END LOOP;
END
$procedure$;

COMMENT ON PROCEDURE anonkit_distributed_steps(regclass) IS
'Internal: takes all steps that are left, each a transaction.';

CREATE PROCEDURE anon_publish_distributed(${arguments})
LANGUAGE plpgsql
AS $procedure$
DECLARE
  state pg_catalog.regclass;
BEGIN
  ${require_schema}
  IF release IS NULL OR tbl IS NULL OR grant_to IS NULL OR part_rows IS NULL OR sample IS NULL OR parallel IS NULL THEN
    RAISE null_value_not_allowed USING MESSAGE = 'release, tbl, grant_to, part_rows, sample and parallel must not be null';
  END IF;
  IF least(part_rows, sample, parallel) OPERATOR(pg_catalog.<) 1 THEN
    RAISE invalid_parameter_value USING MESSAGE = 'part_rows, sample and parallel must be at least 1';
  END IF;
  state := @extschema@.anonkit_distributed_begin(pg_catalog.current_schema()::pg_catalog.text, release, tbl,
    @extschema@.anonkit_distributed_options(tbl => tbl, qi => qi, k => k, method => method, sensitive => sensitive, keep => keep,
      unit => unit, t => t, p => p, l => l, entropy_l => entropy_l, c => c, alpha => alpha, e => e, dominance => dominance,
      coarsen => coarsen, weights => weights, recode => recode, hierarchies => hierarchies, transparent => transparent,
      spec => spec),
    pg_catalog.jsonb_build_object('part_rows', part_rows, 'sample', sample, 'parallel', parallel), grant_to, 1);
  CALL @extschema@.anonkit_distributed_steps(state);
END
$procedure$;

COMMENT ON PROCEDURE anon_publish_distributed(${types}) IS
'Publishes a table that Citus distributes: a view of rows that the servers anonymize and verify, part by part, where they '
'are. Arguments are those of anon_publish; what compares a class with the whole table is refused, but for t of '
'values without an order. The coordinator sees a sample, at most about sample combinations of quasi-identifiers, and sums. Ends transactions, so it must be a statement '
'of its own. After an error the same call goes on where it ended. anon_release_info has the figures.';

CREATE PROCEDURE anon_refresh_distributed(release regclass)
LANGUAGE plpgsql
AS $procedure$
DECLARE
  state pg_catalog.regclass;
BEGIN
  ${require_schema}
  state := @extschema@.anonkit_distributed_again(release);
  IF state IS NULL THEN
    RAISE null_value_not_allowed USING MESSAGE = 'release must not be null';
  END IF;
  CALL @extschema@.anonkit_distributed_steps(state);
END
$procedure$;

COMMENT ON PROCEDURE anon_refresh_distributed(regclass) IS
'Builds a distributed release again from the present rows of its source. Readers keep the old rows until the new ones are '
'proven. After an error the same call goes on where it ended. Only for the owner.';
