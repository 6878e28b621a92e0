#pragma once

// The schedule and the last runs of a release, for lists of releases and for its end.
//
//   char* schedule;
//   if (read_cron_schedule(release, &schedule)) ...      // '15 3 * * *'
//   read_last_runs(companion, &success, &failure);       // DT_NOBEGIN: none
//   unschedule_quietly(release);                         // before DROP

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Reads the schedule of a release's active job in pg_cron. False if it has none, if the current
/// role lacks the privileges of the release's owner, or while pg_cron's table is locked. Only jobs
/// of the owner count. Runs no code of others and raises no error for what pg_cron's table holds.
bool read_cron_schedule(Oid release, char** schedule);

/// Ends the schedule of a release as its owner, if it has one in this database. Cancels pass, other
/// errors do not: an owner without a right on pg_cron keeps a job that fails.
void unschedule_quietly(Oid release);

/// The last runs of anon_refresh_job. Numbers grow with each run, and clocks may be set back. Plain
/// data.
struct LastRuns {
  int64 number;         ///< of the last run; 0: none
  int64 failed;         ///< of the last failed run; 0: none
  TimestampTz success;  ///< the start of the last successful run; DT_NOBEGIN: none
  TimestampTz failure;  ///< the start of the last failed run; DT_NOBEGIN: none
};

/// The companion must have passed its check.
LastRuns read_last_runs(Oid companion);

}  // namespace anonkit::pg
