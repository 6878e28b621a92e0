#pragma once

#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "partition/change.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// How large a part of a set must be to keep promises by chance.
///
/// The probability that a part of g records drawn at random breaks p-sensitivity or l-diversity is
/// computed exactly. It is that of fewer than l distinct values, by a dynamic programme over the
/// values. That of (alpha,k)-anonymity is bounded by a sum over the values. So is that of several
/// promises and attributes. Sees the values of a set as a multiset only.
class PartSize {
 public:
  /// `share`: the probability allowed.
  PartSize(const std::vector<SensitiveAttribute>& attributes, const Promises& promises, Record k,
           double share);

  /// The least size from k on; more than half of the set if no part so small will do.
  /// O(values * l * size^2).
  Record of(const RecordSpan& set, Ticker& ticker) const;

 private:
  /// Values that are to be distinct, or not too frequent, by record.
  struct ValueLimits {
    std::vector<std::int32_t> codes;
    std::int32_t distinct;  ///< at least so many; 0: no such limit
    double alpha;           ///< at most this share each; 1: no such limit
  };

  std::vector<ValueLimits> limits_;
  Record k_;
  double share_;
};

}  // namespace anonkit
