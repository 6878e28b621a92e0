#pragma once

#include <cstdint>
#include <vector>

#include "table/hierarchy.hpp"

namespace anonkit {

/// How far apart two values of a sensitive attribute are.
enum class GroundDistance : std::uint8_t {
  ordered,       ///< difference of ranks among the m distinct values, over m-1
  nominal,       ///< 0 if equal, else 1
  hierarchical,  ///< height of the lowest common ancestor in a taxonomy, over that of the root
};

/// A tree over the m distinct values of an attribute: the nodes 0 .. m-1 are the values, in the
/// order of their ranks, the others are inner nodes in any order.
struct Taxonomy {
  std::vector<std::int32_t> parent;  ///< one per node; -1 for the one root
  std::vector<std::int32_t> height;  ///< 0 for the values, and less than the parent's
};

/// The taxonomy of a hierarchy: an inner node is as high as the lowest level that has its group.
Taxonomy taxonomy_of(const Hierarchy& hierarchy);

/// A sensitive attribute and the t that its classes have to keep.
struct SensitiveAttribute {
  /// The place of every record's value among the distinct values, 0 .. m-1; each occurs,
  /// unless the records are a part of the table's. Where the values have no order any numbering
  /// does.
  std::vector<std::int32_t> ranks;
  GroundDistance distance = GroundDistance::ordered;
  double t = 1;
  Taxonomy taxonomy;  ///< of the hierarchical distance
  /// Numbers only: the value of each rank, ascending.
  std::vector<double> numbers = {};
  /// Extended p-sensitivity only: what each rank counts as, its strong value (Campan, Truta).
  std::vector<std::int32_t> lifted = {};
  /// m, where the records are a part of the table's, which distances are relative to; 0: those that
  /// occur.
  std::int32_t values = 0;
  /// The records of each rank in the table that distributions are compared with, if that is not
  /// these records.
  std::vector<std::int64_t> whole = {};
};

/// The code of every record that p-sensitivity counts: its rank, or what that is lifted to.
std::vector<std::int32_t> counted_codes(const SensitiveAttribute& attribute);

/// Ranks in ascending order. O(n + m), as they are counted.
std::vector<std::int32_t> ascending(const std::vector<std::int32_t>& ranks);

}  // namespace anonkit
