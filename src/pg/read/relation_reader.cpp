#include "pg/read/relation_reader.hpp"

#include <cstring>

#include "model/row_classes.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/counted_rows.hpp"
#include "pg/read/hierarchy/value_text.hpp"
#include "pg/read/number_type.hpp"
#include "pg/read/suppressed_cells.hpp"

extern "C" {
#include "catalog/pg_collation.h"
}

namespace anonkit::pg {
namespace {

/// The columns of a list in the query's order, resolved against the relation.
struct ColumnList {
  ClassColumn* columns;
  int count;
};

/// The attribute under a collation that tells all texts apart.
FormData_pg_attribute tells_apart(const FormData_pg_attribute* from) {
  FormData_pg_attribute attribute;
  std::memcpy(&attribute, from, ATTRIBUTE_FIXED_PART_SIZE);
  if (OidIsValid(attribute.attcollation)) attribute.attcollation = C_COLLATION_OID;
  return attribute;
}

ColumnList resolve_columns(Relation relation, const Names& names, const Names& categories,
                           bool labelled, MemoryCount* memory) {
  ColumnList list = {allocate<ClassColumn>(names.count), names.count};
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int i = 0; i < names.count; ++i) {
    const AttrNumber number = find_column(descriptor, names.names[i]);
    Form_pg_attribute attribute = TupleDescAttr(descriptor, number - 1);
    const FormData_pg_attribute apart = tells_apart(attribute);
    list.columns[i] = {pstrdup(NameStr(attribute->attname)),
                       is_named(descriptor, number, categories),
                       make_value_ranks(labelled ? &apart : attribute, kFirstCapacity, memory)};
  }
  return list;
}

/// The rows of a relation during reading.
struct ColumnsReading {
  ColumnList qi;
  ColumnList sensitive;
  UnitColumns units;
  SamplingWeights weights;
  int64 rows;
  int64 suppressed;  ///< rows that were left out
  int64 capacity;
  bool coarser;
  bool wildcards;
  MemoryCount* memory;
};

/// The core's copies of classes and persons, the rows that show their values, the codes of one
/// attribute at a time with its histogram, and the orders in which classes are numbered.
constexpr int64 kCoreBytesPerRow = 80;
/// A place, a group and a slot of a class, and the classes of persons and theirs.
constexpr int64 kWildcardBytesPerRow = 80;

int64 bytes_per_row(const ColumnsReading& reading) {
  constexpr auto kBytesPerCode = static_cast<int64>(sizeof(int32));
  return kCoreBytesPerRow + (reading.coarser ? reading.qi.count * 2 * kBytesPerCode : 0) +
         (reading.wildcards ? kWildcardBytesPerRow + reading.qi.count * kBytesPerCode : 0);
}

void grow_columns(ColumnsReading& reading) {
  const int64 more = reading.capacity / 2;
  count_memory(*reading.memory, more * bytes_per_row(reading));
  reading.capacity += more;
  for (const ColumnList& list : {reading.qi, reading.sensitive})
    for (int i = 0; i < list.count; ++i) grow_ranks(list.columns[i].ranks, reading.capacity);
  grow_units(reading.units, reading.capacity);
  grow_weights(reading.weights, reading.capacity, reading.memory);
}

/// A row consists of the quasi-identifiers, the sensitive attributes, the unit and the weight.
void add_row(TupleTableSlot* slot, void* state) {
  auto& reading = *static_cast<ColumnsReading*>(state);
  if (reading.rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to audit")));
  if (reading.rows == reading.capacity) grow_columns(reading);
  int at = 0;
  for (const ColumnList& list : {reading.qi, reading.sensitive})
    for (int i = 0; i < list.count; ++i, ++at)
      add_value(list.columns[i].ranks, reading.rows, slot->tts_values[at], slot->tts_isnull[at]);
  add_unit(reading.units, reading.rows, slot, at);
  add_weight(reading.weights, reading.rows, slot, at + reading.units.count);
  ++reading.rows;
}

/// The query for the columns of both lists, of the unit and of the weight; all may be empty.
UserQuery columns_query(const ColumnsReading& reading) {
  UserQuery query = begin_user_query();
  for (const ColumnList& list : {reading.qi, reading.sensitive})
    for (int i = 0; i < list.count; ++i) add_column(query, list.columns[i].name);
  for (int i = 0; i < reading.units.count; ++i) add_column(query, reading.units.names[i]);
  if (reading.weights.name != nullptr) add_column(query, reading.weights.name);
  return query;
}

/// Moves a row to an earlier place, or to its own.
void move_row(ColumnsReading& reading, int64 from, int64 to) {
  for (const ColumnList& list : {reading.qi, reading.sensitive})
    for (int i = 0; i < list.count; ++i) move_value(list.columns[i].ranks, from, to);
  for (int i = 0; i < reading.units.count; ++i) move_value(reading.units.ranks[i], from, to);
  if (reading.weights.name != nullptr) reading.weights.values[to] = reading.weights.values[from];
}

/// Makes suppressed cells null, and leaves out the rows that have no other quasi-identifiers.
void leave_out_suppressed(Oid oid, const SuppressedCells& cells, ColumnsReading& reading) {
  const QuasiIdentifiers qi = make_quasi_identifiers(reading.qi.count);
  for (int j = 0; j < qi.count; ++j) {
    qi.names[j] = reading.qi.columns[j].name;
    qi.ranks[j] = &reading.qi.columns[j].ranks;
  }
  suppress_cells(oid, cells, qi, reading.rows);
  int64 count = 0;
  for (int64 row = 0; row < reading.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    if (!is_suppressed(qi, row)) move_row(reading, row, count++);
  }
  reading.suppressed = reading.rows - count;
  reading.rows = count;
  require_unsuppressed(count);
}

ColumnsReading read_columns(Oid oid, const AuditedColumns& columns, MemoryCount* memory) {
  Relation relation = open_relation(oid);
  ColumnsReading reading = {
      resolve_columns(relation, columns.qi, {}, columns.labelled, memory),
      resolve_columns(relation, columns.sensitive, columns.categories, columns.labelled, memory),
      make_units(oid, columns.unit, kFirstCapacity, memory),
      make_weights(RelationGetDescr(relation), columns.sampling_weight, kFirstCapacity),
      0,
      0,
      kFirstCapacity,
      columns.coarser,
      columns.wildcards,
      memory};
  relation_close(relation, NoLock);
  UserQuery query = columns_query(reading);
  for_each_row_of(query, oid, columns.condition, add_row, &reading);
  if (reading.rows == 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("there are no rows to audit")));
  settle_weights(reading.weights, reading.rows);
  if (columns.suppressed.named) leave_out_suppressed(oid, columns.suppressed, reading);
  for (const ColumnList& list : {reading.qi, reading.sensitive})
    for (int i = 0; i < list.count; ++i) settle_ranks(list.columns[i].ranks, reading.rows);
  return reading;
}

/// Numbers count as such if their differences are wrong by such a share of their spread at most.
constexpr double kShareOfAll = 1e-6;

/// The numbers of an attribute's codes, without null's.
void read_numbers(AttributeData& attribute, const ValueRanks& ranks) {
  const int32 values = values_of(ranks);
  attribute.has_numbers = number_type(attribute.type) != nullptr;
  attribute.numbers = allocate<double>(values);
  for (int32 v = 0; attribute.has_numbers && v < values; ++v)
    attribute.numbers[v] = number_of(attribute.type, ranks.values[v], &attribute.has_numbers);
  if (!attribute.has_numbers) return;
  if (values > 0 && may_lose_digits(attribute.type, -1)) {
    attribute.loss = loss_of_numbers(attribute.type, ranks, attribute.numbers);
    const double all = attribute.numbers[values - 1] - attribute.numbers[0];
    attribute.has_numbers = attribute.loss.apart && attribute.loss.error <= kShareOfAll * all;
  }
  for (int32 v = 0; v < values; ++v) attribute.numbers[v] /= reporting_unit(attribute.type);
}

/// The texts of values, by rank.
const Datum* texts_of(const ValueRanks& ranks) {
  const Oid base_type = getBaseType(ranks.type);
  const int32 values = values_of(ranks);
  Datum* texts = allocate<Datum>(values);
  for (int32 v = 0; v < values; ++v)
    texts[v] = CStringGetTextDatum(value_text(base_type, ranks.values[v]));
  return texts;
}

AttributeData attribute_of(const ClassColumn& column) {
  AttributeData attribute = {};
  attribute.name = column.name;
  attribute.type = column.category ? TEXTOID : getBaseType(column.ranks.type);
  attribute.codes = column.ranks.codes;
  attribute.values = column.category ? texts_of(column.ranks) : column.ranks.values;
  attribute.distinct = column.ranks.distinct;
  attribute.has_null = column.ranks.has_null;
  attribute.is_ordered = number_type(attribute.type) != nullptr || type_is_enum(attribute.type);
  read_numbers(attribute, column.ranks);
  return attribute;
}

/// Numbers the classes of coded rows.
void form_classes(const RelationData& data) {
  if (data.qi_count == 0) {
    std::memset(data.class_of, 0, sizeof(int32) * static_cast<std::size_t>(data.rows));
    return;
  }
  BackendTicker ticker;
  std::vector<CodedColumn> columns;
  std::vector<std::int32_t*> class_of(static_cast<std::size_t>(data.qi_count), nullptr);
  for (int j = 0; j < data.qi_count; ++j)
    columns.push_back({data.qi[j].ranks.codes, data.qi[j].ranks.distinct});
  for (int j = 0; j < data.coarser_count; ++j)
    class_of[static_cast<std::size_t>(j)] = data.coarser[j];
  class_of.back() = data.class_of;
  number_classes(columns, data.rows, class_of, ticker);
}

/// The sensitive attribute of a column, or null.
AttributeData* find_attribute(Oid oid, const char* column, RelationData& data) {
  Relation relation = open_relation(oid);
  TupleDesc descriptor = RelationGetDescr(relation);
  const char* name =
      NameStr(TupleDescAttr(descriptor, find_column(descriptor, column) - 1)->attname);
  AttributeData* found = nullptr;
  for (int a = 0; a < data.attribute_count; ++a)
    if (std::strcmp(data.attributes[a].name, name) == 0) found = &data.attributes[a];
  relation_close(relation, NoLock);
  return found;
}

/// Reads the hierarchies of sensitive columns.
void read_hierarchies(Oid oid, const HierarchyChoices& choices, RelationData& data) {
  MemoryCount memory = {};
  for (int i = 0; i < choices.count; ++i) {
    AttributeData* attribute = find_attribute(oid, choices.list[i].column, data);
    if (attribute != nullptr)
      attribute->hierarchy =
          read_hierarchy(attribute->name, attribute->type, attribute->values,
                         attribute->distinct - (attribute->has_null ? 1 : 0), attribute->has_null,
                         *choices.list[i].hierarchy, memory);
  }
}

/// Reads the protected values of sensitive columns.
void read_protected_values(Oid oid, const ProtectedChoices& choices, RelationData& data) {
  for (int i = 0; i < choices.count; ++i) {
    AttributeData* attribute = find_attribute(oid, choices.list[i].column, data);
    if (attribute == nullptr) refuse_protected(choices.list[i].column, "is not sensitive");
    attribute->protected_values =
        read_protected(attribute->name, attribute->hierarchy, choices.list[i].labels);
  }
}

}  // namespace

