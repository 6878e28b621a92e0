#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/at.hpp"

namespace anonkit {

/// The frequency of each sensitive value among some records.
class Votes {
 public:
  explicit Votes(std::int32_t values) : counts_(at(values), 0) {}

  void clear() {
    for (const std::int32_t v : seen_) counts_[at(v)] = 0;
    seen_.clear();
    most_ = best_ = 0;
  }

  void add(std::int32_t v) {
    const std::int32_t count = ++counts_[at(v)];
    if (count == 1) seen_.push_back(v);
    if (count > most_) best_ = 0;
    most_ = std::max(most_, count);
    if (count == most_) ++best_;
  }

  /// The probability that a random choice among the most frequent values is v.
  double chance(std::int32_t v) const {
    return counts_[at(v)] < most_ ? 0 : 1 / static_cast<double>(best_);
  }

 private:
  std::vector<std::int32_t> counts_;
  std::vector<std::int32_t> seen_;
  std::int32_t most_ = 0;
  std::int32_t best_ = 0;  ///< values that occur that often
};

}  // namespace anonkit
