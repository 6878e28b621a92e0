#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <vector>

namespace anonkit::reference {

/// The fewest cells to blank so that the rule allows the records of every null pattern, by trying
/// every superset of every record's nulls. Patterns are bits, one per column. The largest number if
/// nothing helps.
class Blanking {
 public:
  using Rule = std::function<bool(const std::vector<std::int32_t>&)>;

  Blanking(std::vector<unsigned> patterns, int columns, Rule rule)
      : patterns_(std::move(patterns)), columns_(columns), rule_(std::move(rule)) {}

  std::int64_t fewest() {
    ended_.assign(patterns_.size(), 0);
    try_from(0, 0);
    return fewest_;
  }

 private:
  void try_from(std::size_t i, std::int64_t cells) {
    if (cells >= fewest_) return;
    if (i == patterns_.size()) {
      if (allowed()) fewest_ = cells;
      return;
    }
    for (unsigned to = 0; to < 1U << columns_; ++to) {
      if ((to & patterns_[i]) != patterns_[i]) continue;
      ended_[i] = to;
      try_from(i + 1, cells + __builtin_popcount(to ^ patterns_[i]));
    }
  }

  bool allowed() const {
    std::map<unsigned, std::vector<std::int32_t>> records;
    for (std::size_t i = 0; i < ended_.size(); ++i)
      records[ended_[i]].push_back(static_cast<std::int32_t>(i));
    return std::all_of(records.begin(), records.end(),
                       [&](const auto& pattern) { return rule_(pattern.second); });
  }

  std::vector<unsigned> patterns_, ended_;
  int columns_;
  Rule rule_;
  std::int64_t fewest_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace anonkit::reference
