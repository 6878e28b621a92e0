-- A nightly refresh within the server, with the extension pg_cron: psql -d postgres -f examples/pg_cron.sql
-- Run it as the owner of the release: the job has its rights.
SELECT cron.schedule_in_database('refresh visits_public', '15 3 * * *', $$SELECT anon_refresh('visits_public')$$, 'hospital');

-- The last ten runs; a failed one has the error in return_message, and left the old release.
SELECT start_time, status, return_message
FROM cron.job_run_details WHERE command LIKE '%anon_refresh%' ORDER BY start_time DESC LIMIT 10;
