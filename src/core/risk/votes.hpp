#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "base/fraction_sum.hpp"

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

  /// The number of the most frequent values, if v is one of them; else 0.
  std::int32_t rivals(std::int32_t v) const { return counts_[at(v)] < most_ ? 0 : best_; }

 private:
  std::vector<std::int32_t> counts_;
  std::vector<std::int32_t> seen_;
  std::int32_t most_ = 0;
  std::int32_t best_ = 0;  ///< values that occur that often
};

/// Adds the chance that a random choice among so many rivals is the one in question, unless 0 tells
/// that it is none of them.
inline void add_chance(std::int32_t rivals, FractionSum& right) {
  if (rivals > 0) right.add(rivals);
}

}  // namespace anonkit
