// anon_audit_versions: the disclosure by intersection of stored versions, from any tool.

#include "base/at.hpp"
#include "model/row_classes.hpp"
#include "model/stored_versions.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/hierarchy/value_text.hpp"
#include "pg/read/source.hpp"
#include "pg/read/suppressed_cells.hpp"
#include "pg/read/value_ranks.hpp"
#include "pg/spec/arguments.hpp"
#include "pg/spec/moment.hpp"

namespace anonkit::pg {
namespace {

struct Array {
  Datum* values;
  int count;
};

Array array_argument(FunctionCallInfo fcinfo, const char* name, Oid type) {
  Array array = {};
  bool* nulls;
  require_arguments(fcinfo, {name});
  int16 length;
  bool by_value;
  char align;
  get_typlenbyvalalign(type, &length, &by_value, &align);
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(argument_place(fcinfo, name)), type, length, by_value,
                    align, &array.values, &nulls, &array.count);
  for (int i = 0; i < array.count; ++i)
    if (nulls[i])
      ereport(ERROR,
              (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s must not contain nulls", name)));
  if (array.count == 0)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must not be empty", name)));
  return array;
}

/// The columns of one kind in all versions, in the order of their names, with codes that are common
/// to all versions. Plain data.
struct Columns {
  Array names;
  ValueRanks* ranks;
  bool* as_text;  ///< versions have it with different types: values are equal if their texts are
};

/// The rows of all versions, one version after another. Plain data.
struct Rows {
  Columns all[3];  ///< of the key, the quasi-identifiers and the sensitive attributes
  int32* version;
  int64 count;
  int64 suppressed;  ///< further rows, which are in no class
  int64 capacity;
  int32 reading;  ///< the version that is read
  MemoryCount* memory;

  const Columns& key() const { return all[0]; }
  const Columns& qi() const { return all[1]; }
  const Columns& sensitive() const { return all[2]; }
};

Form_pg_attribute attribute_in(Relation relation, Datum name) {
  TupleDesc descriptor = RelationGetDescr(relation);
  return TupleDescAttr(descriptor, find_column(descriptor, TextDatumGetCString(name)) - 1);
}

/// True if a version has the column with another type than the first one.
bool types_differ(const Array& versions, Datum name, Oid type) {
  bool differ = false;
  for (int v = 1; v < versions.count; ++v) {
    Relation relation = open_relation(DatumGetObjectId(versions.values[v]));
    differ = differ || getBaseType(attribute_in(relation, name)->atttypid) != getBaseType(type);
    relation_close(relation, NoLock);
  }
  return differ;
}

/// True if a version has numbers or dates among these columns: only they are published as means.
bool have_means(const Array& versions, const Array& names) {
  bool found = false;
  for (int v = 0; v < versions.count; ++v) {
    Relation relation = open_relation(DatumGetObjectId(versions.values[v]));
    for (int i = 0; i < names.count; ++i)
      found =
          found ||
          number_type(getBaseType(attribute_in(relation, names.values[i])->atttypid)) != nullptr;
    relation_close(relation, NoLock);
  }
  return found;
}

Columns make_columns(const Array& versions, const Array& names, int64 capacity,
                     MemoryCount* memory) {
  Columns columns = {names, allocate<ValueRanks>(names.count), allocate<bool>(names.count)};
  Relation first = open_relation(DatumGetObjectId(versions.values[0]));
  for (int i = 0; i < names.count; ++i) {
    Form_pg_attribute attribute = attribute_in(first, names.values[i]);
    FormData_pg_attribute text = text_attribute(attribute);
    columns.as_text[i] = types_differ(versions, names.values[i], attribute->atttypid);
    columns.ranks[i] = make_value_ranks(columns.as_text[i] ? &text : attribute, capacity, memory);
  }
  relation_close(first, NoLock);
  return columns;
}

/// Numbers of different types are equal if they are the same number.
Datum comparable_text(Oid type, Datum value) {
  type = getBaseType(type);
  if (number_type(type) == nullptr || is_time_type(type)) return cast_to_text(type, value);
  const Numeric number = exact_numeric(type, value);
  return number != nullptr ? CStringGetTextDatum(number_spelling(number))
                           : cast_to_text(type, value);
}

/// The row, its place, its history and its entries in the class.
constexpr int64 kBytesPerRow = 300;

void grow(Rows& rows) {
  const int64 more = rows.capacity / 2;
  count_memory(*rows.memory, more * kBytesPerRow);
  rows.capacity += more;
  resize(rows.version, rows.capacity);
  for (Columns& columns : rows.all)
    for (int i = 0; i < columns.names.count; ++i) grow_ranks(columns.ranks[i], rows.capacity);
}

void read_row(TupleTableSlot* slot, void* state) {
  auto& rows = *static_cast<Rows*>(state);
  if (rows.count >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to audit")));
  if (rows.count == rows.capacity) grow(rows);
  int at = 0;
  for (Columns& columns : rows.all)
    for (int i = 0; i < columns.names.count; ++i, ++at) {
      Datum value = slot->tts_values[at];
      if (columns.as_text[i] && !slot->tts_isnull[at])
        value = comparable_text(TupleDescAttr(slot->tts_tupleDescriptor, at)->atttypid, value);
      add_value(columns.ranks[i], rows.count, value, slot->tts_isnull[at]);
    }
  rows.version[rows.count++] = rows.reading;
}

void read_version(Rows& rows, Oid version) {
  UserQuery query = begin_user_query();
  Relation relation = open_relation(version);
  for (const Columns& columns : rows.all)
    for (int i = 0; i < columns.names.count; ++i)
      add_column(query, NameStr(attribute_in(relation, columns.names.values[i])->attname));
  relation_close(relation, NoLock);
  for_each_row(end_user_query(query, version), read_row, &rows);
}

/// Makes suppressed cells null, and leaves out the rows that have no other quasi-identifiers.
void leave_out_suppressed(Oid first_version, const SuppressedCells& cells, Rows& rows) {
  const Columns& columns = rows.qi();
  const QuasiIdentifiers qi = make_quasi_identifiers(columns.names.count);
  Relation relation = open_relation(first_version);
  for (int i = 0; i < qi.count; ++i) {
    qi.names[i] = pstrdup(NameStr(attribute_in(relation, columns.names.values[i])->attname));
    qi.ranks[i] = &columns.ranks[i];
  }
  relation_close(relation, NoLock);
  suppress_cells(first_version, cells, qi, rows.count);
  int64 count = 0;
  for (int64 row = 0; row < rows.count; ++row) {
    CHECK_FOR_INTERRUPTS();
    if (is_suppressed(qi, row)) continue;
    rows.version[count] = rows.version[row];
    for (Columns& moved : rows.all)
      for (int i = 0; i < moved.names.count; ++i) move_value(moved.ranks[i], row, count);
    ++count;
  }
  rows.suppressed = rows.count - count;
  rows.count = count;
  require_unsuppressed(count);
}

Rows read_versions(const Array& versions, const Array& qi, const Array& sensitive, const Array& key,
                   const SuppressedCells& suppressed) {
  MemoryCount* memory = new_memory_count(kFewerRows);
  Rows rows = {{make_columns(versions, key, kFirstCapacity, memory),
                make_columns(versions, qi, kFirstCapacity, memory),
                make_columns(versions, sensitive, kFirstCapacity, memory)},
               allocate<int32>(kFirstCapacity),
               0,
               0,
               kFirstCapacity,
               0,
               memory};
  for (; rows.reading < versions.count; ++rows.reading)
    read_version(rows, DatumGetObjectId(versions.values[rows.reading]));
  if (rows.count == 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("there are no rows to audit")));
  if (suppressed.named)
    leave_out_suppressed(DatumGetObjectId(versions.values[0]), suppressed, rows);
  for (Columns& columns : rows.all)
    for (int i = 0; i < columns.names.count; ++i) settle_ranks(columns.ranks[i], rows.count);
  return rows;
}

/// Numbers the rows that agree in all columns, and in `version` if there is one.
std::vector<std::int32_t> numbers_of(const Rows& rows, const Columns& columns, const int32* version,
                                     Ticker& ticker) {
  std::vector<CodedColumn> coded;
  if (version != nullptr) coded.push_back({version, rows.reading});
  for (int i = 0; i < columns.names.count; ++i)
    coded.push_back({columns.ranks[i].codes, columns.ranks[i].distinct});
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(rows.count));
  std::vector<std::int32_t*> number_of(coded.size(), nullptr);
  number_of.back() = numbers.data();
  number_classes(coded, rows.count, number_of, ticker);
  return numbers;
}

/// The disclosure, and one row of each class.
struct Intersected {
  Intersection intersection;
  std::vector<int64> row_of_class;
};

/// Owned by the current memory context.
const Intersected& intersect(const Rows& rows) {
  BackendTicker ticker;
  const std::vector<std::int32_t> person = numbers_of(rows, rows.key(), nullptr, ticker);
  const std::vector<std::int32_t> class_of = numbers_of(rows, rows.qi(), rows.version, ticker);
  const std::vector<std::int32_t> value = numbers_of(rows, rows.sensitive(), nullptr, ticker);
  std::vector<StoredRow> stored;
  Intersected found;
  for (int64 row = 0; row < rows.count; ++row) {
    const auto i = static_cast<std::size_t>(row);
    ticker.step(16);
    stored.push_back({rows.version[row], person[i], class_of[i], value[i]});
    if (at(class_of[i]) >= found.row_of_class.size())
      found.row_of_class.resize(at(class_of[i]) + 1, row);
    found.row_of_class[at(class_of[i])] = row;
  }
  found.intersection = intersect_versions(stored, ticker);
  return own_in_context(std::make_unique<Intersected>(std::move(found)));
}

/// The quasi-identifiers of a row, under the caller's names.
Jsonb* cells_of(const Rows& rows, int64 row) {
  JsonObject json;
  for (int i = 0; i < rows.qi().names.count; ++i) {
    const char* name = TextDatumGetCString(rows.qi().names.values[i]);
    const ValueRanks& ranks = rows.qi().ranks[i];
    const int32 code = ranks.codes[row];
    if (code < values_of(ranks))
      json.add_cell(name, ranks.values[code], ranks.type);
    else
      json.add_null(name);
  }
  return json.finish();
}

/// The values of a class in qi, and its version, from 1.
void add_class(JsonObject& json, const Rows& rows, int64 row) {
  json.add("class", cells_of(rows, row));
  json.add("version", int64{rows.version[row]} + 1);
}

constexpr int32 kNotAsked = PG_INT32_MIN;

/// The worst class, and the classes that fall short of the m that was asked for.
Datum detail_of_invariance(const Intersected& all, const Rows& rows, int32 asked) {
  const Intersection& found = all.intersection;
  const auto classes = static_cast<int32>(found.invariance_of.size());
  int32 worst = 0;
  while (found.invariance_of[at(worst)] != found.m_invariance) ++worst;
  JsonObject json;
  add_class(json, rows, all.row_of_class[at(worst)]);
  json.add("size", static_cast<int64>(found.rows_of[at(worst)]));
  if (asked == kNotAsked) return JsonbPGetDatum(json.finish());
  int64 classes_short = 0;
  int64 records_short = 0;
  for (int32 c = 0; c < classes; ++c) {
    if (found.invariance_of[at(c)] >= asked) continue;
    ++classes_short;
    records_short += found.rows_of[at(c)];
  }
  json.add("asked", static_cast<int64>(asked));
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
  const Array versions = array_argument(fcinfo, "versions", REGCLASSOID);
  const Array qi = array_argument(fcinfo, "qi", TEXTOID);
  const Array sensitive = array_argument(fcinfo, "sensitive", TEXTOID);
  const Array key = array_argument(fcinfo, "key", TEXTOID);
  // The m that classes must have.
  const auto asked =
      static_cast<int32>(renamed_argument(fcinfo, "m", "asked", 1, INT_MAX, kNotAsked, kNotAsked));
  for (int v = 0; v < versions.count; ++v) require_relation(DatumGetObjectId(versions.values[v]));
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Session session = open_session();
  const SuppressedCells suppressed = suppressed_argument(fcinfo);
  const Rows rows = read_versions(versions, qi, sensitive, key, suppressed);
  const Intersected& all = intersect(rows);
  const Intersection& found = all.intersection;
  write_measure(result, "versions", versions.count);
  write_measure(result, "places", static_cast<double>(found.places));
  write_measure(result, "fewest places with one history",
                static_cast<double>(found.fewest_histories));
  write_measure(result, "fewest possible values", static_cast<double>(found.fewest_candidates));
  write_measure(result, "values certain, per cent", per_cent(found.certain, found.places));
  write_measure(result, "quasi-identifiers solved, per cent",
                per_cent(have_means(versions, qi) ? found.solved : -1, found.persons));
  write_measure(result, "m-invariance", static_cast<double>(found.m_invariance),
                detail_of_invariance(all, rows, asked));
  if (suppressed.named)
    write_measure(result, "suppressed rows", static_cast<double>(rows.suppressed));
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_audit_versions) {
  return anonkit::pg::audit_versions(fcinfo);
}
