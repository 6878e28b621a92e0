#pragma once

#include <cstdint>
#include <vector>

#include "base/options.hpp"
#include "base/record.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// Every class has at least so many distinct values.
struct DistinctConstraint {
  std::vector<std::int32_t> values;  ///< by record a code of its value, 0 or more
  std::int32_t distinct = 1;
};

/// Conditions on every class that a lower bound of the loss can use.
struct ImpliedConstraints {
  Record smallest = 1;  ///< no class has fewer records
  std::vector<DistinctConstraint> distinct = {};
};

/// The conditions that k and the promises imply for every class of these records:
/// - distinct values: p and l are such conditions; (c,l)-diversity and entropy l-diversity need at
///   least l values, and (alpha,k)-anonymity at least 1/alpha
/// - distinct values under t-closeness, nominal: the distance of a class is 1 less the sum over its
///   values v of min(p_v, q_v), which is at most their share of the table. So they have a share of
///   at least 1 - t, and the most frequent values give the least number of them
/// - distinct values under t-closeness, ordered: all of the table moves to values of the class,
///   each record at least to the nearest one. So the least cost of that many medians is at most t
/// - a least number of records: that of the values; and for t-closeness the least s for which some
///   numbers of s records come as close to the table's distribution as t. For each value or each
///   prefix of the values, a multiple of 1/s must be near the table's share
///
/// Beyond the number of values, t-closeness has no condition here on the choice of partners. It
/// limits a sum over the class, so the cheapest partners are a knapsack problem for each record and
/// size. Hierarchical distances, (k,e)-anonymity and (k,p,q,r)-anonymity imply no condition.
/// O(n log n); for t-closeness O(m) per number of records, and O(m^2) per number of ordered values.
ImpliedConstraints implied_constraints(Record k, const std::vector<SensitiveAttribute>& attributes,
                                       const Promises& promises);

}  // namespace anonkit
