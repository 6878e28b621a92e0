#include "pg/release/verify.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "recode/recoding.hpp"

#include "pg/audit/population_labels.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/value_ranks.hpp"
#include "pg/release/aggregate_run.hpp"

namespace anonkit::pg {
namespace {

/// The equality of GROUP BY, by column.
struct CellOrder {
  const Run* run;
  FmgrInfo* compare;
};

/// The order of two rows of cells, and the column that decides it (d if they are equal).
int compare_rows(const CellOrder& order_of_cells, int32 a, int32 b, int* column) {
  CHECK_FOR_INTERRUPTS();
  const Run& run = *order_of_cells.run;
  const int d = run.source.quasi_identifiers;
  const std::size_t x = static_cast<std::size_t>(a) * static_cast<std::size_t>(d);
  const std::size_t y = static_cast<std::size_t>(b) * static_cast<std::size_t>(d);
  for (int& j = *column = 0; j < d; ++j) {
    if (run.nulls[x + j] || run.nulls[y + j]) {
      if (run.nulls[x + j] != run.nulls[y + j]) return run.nulls[x + j] ? 1 : -1;
      continue;
    }
    const int order = DatumGetInt32(FunctionCall2Coll(&order_of_cells.compare[j],
                                                      run.source.columns[j].released_collation,
                                                      run.cells[x + j], run.cells[y + j]));
    if (order != 0) return order;
  }
  return 0;
}

CellOrder cell_order_of(const Run& run) {
  CellOrder order_of_cells = {&run, allocate<FmgrInfo>(run.source.quasi_identifiers)};
  for (int j = 0; j < run.source.quasi_identifiers; ++j) {
    TypeCacheEntry* type =
        lookup_type_cache(run.source.columns[j].released_type, TYPECACHE_CMP_PROC_FINFO);
    fmgr_info_copy(&order_of_cells.compare[j], &type->cmp_proc_finfo, CurrentMemoryContext);
  }
  return order_of_cells;
}

/// A row of cells, and the key of its first cell, which decides most comparisons.
struct KeyedRow {
  uint64 key;
  int32 row;
};

int compare_cells(const void* a, const void* b, void* order_of_cells) {
  const auto& x = *static_cast<const KeyedRow*>(a);
  const auto& y = *static_cast<const KeyedRow*>(b);
  if (x.key != y.key) {
    CHECK_FOR_INTERRUPTS();
    return x.key < y.key ? -1 : 1;
  }
  int column;
  const int order =
      compare_rows(*static_cast<const CellOrder*>(order_of_cells), x.row, y.row, &column);
  return order != 0 ? order : x.row - y.row;
}

/// Nulls come last; without an order key all keys are equal.
uint64 key_of_row(const Run& run, int32 row, Oid first_type) {
  const int64 cell = int64{row} * run.source.quasi_identifiers;
  if (run.nulls[cell]) return PG_UINT64_MAX;
  uint64 key = PG_UINT64_MAX;
  return order_key(first_type, run.cells[cell], &key) ? key : PG_UINT64_MAX;
}

/// The rows of cells by their values; equal ones in the order that they have.
int32* sorted_rows(const Run& run, const CellOrder& order_of_cells) {
  const Oid first_type = getBaseType(run.source.columns[0].released_type);
  auto* rows = allocate<KeyedRow>(run.cell_rows);
  for (int32 row = 0; row < run.cell_rows; ++row)
    rows[row] = {key_of_row(run, row, first_type), row};
  qsort_arg(rows, static_cast<std::size_t>(run.cell_rows), sizeof(KeyedRow), compare_cells,
            const_cast<CellOrder*>(&order_of_cells));
  int32* order = allocate<int32>(run.cell_rows);
  for (int i = 0; i < run.cell_rows; ++i) order[i] = rows[i].row;
  pfree(rows);
  return order;
}

}  // namespace

void form_published_classes(Run& run) {
  const CellOrder order_of_cells = cell_order_of(run);
  const int32* sorted = run.published_order = sorted_rows(run, order_of_cells);
  run.published_class = allocate<int32>(run.cell_rows);
  run.published_sizes = allocate<int64>(run.cell_rows);
  run.published_breaks = allocate<int>(run.cell_rows);
  run.published_classes = 0;
  for (int i = 0; i < run.cell_rows; ++i) {
    int column = 0;
    if (i == 0 || compare_rows(order_of_cells, sorted[i - 1], sorted[i], &column) != 0) {
      run.published_breaks[run.published_classes] = column;
      run.published_sizes[run.published_classes++] = 0;
    }
    const int published = run.published_classes - 1;
    run.published_class[sorted[i]] = published;
  }
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    const int32 c = run.published_class_of(row);
    if (c != kNone) ++run.published_sizes[c];
  }
}

