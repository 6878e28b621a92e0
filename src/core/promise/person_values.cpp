#include "promise/person_values.hpp"

#include <algorithm>
#include <limits>

#include "base/at.hpp"
#include "base/logarithm.hpp"

namespace anonkit {
namespace {

/// Bounds the weight of a class in an entropy: a double holds it.
constexpr std::int64_t kMostWeight = std::int64_t{1} << 53;

}  // namespace

PersonFacts facts_of(const std::vector<std::int32_t>& ranks,
                     const std::vector<std::int32_t>& units) {
  PersonFacts facts;
  for (std::size_t i = 0; i < ranks.size(); ++i) facts.push_back({units[i], ranks[i]});
  return facts;
}

bool PersonDiversity::holds(const PersonFacts& facts) const {
  values_.clear();
  std::int32_t persons = 0;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (i > 0 && facts[i] == facts[i - 1]) continue;
    persons += i == 0 || facts[i].unit != facts[i - 1].unit ? 1 : 0;
    values_.push_back(facts[i].rank);
  }
  std::sort(values_.begin(), values_.end());
  const Emd::Runs runs = count_runs(values_, &runs_);
  std::int32_t most = 0;
  for (const Emd::Run& run : runs) most = std::max(most, run.count);
  return distinct(runs) >= l_ && persons - most >= l_ - 1 && holds(facts, runs, persons);
}

// log s - (1/s) * sum of w log w is the entropy of weights w of sum s.
bool PersonEntropy::holds(const PersonFacts& facts, const Emd::Runs&, std::int32_t) const {
  const auto size = static_cast<double>(PersonEmd::share(facts, kMostWeight, &weights_));
  double sum = 0;
  for (const PersonEmd::Weight& one : weights_) {
    const auto weight = static_cast<double>(one.weight);
    sum += weight * logarithm(weight);
  }
  return logarithm(size) - sum / size >= least_;
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
