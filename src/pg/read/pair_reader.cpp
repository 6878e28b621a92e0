#include "pg/read/pair_reader.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "base/at.hpp"
#include "base/error.hpp"
#include "model/row_classes.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/reading_for.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/counted_rows.hpp"
#include "pg/read/source.hpp"

namespace anonkit::pg {
namespace {

/// The common type of numbers in the same unit: days and microseconds differ.
Oid unit_of(Oid type) {
  if (!OidIsValid(type) || type == DATEOID) return type;
  return type == TIMESTAMPOID || type == TIMESTAMPTZOID ? TIMESTAMPOID : FLOAT8OID;
}

Form_pg_attribute attribute_of(TupleDesc descriptor, const char* name) {
  return TupleDescAttr(descriptor, find_column(descriptor, name) - 1);
}

PairColumn pair_column(Form_pg_attribute original, Form_pg_attribute masked, bool category,
                       bool keep) {
  PairColumn column = {};
  column.name = pstrdup(NameStr(original->attname));
  const Oid types[2] = {number_or_end_type(original->atttypid),
                        number_or_end_type(masked->atttypid)};
  column.numeric = !category && OidIsValid(types[0]) && unit_of(types[0]) == unit_of(types[1]);
  if (column.numeric) {
    column.number[0] = number_column(original);
    column.number[1] = number_column(masked);
    keep_numbers(column.number[0], original);
    keep_numbers(column.number[1], masked);
    for (int side = 0; side < 2; ++side) {
      column.low[side] = allocate<double>(kFirstCapacity);
      column.high[side] = allocate<double>(kFirstCapacity);
    }
    if (keep) column.published = make_value_ranks(masked, kFirstCapacity, nullptr);
    column.keeps_published = keep;
    return column;
  }
  column.as_text = getBaseType(original->atttypid) != getBaseType(masked->atttypid);
  const FormData_pg_attribute text = text_attribute(original);
  column.ranks = make_value_ranks(column.as_text ? &text : original, kFirstCapacity, nullptr);
  return column;
}

/// One of the two relations during reading.
struct PairReading {
  PairData* data;
  int side;
  int64 capacity;
};

/// The core keeps coordinates of each cell, of the masked rows and of all, in their order and in
/// that of the index, and lists of the rows that agree; utility also a copy in the rows' order.
constexpr int64 kCoreBytesPerCell = 56;
constexpr int64 kCoreBytesPerPair = 140;

/// Refuses the rows that would need more memory than anonkit.max_memory, values included.
void count_rows(const PairReading& reading) {
  const PairData& data = *reading.data;
  const int64 rows = data.rows[0] * reading.side + reading.capacity;
  MemoryCount memory = {};
  count_memory(memory, static_cast<int64>(
                           MemoryContextMemAllocated(GetMemoryChunkContext(data.columns), true)) +
                           rows * (kCoreBytesPerPair + kCoreBytesPerCell * data.count));
}

void grow_pairs(PairReading& reading) {
  PairData& data = *reading.data;
  reading.capacity += reading.capacity / 2;
  count_rows(reading);
  grow_weights(data.weights[reading.side], reading.capacity, nullptr);
  for (int j = 0; j < data.count; ++j) {
    PairColumn& column = data.columns[j];
    if (column.numeric) {
      resize(column.low[reading.side], reading.capacity);
      resize(column.high[reading.side], reading.capacity);
      if (reading.side == 1 && column.keeps_published)
        grow_ranks(column.published, reading.capacity);
    } else {
      grow_ranks(column.ranks, data.rows[0] * reading.side + reading.capacity);
    }
  }
}

void add_category(PairColumn& column, const TupleTableSlot* slot, int at, int64 row) {
  Datum value = slot->tts_values[at];
  const bool is_null = slot->tts_isnull[at];
  if (column.as_text && !is_null)
    value = cast_to_text(TupleDescAttr(slot->tts_tupleDescriptor, at)->atttypid, value);
  add_value(column.ranks, row, value, is_null);
}

void add_number(PairColumn& column, int side, const TupleTableSlot* slot, int at, int64 row) {
  double& low = column.low[side][row] = kNullLow;
  double& high = column.high[side][row] = kNullHigh;
  if (!slot->tts_isnull[at]) read_open_cell(column.number[side], slot->tts_values[at], &low, &high);
}

void receive_pair(TupleTableSlot* slot, void* state) {
  auto& reading = *static_cast<PairReading*>(state);
  PairData& data = *reading.data;
  const int64 row = data.rows[reading.side];
  if (data.rows[0] + data.rows[1] >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to compare")));
  if (row == reading.capacity) grow_pairs(reading);
  for (int j = 0; j < data.count; ++j) {
    PairColumn& column = data.columns[j];
    if (column.numeric)
      add_number(column, reading.side, slot, j, row);
    else
      add_category(column, slot, j, data.rows[0] * reading.side + row);
    if (reading.side == 1 && column.keeps_published)
      add_value(column.published, row, slot->tts_values[j], slot->tts_isnull[j]);
  }
  add_weight(data.weights[reading.side], row, slot, data.count);
  ++data.rows[reading.side];
}

void read_side(PairData& data, int side, Oid oid) {
  PairReading reading = {&data, side, kFirstCapacity};
  for (int j = 0; side > 0 && j < data.count; ++j)
    if (!data.columns[j].numeric) grow_ranks(data.columns[j].ranks, data.rows[0] + kFirstCapacity);
  UserQuery query = begin_user_query();
  for (int j = 0; j < data.count; ++j) add_column(query, data.columns[j].name);
  if (data.weights[side].name != nullptr) add_column(query, data.weights[side].name);
  for_each_row_of(query, oid, nullptr, receive_pair, &reading);
  if (data.rows[side] == 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                    errmsg("relation \"%s\" has no rows", get_rel_name(oid))));
  settle_weights(data.weights[side], data.rows[side]);
}

/// An upper end, or the last number that a range of the column contains, if that is less.
double last_member(const PairColumn& column, double end) {
  for (const NumberColumn& side : column.number) end = std::fmin(end, greatest_member(side));
  return end;
}

/// A generalised cell may lack an end, and a suppressed one lacks both: it spans the numbers of
/// both relations. Its ends lie just beyond them, so that they are nobody's value, unless they are
/// the last one of a discrete type, which anonkit publishes so.
void close_ranges(PairColumn& column, const int64* rows) {
  if (column.number[0].range == nullptr && column.number[1].range == nullptr) return;
  double least = INFINITY;
  double greatest = -INFINITY;
  bool open = false;
  for (int side = 0; side < 2; ++side)
    for (int64 row = 0; row < rows[side]; ++row) {
      CHECK_FOR_INTERRUPTS();
      const double low = column.low[side][row];
      const double high = column.high[side][row];
      if (low > high) continue;  // null
      for (const double end : {low, high}) {
        open = open || std::isnan(end);
        least = std::fmin(least, end);
        greatest = std::fmax(greatest, end);
      }
    }
  if (!open) return;
  const bool known = least <= greatest;
  const double low = known ? std::max(std::nextafter(least, -INFINITY), -DBL_MAX) : 0;
  const double beyond = std::min(std::nextafter(greatest, INFINITY), DBL_MAX);
  const double high = known ? last_member(column, beyond) : 0;
  for (int side = 0; side < 2; ++side)
    for (int64 row = 0; row < rows[side]; ++row) {
      CHECK_FOR_INTERRUPTS();
      if (std::isnan(column.low[side][row])) column.low[side][row] = low;
      if (std::isnan(column.high[side][row])) column.high[side][row] = high;
    }
}

/// The masked record with equal values in the last `key` columns, by original record; -1: none.
std::vector<std::int32_t> images_of(const PairData& data, int key) {
  std::vector<CodedColumn> columns;
  for (int j = data.count - key; j < data.count; ++j)
    columns.push_back({data.columns[j].ranks.codes, data.columns[j].ranks.distinct});
  const int64 rows = data.rows[0] + data.rows[1];
  std::vector<std::int32_t> person(static_cast<std::size_t>(rows));
  std::vector<std::int32_t*> class_of(columns.size(), nullptr);
  class_of.back() = person.data();
  BackendTicker ticker;
  number_classes(columns, rows, class_of, ticker);
  const auto take = [&](std::vector<std::int32_t>& row_of, int64 from, int64 to) {
    for (int64 row = from; row < to; ++row) {
      std::int32_t& known = row_of[at(person[static_cast<std::size_t>(row)])];
      if (known >= 0)
        throw Error(ErrorKind::invalid_data, "the key does not tell the records apart",
                    "Several records of a relation have the same values in it.");
      known = static_cast<std::int32_t>(row - from);
    }
  };
  std::vector<std::int32_t> original(static_cast<std::size_t>(rows), -1);
  std::vector<std::int32_t> masked(static_cast<std::size_t>(rows), -1);
  take(original, 0, data.rows[0]);
  take(masked, data.rows[0], rows);
  std::vector<std::int32_t> images;
  for (int64 row = 0; row < data.rows[0]; ++row)
    images.push_back(masked[at(person[static_cast<std::size_t>(row)])]);
  return images;
}

}  // namespace

PairData read_pair(Oid original, Oid masked, const Names& columns, int categories,
                   const Names& codes, bool keep_published, const char* sampling_weight,
                   Oid named_by) {
  PairData data = {};
  data.count = columns.count;
  data.columns = allocate<PairColumn>(columns.count);
  require_relation(original);
  require_relation(masked);
  Relation before = open_relation(original);
  Relation after = open_relation(masked);
  for (int j = 0; j < columns.count; ++j) {
    Form_pg_attribute attribute = attribute_of(RelationGetDescr(before), columns.names[j]);
    data.columns[j] =
        pair_column(attribute, attribute_of(RelationGetDescr(after), columns.names[j]),
                    j >= categories || is_named(RelationGetDescr(before), attribute->attnum, codes),
                    keep_published);
  }
  data.weights[0] = make_weights(RelationGetDescr(before), sampling_weight, kFirstCapacity);
  data.weights[1] = make_weights(RelationGetDescr(after), sampling_weight, kFirstCapacity);
  relation_close(after, NoLock);
  relation_close(before, NoLock);
  const OwnersWork work = begin_reading_for(named_by, original);
  read_side(data, 0, original);
  end_reading_for(work);
  read_side(data, 1, masked);
  for (int j = 0; j < columns.count; ++j) {
    PairColumn& column = data.columns[j];
    if (column.numeric)
      close_ranges(column, data.rows);
    else
      settle_ranks(column.ranks, data.rows[0] + data.rows[1]);
    for (const NumberColumn& side : column.number) settle_number_cells(side);
    if (column.keeps_published) settle_ranks(column.published, data.rows[1]);
  }
  return data;
}

Jsonb* published_cells(const PairData& data, int64 row) {
  JsonObject json;
  for (int j = 0; j < data.count; ++j) {
    const PairColumn& column = data.columns[j];
    const ValueRanks& ranks = column.numeric ? column.published : column.ranks;
    const int32 code = ranks.codes[column.numeric ? row : data.rows[0] + row];
    if (code < values_of(ranks))
      json.add_datum(column.name, ranks.values[code], ranks.type);
    else
      json.add_null(column.name);
  }
  return json.finish();
}

CellsPair cells_of(const PairData& data, int first, int count) {
  CellsPair pair;
  for (int side = 0; side < 2; ++side) {
    Cells& cells = side == 0 ? pair.original : pair.masked;
    cells.rows = static_cast<std::int32_t>(data.rows[side]);
    for (int j = first; j < first + count; ++j) {
      const PairColumn& from = data.columns[j];
      CellColumn column;
      column.low = from.low[side];
      column.high = from.high[side];
      if (!from.numeric) column.codes = from.ranks.codes + side * data.rows[0];
      column.categories = from.ranks.distinct;
      column.name = from.name;
      cells.columns.push_back(column);
    }
  }
  return pair;
}

CellsPair pair_of(const PairData& data, int count, int key) {
  CellsPair pair = cells_of(data, 0, count);
  if (key > 0) pair.image = images_of(data, key);
  return pair;
}

}  // namespace anonkit::pg
