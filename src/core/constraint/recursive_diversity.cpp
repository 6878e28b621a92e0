#include "constraint/recursive_diversity.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace anonkit {

RecursiveDiversity::RecursiveDiversity(std::vector<std::int32_t> ranks, double c, std::int32_t l)
    : SortedValues(std::move(ranks)), c_(c), l_(static_cast<std::size_t>(l)) {
  if (!(c > 0))
    throw Error(ErrorKind::invalid_parameter, "c is out of range", "c must be above 0.");
  if (l < 1)
    throw Error(ErrorKind::invalid_parameter, "l is out of range", "l must be at least 1.");
}

bool RecursiveDiversity::holds(const Values& values, std::int32_t) const {
  counts_.clear();
  for_each_value(values, [&](std::int32_t, std::int32_t count) { counts_.push_back(count); });
  if (counts_.size() < l_) return false;
  std::sort(counts_.begin(), counts_.end(), std::greater<>());
  const std::int64_t rest = std::accumulate(counts_.begin() + static_cast<std::ptrdiff_t>(l_) - 1,
                                            counts_.end(), std::int64_t{0});
  // Only the quotient is rounded, so a quotient of exactly c is not below c.
  return static_cast<double>(counts_.front()) / static_cast<double>(rest) < c_;
}

}  // namespace anonkit
