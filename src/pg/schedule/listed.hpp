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

/// The starts of the last successful and the last failed run of anon_refresh_job; DT_NOBEGIN if
/// there is none. The companion must have passed its check.
void read_last_runs(Oid companion, TimestampTz* success, TimestampTz* failure);

}  // namespace anonkit::pg
