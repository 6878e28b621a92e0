#pragma once

// pg_cron, found by its extension: its functions and its table are members of it. A schema of the
// name proves nothing.
//
//   PgCron cron;
//   if (find_pg_cron(cron)) { require_pg_cron(cron); id = schedule_job(cron, name, "@daily",
//   command); }

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The members of extension pg_cron in this database. Plain data.
struct PgCron {
  Oid schema;
  Oid schedule;    ///< schedule(text, text, text)
  Oid unschedule;  ///< unschedule(bigint)
  Oid job;         ///< table job
};

/// False if the extension is not in this database, or lacks one of them.
bool find_pg_cron(PgCron& cron);

/// True if a role may schedule jobs. pg_cron's code looks its own table up by a fixed schema name,
/// so it is not called after that schema was renamed.
bool may_call(const PgCron& cron, Oid role);

/// An error unless the current role may schedule jobs; its hint is the GRANT that is missing.
void require_may_call(const PgCron& cron);

/// Schedules a job of the current role, in place of one of that name. Returns its number.
int64 schedule_job(const PgCron& cron, const char* name, const char* schedule, const char* command);
void unschedule_job(const PgCron& cron, int64 job);

/// A row of pg_cron's table. Plain data.
struct CronJob {
  int64 number;
  char* schedule;
  bool active;
};

/// Reads the job of that name and role for this database from the heap. False if there is none, if
/// the table has another form than pg_cron's, or while another session excludes readers.
bool read_cron_job(const PgCron& cron, const char* name, Oid role, CronJob& job);

}  // namespace anonkit::pg
