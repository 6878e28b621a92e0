#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "recode/generalisation.hpp"

namespace anonkit {

/// One level of an attribute: its groups of values.
struct LadderLevel {
  std::vector<std::uint64_t> keys;  ///< by value: a number that stands for its group
  std::vector<double> penalties;    ///< by value: the group's penalty, weighted
  double loss = 0;                  ///< mean penalty of the records that were measured last
};

/// The levels of one attribute, each a union of groups of the level below; the last one has one
/// group.
struct Ladder {
  std::vector<std::int32_t> codes;  ///< by record: its value, from 0
  std::vector<LadderLevel> levels;

  /// Sets the losses of all levels to the means over these records. O(records levels).
  void measure(const std::vector<Record>& records, Ticker& ticker);
};

/// The ladder of every attribute. Hierarchies have their own levels, and sets two: single
/// categories and all of them. Numbers have nested groups: each level halves the groups of the
/// level above at their medians while both halves have k records, since smaller groups hold no
/// class; the lowest level has single values.
///
/// If there are more than `most` combinations of levels, the longest ladders lose inner levels,
/// first those that differ least from their neighbours. None if two levels of each attribute are
/// more combinations already. O(n d log n).
std::vector<Ladder> ladders_of(const GeneralisationSpace& space, Record k, std::size_t most,
                               Ticker& ticker);

}  // namespace anonkit
