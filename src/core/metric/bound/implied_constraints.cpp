#include "metric/bound/implied_constraints.hpp"

#include <algorithm>
#include <cmath>

#include "base/at.hpp"

namespace anonkit {
namespace {

// Above the rounding of the models' own limits.
constexpr double kMargin = 1e-9;
// Larger classes are not looked for: the search for them would take longer than it helps.
constexpr Record kLargestSize = 100;

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
    if (promises.t_close() && promises.n == 0)
      constraints.smallest = std::max(constraints.smallest, least_close(attribute));
  }
  if (!attributes.empty())
    constraints.smallest =
        std::min(constraints.smallest, static_cast<Record>(attributes.front().ranks.size()));
  return constraints;
}

}  // namespace anonkit
