
-- ---- Schedule: automatic refreshes, and their history -------------------------------------------

CREATE FUNCTION anon_history_of(release regclass)
RETURNS regclass
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT h.oid::pg_catalog.regclass
FROM pg_catalog.pg_class AS r
JOIN pg_catalog.pg_class AS h ON h.relnamespace = r.relnamespace AND h.relowner = r.relowner
  AND h.relname = (pg_catalog.left(r.relname::pg_catalog.text, 55) || '_history')::pg_catalog.name AND h.relkind = 'r'
WHERE r.oid = release
$$;

COMMENT ON FUNCTION anon_history_of(regclass) IS
'The table of a release''s runs by anon_refresh_job, or null. Its name is the release''s with _history '
'behind, and it belongs to the same role.';

CREATE FUNCTION anon_history_row(release regclass)
RETURNS regclass
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  history regclass := @extschema@.anon_history_of(release);
  place text;
BEGIN
  IF history IS NULL THEN
    SELECT format('%I.%I', n.nspname, left(c.relname::text, 55) || '_history') INTO place
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = release;
    IF place IS NULL THEN
      RAISE EXCEPTION 'relation with OID % does not exist', release::oid USING ERRCODE = 'undefined_table';
    END IF;
    EXECUTE format('CREATE TABLE %s (
      run bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      started timestamptz NOT NULL, seconds double precision NOT NULL, by text NOT NULL,
      status text NOT NULL CHECK (status IN (''success'', ''failure'')),
      sqlstate text, message text, version bigint, rows bigint, figures jsonb,
      spec_fingerprint text NOT NULL, withdrawn regrole[])', place);
    EXECUTE format('REVOKE ALL ON %s FROM PUBLIC', place);
    EXECUTE format('COMMENT ON TABLE %s IS ''anonkit: the runs of a release''', place);
    history := place::regclass;
  END IF;
  RETURN history;
END $$;

COMMENT ON FUNCTION anon_history_row(regclass) IS
'Creates the table of a release''s runs if it does not exist, and returns it. Used by anon_refresh_job.';

-- No SET clause: a procedure with one could not end transactions. Every name is qualified.
CREATE PROCEDURE anon_refresh_job(release regclass, on_failure text DEFAULT 'keep')
LANGUAGE plpgsql
AS $$
DECLARE
  started pg_catalog.timestamptz := pg_catalog.clock_timestamp();
  history pg_catalog.regclass;
  outcome pg_catalog.jsonb;
  state pg_catalog.text;
  words pg_catalog.text;
  readers pg_catalog.regrole[];
  reader pg_catalog.regrole;
BEGIN
  PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  IF on_failure IS NULL OR on_failure NOT IN ('keep', 'withdraw') THEN
    RAISE EXCEPTION 'unknown value for "on_failure"'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Choose one of ''keep'', ''withdraw''.';
  END IF;
  IF NOT EXISTS (SELECT FROM @extschema@.anon_release_info(release)) THEN
    RAISE EXCEPTION '"%" is not a release', release USING ERRCODE = 'wrong_object_type';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = release AND pg_get_userbyid(relowner) = current_user) THEN
    RAISE EXCEPTION 'only the owner of a release can run its job' USING ERRCODE = 'insufficient_privilege';
  END IF;
  history := @extschema@.anon_history_row(release);
  BEGIN
    SELECT to_jsonb(figures.*) INTO outcome FROM @extschema@.anon_refresh(release) AS figures;
  EXCEPTION WHEN OTHERS OR query_canceled THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, words = MESSAGE_TEXT;
  END;
  IF state IS NULL THEN
    -- Restores the rights of readers that a failure withdrew.
    EXECUTE format('SELECT withdrawn FROM %s ORDER BY run DESC LIMIT 1', history) INTO readers;
    FOREACH reader IN ARRAY coalesce(readers, '{}') LOOP
      IF reader::oid = 0 THEN
        EXECUTE format('GRANT SELECT ON %s TO PUBLIC', release);
      ELSIF EXISTS (SELECT FROM pg_roles WHERE oid = reader) THEN
        EXECUTE format('GRANT SELECT ON %s TO %s', release, reader);
      END IF;
    END LOOP;
    readers := NULL;
  ELSE
    EXECUTE format('SELECT withdrawn FROM %s ORDER BY run DESC LIMIT 1', history) INTO readers;
    IF on_failure = 'withdraw' THEN
      SELECT coalesce(readers, '{}') || coalesce(array_agg(DISTINCT acl.grantee)::regrole[], '{}') INTO readers
        FROM pg_class AS c, LATERAL aclexplode(c.relacl) AS acl
        WHERE c.oid = release AND acl.privilege_type = 'SELECT' AND acl.grantee <> c.relowner;
      FOREACH reader IN ARRAY readers LOOP
        EXECUTE format('REVOKE SELECT ON %s FROM %s CASCADE', release,
          CASE WHEN reader::oid = 0 THEN 'PUBLIC' ELSE reader::text END);
      END LOOP;
    END IF;
  END IF;
  EXECUTE format('INSERT INTO %s (started, seconds, by, status, sqlstate, message, version, rows, figures,
      spec_fingerprint, withdrawn)
    SELECT $1, extract(epoch FROM clock_timestamp() - $1), session_user, CASE WHEN $2 IS NULL THEN ''success''
      ELSE ''failure'' END, $2, $3, ($4->>''version'')::bigint, ($4->>''rows'')::bigint, $4,
      encode(sha256(convert_to(info.spec::text, ''UTF8'')), ''hex''), $5
    FROM @extschema@.anon_release_info($6) AS info', history)
    USING started, state, words, outcome, readers, release;
  COMMIT;
  IF state IS NOT NULL THEN
    RAISE EXCEPTION '%', words USING ERRCODE = state;
  END IF;
