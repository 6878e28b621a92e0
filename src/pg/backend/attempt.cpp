#include "pg/backend/attempt.hpp"

#include <cstring>

extern "C" {
#include "access/xact.h"
#include "utils/resowner.h"
}

namespace anonkit::pg {
namespace {

struct Work {
  void (*run)(void* state);
  void* state;
};

Datum run_work(FunctionCallInfo fcinfo) {
  const auto& work = *reinterpret_cast<Work*>(PG_GETARG_POINTER(0));
  work.run(work.state);
  PG_RETURN_VOID();
}

/// SQLSTATEs that begin so.
struct ErrorClass {
  const char* beginning;
  const char* name;
};

/// The classes of SQLSTATEs that a refresh may meet, by their names in PostgreSQL's manual. Two
/// that limits of time lead to say more than their classes.
constexpr ErrorClass kClasses[] = {{"55P03", "lock not available"},
                                   {"57014", "query canceled"},
                                   {"08", "connection exception"},
                                   {"0A", "feature not supported"},
                                   {"21", "cardinality violation"},
                                   {"22", "data exception"},
                                   {"23", "integrity constraint violation"},
                                   {"25", "invalid transaction state"},
                                   {"40", "transaction rollback"},
                                   {"42", "syntax error or access rule violation"},
                                   {"53", "insufficient resources"},
                                   {"54", "program limit exceeded"},
                                   {"55", "object not in prerequisite state"},
                                   {"57", "operator intervention"},
                                   {"58", "system error"},
                                   {"P0", "raised exception"},
                                   {"XX", "internal error"}};

bool is_own(const ErrorData& error) {
  return error.domain != nullptr && std::strcmp(error.domain, TEXTDOMAIN) == 0;
}

}  // namespace

// enter() turns exceptions of the core into errors before they would pass PG_TRY.
ErrorData* attempt(void (*run)(void* state), void* state) {
  MemoryContext context = CurrentMemoryContext;
  ResourceOwner owner = CurrentResourceOwner;
  ErrorData* volatile error = nullptr;
  Work work = {run, state};
  LOCAL_FCINFO(call, 1);
  InitFunctionCallInfoData(*call, nullptr, 1, InvalidOid, nullptr, nullptr);
  call->args[0].value = PointerGetDatum(&work);
  call->args[0].isnull = false;
  BeginInternalSubTransaction(nullptr);
  MemoryContextSwitchTo(context);
  PG_TRY();
  {
    enter(call, run_work);
    ReleaseCurrentSubTransaction();
  }
  PG_CATCH();
  {
    // Ended before the copy, for which there may be no memory: an error of this block would leave
    // the session in the subtransaction.
    RollbackAndReleaseCurrentSubTransaction();
    MemoryContextSwitchTo(context);
    error = CopyErrorData();
    FlushErrorState();
  }
  PG_END_TRY();
  MemoryContextSwitchTo(context);
  CurrentResourceOwner = owner;
  return error;
}

const char* class_of_error(int sqlerrcode) {
  const char* sqlstate = unpack_sql_state(sqlerrcode);
  for (const ErrorClass& known : kClasses)
    if (std::strncmp(known.beginning, sqlstate, std::strlen(known.beginning)) == 0)
      return known.name;
  return "error";
}

const char* public_message(const ErrorData& error) {
  if (is_own(error)) return error.message;
  return psprintf("%s outside of anonkit, SQLSTATE %s", class_of_error(error.sqlerrcode),
                  unpack_sql_state(error.sqlerrcode));
}

void raise_publicly(const ErrorData& error) {
  const bool own = is_own(error);
  const char* detail = own ? error.detail
                           : "The message may hold a value of the source, and readers of the "
                             "scheduler's log would see it.";
  const char* hint = own ? error.hint : "Call anon_refresh as the owner to see it.";
  ereport(ERROR, (errcode(error.sqlerrcode), errmsg("%s", public_message(error)),
                  detail != nullptr ? errdetail("%s", detail) : 0,
                  hint != nullptr ? errhint("%s", hint) : 0));
  pg_unreachable();
}

}  // namespace anonkit::pg
