#pragma once

#include <algorithm>
#include <vector>

#include "method/aggregate/sorted_records.hpp"

namespace anonkit {

/// Counts the distinct sensitive values of a set of records that grows and can be emptied, in O(1).
class SensitiveCount {
 public:
  explicit SensitiveCount(const SortedRecords& records) : records_(records) {
    std::size_t values = 0;
    for (Record place = 0; records.has_sensitive() && place < records.size(); ++place)
      values = std::max(values, static_cast<std::size_t>(records.sensitive(place)) + 1);
    seen_.assign(values, 0);
  }

  void clear() {
    ++mark_;
    distinct_ = 0;
  }
  void add(Record place) {
    if (seen_.empty()) return;
    std::uint64_t& last = seen_[static_cast<std::size_t>(records_.sensitive(place))];
    distinct_ += last != mark_ ? 1 : 0;
    last = mark_;
  }
  std::int32_t distinct() const { return distinct_; }

 private:
  const SortedRecords& records_;
  std::vector<std::uint64_t> seen_;  ///< by value: the mark of its last addition
  std::uint64_t mark_ = 1;
  std::int32_t distinct_ = 0;
};

}  // namespace anonkit
