#pragma once

// Sensitive attributes as methods, constraints and bounds see them: ranks instead of values.
//
// Phases: sensitive_attributes() ranks the values of the promised columns, ascending() sorts ranks
// for distributions. Invariant: equal values have equal ranks, and ranks follow the order of the
// values where they have one. Memory: one rank per record and attribute.
//
//   const std::vector<SensitiveAttribute> attributes = sensitive_attributes(table, rows, promises);
//   const std::int32_t rank = attributes.front().ranks[0];  // of the first row's value
//   const std::vector<std::int32_t> counted = counted_codes(attributes.front());

#include <cstdint>
#include <vector>

#include "base/options.hpp"
#include "table/hierarchy.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The distance between two values of a sensitive attribute.
enum class GroundDistance : std::uint8_t {
  ordered,       ///< difference of ranks among the m distinct values, over m-1
  nominal,       ///< 0 if equal, else 1
  hierarchical,  ///< height of the lowest common ancestor in a taxonomy, over that of the root
};

/// A tree over the m distinct values of an attribute. The nodes 0 .. m-1 are the values, in the
/// order of their ranks; the others are inner nodes in any order.
struct Taxonomy {
  std::vector<std::int32_t> parent;  ///< one per node; -1 for the one root
  std::vector<std::int32_t> height;  ///< 0 for the values, and less than the parent's
};

/// The taxonomy of a hierarchy. The height of an inner node is the lowest level that has its group.
Taxonomy taxonomy_of(const Hierarchy& hierarchy);

/// A sensitive attribute and the t that its classes must satisfy.
struct SensitiveAttribute {
  /// The rank of every record's value among the distinct values, 0 .. m-1. Each rank occurs, unless
  /// the records are a part of a table. Any numbering serves where the values have no order.
  std::vector<std::int32_t> ranks;
  GroundDistance distance = GroundDistance::ordered;
  double t = 1;
  Taxonomy taxonomy;  ///< of the hierarchical distance
  /// Numbers only: the value of each rank, ascending.
  std::vector<double> numbers = {};
  /// Extended p-sensitivity only: the lifted value of each rank (see lifted_values.hpp).
  std::vector<std::int32_t> lifted = {};
  /// m, where the records are a part of the table that defines the distances; 0: count those that
  /// occur.
  std::int32_t values = 0;
  /// The records of each rank in the table of reference, if that is not these records.
  std::vector<std::int64_t> table_counts = {};
};

/// The records of each rank of each sensitive attribute in a table of reference.
using TableCounts = std::vector<std::vector<std::int64_t>>;

/// The records of each rank among the first `rows`.
std::vector<std::int64_t> value_counts(const SensitiveColumn& column, Record rows);

/// The attributes that promises are about, of these rows in this order; none if nothing is promised
/// of values.
std::vector<SensitiveAttribute> sensitive_attributes(const Table& table,
                                                     const std::vector<Record>& rows,
                                                     const Promises& promises);

/// The records of each rank in the table of reference. O(n + m).
std::vector<std::int64_t> counts_of_table(const SensitiveAttribute& attribute);

/// The code of every record that p-sensitivity counts: its rank, or its lifted value. O(n).
std::vector<std::int32_t> counted_codes(const SensitiveAttribute& attribute);

/// Sorts ranks in ascending order by counting. O(n + m).
std::vector<std::int32_t> ascending(const std::vector<std::int32_t>& ranks);

}  // namespace anonkit
