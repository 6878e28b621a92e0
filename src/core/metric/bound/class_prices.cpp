#include "metric/bound/class_prices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "metric/bound/class_pool.hpp"
#include "metric/bound/least_excesses.hpp"
#include "metric/bound/margin.hpp"

namespace anonkit {
namespace {

// The pool's ascents from the best prices grow longer while they succeed.
constexpr int kFewest = 4, kMost = 256;
constexpr double kLonger = 1.6;
// The prices that are tried lie between the best ones and those of the ascent, at a share of the
// way that shrinks while they fail.
constexpr double kFarther = 1.5, kLeastShare = 0.1;
// A share of the bound that is not worth further rounds.
constexpr double kEnough = 1e-4;
constexpr double kUnproven = -std::numeric_limits<double>::infinity();

class Rounds {
 public:
  Rounds(const ClassPrices& how, const Space& space, Progress& progress, Ticker& ticker)
      : how_(how),
        points_(space, how.largest, ticker),
        pool_(points_),
        progress_(progress),
        ticker_(ticker) {}

  double run(const std::vector<double>& of_records) {
    std::vector<double> prices = of_points(of_records);
    for (std::int32_t i = 0; i < points_.size(); ++i) pool_.add(nearest_class(i, prices));
    // No class violates the first prices.
    double best = value(prices, 0);
    std::vector<double> centre = prices;
    int steps = kFewest;
    double share = 1;
    while (progress_.before_round(0) < 1) {
      prices = centre;
      const double hoped = pool_.ascend(prices, steps, best, ticker_);
      if (hoped <= best * (1 + kEnough)) {
        if (steps == kMost) break;
        steps = std::min(2 * steps, kMost);
        continue;
      }
      for (std::size_t i = 0; i < prices.size(); ++i)
        prices[i] = centre[i] + share * (prices[i] - centre[i]);
      const double reached = value(prices, kUnproven);
      if (reached > best) {
        best = reached;
        centre = prices;
        share = std::min(1.0, kFarther * share);
        steps = std::min(kMost, static_cast<int>(kLonger * steps));
      } else if (share > kLeastShare) {
        share /= 2;
      } else {
        break;
      }
    }
    return best;
  }

 private:
  // Equal records can have different prices; their mean violates nothing, either.
  std::vector<double> of_points(const std::vector<double>& of_records) const {
    std::vector<double> prices(at(points_.size()));
    for (std::size_t record = 0; record < of_records.size(); ++record)
      prices[at(points_.of_record()[record])] += of_records[record];
    for (std::int32_t i = 0; i < points_.size(); ++i) prices[at(i)] /= points_.weight(i);
    return prices;
  }

  /// A record of point i and those nearest to it, as many as have the least excess.
  ClassColumn nearest_class(std::int32_t i, const std::vector<double>& prices) const {
    ClassColumn best = nearest_class(i, how_.smallest);
    for (Record size = how_.smallest + 1; size <= how_.largest; ++size)
      if (ClassColumn one = nearest_class(i, size); one.excess(prices) < best.excess(prices))
        best = std::move(one);
    return best;
  }

  ClassColumn nearest_class(std::int32_t i, Record size) const {
    std::vector<ClassColumn::Member> members;
    for (const std::int32_t one : points_.nearest(i)) {
      if (size == 0) break;
      members.push_back({one, std::min(points_.weight(one), size)});
      size -= members.back().records;
    }
    return ClassColumn(points_, std::move(members));
  }

  /// The value of the prices, if no excess is below `floor`; minus infinity if the progress ends.
  /// Adds the classes that it meets.
  double value(const std::vector<double>& prices, double floor) {
    LeastExcesses excesses(points_, prices, pool_, how_.smallest, how_.largest);
    const bool complete = excesses.prove(floor, how_.threads, progress_, ticker_);
    for (const ClassColumn& column : excesses.columns()) pool_.add(column);
    if (!complete) return kUnproven;
    double sum = 0, size = 0;
    for (std::int32_t i = 0; i < points_.size(); ++i) {
      const double price = prices[at(i)], excess = excesses.proven()[at(i)];
      sum += points_.weight(i) * (price + excess);
      size += points_.weight(i) * (std::fabs(price) + std::fabs(excess));
    }
    return sum - kMargin * size;
  }

  const ClassPrices& how_;
  const ClassPoints points_;
  ClassPool pool_;
  Progress& progress_;
  Ticker& ticker_;
};

}  // namespace

double ClassPrices::raise(const Space& space, const std::vector<double>& prices, Progress& progress,
                          Ticker& ticker) const {
  return Rounds(*this, space, progress, ticker).run(prices);
}

}  // namespace anonkit
