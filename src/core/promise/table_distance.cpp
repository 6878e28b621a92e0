#include "promise/table_distance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/at.hpp"

namespace anonkit {
namespace {

// Above the rounding of the models' own limits.
constexpr double kDistanceMargin = 1e-9;
// Larger classes are not looked for: the search for them would take longer than it helps.
constexpr Record kLargestSize = 100;
// Above this number of values, classes tend to have as many of them as records.
constexpr std::size_t kMostValues = 200;

/// By value its share of the records.
std::vector<double> shares_of(const SensitiveAttribute& attribute) {
  const std::int32_t highest = *std::max_element(attribute.ranks.begin(), attribute.ranks.end());
  std::vector<double> shares(at(std::max(attribute.values, highest + 1)), 0);
  for (const std::int32_t rank : attribute.ranks)
    shares[at(rank)] += 1 / static_cast<double>(attribute.ranks.size());
  return shares;
}

/// The distance from a share to the nearest multiple of 1/size.
double to_multiple(double share, Record size) {
  return std::fabs(std::nearbyint(share * size) / size - share);
}

/// A lower bound on the distance of any class of `size` records to the table.
double least_distance(const std::vector<double>& shares, GroundDistance distance, Record size) {
  double sum = 0, below = 0;
  if (distance == GroundDistance::nominal) {
    for (const double share : shares) sum += to_multiple(share, size);
    return sum / 2;
  }
  for (std::size_t v = 0; v + 1 < shares.size(); ++v) sum += to_multiple(below += shares[v], size);
  return shares.size() > 1 ? sum / static_cast<double>(shares.size() - 1) : 0;
}

/// The least number of values of a class whose nominal distance is at most t. The distance is 1
/// less the sum of the smaller of the two shares, value by value, so it is at least 1 less the
/// table's share of the class's values.
std::int32_t least_covering(std::vector<double> shares, double t) {
  std::sort(shares.begin(), shares.end(), std::greater<>());
  double covered = 0;
  std::int32_t values = 0;
  while (at(values) < shares.size() && covered + t + kDistanceMargin < 1)
    covered += shares[at(values++)];
  return std::max(values, 1);
}

/// The distances of the values of a line to the nearest of some of them, weighted by shares: the
/// least sums for ever more of them, from medians of runs of values.
class Medians {
 public:
  explicit Medians(const std::vector<double>& shares)
      : count_(shares.size()), below_(1, 0), moment_(1, 0), least_(count_ + 1, 0) {
    for (std::size_t v = 0; v < count_; ++v) {
      below_.push_back(below_.back() + shares[v]);
      moment_.push_back(moment_.back() + shares[v] * static_cast<double>(v));
    }
    for (std::size_t end = 1; end <= count_; ++end) least_[end] = of_run(0, end);
  }

  double least() const { return least_[count_]; }

  /// One median more. O(m^2).
  void add() {
    for (std::size_t end = count_; end > 0; --end)
      for (std::size_t begin = 0; begin < end; ++begin)
        least_[end] = std::min(least_[end], least_[begin] + of_run(begin, end));
  }

 private:
  double of_run(std::size_t begin, std::size_t end) const {
    const double half = (below_[begin] + below_[end]) / 2;
    const double* const upto = below_.data() + begin + 1;
    const auto median =
        begin + static_cast<std::size_t>(std::lower_bound(upto, below_.data() + end, half) - upto);
    const double x = static_cast<double>(median);
    return x * (below_[median] - below_[begin]) - (moment_[median] - moment_[begin]) +
           (moment_[end] - moment_[median]) - x * (below_[end] - below_[median]);
  }

  std::size_t count_;
  std::vector<double> below_, moment_;  ///< sums over the values before each
  std::vector<double> least_;           ///< by number of values
};

/// The least number of values of a class: to reach them, the table's records move at least as far
/// as to the nearest of them. The ordered distance of neighbours in rank is 1/(m-1).
std::int32_t least_medians(const std::vector<double>& shares, double t) {
  if (shares.size() < 2 || shares.size() > kMostValues) return 1;
  Medians medians(shares);
  std::int32_t values = 1;
  for (; medians.least() > (t + kDistanceMargin) * static_cast<double>(shares.size() - 1); ++values)
    medians.add();
  return values;
}

}  // namespace

ImpliedByTable implied_by_closeness(const SensitiveAttribute& attribute) {
  if (attribute.distance == GroundDistance::hierarchical) return {};
  const std::vector<double> shares = shares_of(attribute);
  ImpliedByTable implied;
  implied.values = attribute.distance == GroundDistance::nominal
                       ? least_covering(shares, attribute.t)
                       : least_medians(shares, attribute.t);
  while (implied.records < kLargestSize &&
         least_distance(shares, attribute.distance, implied.records) >
             attribute.t + kDistanceMargin)
    ++implied.records;
  return implied;
}

}  // namespace anonkit
