#include "metric/bound/halved_blocks.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"
#include "space/index/widest_attribute.hpp"

namespace anonkit {
namespace {

// Halving at the median as in a k-d tree (Friedman, Bentley, Finkel 1977). Any cut gives a valid
// bound; cuts that keep neighbours together give a good one. Ties go to the lower record.
class Cutter {
 public:
  Cutter(const Space& space, std::size_t most, Ticker& ticker)
      : space_(space), most_(most), widest_(space), ticker_(ticker) {}

  void cut(std::vector<Record> records) {
    ticker_.step(static_cast<std::int64_t>(records.size()) * 40);
    if (records.size() <= most_) {
      std::sort(records.begin(), records.end());
      blocks_.push_back(std::move(records));
      return;
    }
    const auto j =
        at(widest_.among(records.size(), [&](std::size_t i) { return space_.row(records[i]); }));
    const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
    std::nth_element(records.begin(), middle, records.end(), [&](Record a, Record b) {
      const double x = space_.row(a)[j], y = space_.row(b)[j];
      return x < y || (x == y && a < b);
    });
    std::vector<Record> upper(middle, records.end());
    records.erase(middle, records.end());
    cut(std::move(records));
    cut(std::move(upper));
  }

  std::vector<std::vector<Record>> blocks() && { return std::move(blocks_); }

 private:
  const Space& space_;
  std::size_t most_;
  WidestAttribute widest_;
  Ticker& ticker_;
  std::vector<std::vector<Record>> blocks_;
};

}  // namespace

std::vector<std::vector<Record>> cut_into_blocks(const Space& space, Record most, Ticker& ticker) {
  std::vector<Record> all(at(space.size()));
  std::iota(all.begin(), all.end(), 0);
  Cutter cutter(space, at(most), ticker);
  cutter.cut(std::move(all));
  return std::move(cutter).blocks();
}

}  // namespace anonkit
