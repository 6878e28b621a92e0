#include "pg/backend/attempt.hpp"

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
    MemoryContextSwitchTo(context);
    error = CopyErrorData();
    FlushErrorState();
    RollbackAndReleaseCurrentSubTransaction();
  }
  PG_END_TRY();
  MemoryContextSwitchTo(context);
  CurrentResourceOwner = owner;
  return error;
}

}  // namespace anonkit::pg
