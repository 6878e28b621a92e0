#pragma once

#include <cstdint>
#include <vector>

#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// The buckets of SABRE (Cao, Karras, Kalnis and Tan, VLDB Journal 20(1), 2011, first phase): sets
/// of values of a sensitive attribute so narrow that it hardly matters for the EMD which of a
/// bucket's records a class has.
struct Buckets {
  std::vector<std::int32_t> of_rank;  ///< the bucket of each value
  std::vector<std::int64_t> records;  ///< of the table, by bucket
  /// By bucket, the largest EMD between its distribution in the table and a distribution on its
  /// values.
  std::vector<double> spread;
  /// By bucket, the share of all distances between neighbouring values that lies within it or
  /// between it and the next one; 0 unless ordered.
  std::vector<double> width;

  /// A bound on the EMD of a class with so many records of each bucket.
  double bound(const std::vector<std::int64_t>& counts, std::int64_t size, bool ordered) const;
};

/// Starts with one bucket and splits the one whose split lowers the sum over the buckets of share *
/// spread most, until the sum is at most `slack`. Ordered values are cut where that lowers it most,
/// a node of a taxonomy into its children, nominal values are all taken apart at once. O(m) for
/// each split of ordered values.
Buckets bucketize(const SensitiveAttribute& attribute, double slack);

}  // namespace anonkit
