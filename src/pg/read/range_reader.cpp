#include "pg/read/range_reader.hpp"

#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/number_type.hpp"
#include "pg/read/source.hpp"
#include "pg/read/value_ranks.hpp"

extern "C" {
#include "utils/rangetypes.h"
}

namespace anonkit::pg {
namespace {

struct Receiver {
  PublishedNumbers* numbers;
  NumberColumn* columns;
  ValueRanks sensitive;
  bool has_sensitive;
  MemoryCount* memory;
};

/// The cells of a row, and what the audit of aggregates makes of them.
constexpr int64 kBytesPerCell = 4 * sizeof(double), kBytesPerRow = 40;

double number_in(const NumberColumn& column, Datum value) {
  bool finite;
  const double number = number_of(column.type, value, &finite);
  if (!finite)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                    errmsg("column \"%s\" contains NaN or infinite values", column.name)));
  return number;
}

bool is_discrete(const NumberColumn& column) {
  return OidIsValid(column.range->rng_canonical_finfo.fn_oid);
}

/// The numbers of a range; an end that it lacks is NaN. False if the range is empty.
bool read_ends(const NumberColumn& column, Datum value, double* low, double* high) {
  RangeBound lower;
  RangeBound upper;
  bool empty;
  range_deserialize(column.range, DatumGetRangeTypeP(value), &lower, &upper, &empty);
  if (empty) return false;
  *low = lower.infinite ? NAN : number_in(column, lower.val);
  *high = upper.infinite
              ? NAN
              : number_in(column, upper.val) - (is_discrete(column) && !upper.inclusive ? 1 : 0);
  return true;
}

void refuse_range(const NumberColumn& column, const char* fault) {
  ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                  errmsg("column \"%s\" contains %s", column.name, fault)));
}

}  // namespace

// A discrete type's range is published as [a,b+1), and without an upper end if b is the last value.
double greatest_member(const NumberColumn& column) {
  return column.range != nullptr && is_discrete(column) ? last_number(column.type) : NAN;
}

Oid number_or_end_type(Oid declared_type) {
  Oid type = getBaseType(declared_type);
  if (type_is_range(type))
    type = lookup_type_cache(type, TYPECACHE_RANGE_INFO)->rngelemtype->type_id;
  return number_type(type) != nullptr ? type : InvalidOid;
}

NumberColumn number_column(Form_pg_attribute attribute) {
  NumberColumn column = {pstrdup(NameStr(attribute->attname)),
                         number_or_end_type(attribute->atttypid), nullptr, nullptr};
  if (!OidIsValid(column.type))
    ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                    errmsg("column \"%s\" of type %s is no number and no range of numbers",
                           column.name, format_type_be(attribute->atttypid))));
  const Oid declared = getBaseType(attribute->atttypid);
  if (type_is_range(declared)) column.range = lookup_type_cache(declared, TYPECACHE_RANGE_INFO);
  return column;
}

void keep_numbers(NumberColumn& column, Form_pg_attribute attribute) {
  if (column.range != nullptr) return;
  column.exact = allocate<ExactNumbers>(1);
  *column.exact = exact_numbers(*attribute);
}

void read_open_cell(const NumberColumn& column, Datum value, double* low, double* high) {
  if (column.range != nullptr) {
    if (!read_ends(column, value, low, high)) refuse_range(column, "an empty range");
    return;
  }
  *low = *high = number_in(column, value);
  if (column.exact != nullptr) note_number(*column.exact, value, *low);
}

namespace {

/// False if the cell lacks an end that its type has.
bool read_closed_cell(const NumberColumn& column, Datum value, double* low, double* high) {
  read_open_cell(column, value, low, high);
  if (std::isnan(*high)) *high = greatest_member(column);
  return !std::isnan(*low) && !std::isnan(*high);
}

}  // namespace

void read_number_cell(const NumberColumn& column, Datum value, bool is_null, double* low,
                      double* high) {
  if (is_null)
    ereport(ERROR,
            (errcode(ERRCODE_DATA_EXCEPTION), errmsg("column \"%s\" contains nulls", column.name),
             errhint("Select from views of the rows without nulls.")));
  if (!read_closed_cell(column, value, low, high)) refuse_range(column, "a range without an end");
}

