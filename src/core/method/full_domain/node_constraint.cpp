#include "method/full_domain/node_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/logarithm.hpp"

namespace anonkit {
namespace {

std::vector<std::int64_t> count_ranks(const ClassRuns& runs, std::size_t values,
                                      const std::vector<char>* kept) {
  std::vector<std::int64_t> records(values, 0);
  for (std::size_t c = 0; c + 1 < runs.begin.size(); ++c)
    if (kept == nullptr || (*kept)[c])
      for (const Emd::Run& run : runs.of(c)) records[at(run.rank)] += run.count;
  return records;
}

std::size_t values_of(const ClassRuns& runs) {
  std::int32_t most = -1;
  for (const Emd::Run& run : runs.runs) most = std::max(most, run.rank);
  return at(most + 1);
}

std::int32_t distinct(const Emd::Runs& runs) {
  return static_cast<std::int32_t>(runs.last - runs.first);
}

/// Entropy l-diversity: log s - (1/s) sum of c log c >= log l. Equality of fractions must not fail
/// by rounding.
bool entropy_diverse(const Emd::Runs& runs, Record size, double l) {
  double sum = 0;
  for (const Emd::Run& run : runs) sum += run.count * logarithm(run.count);
  return logarithm(size) - sum / size >= logarithm(l) - 1e-13;
}

/// Recursive (c,l)-diversity: r_1 < c (r_l + ... + r_m), the counts in descending order.
bool recursive_diverse(const Emd::Runs& runs, double c, std::int32_t l,
                       std::vector<std::int32_t>* counts) {
  if (distinct(runs) < l) return false;
  counts->clear();
  for (const Emd::Run& run : runs) counts->push_back(run.count);
  const auto r_l = counts->begin() + (l - 1);
  std::nth_element(counts->begin(), r_l, counts->end(), std::greater<>());
  const double r_1 = *std::max_element(counts->begin(), r_l + 1);
  return r_1 / std::accumulate(r_l, counts->end(), 0.0) < c;
}

/// (k,e)-anonymity: the range of the numbers; null, the last rank, is not a number.
double range_of(const Emd::Runs& runs, const std::vector<double>& numbers) {
  Emd::Runs known = runs;
  if (known.first != known.last && at((known.last - 1)->rank) >= numbers.size()) --known.last;
  if (known.first == known.last) return 0;
  return numbers[at((known.last - 1)->rank)] - numbers[at(known.first->rank)];
}

/// The least number of distinct values of a class, implied by the models.
std::int32_t implied_values(const Promises& promises) {
  double least = promises.l;
  // Entropy is at most the logarithm of the number of values; the largest share is at least its
  // inverse.
  least = std::max(least, std::ceil(promises.entropy_l - 1e-9));
  if (promises.alpha > 0) least = std::max(least, std::ceil(1 / promises.alpha - 1e-9));
  return static_cast<std::int32_t>(std::min(least, 2e9));
}

}  // namespace

Record suppression_budget(double max_suppression, Record records) {
  if (!(max_suppression >= 0 && max_suppression <= 1))
    throw Error(ErrorKind::invalid_parameter, "max_suppression is out of range",
                "It is a share of the records, between 0 and 1.");
  return static_cast<Record>(std::floor(max_suppression * records + 1e-9));
}

NodeConstraint::NodeConstraint(const FullDomainProblem& problem, const Frequencies& leaves)
    : promises_(problem.promises),
      k_(problem.k),
      budget_(suppression_budget(problem.max_suppression.value_or(0), problem.records)),
      counts_holders_(!problem.units.empty() && std::max(promises_.p, promises_.l) > 1),
      upward_closed_(!(counts_holders_ || promises_.t_close() || promises_.entropy_l > 0 ||
                       promises_.c > 0 || promises_.alpha > 0)),
      least_distinct_(implied_values(promises_)) {
  if (promises_.e > 0 &&
      std::all_of(problem.sensitive.begin(), problem.sensitive.end(),
                  [](const SensitiveAttribute& attribute) { return attribute.numbers.empty(); }))
    throw Error(ErrorKind::invalid_parameter, "(k,e)-anonymity needs a numeric sensitive column");
  for (std::size_t a = 0; a < problem.sensitive.size(); ++a) {
    const SensitiveAttribute& attribute = problem.sensitive[a];
    const auto records = count_ranks(leaves.sensitive[a], values_of(leaves.sensitive[a]), nullptr);
    SensitiveAttribute measured;
    if (promises_.t_close()) {  // otherwise there may be no taxonomy
      measured.distance = attribute.distance;
      measured.t = attribute.t;
      measured.taxonomy = attribute.taxonomy;
    }
    sensitive_.push_back(
        {attribute.numbers, attribute.lifted,
         counts_holders_ ? held_values(attribute, problem.units) : std::vector<HeldValue>(),
         measured, records.size(), Emd(measured, records)});
  }
}

bool NodeConstraint::diverse(const Emd::Runs& runs, Record size) const {
  if (promises_.entropy_l > 0 && !entropy_diverse(runs, size, promises_.entropy_l)) return false;
  if (promises_.c > 0 && !recursive_diverse(runs, promises_.c, promises_.l, &scratch_))
    return false;
  if (promises_.alpha <= 0) return true;
  std::int32_t most = 0;
  for (const Emd::Run& run : runs) most = std::max(most, run.count);
  return static_cast<double>(most) / size <= promises_.alpha;
}

bool NodeConstraint::may_keep(const Frequencies& table, std::size_t c) const {
  const Record persons = members(table, c);
  if (persons < std::max({k_, promises_.p, promises_.l})) return false;
  for (std::size_t a = 0; a < sensitive_.size(); ++a) {
    const Emd::Runs runs = table.sensitive[a].of(c);
    if (distinct(runs) < least_distinct_) return false;
    const JudgedValues& attribute = sensitive_[a];
    // Columns without numbers have no range.
    if (promises_.e > 0 && !attribute.numbers.empty() &&
        range_of(runs, attribute.numbers) < promises_.e)
      return false;
    if (promises_.p <= 1) continue;
    if (distinct(runs) < promises_.p) return false;
    if (attribute.lifted.empty()) continue;
    scratch_.clear();
    for (const Emd::Run& run : runs) scratch_.push_back(attribute.lifted[at(run.rank)]);
    std::sort(scratch_.begin(), scratch_.end());
    if (std::unique(scratch_.begin(), scratch_.end()) - scratch_.begin() < promises_.p)
      return false;
  }
  return true;
}

/// The most persons of a class that have one value, or values that are lifted to one.
std::int32_t NodeConstraint::most_holders(const Emd::Runs& pairs,
                                          const std::vector<HeldValue>& held,
                                          const std::vector<std::int32_t>& lifted) const {
  holders_.clear();
  for (const Emd::Run& run : pairs) holders_.push_back(held[at(run.rank)]);
  if (!lifted.empty()) {
    for (HeldValue& one : holders_) one.value = lifted[at(one.value)];
    std::sort(holders_.begin(), holders_.end());
  }
  std::int32_t most = 0, holders = 0;
  for (std::size_t i = 0; i < holders_.size(); ++i) {
    if (i > 0 && !(holders_[i - 1] < holders_[i])) continue;
    holders = i > 0 && holders_[i - 1].value == holders_[i].value ? holders + 1 : 1;
    most = std::max(most, holders);
  }
  return most;
}

/// True if for every value l - 1 persons of the class lack it, and p - 1 for every lifted value.
bool NodeConstraint::enough_persons_without(const Frequencies& table, std::size_t c) const {
  const Record persons = members(table, c);
  for (std::size_t a = 0; a < sensitive_.size(); ++a) {
    const JudgedValues& attribute = sensitive_[a];
    const Emd::Runs pairs = table.pairs[a].of(c);
    if (persons - most_holders(pairs, attribute.held, {}) < promises_.l - 1) return false;
    if (persons - most_holders(pairs, attribute.held, attribute.lifted) < promises_.p - 1)
      return false;
  }
  return true;
}

bool NodeConstraint::keeps(const Frequencies& table, std::size_t c) const {
  if (!may_keep(table, c)) return false;
  if (counts_holders_ && !enough_persons_without(table, c)) return false;
  for (std::size_t a = 0; a < sensitive_.size(); ++a)
    if (!diverse(table.sensitive[a].of(c), table.sizes[c])) return false;
  return true;
}

bool NodeConstraint::close_to_table(const Frequencies& table, std::size_t c) const {
  for (std::size_t a = 0; a < sensitive_.size(); ++a) {
    const Emd& emd = sensitive_[a].table;
    if (!emd.within(emd.cost(table.sensitive[a].of(c)), table.sizes[c])) return false;
  }
  return true;
}

template <class Holds>
void NodeConstraint::judge_by(const Frequencies& table, Record budget, Holds keeps,
                              const Suppress& suppress, Outcome* outcome) const {
  outcome->feasible = false;
  outcome->suppressed = outcome->classes = 0;
  outcome->kept.assign(table.classes(), 0);
  for (std::size_t c = 0; c < table.classes(); ++c) {
    if (keeps(c)) {
      outcome->kept[c] = 1;
      ++outcome->classes;
      continue;
    }
    outcome->suppressed += table.sizes[c];
    if (outcome->suppressed > budget || (suppress && suppress(c))) return;
  }
  outcome->feasible = outcome->classes > 0;
}

void NodeConstraint::judge_relaxed(const Frequencies& table, Outcome* outcome) const {
  judge_by(
      table, budget_, [&](std::size_t c) { return may_keep(table, c); }, {}, outcome);
}

void NodeConstraint::judge(const Frequencies& table, Outcome* outcome,
                           const Suppress& suppress) const {
  judge_within(table, budget_, suppress, outcome);
}

void NodeConstraint::judge_all(const Frequencies& table, Outcome* outcome) const {
  judge_within(table, std::numeric_limits<Record>::max(), {}, outcome);
}

void NodeConstraint::judge_within(const Frequencies& table, Record budget, const Suppress& suppress,
                                  Outcome* outcome) const {
  // Without suppression the table's distribution is the release's.
  const bool close = promises_.t_close() && budget > 0;
  const auto publishable = [&](std::size_t c) { return close ? keeps(table, c) : good(table, c); };
  judge_by(table, budget, publishable, suppress, outcome);
  if (close && outcome->feasible) make_close(table, budget, suppress, outcome);
}

namespace {

/// The distance from the distribution of the published records. In an ordered attribute only
/// published values have a rank.
class PublishedEmd {
 public:
  PublishedEmd(const SensitiveAttribute& attribute, std::vector<std::int64_t> records)
      : ranks_(ranks_of(attribute, &records)), emd_(attribute, records) {}

