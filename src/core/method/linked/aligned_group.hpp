#pragma once

// The published records of a group of persons: what all of them have.
//
// A slot that each person of the group has is published with one cell a column, the range or the
// lowest common label of the group's values. Rows in other slots are withheld. So the published
// trees of the group are equal, which is P(k, all) for k persons. Groups with equal trees only add.
//
// Loss: the NCP of published cells, and `kWithheldCell` for each cell of a withheld row.

#include <vector>

#include "method/linked/aligned_records.hpp"

namespace anonkit {

/// A withheld row costs links, too, so the search pays more for it than for a suppressed cell. At
/// 1, greedy cuts accept withheld rows early that finer groups could have published: on Berka's
/// bank (k = 5) that loses 0.381 of the cells and 9.9 % of the rows, at 3 0.342 and 0.3 %.
constexpr double kWithheldCell = 3;

/// The values of a group in a column of a slot.
struct CellExtent {
  double low;
  double high;
  std::int32_t nulls;
};

/// A slot of a group.
struct GroupSlot {
  std::int32_t slot;
  std::int32_t rows;  ///< persons who have it
};

/// Measures groups, one after another, in memory for one. Not to be shared by threads.
class GroupMeasure {
 public:
  GroupMeasure(const AlignedRecords& records, const LinkedPromises& promises);

  /// Looks at a group.
  void take(const std::int32_t* persons, std::int32_t count, Ticker& ticker);

  /// The slots of the group last looked at, ascending.
  const std::vector<GroupSlot>& slots() const { return used_; }
  const CellExtent& extent(std::int32_t slot, std::int32_t column) const;
  bool is_published(const GroupSlot& slot) const { return slot.rows == count_; }
  double loss() const;
  double cell_loss(std::int32_t slot, std::int32_t column) const;
  /// True if the group's values keep alpha and l.
  bool keeps_promises(const std::int32_t* persons, Ticker& ticker);

 private:
  bool keeps(const std::int32_t* persons, std::int32_t table, std::size_t column, Ticker& ticker);

  const AlignedRecords& records_;
  LinkedPromises promises_;
  bool about_values_;
  std::int32_t count_ = 0;
  std::vector<std::int32_t> rows_;   ///< by slot
  std::vector<CellExtent> extents_;  ///< by cell
  std::vector<GroupSlot> used_;
  std::vector<std::int32_t> values_;  ///< of the published rows of the persons, each once a person
};

}  // namespace anonkit
