#include "metric/bound/diverse_choice.hpp"

#include <algorithm>
#include <utility>

#include "base/at.hpp"
#include "base/record.hpp"

namespace anonkit {
namespace {}  // namespace

DiverseChoice::DiverseChoice(std::vector<PartnerConstraint> constraints)
    : constraints_(std::move(constraints)) {
  std::int32_t values = 0;
  for (const PartnerConstraint& constraint : constraints_) {
    most_others_ = std::max(most_others_, constraint.others);
    values =
        std::max(values, 1 + *std::max_element(constraint.values.begin(), constraint.values.end()));
  }
  of_value_.assign(at(values), kNone);
}

// Any cheapest choice takes the required values at no more than the cost of their cheapest offers
// found so far. A dearer offer could only fill up, and fillers are compared apart from this.
double DiverseChoice::enough(std::int32_t i, const std::vector<Offer>& offers) {
  double most = 0;
  for (const PartnerConstraint& constraint : constraints_) {
    if (!find(constraint, i, offers)) return kImpossible;
    for (const std::size_t place : found_) most = std::max(most, offers[place].cost);
  }
  return most;
}

// Each constraint alone relaxes the problem of all constraints. The largest of their minima is
// therefore the best lower bound among them, and its partners are those that the prices react to.
double DiverseChoice::choose(std::int32_t i, std::int32_t count, std::vector<Offer>& offers) {
  double most = -kImpossible;
  std::size_t costliest = 0;
  for (std::size_t a = 0; a < constraints_.size(); ++a) {
    const double cost = choose(constraints_[a], i, count, offers);
    if (!(cost > most)) continue;
    most = cost;
    costliest = a;
  }
  if (costliest + 1 < constraints_.size()) choose(constraints_[costliest], i, count, offers);
  return most;
}

// An exchange argument: `others` distinct values at their cheapest, then the cheapest of all that
// is left. The offers found move to the front in ascending places, so no swap moves one of them
// twice.
double DiverseChoice::choose(const PartnerConstraint& constraint, std::int32_t i,
                             std::int32_t count, std::vector<Offer>& offers) {
  if (offers.size() < at(count) || !find(constraint, i, offers)) return kImpossible;
  std::sort(found_.begin(), found_.end());
  for (std::size_t m = 0; m < found_.size(); ++m) std::swap(offers[m], offers[found_[m]]);
  const auto others = offers.begin() + constraint.others;
  if (constraint.others < count)
    std::nth_element(others, offers.begin() + (count - 1), offers.end(), cheaper);
  double sum = 0;
  for (std::size_t m = 0; m < at(count); ++m) sum += offers[m].cost;
  return sum;
}

// Lists the cheapest offer of each other value, and keeps the cheapest of these.
bool DiverseChoice::find(const PartnerConstraint& constraint, std::int32_t i,
                         const std::vector<Offer>& offers) {
  found_.clear();
  const std::int32_t own = constraint.values[at(i)];
  for (std::size_t m = 0; m < offers.size(); ++m) {
    const std::int32_t partner = offers[m].partner;
    if (partner == kNone) {
      found_.push_back(m);
      continue;
    }
    const std::int32_t value = constraint.values[at(partner)];
    if (value == own) continue;
    std::int32_t& place = of_value_[at(value)];
    if (place == kNone) {
      place = static_cast<std::int32_t>(found_.size());
      found_.push_back(m);
    } else if (cheaper(offers[m], offers[found_[at(place)]])) {
      found_[at(place)] = m;
    }
  }
  for (const std::size_t m : found_)
    if (offers[m].partner != kNone) of_value_[at(constraint.values[at(offers[m].partner)])] = kNone;
  if (found_.size() < at(constraint.others)) return false;
  std::nth_element(found_.begin(), found_.begin() + (constraint.others - 1), found_.end(),
                   [&](std::size_t a, std::size_t b) {
                     return cheaper(offers[a], offers[b]) ||
                            (!cheaper(offers[b], offers[a]) && a < b);
                   });
  found_.resize(at(constraint.others));
  return true;
}

}  // namespace anonkit
