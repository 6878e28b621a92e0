// Functions that distributed releases (sql/install/60_distributed.sql) need beside SQL: the options
// of a call, the columns of a release, the figures of a part, and the note on the whole.

#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/distributed_query.hpp"
#include "pg/read/source.hpp"
#include "pg/release/release.hpp"
#include "pg/release/release_note.hpp"
#include "pg/release/release_query.hpp"
#include "pg/spec/json_values.hpp"
#include "pg/spec/named_tables.hpp"

extern "C" {
#include "access/htup_details.h"
#include "funcapi.h"
}

namespace anonkit::pg {
namespace {

/// The columns of anonkit_distributed_columns.
enum ColumnPlace { kName, kType, kCopied, kReleased, kRole, kNumber, kHashed, kColumnPlaces };

/// A column of the source, of the type that a domain has. Plain data.
struct ReadColumn {
  const char* name;
  Oid type;
  int32 typmod;
  Oid collation;  ///< decides which persons and values are equal
};

/// True if the hash of a value is the same on every server. That of an enum is of its OID.
bool has_common_hash(Oid type) {
  return !type_is_enum(type) &&
         OidIsValid(lookup_type_cache(type, TYPECACHE_HASH_EXTENDED_PROC)->hash_extended_proc);
}

/// True if the release takes the column's values for numbers.
bool is_of_numbers(const SourceColumn& column) {
  return !column.as_text && number_type(column.base_type) != nullptr;
}

struct ColumnRows {
  Tuplestorestate* store;
  TupleDesc descriptor;

  void put(const ReadColumn& read, const SourceColumn* released, const char* role) const {
    Datum values[kColumnPlaces] = {};
    bool nulls[kColumnPlaces] = {};
    StringInfoData definition;
    initStringInfo(&definition);
    append_definition(&definition, read.name, read.type, read.typmod, read.collation);
    values[kName] = CStringGetTextDatum(read.name);
    values[kType] = CStringGetTextDatum(format_type_with_typemod(read.type, read.typmod));
    values[kCopied] = CStringGetTextDatum(definition.data);
    values[kRole] = CStringGetTextDatum(role);
    nulls[kReleased] = released == nullptr;
    if (released != nullptr) {
      resetStringInfo(&definition);
      append_definition(&definition, *released);
      values[kReleased] = CStringGetTextDatum(definition.data);
    }
    values[kNumber] = BoolGetDatum(released != nullptr && is_of_numbers(*released));
    values[kHashed] = BoolGetDatum(has_common_hash(read.type));
    tuplestore_putvalues(store, descriptor, values, nulls);
  }
};

const char* role_of(const SourceColumn& column) {
  switch (column.role) {
    case Role::quasi_identifier:
      return "quasi-identifier";
    case Role::sensitive:
      return "sensitive";
    default:
      return "keep";
  }
}

bool is_released(const Source& source, AttrNumber number) {
  for (int i = 0; i < source.count; ++i)
    if (source.columns[i].number == number) return true;
  return false;
}

/// The columns of the source that a release reads: those that it publishes, and the others by which
/// it tells persons apart.
Datum distributed_columns(FunctionCallInfo fcinfo) {
  const Oid table = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Session session = open_session();
  const Spec spec = read_spec(PG_GETARG_JSONB_P(1));
  const Source source = resolve_source(table, spec);
  const ColumnRows rows = {result->setResult, result->setDesc};
  const SourceColumn** columns = released_columns(source);
  for (int i = 0; i < source.count; ++i)
    rows.put(
        {columns[i]->name, columns[i]->base_type, columns[i]->base_typmod, columns[i]->collation},
        columns[i], role_of(*columns[i]));
  Relation relation = open_relation(table);
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int i = 0; i < spec.unit.count; ++i) {
    const AttrNumber number = find_column(descriptor, spec.unit.names[i]);
    const Form_pg_attribute column = TupleDescAttr(descriptor, number - 1);
    int32 typmod = column->atttypmod;
    const Oid type = getBaseTypeAndTypmod(column->atttypid, &typmod);
    if (!is_released(source, number))
      rows.put({NameStr(column->attname), type, typmod, column->attcollation}, nullptr, "unit");
  }
  relation_close(relation, NoLock);
  close_session(session);
  return static_cast<Datum>(0);
}

Datum options(FunctionCallInfo fcinfo) {
  const MemoryContext outer = CurrentMemoryContext;
  const Session session = open_session();
  // Every server finds tables of labels by their qualified names.
  NamedTables tables = {};
  Jsonb* placed = places_for_tables(spec_of_release(fcinfo), tables);
  Jsonb* json = names_for_tables(placed, tables);
  read_spec(json);
  void* kept = copied(json, outer);
  close_session(session);
  PG_RETURN_POINTER(kept);
}

/// The parts of a release's query as a row; null for other relations. The lock is on this server
/// alone: anon_drop waits for the end of a step, and finds its tables.
Datum parts_of_query(FunctionCallInfo fcinfo) {
  DistributedQuery release;
  TupleDesc descriptor;
  LockRelationOid(PG_GETARG_OID(0), AccessShareLock);
  if (!read_distributed(PG_GETARG_OID(0), release)) PG_RETURN_NULL();
  if (get_call_result_type(fcinfo, nullptr, &descriptor) != TYPEFUNC_COMPOSITE)
    elog(ERROR, "the result must be a row");
  Datum values[] = {ObjectIdGetDatum(release.source), JsonbPGetDatum(release.spec),
                    JsonbPGetDatum(release.layout), ObjectIdGetDatum(release.rows)};
  bool nulls[4] = {};
  return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(descriptor), values, nulls));
}

Datum part_figures() {
  const Figures* figures = latest_release(GetUserId());
  if (figures == nullptr)
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("the role has made no release in this transaction")));
  JsonObject json;
  add_figures(json, *figures);
  PG_RETURN_JSONB_P(json.finish());
}

/// Writes the figures of the whole into the companion, and the promises into the comment.
Datum note(FunctionCallInfo fcinfo) {
  const Session session = open_session();
  const Oid view = relation_argument(fcinfo);
  DistributedQuery release;
  if (!read_distributed(view, release))
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("\"%s\" is not a distributed release", get_rel_name(view))));
  require_owner(view);
  const OwnSettings settings = begin_own_settings();
  Figures figures = figures_in(PG_GETARG_JSONB_P(1));
  figures.grouped = true;
  write_note(view, read_spec(release.spec), figures, SourceWrites{});
  end_own_settings(settings);
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anonkit_distributed_columns) {
  return anonkit::pg::distributed_columns(fcinfo);
}
ANONKIT_FUNCTION(anonkit_distributed_options) {
  return anonkit::pg::options(fcinfo);
}
ANONKIT_FUNCTION(anonkit_distributed_query) {
  return anonkit::pg::parts_of_query(fcinfo);
}
ANONKIT_FUNCTION(anonkit_distributed_figures) {
  static_cast<void>(fcinfo);
  return anonkit::pg::part_figures();
}
ANONKIT_FUNCTION(anonkit_distributed_note) {
  using namespace anonkit::pg;
  require_writable("anonkit_distributed_note()");
  return note(fcinfo);
}
