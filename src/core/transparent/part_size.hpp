#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "partition/change.hpp"
#include "promise/promise.hpp"

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
  struct LimitedCodes {
    std::vector<std::int32_t> codes;  ///< by record
    ValueLimits limits;
  };

  std::vector<LimitedCodes> limits_;
  Record k_;
  double share_;
};

}  // namespace anonkit
