#include "metric/lower_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "metric/bound/ascent.hpp"
#include "metric/bound/class_prices.hpp"
#include "metric/bound/halved_blocks.hpp"
#include "metric/bound/margin.hpp"
#include "metric/bound/plain_shares.hpp"
#include "metric/bound/progress.hpp"
#include "metric/sse.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {
namespace {

constexpr Record kLargestK = 50, kLargestKOfClasses = 12;
// The number of records that share priced triples with a record; more for larger classes.
constexpr Record kNear = 10, kNearEachK = 2, kNearMost = 40;
constexpr int kRounds = 150, kLeastRounds = 30, kRoundsOnClock = 1000;
// Above this number of records, the bound needs some hundred seconds to exceed the plain one.
constexpr Record kMany = 20000;
// More records do not raise the work of prices of classes.
constexpr std::size_t kManyClasses = 2000;
// Prices of classes hardly raise the plain bound to this multiple.
constexpr double kOutOfReach = 1.7;
// A mean share has 2^15 units, so that rounding is negligible.
constexpr int kUnitsOfShare = 15;
// The part of the time, with a clock, that goes to shares if prices of classes follow.
constexpr double kTimeOfShares = 0.3;

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The number of rounds for n records; 0, without a clock, if there are too many records.
int rounds_for(const BoundOptions& options, Record n) {
  if (options.rounds > 0) return options.rounds;
  if (options.clock) return kRoundsOnClock;
  if (n > kMany) return 0;
  return std::max(kLeastRounds, static_cast<int>(kRounds * std::min(1.0, 1.0 * options.block / n)));
}

/// The bound of shares with prices, block by block, and then that of prices of classes.
class PricedBound {
 public:
  PricedBound(const Space& space, const ImpliedConstraints& constraints,
              const BoundOptions& options, const SpatialIndex& index, std::vector<double> plain,
              int rounds, Ticker& ticker)
      : space_(space),
        constraints_(constraints),
        options_(options),
        index_(index),
        shares_(std::move(plain)),
        raised_(shares_.size()),
        rounds_(rounds),
        counts_by_work_(!options.clock && options.rounds == 0),
        ticker_(ticker),
        counter_(ticker) {}

  LowerBound run() {
    const std::vector<std::vector<Record>> blocks =
        cut_into_blocks(space_, options_.block, ticker_);
    ticker_.begin("raising the bound", std::int64_t{rounds_} * space_.size());
    LowerBound bound;
    const double time = has_class_prices() ? kTimeOfShares : 1;
    const double length = time / static_cast<double>(blocks.size());
    for (std::size_t at = 0; at < blocks.size(); ++at) {
      Progress progress(options_.clock, {static_cast<double>(at) * length, length},
                        {rounds_, steps_of(blocks[at].size(), options_.work)});
      raise_shares(blocks[at], blocks.size() > 1, progress);
      bound.reproducible = bound.reproducible && progress.reproducible();
    }
    // Both distribute the loss of a class differently, so they cannot be mixed by block.
    if (sum_of(raised_) > sum_of(shares_)) shares_ = raised_;
    bound.value = sum_of(shares_) * (1 - kMargin);
    if (has_class_prices()) raise_class_prices(bound, time);
    return bound;
  }

 private:
  bool has_class_prices() const {
    return constraints_.smallest <= kLargestKOfClasses && space_.size() <= kMany;
  }
  double steps_of(std::size_t records, double work) const {
    return counts_by_work_ ? work * static_cast<double>(records) : 0;
  }

  void raise_shares(const std::vector<Record>& block, bool has_outside, Progress& progress) {
    double plain = 0;
    for (const Record i : block) plain += shares_[at(i)];
    const double mean = plain / static_cast<double>(block.size());
    // Shares without prices are never below 0.
    if (!(mean > 1e-250)) return;
    const double unit = std::ldexp(1.0, std::ilogb(mean) - kUnitsOfShare);
    const Record k = constraints_.smallest;
    const BlockDistances distances(space_, block, unit, has_outside ? &index_ : nullptr, 2 * k - 2,
                                   counter_);
    Shares shares(distances, k, 2 * k - 1, std::min(kNear + kNearEachK * k, kNearMost),
                  constraints_of(block), counter_);
    const auto next_round = [&] {
      const double done = progress.before_round(counter_.take());
      if (done < 1) ticker_.advance(static_cast<std::int64_t>(block.size()));
      return done;
    };
    const RaisedShares raised = raise_prices(shares, plain / unit, next_round, counter_);
    for (std::size_t member = 0; member < block.size(); ++member)
      raised_[at(block[member])] = unit * raised.least[member];
  }

  DiverseChoice constraints_of(const std::vector<Record>& block) const {
    std::vector<PartnerConstraint> of_block;
    for (const DistinctConstraint& constraint : constraints_.distinct) {
      of_block.push_back({{}, constraint.distinct - 1});
      for (const Record i : block) of_block.back().values.push_back(constraint.values[at(i)]);
    }
    return DiverseChoice(std::move(of_block));
  }

  void raise_class_prices(LowerBound& bound, double begin) {
    Progress progress(
        options_.clock, {begin, 1 - begin},
        {options_.rounds, steps_of(std::min(shares_.size(), kManyClasses), options_.class_work)});
    const Record k = constraints_.smallest;
    ticker_.begin("pricing classes", 0);
    const ClassPrices prices{k, std::min(2 * k - 1, space_.size()), options_.threads};
    // Shares under promises are too high for the classes of k alone, whose bound holds, too.
    if (!constraints_.distinct.empty()) {
      shares_ = plain_shares(space_, {k}, index_, ticker_);
      if (bound.value > kOutOfReach * sum_of(shares_)) return;
    }
    bound.value = std::max(bound.value, prices.raise(space_, shares_, progress, ticker_));
    bound.reproducible = bound.reproducible && progress.reproducible();
  }

  const Space& space_;
  const ImpliedConstraints& constraints_;
  const BoundOptions& options_;
  const SpatialIndex& index_;
  std::vector<double> shares_, raised_;
  int rounds_;
  bool counts_by_work_;
  Ticker& ticker_;
  WorkCounter counter_;
};

}  // namespace

double plain_sse_lower_bound(const Space& space, const ImpliedConstraints& constraints,
                             Ticker& ticker) {
  ticker.begin("lower bound", space.size());
  const SpatialIndex index(space, ticker);
  return sum_of(plain_shares(space, constraints, index, ticker)) * (1 - kMargin);
}

LowerBound sse_lower_bound(const Space& space, const ImpliedConstraints& constraints,
                           const BoundOptions& options, Ticker& ticker) {
  if (constraints.smallest == 1) return {};
  if (space.size() < 2 * constraints.smallest) return {sst(space) * (1 - kMargin)};
  if (constraints.smallest > kLargestK) return {plain_sse_lower_bound(space, constraints, ticker)};
  ticker.begin("lower bound", space.size());
  const SpatialIndex index(space, ticker);
  std::vector<double> plain = plain_shares(space, constraints, index, ticker);
  const int rounds = rounds_for(options, space.size());
  if (rounds == 0) return {sum_of(plain) * (1 - kMargin)};
  return PricedBound(space, constraints, options, index, std::move(plain), rounds, ticker).run();
}

}  // namespace anonkit
