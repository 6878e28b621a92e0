#include "pg/schedule/pg_cron.hpp"

#include <cstring>

#include "pg/backend/catalog_rows.hpp"
#include "pg/backend/owners_work.hpp"

extern "C" {
#include "catalog/dependency.h"
#include "catalog/pg_am.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_language.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "commands/dbcommands.h"
#include "commands/extension.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/regproc.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

/// The schema that pg_cron's code names.
constexpr char kSchema[] = "cron";

/// True for a function in C of that name with exactly these arguments.
bool is_function(Oid oid, const char* name, const Oid* types, int count) {
  HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(oid));
  if (!HeapTupleIsValid(tuple)) return false;
  const auto* function = reinterpret_cast<Form_pg_proc>(GETSTRUCT(tuple));
  bool same = std::strcmp(NameStr(function->proname), name) == 0 &&
              function->prolang == ClanguageId && function->pronargs == count;
  for (int i = 0; same && i < count; ++i) same = function->proargtypes.values[i] == types[i];
  ReleaseSysCache(tuple);
  return same;
}

void take_member(PgCron& cron, const FormData_pg_depend& member) {
  constexpr Oid kSchedule[] = {TEXTOID, TEXTOID, TEXTOID};
  constexpr Oid kUnschedule[] = {INT8OID};
  const Oid oid = member.objid;
  if (member.classid == ProcedureRelationId) {
    if (is_function(oid, "schedule", kSchedule, 3)) cron.schedule = oid;
    if (is_function(oid, "unschedule", kUnschedule, 1)) cron.unschedule = oid;
  } else if (member.classid == RelationRelationId && get_rel_relkind(oid) == RELKIND_RELATION &&
             std::strcmp(get_rel_name(oid), "job") == 0) {
    cron.job = oid;
    cron.schema = get_rel_namespace(oid);
  }
}

// ---- the table ----

struct Column {
  const char* name;
  Oid type;
  Oid other_type;  ///< of other versions
};

constexpr Column kColumns[] = {
    {"jobid", INT8OID, INT8OID},    {"schedule", TEXTOID, TEXTOID}, {"database", TEXTOID, TEXTOID},
    {"username", TEXTOID, TEXTOID}, {"active", BOOLOID, BOOLOID},   {"jobname", NAMEOID, TEXTOID},
};
constexpr int kColumnCount = static_cast<int>(lengthof(kColumns));
enum { kJobId, kSchedule, kDatabase, kUser, kActive, kName };

/// The places of the columns in the table; false if one is absent or has another type.
bool find_columns(TupleDesc descriptor, AttrNumber* places) {
  int found = 0;
  for (int i = 0; i < descriptor->natts; ++i) {
    const Form_pg_attribute column = TupleDescAttr(descriptor, i);
    for (int c = 0; c < kColumnCount; ++c)
      if (!column->attisdropped && column->attgenerated == '\0' &&
          std::strcmp(NameStr(column->attname), kColumns[c].name) == 0 &&
          (column->atttypid == kColumns[c].type || column->atttypid == kColumns[c].other_type)) {
        places[c] = column->attnum;
        ++found;
      }
  }
  return found == kColumnCount;
}

bool has_words(Datum value, Oid type, const char* words) {
  const char* held = type == NAMEOID ? NameStr(*DatumGetName(value)) : TextDatumGetCString(value);
  return std::strcmp(held, words) == 0;
}

/// The job to look for.
struct Wanted {
  const char* name;
  const char* user;
  const char* database;
};

bool is_wanted(const Datum* values, TupleDesc descriptor, const AttrNumber* places,
               const Wanted& wanted) {
  const Oid name_type = TupleDescAttr(descriptor, places[kName] - 1)->atttypid;
  return has_words(values[kName], name_type, wanted.name) &&
         has_words(values[kUser], TEXTOID, wanted.user) &&
         has_words(values[kDatabase], TEXTOID, wanted.database);
}

