#include "metric/bound/pair_prices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anonkit {
namespace {

/// Lower bounds on the sum of a pair's two distances to a third record. With roots of distances,
/// the triangle inequality holds: a record at x from record i is at least root - x from its
/// partner.
class ThirdRecord {
 public:
  ThirdRecord(const BlockDistances& distances, std::int32_t i) {
    for (std::int32_t l = 0; l < distances.size(); ++l)
      if (l != i) add(distances.between(i, l));
    for (const std::int32_t outside : distances.outside(i)) add(outside);
    std::sort(roots_.begin(), roots_.end());
  }

  /// The sum is least where x is half of the root, and grows from there to both sides. `distance`
  /// must not exceed that to the farthest known record.
  double least_sum(std::int32_t distance) const {
    const double root = std::sqrt(distance);
    const auto above = std::lower_bound(roots_.begin(), roots_.end(), root / 2);
    double least = std::numeric_limits<double>::infinity();
    if (above != roots_.end()) least = sum(*above, root);
    if (above != roots_.begin()) least = std::min(least, sum(*(above - 1), root));
    return least;
  }

 private:
  // A distance rounded down by a unit must not lengthen the other one.
  static constexpr double kRounding = 1.01;

  void add(std::int32_t distance) { roots_.push_back(std::sqrt(distance + kRounding)); }

  // x^2 + max(0, r - x)^2, with r the root of the pair's distance, and the first term rounded down.
  static double sum(double x, double root) {
    const double rest = std::max(0.0, root - x);
    return x * x - kRounding + rest * rest;
  }

  std::vector<double> roots_;  ///< rounded up
};

/// The mean of the three distances, rounded down; a pair without a third record costs its distance.
std::int32_t pair_cost(std::int32_t distance, double thirds, bool alone) {
  constexpr double kError = 1e-12;
  const double mean =
      (distance + std::min(thirds, 2.0 * BlockDistances::kFarthest)) / 3 * (1 - kError);
  const auto cost = static_cast<std::int32_t>(mean);
  return alone ? std::min(cost, distance) : cost;
}

}  // namespace

// The base cost of an unlisted pair is a third of its least triple: no triple with i and j, and so
// no mean of triples, costs less. Where a class may have two records, the distance alone counts,
// too.
PairPrices::PairPrices(const BlockDistances& distances, std::int32_t smallest, Ticker& ticker)
    : size_(distances.size()),
      cost_(at(size_) * at(size_)),
      base_(cost_.size()),
      outside_(at(size_)),
      direction_(cost_.size()) {
  const bool alone = smallest == 2;
  std::vector<ThirdRecord> thirds;
  for (std::int32_t i = 0; i < size_; ++i) {
    ticker.step(200 * std::int64_t{size_});
    thirds.emplace_back(distances, i);
    for (const std::int32_t distance : distances.outside(i))
      outside_[at(i)].push_back(pair_cost(distance, thirds.back().least_sum(distance), alone));
    for (std::int32_t j = 0; j < i; ++j) {
      const std::int32_t distance = distances.between(i, j);
      double least = std::max(thirds[at(i)].least_sum(distance), thirds[at(j)].least_sum(distance));
      if (distances.has_outside())
        least = std::min(least, static_cast<double>(distances.nearest_outside(i)) +
                                    distances.nearest_outside(j));
      const std::int32_t cost = pair_cost(distance, least, alone);
      base_[place(i, j)] = base_[place(j, i)] = cost_[place(i, j)] = cost_[place(j, i)] = cost;
    }
  }
}

// From now on, near_triples.hpp has the costs of the pair's triples, and the base would count
// twice.
void PairPrices::list(std::int32_t i, std::int32_t j) {
  for (const std::size_t one : {place(i, j), place(j, i)}) {
    cost_[one] -= base_[one];
    base_[one] = kNone;
  }
}

void PairPrices::turn(std::int32_t i, std::int32_t j, float by) {
  direction_[place(i, j)] += by;
  direction_[place(j, i)] -= by;
}

void PairPrices::fade(float share) {
  for (float& one : direction_) one *= share;
}

// p(i,j) moves by step * (direction(i,j) + u(i) - u(j)). Conversion to an integer rounds towards 0,
// which is symmetric, so p(j,i) = -p(i,j) holds exactly afterwards.
bool PairPrices::move(float step, const std::vector<float>& of_records, Ticker& ticker) {
  float largest = 0;
  for (const float one : direction_) largest = std::max(largest, std::fabs(one));
  const auto [low, high] = std::minmax_element(of_records.begin(), of_records.end());
  moved_ += static_cast<double>(step) * (largest + (*high - *low));
  if (!(moved_ < kLargestPrice)) return false;
  ticker.step(2 * static_cast<std::int64_t>(cost_.size()));
  // Each order of a pair computes the exact negative of the other.
  for (std::int32_t i = 0; i < size_; ++i) {
    std::int32_t* cost = cost_.data() + place(i, 0);
    const float* direction = direction_.data() + place(i, 0);
    const float own = of_records[at(i)];
    for (std::size_t j = 0; j < at(size_); ++j)
      cost[j] += static_cast<std::int32_t>(step * (direction[j] + (own - of_records[j])));
  }
  return true;
}

}  // namespace anonkit
