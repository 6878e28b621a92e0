#include "constraint/person_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/logarithm.hpp"
#include "constraint/entropy_diversity.hpp"

namespace anonkit {
namespace {

/// Bounds the weight of a class in an entropy: a double holds it.
constexpr std::int64_t kMostWeight = std::int64_t{1} << 53;

}  // namespace

PersonValues::PersonValues(const std::vector<std::int32_t>& ranks,
                           const std::vector<std::int32_t>& units) {
  for (std::size_t i = 0; i < ranks.size(); ++i) fact_of_.push_back({units[i], ranks[i]});
}

void PersonValues::begin(ClassId capacity) {
  classes_.assign(at(capacity), PersonFacts());
}

bool PersonValues::allows(const RecordSpan& members) const {
  sort_facts(members, &scratch_);
  return holds(scratch_);
}

bool PersonValues::allows(const Change& change) const {
  if (change.out != kNone && change.in != kNone &&
      fact_of_[at(change.out)] == fact_of_[at(change.in)])
    return true;
  scratch_ = classes_[at(change.id)];
  change_facts(change, &scratch_);
  return holds(scratch_);
}

void PersonValues::apply(const Change& change) {
  change_facts(change, &classes_[at(change.id)]);
}

void PersonValues::assign(ClassId id, const RecordSpan& members) {
  sort_facts(members, &classes_[at(id)]);
}

void PersonValues::sort_facts(const RecordSpan& members, PersonFacts* facts) const {
  facts->clear();
  for (const Record i : members) facts->push_back(fact_of_[at(i)]);
  std::sort(facts->begin(), facts->end());
}

void PersonValues::change_facts(const Change& change, PersonFacts* facts) const {
  const auto place = [&](Record i) {
    return std::lower_bound(facts->begin(), facts->end(), fact_of_[at(i)]);
  };
  if (change.out != kNone) facts->erase(place(change.out));
  if (change.in != kNone) facts->insert(place(change.in), fact_of_[at(change.in)]);
}

PersonDiversity::PersonDiversity(const std::vector<std::int32_t>& ranks,
                                 const std::vector<std::int32_t>& units, std::int32_t l)
    : PersonValues(ranks, units), l_(l) {}

bool PersonDiversity::holds(const PersonFacts& facts) const {
  values_.clear();
  std::int32_t persons = 0;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (i > 0 && facts[i] == facts[i - 1]) continue;
    persons += i == 0 || facts[i].unit != facts[i - 1].unit ? 1 : 0;
    values_.push_back(facts[i].rank);
  }
  std::sort(values_.begin(), values_.end());
  std::int32_t distinct = 0, most = 0;
  for_each_value(values_, [&](std::int32_t, std::int32_t count) {
    ++distinct;
    most = std::max(most, count);
  });
  return distinct >= l_ && persons - most >= l_ - 1 && holds(facts, values_, persons);
}

PersonFrequencies::PersonFrequencies(const std::vector<std::int32_t>& ranks,
                                     const std::vector<std::int32_t>& units,
                                     std::unique_ptr<const SortedValues> model, std::int32_t l)
    : PersonDiversity(ranks, units, l), model_(std::move(model)) {}

PersonEntropy::PersonEntropy(const std::vector<std::int32_t>& ranks,
                             const std::vector<std::int32_t>& units, double l)
    : PersonDiversity(ranks, units, static_cast<std::int32_t>(std::ceil(std::min(l, 2e9)))),
      least_(EntropyDiversity::least_entropy(l)) {}

// log s - (1/s) * sum of w log w is the entropy of weights w of sum s.
bool PersonEntropy::holds(const PersonFacts& facts, const SortedValues::Values&,
                          std::int32_t) const {
  const auto size = static_cast<double>(PersonEmd::share(facts, kMostWeight, &weights_));
  double sum = 0;
  for (const PersonEmd::Weight& one : weights_) {
    const auto weight = static_cast<double>(one.weight);
    sum += weight * logarithm(weight);
  }
  return logarithm(size) - sum / size >= least_;
}

PersonRange::PersonRange(const std::vector<std::int32_t>& ranks,
                         const std::vector<std::int32_t>& units, std::vector<double> numbers,
                         double e)
    : PersonValues(ranks, units), numbers_(std::move(numbers)), e_(e) {
  if (!(e > 0))
    throw Error(ErrorKind::invalid_parameter, "e is out of range", "e must be above 0.");
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

PersonCloseness::PersonCloseness(const SensitiveAttribute& attribute,
                                 const std::vector<std::int32_t>& units)
    : PersonValues(attribute.ranks, units), emd_(attribute, units) {}

}  // namespace anonkit
