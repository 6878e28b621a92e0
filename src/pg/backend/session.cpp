#include "pg/backend/session.hpp"

#include <cstring>

#include "pg/backend/described.hpp"

extern "C" {
#include "mb/pg_wchar.h"
#include "storage/lock.h"
#include "tcop/dest.h"
#include "utils/varlena.h"
}

namespace anonkit::pg {
namespace {

struct Receiver {
  DestReceiver base;
  RowPredicate wants_more;
  void* state;
  MemoryContext scratch;
};

bool receive(TupleTableSlot* slot, DestReceiver* self) {
  auto& receiver = *reinterpret_cast<Receiver*>(self);
  slot_getallattrs(slot);
  MemoryContext old = MemoryContextSwitchTo(receiver.scratch);
  const bool more = receiver.wants_more(slot, receiver.state);
  MemoryContextSwitchTo(old);
  MemoryContextReset(receiver.scratch);
  return more;
}

void startup(DestReceiver*, int, TupleDesc) {}
void finish(DestReceiver*) {}

/// A function that wants all rows.
struct EachRow {
  RowFunction function;
  void* state;
};

bool take_each(TupleTableSlot* slot, void* state) {
  const auto& each = *static_cast<EachRow*>(state);
  each.function(slot, each.state);
  return true;
}

void for_rows(const char* query, RowPredicate wants_more, void* state, ParamListInfo parameters,
              int expected = SPI_OK_SELECT) {
  Receiver receiver = {};
  receiver.base.receiveSlot = receive;
  receiver.base.rStartup = startup;
  receiver.base.rShutdown = finish;
  receiver.base.rDestroy = finish;
  // Any kind but DestNone, which would keep SPI from reporting a SELECT.
  receiver.base.mydest = DestTuplestore;
  receiver.wants_more = wants_more;
  receiver.state = state;
  receiver.scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit row", ALLOCSET_DEFAULT_SIZES);
  SPIExecuteOptions options = {};
  options.read_only = expected == SPI_OK_SELECT;
  options.params = parameters;
  options.dest = &receiver.base;
  const int result = SPI_execute_extended(query, &options);
  if (result != expected) elog(ERROR, "query failed: %s", SPI_result_code_string(result));
  MemoryContextDelete(receiver.scratch);
}

}  // namespace

Session open_session() {
  Session session;
  session.outer = CurrentMemoryContext;
  session.context =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit call", ALLOCSET_DEFAULT_SIZES);
  SPI_connect();
  MemoryContextSwitchTo(session.context);
  begin_descriptions(session.context);
  return session;
}

void close_session(const Session& session) {
  SPI_finish();
  MemoryContextSwitchTo(session.outer);
  MemoryContextDelete(session.context);
}

void* copied(const void* value, MemoryContext context) {
  void* copy = MemoryContextAlloc(context, VARSIZE(value));
  std::memcpy(copy, value, VARSIZE(value));
  return copy;
}

void require_writable(const char* call) {
  PreventCommandDuringRecovery(call);
  PreventCommandIfReadOnly(call);
}

void require_relation(Oid relation) {
  if (get_rel_name(relation) == nullptr)
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                    errmsg("relation with OID %u does not exist", relation)));
}

namespace {

bool holds_lock(Oid relation, LOCKMODE mode) {
  LOCKTAG tag;
  SET_LOCKTAG_RELATION(tag, MyDatabaseId, relation);
  return anonkit_holds_lock(&tag, mode);
}

}  // namespace

void refuse_dropped(Oid relation) {
  // DROP keeps its lock until the transaction ends.
  const bool here = holds_lock(relation, AccessExclusiveLock);
  ereport(ERROR,
          (errcode(ERRCODE_UNDEFINED_TABLE),
           errmsg("the relation was dropped %s", here ? "during the call" : "by another session"),
           errdetail("Its OID was %u.", relation),
           here ? errhint("Functions of views and policies must not drop relations.") : 0));
  pg_unreachable();
}

Relation open_relation(Oid relation) {
  Relation opened = try_relation_open(relation, AccessShareLock);
  if (opened == nullptr) refuse_dropped(relation);
  remember_columns(opened);
  return opened;
}

void hold_relation(Oid relation) {
  relation_close(open_relation(relation), NoLock);
}

bool has_used(Oid relation) {
  for (LOCKMODE mode = AccessShareLock; mode <= MaxLockMode; ++mode)
    if (holds_lock(relation, mode)) return true;
  return false;
}

Oid relation_argument(FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(0))
    ereport(ERROR,
            (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the relation must not be null")));
  const Oid relation = PG_GETARG_OID(0);
  require_relation(relation);
  return relation;
}

Oid relation_named(const char* name, LOCKMODE lock) {
  List* parts = textToQualifiedNameList(cstring_to_text(name));
  return RangeVarGetRelid(makeRangeVarFromNameList(parts), lock, false);
}

char* relation_name(Oid relation) {
  char* name = get_rel_name(relation);
  if (name == nullptr) refuse_dropped(relation);
  return name;
}

char* qualified_name_of(Oid relation) {
  const char* name = relation_name(relation);  // or an error, before its schema is looked up
  return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), name);
}

char* proposed_release_of(Oid relation) {
  static constexpr char kEnding[] = "_public";
  constexpr int kLongest = NAMEDATALEN - static_cast<int>(sizeof kEnding);
  const char* table = relation_name(relation);
  const int length = pg_mbcliplen(table, static_cast<int>(std::strlen(table)), kLongest);
  return pstrdup(quote_identifier(psprintf("%.*s%s", length, table, kEnding)));
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
  EachRow each = {function, state};
  for_rows(query, take_each, &each, parameters);
}

void for_each_written_row(const char* command, int expected, RowFunction function, void* state) {
  EachRow each = {function, state};
  for_rows(command, take_each, &each, nullptr, expected);
}

void for_rows_while(const char* query, RowPredicate wants_more, void* state) {
  for_rows(query, wants_more, state, nullptr);
}

}  // namespace anonkit::pg