  bool within(const Emd::Runs& runs, Record size) {
    if (ranks_.empty()) return emd_.within(emd_.cost(runs), size);
    scratch_.clear();
    for (const Emd::Run& run : runs) scratch_.push_back({ranks_[at(run.rank)], run.count});
    return emd_.within(emd_.cost(Emd::Runs{scratch_.data(), scratch_.data() + scratch_.size()}),
                       size);
  }

 private:
  /// The new rank of every rank; empty if none changes.
  static std::vector<std::int32_t> ranks_of(const SensitiveAttribute& attribute,
                                            std::vector<std::int64_t>* records) {
    std::vector<std::int32_t> ranks;
    if (attribute.distance != GroundDistance::ordered ||
        std::find(records->begin(), records->end(), 0) == records->end())
      return ranks;
    std::int32_t next = 0;
    for (const std::int64_t count : *records) ranks.push_back(count > 0 ? next++ : -1);
    records->erase(std::remove(records->begin(), records->end(), 0), records->end());
    return ranks;
  }

  std::vector<std::int32_t> ranks_;
  Emd emd_;
  std::vector<Emd::Run> scratch_;
};

}  // namespace

void NodeConstraint::make_close(const Frequencies& table, Record budget, const Suppress& suppress,
                                Outcome* outcome) const {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<PublishedEmd> published;
    for (std::size_t a = 0; a < sensitive_.size(); ++a)
      published.emplace_back(sensitive_[a].measured,
                             count_ranks(table.sensitive[a], sensitive_[a].values, &outcome->kept));
    for (std::size_t c = 0; c < table.classes(); ++c) {
      if (!outcome->kept[c]) continue;
      for (std::size_t a = 0; a < published.size() && outcome->kept[c]; ++a)
        if (!published[a].within(table.sensitive[a].of(c), table.sizes[c])) outcome->kept[c] = 0;
      if (outcome->kept[c]) continue;
      changed = true;
      --outcome->classes;
      outcome->suppressed += table.sizes[c];
      if (outcome->suppressed > budget || outcome->classes == 0 || (suppress && suppress(c))) {
        outcome->feasible = false;
        return;
      }
    }
  }
}

}  // namespace anonkit