RelationData read_relation(Oid relation, const AuditedColumns& columns, MemoryCount* memory) {
  if (memory == nullptr) memory = new_memory_count(kFewerRows);
  ColumnsReading reading = read_columns(relation, columns, memory);
  RelationData data = {};
  data.weights = reading.weights.values;
  data.unit_of = settle_units(reading.units, reading.rows);
  data.rows = reading.rows;
  data.suppressed = reading.suppressed;
  data.qi = reading.qi.columns;
  data.qi_count = reading.qi.count;
  data.class_of = allocate<int32>(data.rows);
  data.coarser_count = columns.coarser && data.qi_count > 0 ? data.qi_count - 1 : 0;
  data.coarser = allocate<int32*>(data.coarser_count);
  for (int j = 0; j < data.coarser_count; ++j) data.coarser[j] = allocate<int32>(data.rows);
  form_classes(data);
  data.attribute_count = reading.sensitive.count;
  data.attributes = allocate<AttributeData>(data.attribute_count);
  for (int a = 0; a < data.attribute_count; ++a)
    data.attributes[a] = attribute_of(reading.sensitive.columns[a]);
  read_hierarchies(relation, columns.hierarchies, data);
  read_protected_values(relation, columns.protected_values, data);
  return data;
}

std::vector<WildcardColumn> wildcard_columns(const RelationData& data) {
  std::vector<WildcardColumn> columns;
  for (int j = 0; j < data.qi_count; ++j) {
    const ValueRanks& ranks = data.qi[j].ranks;
    columns.push_back({ranks.codes, ranks.has_null ? values_of(ranks) : -1});
  }
  return columns;
}

