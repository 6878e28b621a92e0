#include "metric/bound/plain_shares.hpp"

#include <algorithm>
#include <limits>

#include "base/at.hpp"

namespace anonkit {
namespace {

// A record lacking values among its nearest records looks for them among so many times as many.
constexpr Record kFartherTimes = 8;

class PlainShares {
 public:
  PlainShares(const Space& space, const ImpliedConstraints& constraints, const SpatialIndex& index)
      : space_(space),
        constraints_(constraints),
        index_(index),
        n_(space.size()),
        // A partition of n < 2k records has one class, of n records.
        smallest_(n_ < 2 * constraints.smallest ? n_ : constraints.smallest),
        largest_(std::min(2 * constraints.smallest - 1, n_)) {}

  /// By record.
  std::vector<double> run(Ticker& ticker) {
    std::vector<double> shares;
    for (Record i = 0; i < n_; ++i) {
      index_.nearest(space_.row(i), largest_, nearest_);
      double share = of_nearest();
      for (const DistinctConstraint& constraint : constraints_.distinct)
        share = std::max(share, of_diverse(i, constraint));
      shares.push_back(share);
      ticker.advance(1);
    }
    return shares;
  }

 private:
  // The record itself, or one at the same place, comes first: at distance 0.
  double of_nearest() const {
    double sum = 0, least = std::numeric_limits<double>::infinity();
    for (Record m = 1; m <= largest_; ++m) {
      sum += nearest_[at(m - 1)].distance;
      if (m >= smallest_) least = std::min(least, sum / (2.0 * m));
    }
    return least;
  }

  /// The least share in a class of any size that has enough values. Its partners are the nearest
  /// record of each of the nearest other values, and then the nearest of all records.
  double of_diverse(Record i, const DistinctConstraint& constraint) {
    const Record others = constraint.distinct - 1;
    Record known = find_values(i, constraint);
    if (known < others && largest_ < n_) {
      index_.nearest(space_.row(i), std::min(n_, kFartherTimes * largest_), nearest_);
      known = find_values(i, constraint);
    }
    // A value that was not found is at least as far away as the last record.
    const double last = nearest_.back().distance;
    double sum = known < others ? (others - known) * last : 0;
    for (std::size_t m = 0; m < nearest_.size(); ++m)
      if (brings_value_[m]) sum += nearest_[m].distance;
    Record size = 1 + others;
    double least = size >= smallest_ ? sum / (2.0 * size) : std::numeric_limits<double>::infinity();
    // The first record is the class's own.
    for (std::size_t m = 1; m < nearest_.size(); ++m) {
      if (brings_value_[m]) continue;
      sum += nearest_[m].distance;
      if (++size >= smallest_) least = std::min(least, sum / (2.0 * size));
    }
    // Each partner costs `last` at most, so the share is below last / 2, and farther records, which
    // cost no less, only raise it.
    return least;
  }

  /// Marks the first record of each of the nearest other values, as many as are required, and
  /// returns their number.
  Record find_values(Record i, const DistinctConstraint& constraint) {
    seen_.assign(1, constraint.values[at(i)]);
    brings_value_.assign(nearest_.size(), false);
    for (std::size_t m = 0; m < nearest_.size() && at(constraint.distinct) > seen_.size(); ++m) {
      const std::int32_t value = constraint.values[at(nearest_[m].record)];
      if (std::find(seen_.begin(), seen_.end(), value) != seen_.end()) continue;
      seen_.push_back(value);
      brings_value_[m] = true;
    }
    return static_cast<Record>(seen_.size()) - 1;
  }

  const Space& space_;
  const ImpliedConstraints& constraints_;
  const SpatialIndex& index_;
  Record n_, smallest_, largest_;
  std::vector<Neighbour> nearest_;
  std::vector<std::int32_t> seen_;
  std::vector<bool> brings_value_;
};

}  // namespace

std::vector<double> plain_shares(const Space& space, const ImpliedConstraints& constraints,
                                 const SpatialIndex& index, Ticker& ticker) {
  return PlainShares(space, constraints, index).run(ticker);
}

}  // namespace anonkit
