
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
  item text;
  levels record;
BEGIN
  ${require_schema}
  PERFORM @extschema@.anonkit_distributed_own(state);
  -- A column may have any name, also those of the counts below, so columns of classes are renamed.
  -- The loss of labels, of weighted columns and on other scales is not a sum of those of the parts.
  SELECT 'c0, ' || string_agg('c' || c.place, ', '), 't.anon_part AS c0, ' || string_agg(format('t.%I AS c%s', c.name, c.place), ', '),
    NOT spec ?| '{weights,standardize}' AND measured > 0 AND bool_and(c.number)
  INTO class, renamed, only_numbers
  FROM @extschema@.anonkit_distributed_columns((facts ->> 'source')::oid::regclass, spec)
    WITH ORDINALITY AS c(name, type, released, role, number, place) WHERE c.role = 'quasi-identifier';
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
    FROM (SELECT count(*) AS n FROM (SELECT %s FROM %s AS t) AS r GROUP BY %s) AS c', renamed, published, class) INTO counted;
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
  FOR item IN
    SELECT s.name FROM jsonb_array_elements_text(spec -> 'sensitive') AS s(name) WHERE NOT coalesce(spec -> 'protected', '{}') ? s.name
  LOOP
    EXECUTE format('SELECT min(l) AS l, max(alpha) AS alpha, min(entropy) AS entropy FROM (
      SELECT count(*) AS l, max(n) / sum(n) AS alpha, ln(sum(n)) - sum(n * ln(n)) / sum(n) AS entropy
      FROM (SELECT %1$s, value, count(*)::float8 AS n FROM (SELECT %2$s, t.%3$I AS value FROM %4$s AS t) AS r GROUP BY %1$s, value) AS v
      GROUP BY %1$s HAVING count(value) > 0 OR NOT %5$s) AS c',
      class, renamed, item, published, coalesce(spec ->> 'transparent', 'false')) INTO levels;
    IF levels.l < greatest((spec ->> 'l')::int, (spec ->> 'p')::int)
      OR NOT spec ? 'unit' AND (levels.alpha > (spec ->> 'alpha')::float8 * (1 + 1e-9)
        OR exp(levels.entropy) < (spec ->> 'entropy_l')::float8 * (1 - 1e-9)) THEN
      RAISE check_violation USING MESSAGE = format('the release was not made: a promise on column "%s" is not kept', item);
    END IF;
  END LOOP;
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
    before := (@extschema@.anonkit_distributed_query(view)).rows;
    SELECT string_agg(DISTINCT CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(granted.grantee)) END, ', ')
    INTO readers FROM pg_class AS c, aclexplode(c.relacl) AS granted
    WHERE c.oid = view::regclass AND granted.privilege_type = 'SELECT' AND granted.grantee <> c.relowner;
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

CREATE FUNCTION anonkit_distributed_again(release regclass)
RETURNS regclass
LANGUAGE plpgsql VOLATILE STRICT
SET search_path = pg_catalog, pg_temp
AS $function$
DECLARE
  asked record;
  named record;
BEGIN
  ${require_schema}
  asked := @extschema@.anonkit_distributed_query(release);
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
  RETURN @extschema@.anonkit_distributed_begin(named.nspname, quote_ident(named.relname), asked.source, asked.spec, asked.layout, '{}',
    1 + (substring((SELECT relname FROM pg_class WHERE oid = asked.rows) FROM '_rows_([0-9]+)$'))::int);
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
  named record;
  state regclass;
  facts jsonb;
BEGIN
  ${require_schema}
  SELECT n.nspname, c.relname, c.relowner INTO named
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = release;
  state := to_regclass(format('%I.%I', named.nspname, @extschema@.anonkit_distributed_stem(named.relname) || '_state'));
  IF NOT EXISTS (SELECT FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.oid = state AND c.relowner = named.relowner AND a.attname = 'facts' AND a.atttypid = 'jsonb'::regtype) THEN
    RETURN;
  END IF;
  IF pg_get_userbyid(named.relowner) <> current_user THEN
    RAISE NOTICE 'the refresh of release % that did not end keeps its tables', release
      USING HINT = format('%s lists them. Their owner can drop them.', state);
    RETURN;
  END IF;
  PERFORM @extschema@.anonkit_distributed_own(state);
  EXECUTE format('SELECT facts FROM %s WHERE part = 0', state) INTO facts;
  IF facts ->> 'name' = named.relname THEN
    PERFORM @extschema@.anonkit_distributed_end(state, facts);
  END IF;
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
