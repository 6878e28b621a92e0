#pragma once

// Cuts of a group of persons into two.
//
// A cut asks whether a person has a row in a slot, or, of a slot that all have, whether the row's
// coordinate lies within an interval: up to a quantile of the numbers, or in one child of the
// common label. One child against the rest matters: the rest keeps the parent's label, and rare
// codes do not drag frequent ones along. A null lies in no interval.
//
// Phases: proposed_cuts() estimates each cut by the fall of its own column's or slot's loss, which
// is exact where the table has no other column, and
// returns the best few; the caller measures these.

#include <vector>

#include "method/linked/aligned_group.hpp"

namespace anonkit {

struct GroupCut {
  std::int32_t slot = 0;
  std::int32_t column = kNone;  ///< kNone: persons who have the slot
  double low = 0;
  double high = 0;
  double fall = 0;  ///< of the group's loss, estimated

  bool holds(const AlignedRecords& records, std::int32_t person) const;
  /// For the coordinates of a row, by column.
  bool holds(const double* x) const { return x[column] >= low && x[column] <= high; }
};

/// The cuts of these persons, at whom the measure looks, into sides of k or more: the most
/// promising ones first, at most `most`. O(n c log n) for c cells a person.
std::vector<GroupCut> proposed_cuts(const AlignedRecords& records, const GroupMeasure& group,
                                    const std::vector<std::int32_t>& persons, std::int32_t k,
                                    std::size_t most, Ticker& ticker);

/// The cuts of some rows of a table, given by their coordinates, into sides of k rows or more.
std::vector<GroupCut> proposed_row_cuts(const AlignedRecords& records, std::int32_t table,
                                        const std::vector<const double*>& rows, std::int32_t k,
                                        std::size_t most, Ticker& ticker);

}  // namespace anonkit
