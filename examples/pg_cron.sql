-- A nightly refresh within the server, with the extension pg_cron, which lives in another database: psql -d postgres
-- -f examples/pg_cron.sql, as a superuser. In the database of pg_cron, anon_schedule does it. The job runs as the
-- owner of the release, here steward, and writes its runs down: anon_history.
SELECT cron.schedule_in_database('refresh visits_public', '15 3 * * *',
  $$CALL public.anon_refresh_job('public.visits_public'::regclass, 'keep'::text)$$, 'hospital', 'steward');

-- The last ten runs; a failed one has the error in return_message, and left the old release.
SELECT start_time, status, return_message
FROM cron.job_run_details WHERE command LIKE '%anon_refresh_job%' ORDER BY start_time DESC LIMIT 10;

-- A set of tables has no job of its own. Every first of the month, as its owner; a failure leaves the old set:
SELECT cron.schedule_in_database('refresh clinic_public', '45 3 1 * *',
  $$SELECT public.anon_refresh_set('clinic_public'::regnamespace)$$, 'hospital', 'steward');
