#pragma once

// The statements and lines that run a release's job, safe for every name.

#include "pg/schedule/job.hpp"

namespace anonkit::pg {

/// The name of the job in pg_cron.
char* job_name(Oid release);

/// The statement of the job. Types are exact: another procedure of the name never fits better. It
/// is an error once the name no longer means anonkit's procedure.
char* job_command(Oid release, OnFailure on_failure);

/// The statement that schedules the job from the database where pg_cron is.
char* schedule_statement(Oid release, const char* schedule, OnFailure on_failure);

/// A line for a crontab; null for names that cron cannot read.
char* crontab_line(Oid release, const char* schedule, OnFailure on_failure);

/// An error unless the schedule has the characters of a crontab's alone.
void require_schedule(const char* schedule);

}  // namespace anonkit::pg
