// anon_refresh_job, anon_history, anon_schedule, anon_unschedule: automatic refreshes of a release
// of any kind.

#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/distributed_job.hpp"
#include "pg/over_time/entry.hpp"
#include "pg/over_time/view_query.hpp"
#include "pg/read/distributed_query.hpp"
#include "pg/schedule/job.hpp"
#include "pg/schedule/job_command.hpp"
#include "pg/schedule/pg_cron.hpp"
#include "pg/schedule/runs.hpp"

extern "C" {
#include "commands/dbcommands.h"
}

namespace anonkit::pg {
namespace {

/// The spec of a release of any kind; an error for other relations.
Jsonb* require_spec(Oid release) {
  ReleaseQuery query;
  if (read_any_release(release, query)) return query.spec;
  ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                  errmsg("\"%s\" is not a release", get_rel_name(release))));
  pg_unreachable();
}

/// An error unless the current role is the owner itself: jobs run as one role, and nobody's rights
/// but the owner's shall enter them.
void require_owner_itself(Oid release, const char* task) {
  const Oid owner = owner_of(release);
  if (GetUserId() == owner) return;
  ereport(
      ERROR,
      (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), errmsg("only the owner of a release can %s", task),
       errhint("Become role %s first.", quote_identifier(GetUserNameFromId(owner, false)))));
}

/// An error within a transaction block or a function: the job ends transactions.
void require_own_transaction(FunctionCallInfo fcinfo) {
  if (fcinfo->context != nullptr && IsA(fcinfo->context, CallContext) &&
      !castNode(CallContext, fcinfo->context)->atomic)
    return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_TERMINATION),
                  errmsg("anon_refresh_job cannot run inside a transaction block or a function"),
                  errdetail("A failed run is committed to the history before its error is raised."),
                  errhint("Send the CALL as a statement of its own.")));
}

/// Readers of a distributed release have rights on every server.
void refuse_withdrawal(Oid release, OnFailure on_failure) {
  if (on_failure != OnFailure::withdraw || !is_distributed(release)) return;
  ereport(ERROR,
          (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
           errmsg("release \"%s\" is distributed, and cannot have on_failure 'withdraw'",
                  get_rel_name(release)),
           errdetail("Its readers have rights to the rows on every server."),
           errhint("With 'keep', the last version stays; anon_history tells of the failure.")));
}

Jsonb* refresh_at_once(Oid release, Progress&) {
  const Session session = open_session();
  LOCAL_FCINFO(call, 1);
  InitFunctionCallInfoData(*call, nullptr, 1, InvalidOid, nullptr, nullptr);
  call->args[0].value = ObjectIdGetDatum(release);
  call->args[0].isnull = false;
  const Figures figures = refresh_release(call);
  close_session(session);
  JsonObject json;
  add_figures(json, figures);
  return json.finish();
}

Datum refresh_job(FunctionCallInfo fcinfo) {
  const Oid release = relation_argument(fcinfo);
  const OnFailure on_failure =
      on_failure_of(PG_ARGISNULL(1) ? nullptr : text_to_cstring(PG_GETARG_TEXT_PP(1)));
  Jsonb* spec = require_spec(release);
  refuse_withdrawal(release, on_failure);
  require_owner_itself(release, "run its job");
  require_own_transaction(fcinfo);
  SPI_connect_ext(SPI_OPT_NONATOMIC);
  run_job(
      {release, on_failure, spec, is_distributed(release) ? refresh_distributed : refresh_at_once});
  SPI_finish();
  PG_RETURN_VOID();
}

Datum history(FunctionCallInfo fcinfo) {
  const Oid release = relation_argument(fcinfo);
  require_spec(release);
  require_owner(release);
  InitMaterializedSRF(fcinfo, 0);
  const Oid companion = find_companion(release);
  if (OidIsValid(companion))
    put_runs(companion, reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  return static_cast<Datum>(0);
}

/// The database where pg_cron looks for jobs; null if pg_cron is not loaded. pg_stat_activity shows
/// it to everybody, too. A session may set a placeholder of the name.
const char* database_of_pg_cron() {
  static constexpr char kSetting[] = "cron.database_name";
  const char* database = GetConfigOption(kSetting, true, false);
  const bool placeholder =
      database != nullptr && (GetConfigOptionFlags(kSetting, true) & GUC_CUSTOM_PLACEHOLDER) != 0;
  return placeholder ? nullptr : database;
}

[[noreturn]] void refuse_without_pg_cron(Oid release, const char* schedule, OnFailure on_failure) {
  const char* line = crontab_line(release, schedule, on_failure);
  const char* owner = quote_identifier(GetUserNameFromId(GetUserId(), false));
  ereport(ERROR,
          (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
           errmsg("extension \"pg_cron\" is not installed in this database"),
           line != nullptr
               ? errhint("Install it, or put this line into the crontab of an account that may "
                         "connect as role %s: %s",
                         owner, line)
               : errhint("Install it. No crontab line is possible for names with line breaks or "
                         "such backslashes.")));
  pg_unreachable();
}

/// Finds pg_cron, or raises an error whose hint is the way to a schedule without it.
PgCron require_pg_cron(Oid release, const char* schedule, OnFailure on_failure) {
  const char* here = get_database_name(MyDatabaseId);
  const char* database = database_of_pg_cron();
  if (database != nullptr && strcmp(database, here) != 0)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("pg_cron runs the jobs of database \"%s\" only", database),
                    errdetail("Setting cron.database_name names it."),
                    errhint("Let a superuser run there: %s;",
                            schedule_statement(release, schedule, on_failure))));
  PgCron cron;
  if (find_pg_cron(cron)) return cron;
  if (database == nullptr) refuse_without_pg_cron(release, schedule, on_failure);
  ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                  errmsg("extension \"pg_cron\" is not installed in this database"),
                  errhint("Let a superuser run: CREATE EXTENSION pg_cron;")));
  pg_unreachable();
}

Datum schedule(FunctionCallInfo fcinfo) {
  const Oid release = relation_argument(fcinfo);
  const char* when = text_to_cstring(PG_GETARG_TEXT_PP(1));
  const OnFailure on_failure = on_failure_of(text_to_cstring(PG_GETARG_TEXT_PP(2)));
  require_schedule(when);
  require_spec(release);
  refuse_withdrawal(release, on_failure);
  require_owner_itself(release, "schedule it");
  const PgCron cron = require_pg_cron(release, when, on_failure);
  require_may_call(cron);
  PG_RETURN_INT64(schedule_job(cron, job_name(release), when, job_command(release, on_failure)));
}

/// Works for a release that was dropped, too: its number is the job's name.
Datum unschedule(FunctionCallInfo fcinfo) {
  PgCron cron;
  CronJob job;
  if (!find_pg_cron(cron) || !read_cron_job(cron, job_name(PG_GETARG_OID(0)), GetUserId(), job))
    PG_RETURN_BOOL(false);
  require_may_call(cron);
  unschedule_job(cron, job.number);
  PG_RETURN_BOOL(true);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_refresh_job) {
  using namespace anonkit::pg;
  require_writable("anon_refresh_job()");
  return refresh_job(fcinfo);
}
ANONKIT_FUNCTION(anon_history) {
  return anonkit::pg::history(fcinfo);
}
ANONKIT_FUNCTION(anon_schedule) {
  using namespace anonkit::pg;
  require_writable("anon_schedule()");
  return schedule(fcinfo);
}
ANONKIT_FUNCTION(anon_unschedule) {
  using namespace anonkit::pg;
  require_writable("anon_unschedule()");
  return unschedule(fcinfo);
}
