#include "pg/set/set_forming.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "linked_pipeline.hpp"
#include "method/linked/linked_method.hpp"
#include "model/linked_levels.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/release/masked_cells.hpp"

namespace anonkit::pg {
namespace {

int32 ranks_in(const Ranks& ranks) {
  return ranks.distinct + (ranks.nulls > 0 ? 1 : 0);
}

/// The core's view of the tables, with one of persons above them if the root has none.
std::vector<Table> core_tables(const SetWork& work) {
  std::vector<Table> tables;
  if (!work.rows.root_has_persons) {
    tables.emplace_back();
    tables.back().rows = work.rows.persons;
  }
  for (int t = 0; t < work.tables.count; ++t) {
    const Run& run = work.runs[t];
    tables.push_back(table_of(run.source, run.spec, run.loaded));
  }
  return tables;
}

LinkedTables linked_tables(const SetWork& work, const std::vector<Table>& tables) {
  LinkedTables linked;
  linked.persons = work.rows.persons;
  if (work.absent != nullptr) linked.absent.assign(work.absent, work.absent + linked.persons);
  const std::size_t shift = work.rows.root_has_persons ? 0 : 1;
  if (shift > 0) linked.tables.push_back({&tables.front()});
  for (int t = 0; t < work.tables.count; ++t) {
    const SetTableRows& rows = work.rows.tables[t];
    const Run& run = work.runs[t];
    LinkedTable table = {&tables[static_cast<std::size_t>(t) + shift]};
    if (work.left_out != nullptr && work.left_out[t] != nullptr)
      table.left_out.assign(work.left_out[t], work.left_out[t] + rows.rows);
    table.most_rows = work.tables.tables[t].max_rows;
    for (int j = 0; j < run.source.quasi_identifiers; ++j)
      if (run.source.columns[j].mean) table.means.push_back(static_cast<std::size_t>(j));
    for (int a = 0; a < run.source.sensitive_count; ++a) {
      const int32* only = work.protected_values[t][a];
      const int32 ranks = only == nullptr ? 0 : ranks_in(run.loaded.ranks[a]);
      table.protected_values.emplace_back(only, only + ranks);
    }
    if (!linked.tables.empty()) {
      table.parent = work.tables.tables[t].parent + static_cast<std::int32_t>(shift);
      table.parent_row = t == 0 ? rows.person : rows.parent_row;
      table.person = rows.person;
    }
    linked.tables.push_back(table);
  }
  return linked;
}

/// Classes and cells for an adversary who knows `m` rows beside the core's root, or whole records.
/// The memory context owns the result.
const std::vector<Anonymized>& form(const SetWork& work, const SetPromises& promises,
                                    std::int32_t m) {
  const int threads = thread_count();
  const std::vector<Table> tables = core_tables(work);
  const LinkedTables linked = linked_tables(work, tables);
  LinkedPromises wanted;
  wanted.k = promises.k;
  wanted.m = m;
  if (promises.alpha <= 1) wanted.alpha = promises.alpha;
  if (promises.l > 0) wanted.l = promises.l;
  const double bytes = linked_method_bytes(linked, wanted, threads);
  call_backend([&] { count_memory(*work.memory, static_cast<int64>(bytes)); });
  BackendTicker ticker;
  return own_in_context(
      std::make_unique<std::vector<Anonymized>>(anonymize_linked(linked, wanted, threads, ticker)));
}

/// Gives each run its part of the result, and its cells their SQL values.
void take_cells_of(SetWork& work, const std::vector<Anonymized>& formed) {
  const std::size_t shift = work.rows.root_has_persons ? 0 : 1;
  work.withheld = allocate<bool*>(work.tables.count);
  work.published = allocate<int64>(work.tables.count);
  for (int t = 0; t < work.tables.count; ++t) {
    Run& run = work.runs[t];
    run.anonymized = &formed[static_cast<std::size_t>(t) + shift];
    if (run.source.quasi_identifiers > 0) mask_cells(run);
    work.withheld[t] = allocate<bool>(run.loaded.rows);
    for (int64 row = 0; row < run.loaded.rows; ++row) {
      CHECK_FOR_INTERRUPTS();
      work.withheld[t][row] = run.anonymized->cells(static_cast<std::size_t>(row)) == kNone;
    }
    work.published[t] = std::count(work.withheld[t], work.withheld[t] + run.loaded.rows, false);
  }
}

/// The published rows of persons who have several rows in the table of the root.
struct RootRows {
  bool one_each = true;   ///< nobody has two
  bool everybody = true;  ///< whoever has any row has one
};

RootRows published_root_rows(const SetWork& work) {
  RootRows found;
  auto* has_one = allocate<bool>(work.rows.persons);
  std::memset(has_one, 0, static_cast<std::size_t>(work.rows.persons));
  for (int t = 0; t < work.tables.count; ++t)
    for (int64 row = 0; row < work.rows.tables[t].rows; ++row) {
      CHECK_FOR_INTERRUPTS();
      if (work.withheld[t][row]) continue;
      bool& known = has_one[work.rows.tables[t].person[row]];
      if (t == 0 && known) found.one_each = false;
      if (t == 0) known = true;
      if (t > 0 && !known) found.everybody = false;
    }
  pfree(has_one);
  return found;
}

/// One row more where readers see one root row a person: that row is known to every adversary.
std::int32_t known_rows(std::int32_t m, bool one_root_row) {
  const std::int32_t known = m + (one_root_row ? 1 : 0);
  return known <= kLargestM ? known : kWholeRecords;
}

}  // namespace

void form_cells(SetWork& work, const SetPromises& promises) {
  std::int32_t m = promises.m <= kLargestM ? promises.m : kWholeRecords;
  bool one_each = !work.rows.root_has_persons && work.tables.tables[0].max_rows == 1;
  if (m != kWholeRecords) m = known_rows(m, one_each);
  take_cells_of(work, form(work, promises, m));
  if (work.rows.root_has_persons || m == kWholeRecords) return;
  RootRows root = published_root_rows(work);
  if (root.one_each && !one_each) {
    m = known_rows(m, true);
    take_cells_of(work, form(work, promises, m));
    root = published_root_rows(work);
  }
  // In equal trees everybody has a root row.
  if (!root.everybody && m != kWholeRecords)
    take_cells_of(work, form(work, promises, kWholeRecords));
}

}  // namespace anonkit::pg
