#include "model/aggregate_view.hpp"

#include <algorithm>
#include <cmath>

namespace anonkit {
namespace {

/// The value of a function over one row. For an end of the interval, `other` is the row of the
/// other ends.
double value_of(const AggregateFunction& function, const double* row, const double* other,
                int attributes) {
  if (function.aggregate == Aggregate::min) return *std::min_element(row, row + attributes);
  if (function.aggregate == Aggregate::max) return *std::max_element(row, row + attributes);
  double sum = 0;
  for (int j = 0; j < attributes; ++j) {
    if (function.aggregate != Aggregate::weighted_sum) {
      sum += row[j];
      continue;
    }
    const double weight = function.weights[static_cast<std::size_t>(j)];
    sum += weight * (weight >= 0 ? row[j] : other[j]);
  }
  return function.aggregate == Aggregate::avg ? sum / attributes : sum;
}

double tolerance_of(const PublishedRanges& release, const AggregateFunction& function,
                    Ticker& ticker) {
  double greatest_number = 0, greatest_weight = 0;
  bool whole = function.aggregate != Aggregate::avg;
  const auto look_at = [&](const double* numbers, std::size_t count, double& greatest) {
    for (std::size_t i = 0; i < count; ++i) {
      ticker.step(2);
      greatest = std::max(greatest, std::abs(numbers[i]));
      whole &= numbers[i] == std::nearbyint(numbers[i]);
    }
  };
  const auto m = static_cast<std::size_t>(release.attributes);
  const std::size_t cells = static_cast<std::size_t>(release.records) * m;
  look_at(release.low, cells, greatest_number);
  look_at(release.high, cells, greatest_number);
  if (release.original != nullptr) look_at(release.original, cells, greatest_number);
  look_at(function.weights.data(), function.weights.size(), greatest_weight);
  if (function.aggregate != Aggregate::weighted_sum) greatest_weight = 1;
  const double terms = static_cast<double>(m);
  const double greatest_sum = terms * greatest_weight * greatest_number;
  return whole && greatest_sum <= 0x1p53 ? 0 : greatest_sum * terms * 0x1p-50;
}

/// The least of consecutive numbers, in O(log n).
class RangeLeast {
 public:
  explicit RangeLeast(const std::vector<std::int32_t>& numbers)
      : size_(numbers.size()), least_(2 * size_) {
    std::copy(numbers.begin(), numbers.end(), least_.begin() + static_cast<std::ptrdiff_t>(size_));
    for (std::size_t i = size_; i-- > 1;) least_[i] = std::min(least_[2 * i], least_[2 * i + 1]);
  }

  /// The least of `start` and the numbers from..to-1.
  std::int32_t least(std::size_t from, std::size_t to, std::int32_t start) const {
    for (from += size_, to += size_; from < to; from /= 2, to /= 2) {
      if (from % 2 == 1) start = std::min(start, least_[from++]);
      if (to % 2 == 1) start = std::min(start, least_[--to]);
    }
    return start;
  }

 private:
  std::size_t size_;
  std::vector<std::int32_t> least_;
};

std::size_t count_below(const std::vector<double>& sorted, double x) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), x) -
                                  sorted.begin());
}
std::size_t count_up_to(const std::vector<double>& sorted, double x) {
  return static_cast<std::size_t>(std::upper_bound(sorted.begin(), sorted.end(), x) -
                                  sorted.begin());
}

}  // namespace

AggregateView aggregate_view(const PublishedRanges& release, const AggregateFunction& function,
                             double d, Ticker& ticker) {
  AggregateView view;
  view.tolerance = tolerance_of(release, function, ticker);
  const int m = release.attributes;
  for (std::int64_t i = 0; i < release.records; ++i) {
    ticker.step(8 * static_cast<std::int64_t>(m));
    const double *low = release.low + i * m, *high = release.high + i * m;
    view.low.push_back(value_of(function, low, high, m));
    view.high.push_back(value_of(function, high, low, m));
    if (release.original == nullptr) continue;
    const double* original = release.original + i * m;
    const double f = value_of(function, original, original, m), doubt = d * std::abs(f);
    view.least_known.push_back(f - doubt);
    view.greatest_known.push_back(f + doubt);
  }
  return view;
}

AggregateLevel worst_case_level(const AggregateView& view, double d, Ticker& ticker) {
  // An x counts from the first to the last f whose known interval meets it. The minimum lies at the
  // target's own low end, or just behind the end of another x.
  ticker.step(200 * static_cast<std::int64_t>(view.low.size()));
  std::vector<double> begins, ends;
  for (const double low : view.low)
    begins.push_back((low >= 0 ? low / (1 + d) : low / (1 - d)) - view.tolerance);
  for (const double high : view.high)
    ends.push_back((high >= 0 ? high / (1 - d) : high / (1 + d)) + view.tolerance);
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  std::vector<std::int32_t> behind;
  for (const double end : ends)
    behind.push_back(static_cast<std::int32_t>(count_up_to(begins, end) - count_up_to(ends, end)));
  const RangeLeast least_behind(behind);
  AggregateLevel level;
  for (std::size_t t = 0; t < view.low.size(); ++t) {
    ticker.step(400);
    const auto at_low = static_cast<std::int32_t>(count_up_to(begins, view.low[t]) -
                                                  count_below(ends, view.low[t]));
    const std::int32_t found =
        least_behind.least(count_below(ends, view.low[t]), count_below(ends, view.high[t]), at_low);
    if (t == 0 || found < level.k) level = {found, static_cast<std::int32_t>(t), 0};
  }
  return level;
}

}  // namespace anonkit
