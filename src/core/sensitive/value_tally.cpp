#include "sensitive/value_tally.hpp"

#include <algorithm>

namespace anonkit {

ValueTally::ValueTally(const SensitiveAttribute& attribute)
    : nominal_(attribute.numbers.empty() && attribute.distance != GroundDistance::ordered) {
  std::int32_t values = 0;
  for (const std::int32_t rank : attribute.ranks) values = std::max(values, rank + 1);
  counts_.assign(static_cast<std::size_t>(values), 0);
  for (const double x : attribute.numbers) numbers_.push_back(x - attribute.numbers.front());
  if (numbers_.empty() && !nominal_)
    for (std::int32_t rank = 0; rank < values; ++rank) numbers_.push_back(rank);
}

double ValueTally::variance_with(std::int32_t rank) const {
  if (nominal_) return variance(size_ + 1, sum_, squares_ + 2.0 * count(rank) + 1);
  if (!has_number(rank)) return variance();
  const double x = number(rank);
  return variance(size_ + 1, sum_ + x, squares_ + x * x);
}

void ValueTally::change(std::int32_t rank, int by) {
  std::int32_t& times = counts_[static_cast<std::size_t>(rank)];
  const std::int32_t before = times;
  times += by;
  distinct_ += (times > 0) - (before > 0);
  if (nominal_) {
    squares_ += static_cast<double>(times) * times - static_cast<double>(before) * before;
    size_ += by;
  } else if (has_number(rank)) {
    sum_ += by * number(rank);
    squares_ += by * (number(rank) * number(rank));
    size_ += by;
  }
  if (size_ == 0) sum_ = squares_ = 0;  // discards rounding errors
}

// Half the mean squared difference of two records.
double ValueTally::variance(double size, double sum, double squares) const {
  if (size < 2) return 0;
  if (nominal_) return (size * size - squares) / (2 * size * (size - 1));
  return (size * squares - sum * sum) / (size * (size - 1));
}

}  // namespace anonkit
