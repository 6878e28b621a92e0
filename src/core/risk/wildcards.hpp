#pragma once

// The records that a record with suppressed cells is compatible with.
//
// A suppressed cell may have any value, so two records are compatible if they agree in every column
// in which neither is suppressed: the maybe match of M. Ciglic, J. Eder, C. Koncilia (k-anonymity
// of microdata with null values, DEXA 2014). It is not transitive, so it forms no classes: a record
// has a count of its own.
//
// Phases: classes of equal cells are grouped by pattern, the set of their suppressed columns. Two
// patterns have common columns, and classes are compatible if they are equal in these; so a pair of
// patterns is counted by hashing, or class by class where they have a class or two. Invariant: a
// person counts once, by the first of their classes, most suppressed ones first, that is
// compatible. Memory: 80 bytes a record, 4 a cell.
//
//   const std::vector<std::int64_t> k = compatible_members(columns, class_of, unit_of, ticker);
//   const std::int64_t least = *std::min_element(k.begin(), k.end());

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// A column of a finished relation, one code per row.
struct WildcardColumn {
  const std::int32_t* codes;
  std::int32_t wildcard;  ///< the code of suppressed cells; -1: there are none

  bool is_suppressed(std::int32_t row) const { return codes[row] == wildcard; }
};

/// By class, the members of the relation that are compatible with its records, its own included:
/// records, or persons with units. `class_of` numbers the classes of equal cells without gaps;
/// `unit_of` is empty without units. O(d p m) for m classes and p patterns; with units also a
/// comparison for each compatible pair of a class and a person's second, third, ... class.
std::vector<std::int64_t> compatible_members(const std::vector<WildcardColumn>& columns,
                                             const std::vector<std::int32_t>& class_of,
                                             const std::vector<std::int32_t>& unit_of,
                                             Ticker& ticker);

}  // namespace anonkit