END $$;

COMMENT ON PROCEDURE anon_refresh_job(regclass, text) IS
'Refreshes a release and records the run in the table NAME_history. A failed run is recorded too, with its '
'SQLSTATE and message, in a transaction of its own; then the error is raised. With on_failure ''withdraw'' '
'only the owner may read the release after a failure until a run succeeds; with ''keep'' the last version '
'stays for its readers. Must be called outside of a transaction, by a scheduler.';

CREATE FUNCTION anon_job_name(release regclass)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT 'anonkit release ' || release::pg_catalog.oid::pg_catalog.text $$;

COMMENT ON FUNCTION anon_job_name(regclass) IS
'The name of the pg_cron job that refreshes a release.';

CREATE FUNCTION anon_schedule(release regclass, schedule text, on_failure text DEFAULT 'keep')
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = release);
  command text := format('CALL %I.anon_refresh_job(%s, %L)', '@extschema@', release::oid, on_failure);
  job bigint;
BEGIN
  IF on_failure NOT IN ('keep', 'withdraw') THEN
    RAISE EXCEPTION 'unknown value for "on_failure"'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Choose one of ''keep'', ''withdraw''.';
  END IF;
  IF NOT EXISTS (SELECT FROM @extschema@.anon_release_info(release)) THEN
    RAISE EXCEPTION '"%" is not a release', release USING ERRCODE = 'wrong_object_type';
  END IF;
  IF owner <> current_user THEN
    RAISE EXCEPTION 'only the owner of a release can schedule it'
      USING ERRCODE = 'insufficient_privilege', HINT = format('Become role %I first.', owner);
  END IF;
  IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_cron') THEN
    RAISE EXCEPTION 'extension "pg_cron" is not installed in this database'
      USING ERRCODE = 'feature_not_supported',
        HINT = format('Install it, or put this line into the crontab of an account that may connect as %I: %s '
          'psql -d %I -U %I -c "CALL %I.anon_refresh_job(''%s'', ''%s'')"',
          owner, schedule, current_database(), owner, '@extschema@',
          (SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class AS c
            JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = release), on_failure);
  END IF;
  PERFORM @extschema@.anon_history_row(release);
  EXECUTE 'SELECT cron.schedule($1, $2, $3)' INTO job USING @extschema@.anon_job_name(release), schedule, command;
  RETURN job;
END $$;

COMMENT ON FUNCTION anon_schedule(regclass, text, text) IS
'Lets pg_cron refresh a release as its owner, by a schedule such as ''15 3 * * *''; a new schedule replaces '
'the old one. Returns the number of the job. Without pg_cron, raises an error whose hint is the crontab line.'
' on_failure: see anon_refresh_job.';

CREATE FUNCTION anon_unschedule(release regclass)
RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_cron') THEN
    RETURN false;
  END IF;
  EXECUTE 'SELECT count(cron.unschedule(jobid)) > 0 FROM cron.job WHERE jobname = $1 AND username = current_user'
    INTO found USING @extschema@.anon_job_name(release);
  RETURN found;
END $$;

COMMENT ON FUNCTION anon_unschedule(regclass) IS
'Ends the schedule of a release. False if it had none.';
