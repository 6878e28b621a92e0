#include "pg/schedule/listed.hpp"

#include "pg/backend/attempt.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/schedule/job_command.hpp"
#include "pg/schedule/pg_cron.hpp"

extern "C" {
#include "utils/acl.h"
}

namespace anonkit::pg {
namespace {

void end_schedule(void* release) {
  PgCron cron;
  CronJob job;
  const Oid relation = *static_cast<Oid*>(release);
  const OwnersWork work = begin_owners_work(relation);
  if (find_pg_cron(cron) && may_call(cron, GetUserId()) &&
      read_cron_job(cron, job_name(relation), GetUserId(), job))
    unschedule_job(cron, job.number);
  end_owners_work(work);
}

}  // namespace

bool read_cron_schedule(Oid release, char** schedule) {
  PgCron cron;
  CronJob job;
  const Oid owner = owner_of(release);
  if (!has_privs_of_role(GetUserId(), owner) || !find_pg_cron(cron) ||
      !read_cron_job(cron, job_name(release), owner, job) || !job.active)
    return false;
  *schedule = job.schedule;
  return true;
}

void unschedule_quietly(Oid release) {
  PgCron cron;
  if (!find_pg_cron(cron)) return;
  ErrorData* error = attempt(end_schedule, &release);
  if (error != nullptr && error->sqlerrcode == ERRCODE_QUERY_CANCELED) ReThrowError(error);
}

}  // namespace anonkit::pg
