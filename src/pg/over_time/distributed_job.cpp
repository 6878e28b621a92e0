#include "pg/over_time/distributed_job.hpp"

#include "pg/backend/attempt.hpp"
#include "pg/backend/companion.hpp"
#include "pg/backend/extension.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/release_note.hpp"

namespace anonkit::pg {
namespace {

/// Calls an internal function of the extension, which is in PL/pgSQL. Its result; 0 for null.
Datum call_internal(const char* name, Oid relation, bool* is_null) {
  FmgrInfo function;
  fmgr_info(extension_function_named(name), &function);
  LOCAL_FCINFO(arguments, 1);
  InitFunctionCallInfoData(*arguments, &function, 1, InvalidOid, nullptr, nullptr);
  arguments->args[0].value = ObjectIdGetDatum(relation);
  arguments->args[0].isnull = false;
  const Datum result = FunctionCallInvoke(arguments);
  *is_null = arguments->isnull;
  return result;
}

/// Raises the error of a step with words of ours. Those of anonkit_distributed_failure are ours but
/// for its detail, the reason that a server gave.
[[noreturn]] void raise_for(Oid release, const Progress& progress, const ErrorData& error) {
  ereport(ERROR,
          (errcode(error.sqlerrcode),
           progress.failed ? errmsg("%s", error.message)
                           : errmsg("a step of release \"%s\" failed: %s", get_rel_name(release),
                                    class_of_error(error.sqlerrcode)),
           errdetail("The server's message may hold a value of the source, and readers of the "
                     "scheduler's log would see it."),
           errhint("CALL anon_refresh_distributed('%s'); as the owner shows it, or goes on.",
                   qualified_name_of(release))));
  pg_unreachable();
}

/// The figures that the last step has noted.
Jsonb* noted_figures(Oid release) {
  JsonObject json;
  add_figures(json, read_private_note(release, find_companion(release)).figures);
  return json.finish();
}

Jsonb* take_step(Oid release, Progress& progress) {
  bool is_null;
  if (!OidIsValid(progress.state)) {
    progress.state =
        DatumGetObjectId(call_internal("anonkit_distributed_again", release, &is_null));
    return nullptr;
  }
  if (progress.failed) call_internal("anonkit_distributed_failure", progress.state, &is_null);
  const bool succeeded =
      DatumGetBool(call_internal("anonkit_distributed_step", progress.state, &is_null));
  if (is_null) return noted_figures(release);
  progress.failed = !succeeded;
  return nullptr;
}

}  // namespace

void forget_steps(Oid release) {
  bool is_null;
  call_internal("anonkit_distributed_forget", release, &is_null);
}

Jsonb* refresh_distributed(Oid release, Progress& progress) {
  const MemoryContext context = CurrentMemoryContext;
  Jsonb* volatile figures = nullptr;
  PG_TRY();
  { figures = take_step(release, progress); }
  PG_CATCH();
  {
    MemoryContextSwitchTo(context);
    ErrorData* error = CopyErrorData();
    FlushErrorState();
    if (error->sqlerrcode == ERRCODE_QUERY_CANCELED) ReThrowError(error);
    raise_for(release, progress, *error);
  }
  PG_END_TRY();
  return figures;
}

}  // namespace anonkit::pg
