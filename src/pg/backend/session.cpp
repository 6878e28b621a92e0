#include "pg/backend/session.hpp"

extern "C" {
#include "tcop/dest.h"
}

namespace anonkit::pg {
namespace {

struct Receiver {
  DestReceiver base;
  RowFunction function;
  void* state;
  MemoryContext scratch;
};

bool receive(TupleTableSlot* slot, DestReceiver* self) {
  auto& receiver = *reinterpret_cast<Receiver*>(self);
  slot_getallattrs(slot);
  MemoryContext old = MemoryContextSwitchTo(receiver.scratch);
  receiver.function(slot, receiver.state);
  MemoryContextSwitchTo(old);
  MemoryContextReset(receiver.scratch);
  return true;
}

void startup(DestReceiver*, int, TupleDesc) {}
void finish(DestReceiver*) {}

}  // namespace

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
    ereport(ERROR,
            (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the relation must not be null")));
  const Oid relation = PG_GETARG_OID(0);
  if (get_rel_name(relation) == nullptr)
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                    errmsg("relation with OID %u does not exist", relation)));
  return relation;
}

char* qualified_name_of(Oid relation) {
  return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)),
                                    get_rel_name(relation));
}

void execute(const char* command, int expected) {
  const int result = SPI_execute(command, false, 0);
  if (result != expected) elog(ERROR, "SPI_execute failed: %s", SPI_result_code_string(result));
}

void execute_under_snapshot(const char* command, int expected) {
  SPIPlanPtr plan = SPI_prepare(command, 0, nullptr);
  if (plan == nullptr) elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
  const int result = SPI_execute_snapshot(plan, nullptr, nullptr, GetActiveSnapshot(),
                                          InvalidSnapshot, false, true, 0);
  if (result != expected)
    elog(ERROR, "SPI_execute_snapshot failed: %s", SPI_result_code_string(result));
}

void for_each_row(const char* query, RowFunction function, void* state, ParamListInfo parameters) {
  Receiver receiver = {};
  receiver.base.receiveSlot = receive;
  receiver.base.rStartup = startup;
  receiver.base.rShutdown = finish;
  receiver.base.rDestroy = finish;
  // Any kind but DestNone, which would keep SPI from reporting a SELECT.
  receiver.base.mydest = DestTuplestore;
  receiver.function = function;
  receiver.state = state;
  receiver.scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit row", ALLOCSET_DEFAULT_SIZES);
  SPIExecuteOptions options = {};
  options.read_only = true;
  options.params = parameters;
  options.dest = &receiver.base;
  const int result = SPI_execute_extended(query, &options);
  if (result != SPI_OK_SELECT) elog(ERROR, "query failed: %s", SPI_result_code_string(result));
  MemoryContextDelete(receiver.scratch);
}

}  // namespace anonkit::pg