bool find_job(Relation table, const Wanted& wanted, CronJob& job) {
  TupleDesc descriptor = RelationGetDescr(table);
  AttrNumber places[kColumnCount];
  if (table->rd_rel->relam != HEAP_TABLE_AM_OID || !find_columns(descriptor, places)) return false;
  bool found = false;
  SysScanDesc scan = systable_beginscan(table, InvalidOid, false, nullptr, 0, nullptr);
  while (HeapTuple tuple = found ? nullptr : systable_getnext(scan)) {
    CHECK_FOR_INTERRUPTS();
    Datum values[kColumnCount];
    bool known = true;
    for (int c = 0; c < kColumnCount; ++c) {
      bool is_null;
      values[c] = heap_getattr(tuple, places[c], descriptor, &is_null);
      known = known && !is_null;
    }
    found = known && is_wanted(values, descriptor, places, wanted);
    if (found)
      job = {DatumGetInt64(values[kJobId]), TextDatumGetCString(values[kSchedule]),
             DatumGetBool(values[kActive])};
  }
  systable_endscan(scan);
  return found;
}

void refuse_renamed(const PgCron& cron) {
  if (get_namespace_oid(kSchema, true) == cron.schema) return;
  ereport(
      ERROR,
      (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
       errmsg("the schema of extension \"pg_cron\" was renamed"),
       errdetail("pg_cron looks for its table in schema \"%s\", whoever owns it.", kSchema),
       errhint("Rename schema \"%s\" back to \"%s\".", get_namespace_name(cron.schema), kSchema)));
}

[[noreturn]] void refuse_role(const char* privilege, const char* grant) {
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("role \"%s\" lacks %s of extension \"pg_cron\"",
                         GetUserNameFromId(GetUserId(), false), privilege),
                  errhint("A superuser can give it: %s TO %s;", grant,
                          quote_identifier(GetUserNameFromId(GetUserId(), false)))));
  pg_unreachable();
}

}  // namespace

bool find_pg_cron(PgCron& cron) {
  cron = {};
  const Oid extension = get_extension_oid("pg_cron", true);
  if (!OidIsValid(extension)) return false;
  for_dependents(ExtensionRelationId, extension, [&](const FormData_pg_depend& member) {
    if (member.deptype == DEPENDENCY_EXTENSION) take_member(cron, member);
  });
  return OidIsValid(cron.schedule) && OidIsValid(cron.unschedule) && OidIsValid(cron.job);
}

bool may_call(const PgCron& cron, Oid role) {
  return get_namespace_oid(kSchema, true) == cron.schema &&
         anonkit_may_use_schema(cron.schema, role) && anonkit_may_execute(cron.schedule, role) &&
         anonkit_may_execute(cron.unschedule, role);
}

void require_may_call(const PgCron& cron) {
  refuse_renamed(cron);
  const char* schema = quote_identifier(kSchema);
  if (!anonkit_may_use_schema(cron.schema, GetUserId()))
    refuse_role("USAGE on the schema", psprintf("GRANT USAGE ON SCHEMA %s", schema));
  for (const Oid function : {cron.schedule, cron.unschedule})
    if (!anonkit_may_execute(function, GetUserId()))
      refuse_role("EXECUTE on a function",
                  psprintf("GRANT EXECUTE ON FUNCTION %s", format_procedure_qualified(function)));
}

int64 schedule_job(const PgCron& cron, const char* name, const char* schedule,
                   const char* command) {
  const OwnSettings settings = begin_own_settings();
  const Datum job = OidFunctionCall3(cron.schedule, CStringGetTextDatum(name),
                                     CStringGetTextDatum(schedule), CStringGetTextDatum(command));
  end_own_settings(settings);
  return DatumGetInt64(job);
}

void unschedule_job(const PgCron& cron, int64 job) {
  const OwnSettings settings = begin_own_settings();
  OidFunctionCall1(cron.unschedule, Int64GetDatum(job));
  end_own_settings(settings);
}

bool read_cron_job(const PgCron& cron, const char* name, Oid role, CronJob& job) {
  const char* user = GetUserNameFromId(role, true);
  const char* database = get_database_name(MyDatabaseId);
  if (user == nullptr || database == nullptr) return false;
  if (!ConditionalLockRelationOid(cron.job, AccessShareLock)) return false;
  Relation table = try_relation_open(cron.job, NoLock);
  const bool found = table != nullptr && find_job(table, {name, user, database}, job);
  if (table != nullptr) relation_close(table, NoLock);
  UnlockRelationOid(cron.job, AccessShareLock);
  return found;
}

}  // namespace anonkit::pg