void take_private_classes(Run& run) {
  const Partition& formed = run.anonymized->partition;
  run.published_class = allocate<int32>(run.cell_rows);
  run.record_of_cells = allocate<int32>(run.cell_rows);
  run.published_classes = formed.classes;
  run.published_sizes = allocate<int64>(formed.classes);
  run.published_breaks = allocate<int>(formed.classes);
  std::fill_n(run.published_sizes, formed.classes, 0);
  std::fill_n(run.published_breaks, formed.classes, 0);
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const ClassId c = formed.class_of[static_cast<std::size_t>(row)];
    const std::int32_t at = run.anonymized->cells(static_cast<std::size_t>(row));
    if (c == kNone) continue;
    run.published_class[at] = c;
    run.record_of_cells[at] = static_cast<int32>(row);
    ++run.published_sizes[c];
  }
}

namespace {

/// A class that has come out equal to one that withholds its values does so, too. A reader tells by
/// the class which nulls are no values.
void withhold_published(Run& run) {
  run.withheld = allocate<bool>(run.published_classes);
  std::fill_n(run.withheld, run.published_classes, false);
  for (int64 row = 0; row < run.loaded.rows; ++row)
    if (run.anonymized->withholds(static_cast<std::size_t>(row)))
      run.withheld[run.published_class_of(row)] = true;
}

/// Fails closed: the figure is a function of the classes' values as multisets, as the release is.
void check_withheld(const Run& run) {
  const double most = run.spec.options.transparency.max_withheld;
  const int64 rows = run.loaded.rows - run.anonymized->suppressed;
  const int64 withheld = withheld_rows(run);
  if (static_cast<double>(withheld) <= most * static_cast<double>(rows)) return;
  char share[120];
  snprintf(share, sizeof share, "Withheld are %.4g of the records, allowed are %g.",
           static_cast<double>(withheld) / static_cast<double>(rows), most);
  throw Error(ErrorKind::infeasible, "too many sensitive values would be withheld", share,
              "Take a larger k, promise less, or raise max_withheld.");
}

/// Describes a cause that the method could not see: classes with equal published cells.
std::string joined_classes(const Run& run) {
  const std::size_t formed = run.anonymized->members.classes();
  const auto published = static_cast<std::size_t>(run.published_classes);
  if (!run.anonymized->classes_published || formed <= published) return "";
  return " Classes with equal masked values are one class in the release: " +
         std::to_string(formed) + " were formed, " + std::to_string(published) +
         " would be published.";
}

/// The sensitive column of that number.
JudgedColumn judged_column(const Run& run, int a) {
  const Ranks& ranks = run.loaded.ranks[a];
  const Kind kind = run.source.sensitive[a].kind;
  const AttributeScale scale = kind == Kind::numeric   ? AttributeScale::numeric
                               : kind == Kind::ordinal ? AttributeScale::ordinal
                                                       : AttributeScale::nominal;
  return {ranks.ranks,
          scale,
          ranks.values,
          ranks.distinct,
          run.loaded.sensitive_hierarchies[a],
          run.loaded.protected_values[a]};
}

/// By natural superset of (n,t)-closeness and published class: its superset among those that agree
/// in the first one, two, ... quasi-identifiers.
std::vector<std::vector<std::int32_t>> published_supersets(const Run& run) {
  std::vector<std::vector<std::int32_t>> supersets;
  for (int columns = 1; columns < run.source.quasi_identifiers; ++columns) {
    supersets.emplace_back();
    std::int32_t superset = 0;
    for (int c = 0; c < run.published_classes; ++c) {
      if (c > 0 && run.published_breaks[c] < columns) ++superset;
      supersets.back().push_back(superset);
    }
  }
  return supersets;
}

/// The rows of the published classes that are judged.
JudgedRows rows_in(const Run& run, const std::vector<bool>& judged) {
  return rows_of_classes(
      run.loaded.rows, [&](int64 row) { return run.published_class_of(row); }, run.loaded.unit_of,
      judged);
}

/// The published rows. Sensitive values are seen in the classes that do not withhold them.
Evidence evidence_of(const Run& run) {
  Evidence evidence;
  evidence.all = published_rows(run);
  std::vector<bool> shown(static_cast<std::size_t>(run.published_classes));
  for (std::size_t c = 0; c < shown.size(); ++c) shown[c] = !run.withheld[c];
  if (std::find(shown.begin(), shown.end(), false) != shown.end())
    evidence.shown = rows_in(run, shown);
  for (int a = 0; a < run.source.sensitive_count; ++a)
    evidence.columns.push_back(judged_column(run, a));
  if (run.spec.options.promises.n > 0) evidence.supersets = published_supersets(run);
  return evidence;
}

/// The published cells, as those who match them with a population see them.
PublishedRows published_rows(const Run& run, MemoryCount& memory) {
  constexpr int64 kBytesPerCell = sizeof(Datum) + sizeof(bool);
  const int d = run.source.quasi_identifiers;
  int64 rows = 0;
  count_memory(memory, run.loaded.rows * static_cast<int64>(sizeof(int32)) +
                           int64{run.cell_rows} * d * kBytesPerCell);
  int32* row_of_cells = allocate<int32>(run.loaded.rows);
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const Datum* cells = run.cells_of(row);
    if (cells != nullptr) row_of_cells[rows++] = static_cast<int32>((cells - run.cells) / d);
  }
  auto* columns = allocate<PublishedColumn>(d);
  for (int j = 0; j < d; ++j) {
    Datum* values = allocate<Datum>(run.cell_rows);
    bool* nulls = allocate<bool>(run.cell_rows);
    for (int32 i = 0; i < run.cell_rows; ++i) {
      CHECK_FOR_INTERRUPTS();
      values[i] = run.cells[int64{i} * d + j];
      nulls[i] = run.nulls[int64{i} * d + j];
    }
    columns[j] = {run.source.columns[j].released_type, values, nulls, run.cell_rows, row_of_cells};
  }
  return {columns, rows};
}

