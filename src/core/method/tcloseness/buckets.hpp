#pragma once

#include <cstdint>
#include <vector>

#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// The buckets of SABRE (Cao, Karras, Kalnis and Tan, VLDB Journal 20(1), 2011, first phase). These
/// are sets of sensitive values so narrow that the choice of a bucket's records hardly changes the
/// EMD.
struct Buckets {
  std::vector<std::int32_t> of_rank;  ///< the bucket of each value
  std::vector<std::int64_t> records;  ///< in the table, by bucket
  /// By bucket, the largest EMD between its distribution in the table and any distribution on its
  /// values.
  std::vector<double> spread;
  /// By bucket, its share of all distances between neighbouring values, within it and to the next
  /// bucket; 0 unless ordered.
  std::vector<double> width;

  /// An upper bound on the EMD of a class with the given counts per bucket.
  double bound(const std::vector<std::int64_t>& counts, std::int64_t size, bool ordered) const;
};

/// Starts with one bucket and splits buckets until the sum over the buckets of share * spread is at
/// most `slack`. Each step makes the split that lowers the sum most. Ordered values are cut in two,
/// a node of a taxonomy into its children, nominal values into single ones. O(m) per split of
/// ordered values.
Buckets bucketize(const SensitiveAttribute& attribute, double slack);

}  // namespace anonkit
