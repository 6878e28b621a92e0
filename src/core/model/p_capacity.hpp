#pragma once

#include <cstdint>
#include <vector>

#include "model/class_histogram.hpp"

namespace anonkit {

/// The limits of p-sensitive k-anonymity for a relation before any anonymization: T. M. Truta, A.
/// Campan, P. Meyer: Generating microdata with p-sensitive k-anonymity property. SDM 2007, section
/// 2.2.
struct PCapacity {
  /// Condition 1: no class has more distinct values than the relation, so this is the largest p.
  std::int32_t distinct = 0;
  std::vector<std::int64_t> frequencies;  ///< of the distinct values, descending
  std::vector<std::int64_t> cumulated;    ///< cf_i: the records of the i+1 most frequent values
  /// Condition 2: no release has more p-sensitive classes; 0 if p is above the largest. An upper
  /// bound only: the data may allow less.
  std::int64_t max_clusters = 0;
};

/// The capacity of one attribute. O(distinct * log distinct + p). Throws invalid_parameter if p
/// < 1.
PCapacity p_capacity(const ClassHistogram& histogram, std::int32_t p, Ticker& ticker);

/// The capacity of several attributes together: the fewest distinct values, the largest cumulated
/// frequencies, and Condition 2 by these; without frequencies. Throws invalid_parameter if p < 1 or
/// without an attribute.
PCapacity joint_p_capacity(const std::vector<PCapacity>& attributes, std::int32_t p);

}  // namespace anonkit
