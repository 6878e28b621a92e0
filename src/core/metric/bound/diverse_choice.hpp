#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace anonkit {

/// The cost of partners that do not exist.
constexpr double kImpossible = std::numeric_limits<double>::infinity();

/// A possible partner of a record, and its cost.
struct Offer {
  double cost;
  std::int32_t partner;  ///< kNone: outside the block
};

/// Ties go to the lower partner, so that every standard library gives the same result.
constexpr bool cheaper(const Offer& a, const Offer& b) {
  return a.cost < b.cost || (a.cost == b.cost && a.partner < b.partner);
}

/// The partners of a record have at least `others` values other than its own.
struct PartnerConstraint {
  std::vector<std::int32_t> values;  ///< by record of the block
  std::int32_t others;
};

/// The cheapest partners that bring enough values, for one attribute after another.
///
/// Under one constraint the choice is exact. Take the `others` values whose cheapest offers cost
/// least. Some cheapest choice holds the cheapest offer of each of them. It can replace an offer of
/// its own value, or one of a value that is not among them. The rest are the cheapest of all
/// others. Under several constraints, the choice for the costliest one is a lower bound. A partner
/// outside the block may have any value, so each counts as a value of its own.
class DiverseChoice {
 public:
  explicit DiverseChoice(std::vector<PartnerConstraint> constraints);

  bool empty() const { return constraints_.empty(); }
  /// The most other values that an attribute requires.
  std::int32_t most_others() const { return most_others_; }

  /// An upper bound on the cost of offers whose value makes them part of a choice. Offers that cost
  /// as much or more can be left out. Infinity if more offers are needed. O(offers).
  double enough(std::int32_t i, const std::vector<Offer>& offers);

  /// Moves the cheapest choice of `count` partners of record i to the front. Returns its cost, or
  /// infinity if there is none. Requires most_others() <= count. O(offers) per constraint.
  double choose(std::int32_t i, std::int32_t count, std::vector<Offer>& offers);

 private:
  double choose(const PartnerConstraint& constraint, std::int32_t i, std::int32_t count,
                std::vector<Offer>& offers);
  bool find(const PartnerConstraint& constraint, std::int32_t i, const std::vector<Offer>& offers);

  std::vector<PartnerConstraint> constraints_;
  std::int32_t most_others_ = 0;
  std::vector<std::size_t> found_;      ///< places of the cheapest offers of the required values
  std::vector<std::int32_t> of_value_;  ///< by value: the place of its cheapest offer in found_
};

}  // namespace anonkit
