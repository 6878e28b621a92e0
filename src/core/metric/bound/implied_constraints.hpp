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
/// - a least number of records: that of the values; and for t-closeness the least s for which some
///   numbers of s records come as close to the table's distribution as t. For each value or each
///   prefix of the values, a multiple of 1/s must be near the table's share
///
/// t-closeness has no condition here on the choice of partners. It limits a sum over the class, so
/// the cheapest partners are a knapsack problem for each record and size. Its relaxation would need
/// further prices. Hierarchical distances, (k,e)-anonymity and (k,p,q,r)-anonymity imply no
/// condition. O(n log n) and, for t-closeness, O(m) per number of records.
ImpliedConstraints implied_constraints(Record k, const std::vector<SensitiveAttribute>& attributes,
                                       const Promises& promises);

}  // namespace anonkit
