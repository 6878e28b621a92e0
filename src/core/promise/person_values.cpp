#include "promise/person_values.hpp"

#include <algorithm>
#include <limits>

#include "base/at.hpp"

namespace anonkit {

PersonFacts facts_of(const std::vector<std::int32_t>& ranks,
                     const std::vector<std::int32_t>& units) {
  PersonFacts facts;
  for (std::size_t i = 0; i < ranks.size(); ++i) facts.push_back({units[i], ranks[i]});
  return facts;
}

bool PersonFrequencies::holds(const PersonFacts& facts) const {
  values_.clear();
  std::int32_t persons = 0;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (i > 0 && facts[i] == facts[i - 1]) continue;
    persons += i == 0 || facts[i].unit != facts[i - 1].unit ? 1 : 0;
    values_.push_back(facts[i].rank);
  }
  if (persons < least_) return false;
  std::sort(values_.begin(), values_.end());
  return model_(count_runs(values_, &runs_), persons);
}

// Compares each person's least and greatest number with those of the previous persons.
bool PersonRange::holds(const PersonFacts& facts) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double least = kInfinity, greatest = -kInfinity;  // of the previous persons
  for (auto first = facts.begin(); first != facts.end();) {
    auto last = first;
    double low = kInfinity, high = -kInfinity;
    for (; last != facts.end() && last->unit == first->unit; ++last) {
      if (at(last->rank) >= numbers_.size()) continue;  // null
      low = std::min(low, numbers_[at(last->rank)]);
      high = std::max(high, numbers_[at(last->rank)]);
    }
    if (high - least >= e_ || greatest - low >= e_) return true;
    least = std::min(least, low);
    greatest = std::max(greatest, high);
    first = last;
  }
  return false;
}

}  // namespace anonkit
