// anon_audit_versions: the disclosure by intersection of stored versions, from any tool.

#include <algorithm>

#include "base/at.hpp"
#include "model/stored_versions.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/source.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {
namespace {

struct Rows {
  StoredRow* rows;
  int64 count;
  int64 capacity;
};

/// The row, sorted once more, its place, its history and its entries in the class.
constexpr int64 kBytesPerRow = 300;

void read_row(TupleTableSlot* slot, void* state) {
  auto& rows = *static_cast<Rows*>(state);
  if (rows.count == rows.capacity) {
    MemoryCount memory = {};
    count_memory(memory, 2 * rows.capacity * kBytesPerRow);
    resize(rows.rows, rows.capacity *= 2);
  }
  StoredRow& row = rows.rows[rows.count++];
  row.version = DatumGetInt32(slot->tts_values[0]);
  row.person = static_cast<int32>(DatumGetInt64(slot->tts_values[1]) - 1);
  row.class_id = static_cast<int32>(DatumGetInt64(slot->tts_values[2]) - 1);
  row.value = static_cast<int32>(DatumGetInt64(slot->tts_values[3]) - 1);
}

/// Owned by the current memory context.
const Intersection& intersect(const Rows& rows) {
  BackendTicker ticker;
  return own_in_context(std::make_unique<Intersection>(
      intersect_versions({rows.rows, rows.rows + rows.count}, ticker)));
}

struct Array {
  Datum* values;
  int count;
};

Array array_argument(FunctionCallInfo fcinfo, int place, Oid type) {
  static const char* const names[] = {"versions", "qi", "sensitive", "key"};
  Array array = {};
  bool* nulls;
  if (PG_ARGISNULL(place))
    ereport(ERROR,
            (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s must not be null", names[place])));
  int16 length;
  bool by_value;
  char align;
  get_typlenbyvalalign(type, &length, &by_value, &align);
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(place), type, length, by_value, align, &array.values,
                    &nulls, &array.count);
  for (int i = 0; i < array.count; ++i)
    if (nulls[i])
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                      errmsg("%s must not contain nulls", names[place])));
  if (array.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s must not be empty", names[place])));
  return array;
}

/// Finds the columns of one kind in a version, and names them alike for all versions. Their types
/// are those of the first version: a cast would run the code of its type, and could print a value.
void append_columns(StringInfo query, TupleDesc descriptor, const Array& names, Oid* types,
                    char kind) {
  for (int i = 0; i < names.count; ++i) {
    const AttrNumber number = find_column(descriptor, TextDatumGetCString(names.values[i]));
    Form_pg_attribute attribute = TupleDescAttr(descriptor, number - 1);
    require_order(NameStr(attribute->attname), attribute->atttypid);
    if (!OidIsValid(types[i])) types[i] = attribute->atttypid;
    if (types[i] != attribute->atttypid)
      ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                      errmsg("column \"%s\" has different types in the versions",
                             NameStr(attribute->attname)),
                      errhint("Cast it to one type in views of the versions.")));
    appendStringInfo(query, ", version.%s AS %c%d", quote_identifier(NameStr(attribute->attname)),
                     kind, i);
  }
}

void append_list(StringInfo query, int count, char kind) {
  for (int i = 0; i < count; ++i) appendStringInfo(query, "%s%c%d", i > 0 ? ", " : "", kind, i);
}

/// Numbers persons, classes and values across all versions, with the cells of the class behind.
char* versions_query(const Array& versions, const Array& qi, const Array& sensitive,
                     const Array& key) {
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfoString(&query, "SELECT number, pg_catalog.dense_rank() OVER (ORDER BY ");
  append_list(&query, key.count, 'k');
  appendStringInfoString(&query, "), pg_catalog.dense_rank() OVER (ORDER BY number, ");
  append_list(&query, qi.count, 'q');
  appendStringInfoString(&query, ") AS class_id, pg_catalog.dense_rank() OVER (ORDER BY ");
  append_list(&query, sensitive.count, 's');
  appendStringInfoString(&query, "), ");
  append_list(&query, qi.count, 'q');
  appendStringInfoString(&query, " FROM (");
  Oid* types[] = {allocate<Oid>(key.count), allocate<Oid>(qi.count),
                  allocate<Oid>(sensitive.count)};
  const Array* names[] = {&key, &qi, &sensitive};
  for (int kind = 0; kind < 3; ++kind) std::fill_n(types[kind], names[kind]->count, InvalidOid);
  for (int v = 0; v < versions.count; ++v) {
    require_relation(DatumGetObjectId(versions.values[v]));
    Relation relation = relation_open(DatumGetObjectId(versions.values[v]), AccessShareLock);
    appendStringInfo(&query, "%sSELECT %d AS number", v > 0 ? " UNION ALL " : "", v);
    for (int kind = 0; kind < 3; ++kind)
      append_columns(&query, RelationGetDescr(relation), *names[kind], types[kind], "kqs"[kind]);
    appendStringInfo(&query, " FROM %s AS version", qualified_name_of(RelationGetRelid(relation)));
    relation_close(relation, NoLock);
  }
  appendStringInfoString(&query, ") AS versions");
  return query.data;
}

