// anon_audit_versions: the disclosure by intersection of stored versions, from any tool.

#include "model/stored_versions.hpp"

#include "pg/backend/backend_ticker.hpp"
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

void read_row(TupleTableSlot* slot, void* state) {
  auto& rows = *static_cast<Rows*>(state);
  if (rows.count == rows.capacity) resize(rows.rows, rows.capacity *= 2);
  StoredRow& row = rows.rows[rows.count++];
  row.version = DatumGetInt32(slot->tts_values[0]);
  row.person = static_cast<int32>(DatumGetInt64(slot->tts_values[1]) - 1);
  row.class_id = static_cast<int32>(DatumGetInt64(slot->tts_values[2]) - 1);
  row.value = static_cast<int32>(DatumGetInt64(slot->tts_values[3]) - 1);
}

Intersection intersect(const Rows& rows) {
  BackendTicker ticker;
  return intersect_versions({rows.rows, rows.rows + rows.count}, ticker);
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

/// Finds the columns of one kind in a version, and names them alike for all versions.
void append_columns(StringInfo query, TupleDesc descriptor, const Array& names, char kind) {
  for (int i = 0; i < names.count; ++i) {
    const AttrNumber number = find_column(descriptor, TextDatumGetCString(names.values[i]));
    Form_pg_attribute attribute = TupleDescAttr(descriptor, number - 1);
    require_order(NameStr(attribute->attname), attribute->atttypid);
    appendStringInfo(query, ", version.%s AS %c%d", quote_identifier(NameStr(attribute->attname)),
                     kind, i);
  }
}

void append_list(StringInfo query, int count, char kind) {
  for (int i = 0; i < count; ++i) appendStringInfo(query, "%s%c%d", i > 0 ? ", " : "", kind, i);
}

/// Numbers persons, classes and values across all versions.
char* versions_query(const Array& versions, const Array& qi, const Array& sensitive,
                     const Array& key) {
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfoString(&query, "SELECT number, pg_catalog.dense_rank() OVER (ORDER BY ");
  append_list(&query, key.count, 'k');
  appendStringInfoString(&query, "), pg_catalog.dense_rank() OVER (ORDER BY number, ");
  append_list(&query, qi.count, 'q');
  appendStringInfoString(&query, "), pg_catalog.dense_rank() OVER (ORDER BY ");
  append_list(&query, sensitive.count, 's');
  appendStringInfoString(&query, ") FROM (");
  for (int v = 0; v < versions.count; ++v) {
    Relation relation = relation_open(DatumGetObjectId(versions.values[v]), AccessShareLock);
    appendStringInfo(&query, "%sSELECT %d AS number", v > 0 ? " UNION ALL " : "", v);
    append_columns(&query, RelationGetDescr(relation), key, 'k');
    append_columns(&query, RelationGetDescr(relation), qi, 'q');
    append_columns(&query, RelationGetDescr(relation), sensitive, 's');
    appendStringInfo(&query, " FROM %s AS version", qualified_name_of(RelationGetRelid(relation)));
    relation_close(relation, NoLock);
  }
  appendStringInfoString(&query, ") AS versions");
  return query.data;
}

void write_measure(ReturnSetInfo* result, const char* measure, double value) {
  Datum values[] = {CStringGetTextDatum(measure), Float8GetDatum(value)};
  bool nulls[] = {false, value < 0};
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
  for_each_row(versions_query(versions, qi, sensitive, key), read_row, &rows);
  if (rows.count == 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("there are no rows to audit")));
  const Intersection found = intersect(rows);
  write_measure(result, "versions", versions.count);
  write_measure(result, "places", static_cast<double>(found.places));
  write_measure(result, "fewest places with one history",
                static_cast<double>(found.fewest_histories));
  write_measure(result, "fewest possible values", static_cast<double>(found.fewest_candidates));
  write_measure(result, "values certain, per cent", per_cent(found.certain, found.places));
  write_measure(result, "quasi-identifiers solved, per cent",
                per_cent(found.solved, found.persons));
  write_measure(result, "m-invariance", static_cast<double>(found.m_invariance));
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_audit_versions) {
  return anonkit::pg::audit_versions(fcinfo);
}
