#include "constraint/promised.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "constraint/distinct_values.hpp"
#include "constraint/entropy_diversity.hpp"
#include "constraint/largest_share.hpp"
#include "constraint/person_values.hpp"
#include "constraint/rare_values.hpp"
#include "constraint/recursive_diversity.hpp"
#include "constraint/t_closeness.hpp"
#include "constraint/value_range.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::vector<std::int32_t>>;

Codes codes_of(const std::vector<SensitiveAttribute>& attributes) {
  Codes codes;
  for (const SensitiveAttribute& attribute : attributes) codes.push_back(attribute.ranks);
  return codes;
}

Codes counted_codes_of(const std::vector<SensitiveAttribute>& attributes) {
  Codes codes;
  for (const SensitiveAttribute& attribute : attributes) codes.push_back(counted_codes(attribute));
  return codes;
}

void add_of_each(const SensitiveAttribute& attribute, const Promises& promises,
                 Constraints* added) {
  const std::vector<std::int32_t>& ranks = attribute.ranks;
  if (promises.entropy_l > 0)
    added->push_back(std::make_unique<EntropyDiversity>(ranks, promises.entropy_l));
  if (promises.c > 0)
    added->push_back(std::make_unique<RecursiveDiversity>(ranks, promises.c, promises.l));
  if (promises.alpha > 0) added->push_back(std::make_unique<LargestShare>(ranks, promises.alpha));
  if (promises.e > 0 && !attribute.numbers.empty())
    added->push_back(std::make_unique<ValueRange>(ranks, attribute.numbers, promises.e));
  if (promises.kpqr()) {
    if (!attribute.lifted.empty())
      throw Error(ErrorKind::invalid_parameter,
                  "(k,p,q,r)-anonymity cannot be combined with protected values");
    added->push_back(std::make_unique<RareValues>(attribute, promises.p, promises.q, promises.r,
                                                  promises.variance_of));
  }
  if (promises.t_close()) added->push_back(std::make_unique<TClosenessConstraint>(attribute));
}

void add_of_each(const SensitiveAttribute& attribute, const Promises& promises,
                 const std::vector<std::int32_t>& units, Constraints* added) {
  const std::vector<std::int32_t>& ranks = attribute.ranks;
  const auto add = [&](std::unique_ptr<const SortedValues> model, std::int32_t l) {
    added->push_back(std::make_unique<PersonFrequencies>(ranks, units, std::move(model), l));
  };
  if (promises.p > 0 && !promises.kpqr())
    added->push_back(
        std::make_unique<PersonDiversity>(counted_codes(attribute), units, promises.p));
  if (promises.l > 0 && !(promises.c > 0))
    added->push_back(std::make_unique<PersonDiversity>(ranks, units, promises.l));
  if (promises.entropy_l > 0)
    added->push_back(std::make_unique<PersonEntropy>(ranks, units, promises.entropy_l));
  if (promises.c > 0)
    add(std::make_unique<RecursiveDiversity>(ranks, promises.c, promises.l), promises.l);
  if (promises.alpha > 0) add(std::make_unique<LargestShare>(ranks, promises.alpha), 1);
  if (promises.e > 0 && !attribute.numbers.empty())
    added->push_back(std::make_unique<PersonRange>(ranks, units, attribute.numbers, promises.e));
  if (promises.kpqr())
    throw Error(ErrorKind::invalid_parameter, "(k,p,q,r)-anonymity cannot be combined with a unit");
  if (promises.t_close()) added->push_back(std::make_unique<PersonCloseness>(attribute, units));
}

}  // namespace

Constraints promised_constraints(const std::vector<SensitiveAttribute>& attributes,
                                 const Promises& promises, const Persons& persons) {
  Constraints constraints;
  const std::vector<std::int32_t>& units = persons.units;
  if (!units.empty())
    constraints.push_back(std::make_unique<DistinctValues>(
        Codes{units}, std::max({persons.k, promises.p, promises.l, 1})));
  if (attributes.empty()) return constraints;
  if (promises.e > 0 &&
      std::all_of(attributes.begin(), attributes.end(),
                  [](const auto& attribute) { return attribute.numbers.empty(); }))
    throw Error(ErrorKind::invalid_parameter, "(k,e)-anonymity needs a numeric sensitive column");
  // In ascending order of cost, since the search evaluates them in this order. Distinct values are
  // a part of the models of persons, at less cost.
  if (promises.p > 0 && !promises.kpqr())
    constraints.push_back(
        std::make_unique<DistinctValues>(counted_codes_of(attributes), promises.p));
  if (promises.l > 0 && !(promises.c > 0))
    constraints.push_back(std::make_unique<DistinctValues>(codes_of(attributes), promises.l));
  for (const SensitiveAttribute& attribute : attributes) {
    if (units.empty())
      add_of_each(attribute, promises, &constraints);
    else
      add_of_each(attribute, promises, units, &constraints);
  }
  return constraints;
}

std::vector<Constraint*> pointers(const Constraints& constraints) {
  std::vector<Constraint*> all;
  for (const auto& constraint : constraints) all.push_back(constraint.get());
  return all;
}

bool all_allow(const Constraints& constraints, const RecordSpan& members) {
  return std::all_of(constraints.begin(), constraints.end(),
                     [&](const auto& constraint) { return constraint->allows(members); });
}

}  // namespace anonkit