/// The values of a class in qi, and its version, from 1.
void add_class(JsonObject& json, const char* query, const Array& qi, int32 number) {
  StringInfoData cells;
  initStringInfo(&cells);
  for (int i = 0; i < qi.count; ++i)
    appendStringInfo(&cells, "%s%s, classes.q%d", i > 0 ? ", " : "",
                     quote_literal_cstr(TextDatumGetCString(qi.values[i])), i);
  // The third column is the number of the class.
  SPI_execute(psprintf("SELECT classes.number OPERATOR(pg_catalog.+) 1,"
                       " pg_catalog.jsonb_build_object(%s) FROM (%s) AS classes"
                       " WHERE classes.class_id OPERATOR(pg_catalog.=) %d LIMIT 1",
                       cells.data, query, number + 1),
              true, 1);
  if (SPI_processed != 1) elog(ERROR, "class %d is missing", number);
  bool null;
  HeapTuple tuple = SPI_tuptable->vals[0];
  JsonbValue object;
  JsonbToJsonbValue(DatumGetJsonbP(SPI_getbinval(tuple, SPI_tuptable->tupdesc, 2, &null)), &object);
  json.add_value("class", &object);
  json.add("version", static_cast<int64>(
                          DatumGetInt32(SPI_getbinval(tuple, SPI_tuptable->tupdesc, 1, &null))));
}

/// The worst class, and the classes that fall short of the m that was asked for.
Datum detail_of_invariance(FunctionCallInfo fcinfo, const Intersection& found, const char* query,
                           const Array& qi) {
  const auto classes = static_cast<int32>(found.invariance_of.size());
  int32 worst = 0;
  while (found.invariance_of[at(worst)] != found.m_invariance) ++worst;
  JsonObject json;
  add_class(json, query, qi, worst);
  json.add("size", static_cast<int64>(found.rows_of[at(worst)]));
  const int asked = argument_place(fcinfo, "asked");
  if (PG_ARGISNULL(asked)) return JsonbPGetDatum(json.finish());
  int64 classes_short = 0;
  int64 records_short = 0;
  for (int32 c = 0; c < classes; ++c) {
    if (found.invariance_of[at(c)] >= PG_GETARG_INT32(asked)) continue;
    ++classes_short;
    records_short += found.rows_of[at(c)];
  }
  json.add("asked", static_cast<int64>(PG_GETARG_INT32(asked)));
  json.add("classes_short", classes_short);
  json.add("records_short", records_short);
  return JsonbPGetDatum(json.finish());
}

void write_measure(ReturnSetInfo* result, const char* measure, double value, Datum detail = 0) {
  Datum values[] = {CStringGetTextDatum(measure), Float8GetDatum(value), detail};
  bool nulls[] = {false, value < 0, detail == 0};
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

double per_cent(int64 part, int64 whole) {
  return part < 0 ? -1 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

Datum audit_versions(FunctionCallInfo fcinfo) {
  const Array versions = array_argument(fcinfo, 0, REGCLASSOID);
  const Array qi = array_argument(fcinfo, 1, TEXTOID);
  const Array sensitive = array_argument(fcinfo, 2, TEXTOID);
  const Array key = array_argument(fcinfo, 3, TEXTOID);
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Session session = open_session();
  Rows rows = {allocate<StoredRow>(1024), 0, 1024};
  const char* query = versions_query(versions, qi, sensitive, key);
  for_each_row(query, read_row, &rows);
  if (rows.count == 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("there are no rows to audit")));
  const Intersection& found = intersect(rows);
  write_measure(result, "versions", versions.count);
  write_measure(result, "places", static_cast<double>(found.places));
  write_measure(result, "fewest places with one history",
                static_cast<double>(found.fewest_histories));
  write_measure(result, "fewest possible values", static_cast<double>(found.fewest_candidates));
  write_measure(result, "values certain, per cent", per_cent(found.certain, found.places));
  write_measure(result, "quasi-identifiers solved, per cent",
                per_cent(found.solved, found.persons));
  write_measure(result, "m-invariance", static_cast<double>(found.m_invariance),
                detail_of_invariance(fcinfo, found, query, qi));
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_audit_versions) {
  return anonkit::pg::audit_versions(fcinfo);
}
