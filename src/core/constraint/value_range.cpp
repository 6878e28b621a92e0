#include "constraint/value_range.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace anonkit {

ValueRange::ValueRange(std::vector<std::int32_t> ranks, std::vector<double> numbers, double e)
    : SortedValues(std::move(ranks)), numbers_(std::move(numbers)), e_(e) {
  if (!(e > 0))
    throw Error(ErrorKind::invalid_parameter, "e is out of range", "e must be above 0.");
}

bool ValueRange::holds(const Values& values, std::int32_t) const {
  const auto null = static_cast<std::int32_t>(numbers_.size());
  const auto last = std::lower_bound(values.begin(), values.end(), null);
  if (last == values.begin()) return false;
  return numbers_[static_cast<std::size_t>(*(last - 1))] -
             numbers_[static_cast<std::size_t>(values.front())] >=
         e_;
}

}  // namespace anonkit
