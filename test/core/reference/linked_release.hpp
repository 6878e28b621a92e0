#pragma once

// Linked releases by their definitions: what a reader of the published tables has, and the loss of
// aligned groups, cell by cell. For tables of a few rows.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/at.hpp"
#include "method/linked/aligned_records.hpp"
#include "model/linked_records.hpp"

namespace anonkit::reference {

/// The published rows of tables, as a judge sees them.
struct PublishedTables {
  struct Arrays {
    std::vector<std::int32_t> parent_row, person_row, label, values;
  };
  std::vector<std::int32_t> parents;
  std::vector<Arrays> arrays;
  std::int32_t distinct = 0;
  bool only_protected = false;  ///< negative values are not protected

  std::vector<JudgedTable> tables() const {
    std::vector<JudgedTable> tables;
    for (std::size_t t = 0; t < arrays.size(); ++t) {
      JudgedTable table;
      table.rows = static_cast<std::int32_t>(arrays[t].label.size());
      table.parent = parents[t];
      table.parent_row = t == 0 ? nullptr : arrays[t].parent_row.data();
      table.person_row = t == 0 ? nullptr : arrays[t].person_row.data();
      table.label = arrays[t].label.data();
      table.values = {{arrays[t].values.data(), distinct, only_protected}};
      tables.push_back(table);
    }
    return tables;
  }
};

/// By table the rows of a person that limits admit, by the definition: those whose parents are
/// admitted, spread evenly in the order of their slots without limits. 0: no limit.
inline std::vector<std::vector<std::int32_t>> admitted_rows(const AlignedRecords& unlimited,
                                                            std::int32_t person,
                                                            const std::vector<std::int32_t>& most) {
  std::vector<std::vector<std::int32_t>> admitted(most.size());
  for (std::size_t t = 1; t < most.size(); ++t) {
    const LinkedTable& of = unlimited.linked().tables[t];
    std::vector<std::int32_t> rows;
    for (const SlotRow& row : unlimited.rows_of(person)) {
      if (unlimited.slot(row.slot).table != static_cast<std::int32_t>(t)) continue;
      const std::int32_t parent = of.parent > 0 ? of.parent_row[row.row] : kNone;
      const auto& above = admitted[of.parent > 0 ? at(of.parent) : 0];
      if (parent == kNone || std::count(above.begin(), above.end(), parent) > 0)
        rows.push_back(row.row);
    }
    const std::size_t n = rows.size();
    const std::size_t limit = most[t] == 0 ? n : std::min(n, at(most[t]));
    for (std::size_t i = 0; i < limit; ++i)
      admitted[t].push_back(rows[static_cast<std::size_t>(
          (static_cast<double>(i) + 0.5) * static_cast<double>(n) / static_cast<double>(limit))]);
    std::sort(admitted[t].begin(), admitted[t].end());
  }
  return admitted;
}

/// The loss of one cell of a group: all of a null beside values, else the share of the domain.
inline double cell_loss(const Table& table, std::size_t column,
                        const std::vector<std::int32_t>& rows) {
  std::set<double> values;
  std::size_t nulls = 0;
  for (const std::int32_t row : rows) {
    const double x = table.value(row, column);
    if (is_null(x))
      ++nulls;
    else
      values.insert(x);
  }
  if (nulls == rows.size()) return 0;
  if (nulls > 0) return static_cast<double>(rows.size() - nulls);
  const auto n = static_cast<double>(rows.size());
  if (const Hierarchy* hierarchy = table.columns[column].hierarchy; hierarchy != nullptr) {
    std::int32_t level = 0;
    const std::int32_t first = table.columns[column].leaves[rows.front()];
    for (const std::int32_t row : rows)
      level = std::max(level, hierarchy->common_level(first, table.columns[column].leaves[row]));
    return n * hierarchy->ncp(level, hierarchy->group(level, first));
  }
  std::set<double> all;
  for (std::int32_t row = 0; row < table.rows; ++row)
    if (!is_null(table.value(row, column))) all.insert(table.value(row, column));
  const double span = *all.rbegin() - *all.begin();
  return span > 0 ? n * (*values.rbegin() - *values.begin()) / span : 0;
}

/// The loss of a group of persons: cells of the slots that all have; of other rows, each cell costs
/// `withheld`.
inline double group_loss(const AlignedRecords& records, const std::vector<std::int32_t>& persons,
                         double withheld) {
  std::map<std::int32_t, std::vector<std::int32_t>> rows_in;
  for (const std::int32_t person : persons)
    for (const SlotRow& row : records.rows_of(person)) rows_in[row.slot].push_back(row.row);
  double loss = 0;
  for (const auto& [slot, rows] : rows_in) {
    const Table& table = *records.linked().tables[at(records.slot(slot).table)].table;
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      loss += rows.size() == persons.size() ? cell_loss(table, j, rows)
                                            : withheld * static_cast<double>(rows.size());
  }
  return loss;
}

/// The least loss of all partitions into groups of k persons or more. Exponential.
inline double least_loss(const AlignedRecords& records, std::int32_t k, double withheld) {
  std::vector<std::vector<std::int32_t>> groups;
  double least = -1;
  const auto place = [&](auto&& self, std::int32_t person) -> void {
    if (person == records.linked().persons) {
      double loss = 0;
      for (const auto& group : groups) {
        if (group.size() < at(k)) return;
        loss += group_loss(records, group, withheld);
      }
      if (least < 0 || loss < least) least = loss;
      return;
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      groups[g].push_back(person);
      self(self, person + 1);
      groups[g].pop_back();
    }
    groups.push_back({person});
    self(self, person + 1);
    groups.pop_back();
  };
  place(place, 0);
  return least;
}

}  // namespace anonkit::reference
