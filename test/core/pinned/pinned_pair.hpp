#pragma once

// A release beside its source, as judges of risk and utility see them.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/at.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// Classes of `k`, by a method. Rows of the release are in an order of their own.
class PinnedPair {
 public:
  PinnedPair(Quasi quasi, Record rows, const char* method, Recode recode, Record k)
      : made(quasi, rows, 41), table(made.with_both()) {
    SilentTicker ticker;
    Options options;
    options.k = k;
    options.recode = recode;
    release = anonymize(table, *find_method(method), options, ticker);
    pair.original.rows = pair.masked.rows = rows;
    for (Record i = 0; i < rows; ++i) pair.image.push_back((7 * i + 3) % rows);
    for (std::size_t j = 0; j < table.columns.size(); ++j) add(j);
  }
  PinnedPair(const PinnedPair&) = delete;
  PinnedPair& operator=(const PinnedPair&) = delete;

  PinnedTable made;
  Table table;
  Anonymized release;
  CellsPair pair;

  /// The masked row of each class, and numbers of the masked rows.
  std::vector<std::int32_t> masked_of(const std::vector<std::int32_t>& by_row) const {
    std::vector<std::int32_t> moved(by_row.size());
    for (std::size_t i = 0; i < by_row.size(); ++i) moved[at(pair.image[i])] = by_row[i];
    return moved;
  }

 private:
  void add(std::size_t j) {
    CellColumn before, after;
    const std::size_t rows = at(table.rows);
    if (table.columns[j].attribute.kind != Kind::numeric) {
      std::vector<std::int32_t>& original = codes_.emplace_back(rows);
      std::vector<std::int32_t>& masked = codes_.emplace_back(rows);
      for (std::size_t i = 0; i < rows; ++i) {
        original[i] = static_cast<std::int32_t>(table.value(static_cast<Record>(i), j));
        masked[at(pair.image[i])] = static_cast<std::int32_t>(cell(release.masked.low, i, j));
      }
      before.codes = original.data();
      after.codes = masked.data();
      before.categories = after.categories = table.columns[j].attribute.categories;
    } else {
      std::vector<double>& original = numbers_.emplace_back(rows);
      std::vector<double>& low = numbers_.emplace_back(rows);
      std::vector<double>& high = numbers_.emplace_back(rows);
      const bool ranges = !release.masked.high.empty();
      for (std::size_t i = 0; i < rows; ++i) {
        original[i] = table.value(static_cast<Record>(i), j);
        low[at(pair.image[i])] = cell(release.masked.low, i, j);
        high[at(pair.image[i])] = cell(ranges ? release.masked.high : release.masked.low, i, j);
      }
      before.low = before.high = original.data();
      after.low = low.data();
      after.high = high.data();
    }
    pair.original.columns.push_back(before);
    pair.masked.columns.push_back(after);
  }

  double cell(const std::vector<double>& cells, std::size_t row, std::size_t j) const {
    return cells[at(release.cells(row)) * table.columns.size() + j];
  }

  std::deque<std::vector<double>> numbers_;
  std::deque<std::vector<std::int32_t>> codes_;
};

struct PairCase {
  const char* name;
  Quasi quasi;
  const char* method;
  Recode recode;
  Record k;
};
inline const PairCase kPairCases[] = {
    {"means", Quasi::mixed, "mdav", Recode::centroid, 5},
    {"medians", Quasi::mixed, "vmdav", Recode::median, 2},
    {"ranges", Quasi::numbers, "mondrian", Recode::range, 4},
    {"constants", Quasi::small, "mdav", Recode::centroid, 3},
    {"unmasked", Quasi::mixed, "mdav", Recode::centroid, 1},
    {"ties", Quasi::ties, "mdav", Recode::centroid, 3},
    {"tied medians", Quasi::ties, "vmdav", Recode::median, 2},
    {"tied ranges", Quasi::ties, "mondrian", Recode::range, 7},
};

}  // namespace anonkit
