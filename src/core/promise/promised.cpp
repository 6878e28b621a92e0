#include "promise/promised.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "promise/distinct_values.hpp"
#include "promise/person_values.hpp"
#include "promise/sorted_members.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::vector<std::int32_t>>;

void add(const Promise& promise, const std::vector<SensitiveAttribute>& attributes,
         const Promises& promises, const std::vector<std::int32_t>& units, Constraints* added) {
  if (!promise.of_persons && !units.empty())
    throw Error(ErrorKind::invalid_parameter,
                std::string(promise.name) + " cannot be combined with a unit");
  if (rows_of_persons(promise) && units.empty())
    throw Error(ErrorKind::invalid_parameter, std::string(promise.name) + " needs a unit");
  if (promise.constrain != nullptr) {
    promise.constrain(attributes, promises, units, added);
    return;
  }
  const std::int32_t least =
      promise.implied_values == nullptr ? 1 : least_members(promise.implied_values(promises));
  if (promise.measured_by == MeasuredBy::distinct_values) {
    Codes codes;
    for (const SensitiveAttribute& attribute : attributes)
      codes.push_back(promise.lifted ? counted_codes(attribute) : attribute.ranks);
    // A part of the condition of persons, at less cost.
    added->push_back(std::make_unique<DistinctValues>(codes, least));
    for (const std::vector<std::int32_t>& code : codes)
      if (!units.empty())
        added->push_back(std::make_unique<PersonDiversity>(facts_of(code, units), least));
    return;
  }
  for (const SensitiveAttribute& attribute : attributes) {
    ClassModel model = promise.model(attribute, promises);
    if (units.empty())
      added->push_back(std::make_unique<ValueFrequencies>(attribute.ranks, std::move(model)));
    else
      added->push_back(std::make_unique<PersonFrequencies>(facts_of(attribute.ranks, units),
                                                           std::move(model), least));
  }
}

}  // namespace

Constraints constraints_for(const Promise& promise,
                            const std::vector<SensitiveAttribute>& attributes,
                            const Promises& promises, const std::vector<std::int32_t>& units) {
  check_parameters(promises);
  Constraints constraints;
  add(promise, attributes, promises, units, &constraints);
  return constraints;
}

void require_numbers(const std::vector<SensitiveAttribute>& attributes, const Promises& promises) {
  const Promise* about_numbers = find_made(
      promises, [](const Promise& promise) { return promise.measured_by == MeasuredBy::numbers; });
  if (about_numbers != nullptr &&
      std::all_of(attributes.begin(), attributes.end(),
                  [](const auto& attribute) { return attribute.numbers.empty(); }))
    throw Error(ErrorKind::invalid_parameter,
                std::string(about_numbers->name) + " needs a numeric sensitive column");
}

Constraints promised_constraints(const std::vector<SensitiveAttribute>& attributes,
                                 const Promises& promises, const Persons& persons) {
  Constraints constraints;
  const std::vector<std::int32_t>& units = persons.units;
  check_parameters(promises);
  if (!units.empty())
    constraints.push_back(std::make_unique<DistinctValues>(
        Codes{units}, std::max(persons.k, least_values(promises))));
  if (!attributes.empty()) require_numbers(attributes, promises);
  for (const Promise* promise : kPromiseTable)
    if (promise->is_made(promises) && !rows_of_release(*promise) && !rows_of_population(*promise) &&
        (!attributes.empty() || rows_of_persons(*promise)))
      add(*promise, attributes, promises, units, &constraints);
  return constraints;
}

ImpliedConstraints implied_constraints(Record k, const std::vector<SensitiveAttribute>& attributes,
                                       const Promises& promises) {
  ImpliedConstraints constraints{k};
  const auto require = [&](std::vector<std::int32_t> values, std::int32_t least) {
    std::vector<std::int32_t> sorted = values;
    // More values than there are cannot be promised: the methods refuse that.
    if (least < 2 || least > count_distinct(&sorted)) return;
    constraints.smallest = std::max(constraints.smallest, least);
    constraints.distinct.push_back({std::move(values), least});
  };
  for (const SensitiveAttribute& attribute : attributes) {
    require(attribute.ranks, least_values(promises, unlifted_rows));
    require(counted_codes(attribute), least_values(promises, lifted_rows));
    for (const Promise* promise : kPromiseTable) {
      if (promise->implied_by_table == nullptr || !promise->is_made(promises)) continue;
      const ImpliedByTable implied = promise->implied_by_table(attribute);
      require(attribute.ranks, implied.values);
      constraints.smallest = std::max(constraints.smallest, implied.records);
    }
  }
  if (!attributes.empty())
    constraints.smallest =
        std::min(constraints.smallest, static_cast<Record>(attributes.front().ranks.size()));
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
