#include "metric/bound/implied_constraints.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/at.hpp"

namespace anonkit {
namespace {

// Above the rounding of the models' own limits.
constexpr double kMargin = 1e-9;
// Larger classes are not looked for: the search for them would take longer than it helps.
constexpr Record kLargestSize = 100;
// Above this number of values, classes tend to have as many of them as records.
constexpr std::size_t kMostValues = 200;

std::int32_t distinct_in(const std::vector<std::int32_t>& values) {
  std::vector<std::int32_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::int32_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

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
  while (at(values) < shares.size() && covered + t + kMargin < 1) covered += shares[at(values++)];
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
  for (; medians.least() > (t + kMargin) * static_cast<double>(shares.size() - 1); ++values)
    medians.add();
  return values;
}

std::int32_t least_distinct_close(const SensitiveAttribute& attribute) {
  if (attribute.distance == GroundDistance::hierarchical) return 1;
  const std::vector<double> shares = shares_of(attribute);
  return attribute.distance == GroundDistance::nominal ? least_covering(shares, attribute.t)
                                                       : least_medians(shares, attribute.t);
}

Record least_close(const SensitiveAttribute& attribute) {
  if (attribute.distance == GroundDistance::hierarchical) return 1;
  const std::vector<double> shares = shares_of(attribute);
  Record size = 1;
  while (size < kLargestSize &&
         least_distance(shares, attribute.distance, size) > attribute.t + kMargin)
    ++size;
  return size;
}

/// The least number of distinct values, by their codes.
std::int32_t least_distinct(const Promises& promises) {
  double least = promises.l;
  least = std::max(least, promises.entropy_l);
  if (promises.alpha > 0) least = std::max(least, 1 / promises.alpha);
  return static_cast<std::int32_t>(std::ceil(std::min(least, 1e9) - kMargin));
}

}  // namespace

ImpliedConstraints implied_constraints(Record k, const std::vector<SensitiveAttribute>& attributes,
                                       const Promises& promises) {
  ImpliedConstraints constraints{k};
  const auto require = [&](std::vector<std::int32_t> values, std::int32_t distinct) {
    // More values than there are cannot be promised: the methods refuse that.
    if (distinct < 2 || distinct > distinct_in(values)) return;
    constraints.smallest = std::max(constraints.smallest, distinct);
    constraints.distinct.push_back({std::move(values), distinct});
  };
  for (const SensitiveAttribute& attribute : attributes) {
    require(attribute.ranks, least_distinct(promises));
    if (promises.p > 0 && !promises.kpqr()) require(counted_codes(attribute), promises.p);
    if (!promises.t_close() || promises.n > 0) continue;
    require(attribute.ranks, least_distinct_close(attribute));
    constraints.smallest = std::max(constraints.smallest, least_close(attribute));
  }
  if (!attributes.empty())
    constraints.smallest =
        std::min(constraints.smallest, static_cast<Record>(attributes.front().ranks.size()));
  return constraints;
}

}  // namespace anonkit
