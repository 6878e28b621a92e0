#include "session.hpp"

namespace anonkit::pg {

Session open_session() {
  Session session;
  session.outer = CurrentMemoryContext;
  session.context =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit call", ALLOCSET_DEFAULT_SIZES);
  SPI_connect();
  MemoryContextSwitchTo(session.context);
  return session;
}

void close_session(const Session& session) {
  SPI_finish();
  MemoryContextSwitchTo(session.outer);
  MemoryContextDelete(session.context);
}

Oid relation_argument(FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(0))
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the relation must not be null")));
  const Oid relation = PG_GETARG_OID(0);
  if (get_rel_name(relation) == nullptr)
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                    errmsg("relation with OID %u does not exist", relation)));
  return relation;
}

void execute(const char* command, int expected) {
  const int result = SPI_execute(command, false, 0);
  if (result != expected)
    elog(ERROR, "SPI_execute failed: %s", SPI_result_code_string(result));
}

}  // namespace anonkit::pg
