#include "metric/lower_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "metric/bound/ascent.hpp"
#include "metric/bound/halved_blocks.hpp"
#include "metric/sse.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {
namespace {

// Far above the error of the floating-point sums below.
constexpr double kMargin = 1e-9;
constexpr Record kLargestK = 50;
// The number of records that share priced triples with a record; more for larger classes.
constexpr Record kNear = 10, kNearEachK = 2, kNearMost = 40;
constexpr int kRounds = 150, kLeastRounds = 30, kRoundsOnClock = 1000;
// Above this number of records, the bound needs some hundred seconds to exceed the plain one.
constexpr Record kMany = 20000;
// A mean share has 2^15 units, so that rounding is negligible.
constexpr int kUnitsOfShare = 15;

// A record lacking values among its nearest records looks for them among so many times as many.
constexpr Record kFartherTimes = 8;

/// The least shares of records in the loss of their classes, each from its nearest records alone.
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

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Counts work for a host. The count is the same on every machine.
class WorkCounter final : public Ticker {
 public:
  explicit WorkCounter(Ticker& host) : host_(host) {}

  /// In polls, of which each is a quarter of a million units.
  std::int64_t work() const { return polls_; }

 protected:
  void poll() override {
    ++polls_;
    host_.attend();
  }

 private:
  Ticker& host_;
  std::int64_t polls_ = 0;
};

/// The completed share of the ascent of a block, by rounds, by work and by the clock.
class Progress {
 public:
  Progress(const BoundOptions& options, int rounds, std::size_t block, std::size_t blocks,
           Record records, const WorkCounter& counter)
      : clock_(options.clock),
        counter_(counter),
        rounds_(rounds),
        first_(static_cast<double>(block) / static_cast<double>(blocks)),
        share_(1.0 / static_cast<double>(blocks)),
        most_work_(options.clock || options.rounds > 0 ? 0 : options.work * records),
        work_before_(counter.work()) {}

  double operator()() {
    double done = static_cast<double>(round_++) / rounds_;
    if (most_work_ > 0)
      done = std::max(done, static_cast<double>(counter_.work() - work_before_) / most_work_);
    const double gone = clock_ ? (clock_() - first_) / share_ : 0;
    if (gone <= done) return done;
    reproducible_ = false;
    return gone;
  }

  bool reproducible() const { return reproducible_; }

 private:
  const std::function<double()>& clock_;
  const WorkCounter& counter_;
  int rounds_;
  double first_, share_;
  double most_work_;  ///< 0: any
  std::int64_t work_before_;
  int round_ = 0;
  bool reproducible_ = true;
};

/// The number of rounds for n records; 0, without a clock, if there are too many records.
int rounds_for(const BoundOptions& options, Record n) {
  if (options.rounds > 0) return options.rounds;
  if (options.clock) return kRoundsOnClock;
  if (n > kMany) return 0;
  return std::max(kLeastRounds, static_cast<int>(kRounds * std::min(1.0, 1.0 * options.block / n)));
}

/// The bound of shares with prices, block by block.
class PricedBound {
 public:
  PricedBound(const Space& space, const ImpliedConstraints& constraints,
              const BoundOptions& options, const SpatialIndex& index,
              const std::vector<double>& plain, int rounds, Ticker& ticker)
      : space_(space),
        constraints_(constraints),
        options_(options),
        index_(index),
        plain_(plain),
        rounds_(rounds),
        ticker_(ticker),
        counter_(ticker) {}

  LowerBound run() {
    const std::vector<std::vector<Record>> blocks =
        cut_into_blocks(space_, options_.block, ticker_);
    ticker_.begin("raising the bound", std::int64_t{rounds_} * space_.size());
    LowerBound bound;
    for (std::size_t at = 0; at < blocks.size(); ++at) {
      // The bound needs all blocks, since a class may have records in several.
      if (options_.clock && options_.clock() >= 1) return {0, false};
      Progress progress(options_, rounds_, at, blocks.size(),
                        static_cast<Record>(blocks[at].size()), counter_);
      bound.value += of_block(blocks[at], blocks.size() > 1, progress);
      bound.reproducible = bound.reproducible && progress.reproducible();
    }
    return bound;
  }

 private:
  double of_block(const std::vector<Record>& block, bool has_outside, Progress& progress) {
    double plain = 0;
    for (const Record i : block) plain += plain_[at(i)];
    const double mean = plain / static_cast<double>(block.size());
    // Shares without prices are never below 0.
    if (!(mean > 1e-250)) return 0;
    const double unit = std::ldexp(1.0, std::ilogb(mean) - kUnitsOfShare);
    const Record k = constraints_.smallest;
    const BlockDistances distances(space_, block, unit, has_outside ? &index_ : nullptr, 2 * k - 2,
                                   counter_);
    Shares shares(distances, k, 2 * k - 1, std::min(kNear + kNearEachK * k, kNearMost),
                  constraints_of(block), counter_);
    const auto next_round = [&] {
      ticker_.advance(static_cast<std::int64_t>(block.size()));
      return progress();
    };
    return unit * raise_prices(shares, plain / unit, next_round, counter_);
  }

  DiverseChoice constraints_of(const std::vector<Record>& block) const {
    std::vector<PartnerConstraint> of_block;
    for (const DistinctConstraint& constraint : constraints_.distinct) {
      of_block.push_back({{}, constraint.distinct - 1});
      for (const Record i : block) of_block.back().values.push_back(constraint.values[at(i)]);
    }
    return DiverseChoice(std::move(of_block));
  }

  const Space& space_;
  const ImpliedConstraints& constraints_;
  const BoundOptions& options_;
  const SpatialIndex& index_;
  const std::vector<double>& plain_;
  int rounds_;
  Ticker& ticker_;
  WorkCounter counter_;
};

}  // namespace

double plain_sse_lower_bound(const Space& space, const ImpliedConstraints& constraints,
                             Ticker& ticker) {
  ticker.begin("lower bound", space.size());
  const SpatialIndex index(space, ticker);
  return sum_of(PlainShares(space, constraints, index).run(ticker)) * (1 - kMargin);
}

LowerBound sse_lower_bound(const Space& space, const ImpliedConstraints& constraints,
                           const BoundOptions& options, Ticker& ticker) {
  if (constraints.smallest == 1) return {};
  if (space.size() < 2 * constraints.smallest) return {sst(space) * (1 - kMargin)};
  if (constraints.smallest > kLargestK) return {plain_sse_lower_bound(space, constraints, ticker)};
  ticker.begin("lower bound", space.size());
  const SpatialIndex index(space, ticker);
  const std::vector<double> plain = PlainShares(space, constraints, index).run(ticker);
  LowerBound bound;
  if (const int rounds = rounds_for(options, space.size()); rounds > 0)
    bound = PricedBound(space, constraints, options, index, plain, rounds, ticker).run();
  bound.value = std::max(bound.value, sum_of(plain)) * (1 - kMargin);
  return bound;
}

}  // namespace anonkit