std::vector<std::int32_t> classes_of(const RelationData& data) {
  return {data.class_of, data.class_of + data.rows};
}

std::vector<std::int32_t> units_of(const RelationData& data) {
  if (data.unit_of == nullptr) return {};
  return {data.unit_of, data.unit_of + data.rows};
}

namespace {

/// The quasi-identifiers of a row as jsonb.
Datum row_values(const RelationData& data, int64 row) {
  JsonObject json;
  for (int j = 0; j < data.qi_count; ++j) {
    const ValueRanks& ranks = data.qi[j].ranks;
    const int32 code = ranks.codes[row];
    if (code == values_of(ranks))
      json.add_null(data.qi[j].name);
    else
      json.add_datum(data.qi[j].name, ranks.values[code], ranks.type);
  }
  return JsonbPGetDatum(json.finish());
}

}  // namespace

Datum* read_class_values(const RelationData& data, const int32* classes, int count) {
  int32 class_count = 0;
  for (int64 row = 0; row < data.rows; ++row)
    if (data.class_of[row] >= class_count) class_count = data.class_of[row] + 1;
  int32* row_of = allocate<int32>(class_count);
  for (int64 row = 0; row < data.rows; ++row) row_of[data.class_of[row]] = static_cast<int32>(row);
  Datum* values = allocate<Datum>(count);
  for (int i = 0; i < count; ++i) values[i] = row_values(data, row_of[classes[i]]);
  return values;
}

}  // namespace anonkit::pg
