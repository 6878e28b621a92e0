#include "pg/explore/column_pair.hpp"

#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"

namespace anonkit::pg {
namespace {

FormData_pg_attribute released_attribute(const SourceColumn& column) {
  FormData_pg_attribute attribute = {};
  namestrcpy(&attribute.attname, column.name);
  attribute.atttypid = column.released_type;
  attribute.attcollation = column.released_collation;
  return attribute;
}

/// One column of a run. Plain data.
struct Reading {
  const Run& run;
  int j;
  const SourceColumn& column;
  FormData_pg_attribute released;

  double value(int64 row) const { return run.loaded.quasi_identifiers.value(row, j); }
  bool is_null_before(int64 row) const {
    const Block& block = run.loaded.quasi_identifiers;
    return block.dictionaries[j] == nullptr ? is_null(value(row))
                                            : value(row) == block.null_codes[j];
  }
  /// Null for a suppressed row.
  const Datum* published(int64 row) const { return run.cells_of(row); }
  bool is_null_after(const Datum* cells) const { return run.nulls_of(cells)[j]; }
};

void read_numbers(const Reading& reading, ColumnPair& pair) {
  const int64 rows = reading.run.loaded.rows;
  PairColumn& column = *pair.data.columns;
  column.numeric = true;
  for (NumberColumn& number : column.number) {
    number = number_column(const_cast<Form_pg_attribute>(&reading.released));
    // The ends of a bin have the format of the source.
    number.type = reading.column.base_type;
  }
  for (int side = 0; side < 2; ++side) {
    column.low[side] = allocate<double>(rows);
    column.high[side] = allocate<double>(rows);
  }
  int64* counts = pair.data.rows;
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    if (!reading.is_null_before(row)) {
      column.low[0][counts[0]] = column.high[0][counts[0]] = reading.value(row);
      ++counts[0];
    }
    const Datum* cells = reading.published(row);
    if (cells == nullptr) continue;
    ++pair.cells[1];
    if (find_number_cell(column.number[1], cells[reading.j], reading.is_null_after(cells),
                         &column.low[1][counts[1]], &column.high[1][counts[1]]))
      ++counts[1];
  }
}

Datum text_before(const Reading& reading, int64 row) {
  const Dictionary* dictionary = reading.run.loaded.quasi_identifiers.dictionaries[reading.j];
  if (dictionary != nullptr)
    return CStringGetTextDatum(
        dictionary->text(static_cast<std::int32_t>(reading.value(row))).c_str());
  return cast_to_text(
      reading.column.base_type,
      number_datum(reading.column.base_type, reading.column.base_typmod, reading.value(row)));
}

void read_categories(const Reading& reading, ColumnPair& pair) {
  const int64 rows = reading.run.loaded.rows;
  PairColumn& column = *pair.data.columns;
  const FormData_pg_attribute text = text_attribute(&reading.released);
  column.ranks = make_value_ranks(&text, 2 * rows, nullptr);
  pair.data.rows[0] = rows;
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit row", ALLOCSET_DEFAULT_SIZES);
  MemoryContext outer = MemoryContextSwitchTo(scratch);
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const bool null = reading.is_null_before(row);
    add_value(column.ranks, row, null ? Datum{0} : text_before(reading, row), null);
    MemoryContextReset(scratch);
  }
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const Datum* cells = reading.published(row);
    if (cells == nullptr) continue;
    const bool null = reading.is_null_after(cells);
    add_value(column.ranks, rows + pair.data.rows[1]++,
              null ? Datum{0} : cast_to_text(reading.column.released_type, cells[reading.j]), null);
    MemoryContextReset(scratch);
  }
  MemoryContextSwitchTo(outer);
  MemoryContextDelete(scratch);
  settle_ranks(column.ranks, rows + pair.data.rows[1]);
  pair.cells[1] = pair.data.rows[1];
}

double share_of_others(int64 some, int64 all) {
  return all > 0 ? 1 - static_cast<double>(some) / static_cast<double>(all) : 0;
}

}  // namespace

ColumnPair column_pair_of(const Run& run, int j) {
  constexpr int64 kBytesPerRow = 4 * sizeof(double);
  const SourceColumn& column = run.source.columns[j];
  const Reading reading = {run, j, column, released_attribute(column)};
  MemoryCount memory = {run.loaded.needed_bytes, kFewerRows};
  count_memory(memory, run.loaded.rows * kBytesPerRow);
  ColumnPair pair = {};
  pair.data.columns = static_cast<PairColumn*>(palloc0(sizeof(PairColumn)));
  pair.data.columns->name = column.name;
  pair.data.count = 1;
  pair.cells[0] = run.loaded.rows;
  if (column.number_type != nullptr && OidIsValid(number_or_end_type(column.released_type)))
    read_numbers(reading, pair);
  else
    read_categories(reading, pair);
  for (int side = 0; side < 2; ++side)
    pair.missing[side] = share_of_others(pair.data.rows[side], pair.cells[side]);
  pair.same_values = pair.data.columns->numeric ||
                     getBaseType(column.released_type) == getBaseType(column.declared_type);
  return pair;
}

}  // namespace anonkit::pg
