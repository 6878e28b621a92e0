
-- ---- Schedule: automatic refreshes, and their history -------------------------------------------

-- No SET clause: a procedure with one could not end transactions.
CREATE PROCEDURE anon_refresh_job(release regclass, on_failure text DEFAULT 'keep')
AS 'MODULE_PATHNAME', 'anon_refresh_job'
LANGUAGE C;

COMMENT ON PROCEDURE anon_refresh_job(regclass, text) IS
'Refreshes a release as its owner, and writes the run into its history (anon_history). A failed run is written, '
'too, in a transaction of its own; then its error is raised. An error that anonkit did not raise may hold a value of '
'the source: its SQLSTATE alone is written and raised. With on_failure ''withdraw'' a failure takes SELECT on the '
'release and its columns from everybody but the owner, and the next success gives back what nobody has changed since; '
'with ''keep'' the last version stays for its readers. A distributed release takes ''keep'' only, and after a failure the '
'next job goes on from the step that failed. Cannot run inside a transaction block.';

CREATE FUNCTION anon_history(release regclass)
RETURNS TABLE (
  run bigint, started timestamptz, seconds float8, by text, status text, sqlstate text, message text,
  version bigint, rows bigint, figures jsonb, spec_fingerprint text, withdrawn bigint)
AS 'MODULE_PATHNAME', 'anon_history'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100 ROWS 100;

COMMENT ON FUNCTION anon_history(regclass) IS
'The runs of anon_refresh_job for a release, the first run first, for roles with the privileges of its owner. status is '
'''success'' or ''failure'', with sqlstate and message; spec_fingerprint is the SHA-256 of the release''s spec; '
'withdrawn counts the rights to read that the failure has withdrawn.';

CREATE FUNCTION anon_schedule(release regclass, schedule text, on_failure text DEFAULT 'keep')
RETURNS bigint
AS 'MODULE_PATHNAME', 'anon_schedule'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION anon_schedule(regclass, text, text) IS
'Lets pg_cron refresh a release as its owner, by a schedule such as ''15 3 * * *''; a new schedule replaces '
'the old one. Returns the number of the job. Without pg_cron, raises an error whose hint is the crontab line; where '
'pg_cron runs the jobs of another database, the hint is the statement to run there. on_failure: see anon_refresh_job.';

CREATE FUNCTION anon_unschedule(release regclass)
RETURNS boolean
AS 'MODULE_PATHNAME', 'anon_unschedule'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION anon_unschedule(regclass) IS
'Ends the schedule of a release. False if the current role has none in this database.';
