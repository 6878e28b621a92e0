#include "metric/bound/ascent.hpp"

#include <algorithm>
#include <cmath>

namespace anonkit {
namespace {

constexpr double kFirstStep = 1.5, kLastStep = 0.01;
// A step aims at this multiple of the best sum.
constexpr double kTarget = 1.1;

/// Three kinds of prices: of records (paid for each partner, and by it), of pairs and of triples.
/// Scales of the steps let each kind move the shares about equally.
class Ascent {
 public:
  Ascent(Shares& shares, std::int32_t smallest, Ticker& ticker)
      : shares_(shares),
        ticker_(ticker),
        pair_scale_(1.0 / (9 * std::max(1, smallest - 2))),
        record_scale_(pair_scale_ / (smallest - 1)),
        of_records_(at(shares.size())),
        use_of_records_(at(shares.size())),
        of_triples_(shares.triples().prices()) {}

  // With g the subgradient at the present prices and d the last direction, the new direction is g +
  // |g|/|d| d, which halves the angle between both (Sherali, Ulular: A primal-dual conjugate
  // subgradient algorithm, 1989). The step is length * gap / |direction|^2, with the gap to a
  // target above the best sum (Polyak 1969; Held, Wolfe, Crowder: Validation of subgradient
  // optimization, 1974).
  /// Moves all prices along a new direction; false if the direction is 0.
  bool step(double length, double gap) {
    measure();
    if (!(steepness_ > 0)) return false;
    const double keep = kept_ > 0 ? std::sqrt(steepness_ / kept_) : 0;
    const double norm = steepness_ + 2 * keep * along_ + keep * keep * kept_;
    if (!(norm > 0)) return false;
    turn(static_cast<float>(keep));
    kept_ = norm;
    return move(static_cast<float>(length * gap / norm));
  }

 private:
  // The squared length of the subgradient, and its product with the direction, each kind in its own
  // scale.
  void measure() {
    steepness_ = along_ = 0;
    measure_pairs();
    measure_records();
    measure_triples();
  }

  // The derivative by the price of a pair is the weight with which i chooses j, less that with
  // which j chooses i, since p(j,i) = -p(i,j).
  void measure_pairs() {
    double squares = 0, product = 0;
    mutual_.clear();
    for (const Shares::Choice& choice : shares_.choices()) {
      squares += static_cast<double>(choice.weight) * choice.weight;
      product += choice.weight * shares_.pairs().direction(choice.record, choice.partner);
      mutual_.push_back({std::min(choice.record, choice.partner),
                         std::max(choice.record, choice.partner), choice.weight});
    }
    std::sort(mutual_.begin(), mutual_.end(), [](const Shares::Choice& a, const Shares::Choice& b) {
      return a.record < b.record || (a.record == b.record && a.partner < b.partner);
    });
    // Two records that choose each other agree on their price.
    for (std::size_t m = 0; m + 1 < mutual_.size(); ++m)
      if (mutual_[m].record == mutual_[m + 1].record &&
          mutual_[m].partner == mutual_[m + 1].partner)
        squares -= 2.0 * mutual_[m].weight * mutual_[m + 1].weight;
    steepness_ += pair_scale_ * squares;
    along_ += product;
  }

  // Record i pays its own price for each partner that it chooses, and receives it from each record
  // that chooses it: p(i,j) contains u(i) - u(j).
  void measure_records() {
    std::fill(use_of_records_.begin(), use_of_records_.end(), 0.0F);
    for (const Shares::Choice& choice : shares_.choices()) {
      use_of_records_[at(choice.record)] += choice.weight;
      use_of_records_[at(choice.partner)] -= choice.weight;
    }
    for (std::size_t i = 0; i < of_records_.size(); ++i) {
      steepness_ += record_scale_ * use_of_records_[i] * use_of_records_[i];
      along_ += static_cast<double>(use_of_records_[i]) * of_records_[i];
    }
  }