/// The run, with its own copy of the population, is still in memory: one limit holds for both.
PopulationClasses& published_in_population(const Run& run) {
  MemoryCount* memory = new_memory_count();
  memory->bytes = run.loaded.needed_bytes;
  return classes_of_population(run.spec, published_rows(run, *memory), *memory);
}

}  // namespace

JudgedRows published_rows(const Run& run) {
  return rows_in(run, std::vector<bool>(static_cast<std::size_t>(run.published_classes), true));
}

void verify_classes(const Run& run) {
  if (run.spec.method->of_aggregates) {
    verify_aggregates(run);
    return;
  }
  const PromisedLevels promised = promised_by(run.spec);
  if (OidIsValid(run.spec.population))
    require_presence("the masked records violate", promised, published_in_population(run));
  for (const Measured& found :
       judge(evidence_of(run), {&promised, {nullptr, 0}, promised.parameters}).list)
    for (int i = 0; i < promised.count; ++i)
      require_level(
          "the masked records violate", promised.list[i], found,
          found.attribute == kAnyAttribute ? nullptr : run.source.sensitive[found.attribute].name,
          joined_classes(run));
}

namespace {

/// By its values outside the quasi-identifiers.
int compare_others(const Run& run, int32 a, int32 b) {
  if (run.loaded.fingerprints == nullptr) return 0;
  const Fingerprint& p = run.fingerprint_of(run.record_of_cells[a]);
  const Fingerprint& q = run.fingerprint_of(run.record_of_cells[b]);
  return p == q ? 0 : p < q ? -1 : 1;
}

/// The place of a row of cells among equal ones, by all else that it publishes.
int compare_records(const void* a, const void* b, void* argument) {
  CHECK_FOR_INTERRUPTS();
  const Run& run = *static_cast<const Run*>(argument);
  const int32 p = *static_cast<const int32*>(a), q = *static_cast<const int32*>(b);
  const int order = compare_others(run, p, q);
  if (order != 0 || run.source.class_column == nullptr) return order;
  const int64 d = run.source.quasi_identifiers;
  return run.class_number_of(run.cells + p * d) - run.class_number_of(run.cells + q * d);
}

/// The order of rows by all that they publish.
void order_records(Run& run) {
  const CellOrder order_of_cells = cell_order_of(run);
  int32* sorted = run.published_order = sorted_rows(run, order_of_cells);
  const bool more = run.loaded.fingerprints != nullptr || run.source.class_column != nullptr;
  int first = 0;
  for (int i = 1; more && i <= run.cell_rows; ++i) {
    int column;
    if (i < run.cell_rows && compare_rows(order_of_cells, sorted[i - 1], sorted[i], &column) == 0)
      continue;
    qsort_arg(sorted + first, static_cast<std::size_t>(i - first), sizeof(int32), compare_records,
              &run);
    first = i;
  }
}

}  // namespace

void verify(Run& run) {
  const bool by_record = recoding(run.spec.options.recode).by_record;
  if (by_record)
    take_private_classes(run);
  else
    form_published_classes(run);
  withhold_published(run);
  verify_classes(run);
  check_withheld(run);
  if (by_record) order_records(run);
}

int64 withheld_rows(const Run& run) {
  int64 rows = 0;
  for (int c = 0; c < run.published_classes; ++c)
    if (run.withheld[c]) rows += run.published_sizes[c];
  return rows;
}

}  // namespace anonkit::pg
