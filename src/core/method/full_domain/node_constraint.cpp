#include "method/full_domain/node_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "promise/promised.hpp"

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

/// Throws an Error unless every record is one of the population, and some generalisation may keep
/// the promises. The published records are n - b of the population's N at least, b the most that
/// may be suppressed, and their share of all classes together is a mean of those of the classes.
void check_population(const FullDomainProblem& problem, const Frequencies& leaves) {
  for (std::size_t c = 0; c < leaves.classes(); ++c)
    if (leaves.crowds[c] < leaves.sizes[c])
      throw Error(ErrorKind::invalid_data, "the population lacks records of the relation",
                  "Some combination of quasi-identifiers has more records in the relation than in "
                  "the population.");
  const PopulationLimits limits(problem.promises);
  const Record all = problem.population;
  if (all < limits.k_map)
    throw Error(ErrorKind::infeasible, "k_map is larger than the population",
                "k_map is " + std::to_string(limits.k_map) + ", but the population has only " +
                    std::to_string(all) + " records.",
                "Choose a k_map of at most the population.");
  // Datafly suppresses k records unless told otherwise.
  const Record most = problem.max_suppression
                          ? suppression_budget(*problem.max_suppression, problem.records)
                          : problem.k;
  const Record budget = limits.all_classes() ? 0 : most;
  const auto share = [&](Record records) { return static_cast<double>(records) / all; };
  if (share(problem.records) >= limits.least && share(problem.records - budget) <= limits.largest)
    return;
  throw Error(ErrorKind::infeasible, "delta-presence cannot be had",
              "The relation has " + std::to_string(problem.records) + " of the population's " +
                  std::to_string(all) + " records.",
              "Take bounds that include this share.");
}

std::size_t values_of(const ClassRuns& runs) {
  std::int32_t most = -1;
  for (const Emd::Run& run : runs.runs) most = std::max(most, run.rank);
  return at(most + 1);
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
      least_values_(least_values(promises_)),
      counts_holders_(!problem.units.empty() && least_values_ > 1),
      upward_closed_(!counts_holders_),
      limits_(promises_),
      population_limits_(promises_) {
  check_parameters(promises_);
  if (population_limits_.any()) check_population(problem, leaves);
  require_numbers(problem.sensitive, promises_);
  for (const Promise* promise : kPromiseTable) {
    if (!promise->is_made(promises_) || !rows_without_values(*promise)) continue;
    upward_closed_ = upward_closed_ && promise->upward_closed;
    if (rows_of_persons(*promise)) of_persons_.push_back(promise->person_model(promises_));
  }
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
        {{},
         attribute.lifted,
         counts_holders_ ? held_values(attribute, problem.units) : std::vector<HeldValue>(),
         measured,
         records.size(),
         Emd(measured, records)});
    for (const Promise* promise : kPromiseTable) {
      if (!promise->is_made(promises_)) continue;
      upward_closed_ = upward_closed_ && promise->upward_closed;
      ClassModel model = promise->model != nullptr ? promise->model(attribute, promises_) : nullptr;
      if (model) sensitive_.back().models.push_back({std::move(model), promise->upward_closed});
    }
  }
}

bool NodeConstraint::may_keep(const Frequencies& table, std::size_t c) const {
  const Record count = members(table, c);
  if (count < std::max(k_, least_values_)) return false;
  if (!table.crowds.empty() && table.crowds[c] < population_limits_.k_map) return false;
  for (std::size_t a = 0; a < sensitive_.size(); ++a) {
    const Emd::Runs runs = table.sensitive[a].of(c);
    if (distinct(runs) < least_values_) return false;
    for (const JudgedModel& model : sensitive_[a].models)
      if (model.upward_closed && !model.holds(runs, count)) return false;
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

/// True if, for l values promised, l - 1 persons of the class lack each; and so for lifted values.
bool NodeConstraint::enough_persons_without(const Frequencies& table, std::size_t c) const {
  const Record persons = members(table, c);
  const std::int32_t l = least_values(promises_, unlifted_rows);
  const std::int32_t p = least_values(promises_, lifted_rows);
  for (std::size_t a = 0; a < sensitive_.size(); ++a) {
    const JudgedValues& attribute = sensitive_[a];
    const Emd::Runs pairs = table.pairs[a].of(c);
    if (persons - most_holders(pairs, attribute.held, {}) < l - 1) return false;
    if (persons - most_holders(pairs, attribute.held, attribute.lifted) < p - 1) return false;
  }
  return true;
}

bool NodeConstraint::keeps(const Frequencies& table, std::size_t c) const {
  if (!may_keep(table, c)) return false;
  if (!table.crowds.empty() && !population_limits_.keeps(table.sizes[c], table.crowds[c]))
    return false;
  if (counts_holders_ && !enough_persons_without(table, c)) return false;
  for (const ClassModel& model : of_persons_)
    if (!model(table.units.of(c), table.sizes[c])) return false;
  for (std::size_t a = 0; a < sensitive_.size(); ++a)
    for (const JudgedModel& model : sensitive_[a].models)
      if (!model.upward_closed && !model.holds(table.sensitive[a].of(c), table.sizes[c]))
        return false;
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
  if (limits_.any() && outcome->feasible) outcome->feasible = within_risk(table, *outcome);
  if (population_limits_.all_classes() && outcome->feasible)
    outcome->feasible = outcome->classes == static_cast<Record>(table.classes());
}

bool NodeConstraint::within_risk(const Frequencies& table, const Outcome& outcome) const {
  ReleaseRisk risk(limits_);
  for (std::size_t c = 0; c < table.classes(); ++c)
    if (outcome.kept[c]) risk.add(table.sizes[c], members(table, c));
  return risk.within();
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
