#include "metric/lower_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/at.hpp"
#include "metric/bound/ascent.hpp"
#include "metric/bound/blocks.hpp"
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

/// By record: its share in the plain bound.
std::vector<double> plain_shares(const Space& space, Record k, const SpatialIndex& index,
                                 Ticker& ticker) {
  // A partition of n < 2k records has one class, of n records.
  const Record largest = std::min(2 * k - 1, space.size());
  const Record smallest = space.size() < 2 * k ? space.size() : k;
  std::vector<Neighbour> nearest;
  std::vector<double> shares;
  for (Record i = 0; i < space.size(); ++i) {
    // The record itself, or one at the same place, comes first: at distance 0.
    index.nearest(space.row(i), largest, nearest);
    double sum = 0, least = std::numeric_limits<double>::infinity();
    for (Record m = 1; m <= largest; ++m) {
      sum += nearest[at(m - 1)].distance;
      if (m >= smallest) least = std::min(least, sum / (2.0 * m));
    }
    shares.push_back(least);
    ticker.advance(1);
  }
  return shares;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The completed share of the ascent of a block, by rounds and by the clock.
class Progress {
 public:
  Progress(const BoundOptions& options, int rounds, std::size_t block, std::size_t blocks)
      : clock_(options.clock),
        rounds_(rounds),
        first_(static_cast<double>(block) / static_cast<double>(blocks)),
        share_(1.0 / static_cast<double>(blocks)) {}

  double operator()() {
    const double done = static_cast<double>(round_++) / rounds_;
    const double gone = clock_ ? (clock_() - first_) / share_ : 0;
    if (gone <= done) return done;
    reproducible_ = false;
    return gone;
  }

  bool reproducible() const { return reproducible_; }

 private:
  const std::function<double()>& clock_;
  int rounds_;
  double first_, share_;
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
  PricedBound(const Space& space, Record k, const BoundOptions& options, const SpatialIndex& index,
              const std::vector<double>& plain, int rounds, Ticker& ticker)
      : space_(space),
        k_(k),
        options_(options),
        index_(index),
        plain_(plain),
        rounds_(rounds),
        ticker_(ticker) {}

  LowerBound run() {
    const std::vector<std::vector<Record>> blocks =
        cut_into_blocks(space_, options_.block, ticker_);
    ticker_.begin("raising the bound", std::int64_t{rounds_} * space_.size());
    LowerBound bound;
    for (std::size_t at = 0; at < blocks.size(); ++at) {
      // The bound needs all blocks, since a class may have records in several.
      if (options_.clock && options_.clock() >= 1) return {0, false};
      Progress progress(options_, rounds_, at, blocks.size());
      bound.value += of_block(blocks[at], blocks.size() > 1, progress);
      bound.reproducible = bound.reproducible && progress.reproducible();
    }
    return bound;
  }

 private:
  double of_block(const std::vector<Record>& block, bool has_outside, Progress& progress) const {
    double plain = 0;
    for (const Record i : block) plain += plain_[at(i)];
    const double mean = plain / static_cast<double>(block.size());
    // Shares without prices are never below 0.
    if (!(mean > 1e-250)) return 0;
    const double unit = std::ldexp(1.0, std::ilogb(mean) - kUnitsOfShare);
    const BlockDistances distances(space_, block, unit, has_outside ? &index_ : nullptr, 2 * k_ - 2,
                                   ticker_);
    Shares shares(distances, k_, 2 * k_ - 1, std::min(kNear + kNearEachK * k_, kNearMost), ticker_);
    return unit * raise_prices(
                      shares, plain / unit, [&] { return progress(); }, ticker_);
  }

  const Space& space_;
  Record k_;
  const BoundOptions& options_;
  const SpatialIndex& index_;
  const std::vector<double>& plain_;
  int rounds_;
  Ticker& ticker_;
};

}  // namespace

double plain_sse_lower_bound(const Space& space, Record k, Ticker& ticker) {
  ticker.begin("lower bound", space.size());
  const SpatialIndex index(space, ticker);
  return sum_of(plain_shares(space, k, index, ticker)) * (1 - kMargin);
}

LowerBound sse_lower_bound(const Space& space, Record k, const BoundOptions& options,
                           Ticker& ticker) {
  if (k == 1) return {};
  if (space.size() < 2 * k) return {sst(space) * (1 - kMargin)};
  if (k > kLargestK) return {plain_sse_lower_bound(space, k, ticker)};
  ticker.begin("lower bound", space.size());
  const SpatialIndex index(space, ticker);
  const std::vector<double> plain = plain_shares(space, k, index, ticker);
  LowerBound bound;
  if (const int rounds = rounds_for(options, space.size()); rounds > 0)
    bound = PricedBound(space, k, options, index, plain, rounds, ticker).run();
  bound.value = std::max(bound.value, sum_of(plain)) * (1 - kMargin);
  return bound;
}

}  // namespace anonkit