  // The six orders of a triple have prices that sum to 0. The derivative is therefore projected on
  // that plane: each order's weight less the mean of the six.
  void measure_triples() {
    ticker_.step(20 * static_cast<std::int64_t>(shares_.triples().triples().size()));
    for (const auto& orders : shares_.triples().triples()) {
      const float mean = mean_use(orders);
      if (mean == 0) continue;
      for (const NearTriples::Place place : orders) {
        const float use = shares_.use(place) - mean;
        steepness_ += static_cast<double>(use) * use;
        along_ += static_cast<double>(use) * of_triples_[place];
      }
    }
  }

  float mean_use(const std::array<NearTriples::Place, 6>& orders) const {
    float sum = 0;
    for (const NearTriples::Place place : orders) sum += shares_.use(place);
    return sum / 6;
  }

  // The new direction: `keep` times the last one, and the subgradient in the scale of each kind.
  void turn(float keep) {
    PairPrices& pairs = shares_.pairs();
    pairs.fade(keep);
    for (const Shares::Choice& choice : shares_.choices())
      pairs.turn(choice.record, choice.partner, static_cast<float>(pair_scale_) * choice.weight);
    for (std::size_t i = 0; i < of_records_.size(); ++i)
      of_records_[i] =
          keep * of_records_[i] + static_cast<float>(record_scale_) * use_of_records_[i];
    for (float& one : of_triples_) one *= keep;
    for (const auto& orders : shares_.triples().triples()) {
      const float mean = mean_use(orders);
      if (mean == 0) continue;
      for (const NearTriples::Place place : orders) of_triples_[place] += shares_.use(place) - mean;
    }
  }

  // Prices are integers, so that sums are exact in any order. The limit keeps costs, which are sums
  // of a few distances and prices, within 32 bits.
  bool move(float step) {
    float largest = 0;
    for (const float one : of_triples_) largest = std::max(largest, std::fabs(one));
    moved_ += 5.0 * (static_cast<double>(step) * largest + 1);
    if (!(moved_ < kLargestPrice) || !shares_.pairs().move(step, of_records_, ticker_))
      return false;
    ticker_.step(20 * static_cast<std::int64_t>(shares_.triples().triples().size()));
    for (const auto& orders : shares_.triples().triples()) {
      // The last order absorbs the rounding of the others.
      std::int32_t sum = 0;
      for (std::size_t m = 0; m < 5; ++m) {
        const auto price = static_cast<std::int32_t>(step * of_triples_[orders[m]]);
        shares_.triples().raise(orders[m], price);
        sum += price;
      }
      shares_.triples().raise(orders[5], -sum);
    }
    return true;
  }

  Shares& shares_;
  Ticker& ticker_;
  double pair_scale_, record_scale_;
  std::vector<float> of_records_, use_of_records_,
      of_triples_;  ///< directions, except use_of_records_
  std::vector<Shares::Choice> mutual_;
  double steepness_ = 0, along_ = 0;
  double kept_ = 0;   ///< the squared length of the direction
  double moved_ = 0;  ///< upper limit of the triples' prices
};

}  // namespace

// The length falls with the cube of the work that is left: long steps find the level of the prices,
// short ones settle them. Every sum on the way is a valid bound, so the largest one counts.
RaisedShares raise_prices(Shares& shares, double plain, const std::function<double()>& progress,
                          Ticker& ticker) {
  Ascent ascent(shares, shares.smallest(), ticker);
  double sum = shares.sum();
  RaisedShares best{sum, shares.least()};
  for (double done = progress(); done < 1; done = progress()) {
    const double left = 1 - done;
    const double length = kLastStep + (kFirstStep - kLastStep) * left * left * left;
    if (!ascent.step(length, kTarget * std::max(best.sum, plain) - sum)) break;
    sum = shares.sum();
    if (sum > best.sum) best = {sum, shares.least()};
  }
  return best;
}

}  // namespace anonkit
