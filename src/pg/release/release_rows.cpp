#include "pg/release/release_rows.hpp"

#include <algorithm>

#include "pg/backend/session.hpp"
#include "pg/release/sorted_spool.hpp"

namespace anonkit::pg {
namespace {

int compare_rows(const void* a, const void* b, void* argument) {
  CHECK_FOR_INTERRUPTS();
  const Run& run = *static_cast<const Run*>(argument);
  const Fingerprint& p = run.fingerprint_of(*static_cast<const int32*>(a));
  const Fingerprint& q = run.fingerprint_of(*static_cast<const int32*>(b));
  return p == q ? 0 : p < q ? -1 : 1;
}

/// The first place of each class in the release, and last that of suppressed rows.
int64* places_of_classes(const Run& run) {
  int64* places = allocate<int64>(run.published_classes + 1);
  places[0] = 0;
  for (int32 c = 0; c < run.published_classes; ++c)
    places[c + 1] = places[c] + run.published_sizes[c];
  return places;
}

/// The order of a release's rows: by masked values, then by the fingerprint of the other published
/// values. It depends only on published values, so it reveals nothing about the source. Suppressed
/// rows come last.
int32* row_order(const Run& run) {
  int32* rows = allocate<int32>(run.loaded.rows);
  if (run.record_of_cells != nullptr) {
    int64 placed = 0;
    for (; placed < run.cell_rows; ++placed)
      rows[placed] = run.record_of_cells[run.published_order[placed]];
    for (int32 row = 0; row < run.loaded.rows; ++row)
      if (run.cells_of(row) == nullptr) rows[placed++] = row;
    return rows;
  }
  int64* next = places_of_classes(run);
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const int32 c = run.published_class_of(row);
    rows[next[c == kNone ? run.published_classes : c]++] = static_cast<int32>(row);
  }
  for (int32 c = 0; run.loaded.fingerprints != nullptr && c < run.published_classes; ++c) {
    const auto size = static_cast<std::size_t>(run.published_sizes[c]);
    qsort_arg(rows + next[c] - size, size, sizeof(int32), compare_rows, const_cast<Run*>(&run));
  }
  pfree(next);
  return rows;
}

/// Writes a row of cells to its columns of the release.
void fill_masked(const Run& run, const SourceColumn* const* columns, const Datum* cells,
                 Datum* values, bool* nulls) {
  const bool* null_cells = run.nulls_of(cells);
  for (int at = 0; at < run.source.count; ++at) {
    const int64 j = columns[at] - run.source.columns;
    if (j >= run.source.quasi_identifiers) continue;
    values[at] = cells[j];
    nulls[at] = null_cells[j];
  }
  if (run.source.class_column != nullptr)
    values[run.source.count] = Int32GetDatum(run.class_number_of(cells));
}

/// The records of each row of cells.
int64* count_records(const Run& run) {
  auto* records = allocate<int64>(run.cell_rows);
  std::fill_n(records, run.cell_rows, 0);
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const std::int32_t at = run.anonymized->cells(static_cast<std::size_t>(row));
    if (at != kNone) ++records[at];
  }
  return records;
}

/// Writes a release without kept columns, whose rows depend on their classes alone.
void put_masked(const Run& run, const SourceColumn* const* columns, Datum* values, bool* nulls,
                RowsFunction put, void* state) {
  const int64* records = count_records(run);
  for (int32 i = 0; i < run.cell_rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    const int32 at = run.published_order[i];
    fill_masked(run, columns, run.cells + int64{at} * run.source.quasi_identifiers, values, nulls);
    put({values, nulls, records[at], {0, 0}}, state);
  }
}

/// By row of the source: its place in the release, from 1; 0 for a row that is not published.
int64* places_of_rows(const Run& run) {
  const int32* rows = row_order(run);
  int64* place = allocate<int64>(run.loaded.rows);
  for (int32 i = 0; i < run.loaded.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    place[rows[i]] = run.cells_of(rows[i]) == nullptr ? 0 : i + 1;
  }
  return place;
}

/// The writer of a release with kept columns, row by row.
struct KeptRows {
  const Run* run;
  const SourceColumn* const* columns;
  Datum* values;
  bool* nulls;
  RowsFunction put;
  void* state;
};

void put_kept(const SpooledRow& spooled, void* state) {
  const auto& rows = *static_cast<const KeptRows*>(state);
  const Run& run = *rows.run;
  fill_masked(run, rows.columns, run.cells_of(spooled.row), rows.values, rows.nulls);
  for (int at = 0; at < run.source.count; ++at) {
    const std::ptrdiff_t column = rows.columns[at] - run.source.spooled();
    if (column < 0) continue;
    rows.values[at] = spooled.values[column];
    rows.nulls[at] = spooled.nulls[column] ||
                     (rows.columns[at]->role == Role::sensitive && run.withholds(spooled.row));
  }
  rows.put({rows.values, rows.nulls, 1, run.fingerprint_of(spooled.row)}, rows.state);
}

}  // namespace

TupleDesc release_descriptor(const Source& source) {
  const SourceColumn** columns = released_columns(source);
  TupleDesc descriptor = CreateTemplateTupleDesc(source.released_count());
  for (int at = 0; at < source.count; ++at)
    TupleDescInitEntry(descriptor, static_cast<AttrNumber>(at + 1), columns[at]->name,
                       columns[at]->released_type, columns[at]->released_typmod, 0);
  if (source.class_column != nullptr)
    TupleDescInitEntry(descriptor, static_cast<AttrNumber>(source.count + 1), source.class_column,
                       INT4OID, -1, 0);
  return descriptor;
}

void put_rows(const Run& run, RowsFunction put, void* state) {
  const SourceColumn** columns = released_columns(run.source);
  const auto count = static_cast<std::size_t>(run.source.released_count());
  auto* values = static_cast<Datum*>(palloc0(sizeof(Datum) * count));
  auto* nulls = static_cast<bool*>(palloc0(sizeof(bool) * count));
  if (run.source.spooled_count() == 0) {
    put_masked(run, columns, values, nulls, put, state);
    return;
  }
  KeptRows rows = {&run, columns, values, nulls, put, state};
  for_each_by_key(run, places_of_rows(run), put_kept, &rows);
}

void add_to_result(const ReleasedRows& rows, void* state) {
  auto* result = static_cast<ReturnSetInfo*>(state);
  for (int64 record = 0; record < rows.records; ++record) {
    CHECK_FOR_INTERRUPTS();
    tuplestore_putvalues(result->setResult, result->setDesc, const_cast<Datum*>(rows.values),
                         const_cast<bool*>(rows.nulls));
  }
}

}  // namespace anonkit::pg
