#include "partition/aggregate/grouping.hpp"

#include <string>

#include "error.hpp"

namespace anonkit {
namespace {

/// Counts the distinct sensitive values of a growing class.
class DistinctValues {
 public:
  explicit DistinctValues(const SortedRecords& records) : records_(records) {}

  std::int32_t count() const { return count_; }
  void add(Record place) {
    if (!records_.has_sensitive()) return;
    const auto value = static_cast<std::size_t>(records_.sensitive(place));
    if (value >= seen_.size()) seen_.resize(value + 1, 0);
    if (seen_[value] == mark_) return;
    seen_[value] = mark_;
    ++count_;
  }
  void clear() {
    ++mark_;
    count_ = 0;
  }

 private:
  const SortedRecords& records_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t mark_ = 1;
  std::int32_t count_ = 0;
};

}  // namespace

std::vector<Record> equivalence_classes(const SortedRecords& records,
                                        const AggregateOptions& options, Ticker& ticker) {
  DistinctValues distinct(records);
  std::vector<Record> classes;
  Record first = 0;
  for (Record place = 0; place < records.size(); ++place) {
    ticker.step(4);
    distinct.add(place);
    const bool enough = options.p <= 1 || distinct.count() >= options.p;
    if (place + 1 - first < options.k || !enough) continue;
    first = place + 1;
    classes.push_back(first);
    distinct.clear();
  }
  if (classes.empty())
    throw Error(
        ErrorKind::infeasible,
        "fewer than p distinct sensitive values: p is " + std::to_string(options.p),
        "The sensitive attribute has " + std::to_string(distinct.count()) + " distinct values.");
  classes.back() = records.size();
  return classes;
}

}  // namespace anonkit