void settle_number_cells(const NumberColumn& column) {
  if (column.exact != nullptr) require_apart(*column.exact);
}

bool is_open_cell(const NumberColumn& column, Datum value) {
  bool finite = true;
  if (column.range == nullptr) {
    number_of(column.type, value, &finite);
    return finite;
  }
  RangeBound lower;
  RangeBound upper;
  bool empty;
  range_deserialize(column.range, DatumGetRangeTypeP(value), &lower, &upper, &empty);
  bool upper_finite = true;
  if (!lower.infinite) number_of(column.type, lower.val, &finite);
  if (!upper.infinite) number_of(column.type, upper.val, &upper_finite);
  return !empty && finite && upper_finite;
}

bool find_number_cell(const NumberColumn& column, Datum value, bool is_null, double* low,
                      double* high) {
  return !is_null && is_open_cell(column, value) && read_closed_cell(column, value, low, high);
}

namespace {

void grow_numbers(Receiver& receiver) {
  PublishedNumbers& numbers = *receiver.numbers;
  const int64 more = numbers.capacity / 2;
  count_memory(*receiver.memory, more * (kBytesPerRow + kBytesPerCell * numbers.attributes));
  numbers.capacity += more;
  resize(numbers.low, numbers.capacity * numbers.attributes);
  resize(numbers.high, numbers.capacity * numbers.attributes);
  if (receiver.has_sensitive) grow_ranks(receiver.sensitive, numbers.capacity);
}

void receive_numbers(TupleTableSlot* slot, void* state) {
  auto& receiver = *static_cast<Receiver*>(state);
  PublishedNumbers& numbers = *receiver.numbers;
  if (numbers.rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to audit")));
  if (numbers.rows == numbers.capacity) grow_numbers(receiver);
  for (int j = 0; j < numbers.attributes; ++j) {
    const int64 at = numbers.rows * numbers.attributes + j;
    read_number_cell(receiver.columns[j], slot->tts_values[j], slot->tts_isnull[j],
                     &numbers.low[at], &numbers.high[at]);
  }
  if (receiver.has_sensitive)
    add_value(receiver.sensitive, numbers.rows, slot->tts_values[numbers.attributes],
              slot->tts_isnull[numbers.attributes]);
  ++numbers.rows;
}

}  // namespace

PublishedNumbers read_published_numbers(Oid oid, const Names& columns, const char* sensitive) {
  PublishedNumbers numbers = {0, kFirstCapacity, columns.count, nullptr, nullptr, nullptr};
  numbers.low = allocate<double>(numbers.capacity * columns.count);
  numbers.high = allocate<double>(numbers.capacity * columns.count);
  Receiver receiver = {&numbers,
                       allocate<NumberColumn>(columns.count),
                       {},
                       sensitive != nullptr,
                       new_memory_count(kFewerRows)};
  UserQuery query = begin_user_query();
  Relation relation = open_relation(oid);
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int j = 0; j < columns.count; ++j) {
    Form_pg_attribute attribute =
        TupleDescAttr(descriptor, find_column(descriptor, columns.names[j]) - 1);
    receiver.columns[j] = number_column(attribute);
    keep_numbers(receiver.columns[j], attribute);
    add_column(query, receiver.columns[j].name);
  }
  if (sensitive != nullptr) {
    Form_pg_attribute attribute = TupleDescAttr(descriptor, find_column(descriptor, sensitive) - 1);
    receiver.sensitive = make_value_ranks(attribute, kFirstCapacity, receiver.memory);
    add_column(query, NameStr(attribute->attname));
  }
  relation_close(relation, NoLock);
  for_each_row(end_user_query(query, oid), receive_numbers, &receiver);
  for (int j = 0; j < columns.count; ++j) settle_number_cells(receiver.columns[j]);
  if (receiver.has_sensitive) {
    settle_ranks(receiver.sensitive, numbers.rows);
    numbers.codes = receiver.sensitive.codes;
  }
  return numbers;
}

}  // namespace anonkit::pg
