#pragma once

#include <optional>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/promised.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

enum class RoundRobinBy {
  value,      ///< classes with distributions like the table's: for t-closeness, variance, range
  frequency,  ///< most frequent values first: for numbers of distinct values and shares
};

/// The records in the order of their sensitive values, by the first attribute, then the second and
/// so on. Records of equal values keep their order. O(n log n).
std::vector<Record> round_robin_order(const std::vector<SensitiveAttribute>& attributes,
                                      std::vector<Record> records, RoundRobinBy by, Ticker& ticker);

/// Distributes the records in turn over about as many classes of at least k as the constraints
/// allow: the maximum if the constraints are monotone. Returns no partition if the constraints
/// reject even one class of all, or if there are fewer than k records. Other records of the table
/// get no class (kNone).
///
/// By frequency, values with fewer records than there are classes go to one class after the other.
/// So the numbers of distinct values per class differ by at most one. With one attribute no other
/// partition into that many classes has a larger minimum (p-sensitivity's Condition 2).
std::optional<Partition> round_robin(const std::vector<Record>& order, Record table, Record k,
                                     const Constraints& constraints, Ticker& ticker);

}  // namespace anonkit
