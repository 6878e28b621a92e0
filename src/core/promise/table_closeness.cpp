#include "promise/table_closeness.hpp"

#include <algorithm>
#include <utility>

#include "promise/person_values.hpp"
#include "promise/promise.hpp"
#include "promise/table_distance.hpp"

namespace anonkit {
namespace {

void constrain_closeness(const std::vector<SensitiveAttribute>& attributes, const Promises&,
                         const std::vector<std::int32_t>& units, Constraints* added) {
  for (const SensitiveAttribute& attribute : attributes) {
    if (units.empty())
      added->push_back(std::make_unique<TClosenessConstraint>(attribute));
    else
      added->push_back(std::make_unique<PersonCloseness>(attribute, units));
  }
}

constexpr Promise closeness(const char* name, const char* adjective, PromiseSet kind) {
  Promise row;
  row.name = name;
  row.kind = kind;
  row.levels[0] = {
      name,
      [](const Promises& p, std::size_t attribute) { return p.t_close() ? p.t_of(attribute) : 0; },
      adjective};
  row.order = ValueOrder::or_hierarchy;
  row.relative = row.each_level = true;
  row.not_transparent = "Almost all values would be withheld.";
  row.constrain = constrain_closeness;
  return row;
}

/// A share that is larger than the table's by more than t is farther away by the nominal distance.
double largest_share_within(double p, const SensitiveAttribute& attribute, const Promises&) {
  return attribute.distance == GroundDistance::nominal ? p + attribute.t : 1;
}

constexpr Promise t_row() {
  Promise row = closeness("t-closeness", "%g-close", kPromiseT);
  row.parameters[0] = {"t", ParameterDomain::above_0_to_1, nullptr, &Promises::t};
  row.parameters[1] = {"t_each", ParameterDomain::each_above_0_to_1, nullptr, nullptr,
                       &Promises::t_each};
  row.is_made = [](const Promises& p) { return p.t_close() && p.n == 0; };
  row.implied_by_table = implied_by_closeness;
  row.largest_share = largest_share_within;
  return row;
}

/// Li et al. 2010: classes are close to a superset of n records; see natural_supersets.hpp.
constexpr Promise n_t_row() {
  Promise row = closeness("(n,t)-closeness", "(n,t)-close with t = %g", kPromiseNt);
  row.parameters[0] = {"n", ParameterDomain::positive_integer, &Promises::n};
  row.is_made = [](const Promises& p) { return p.n > 0; };
  row.of_persons = false;
  return row;
}

}  // namespace

constexpr Promise kTCloseness = t_row();
constexpr Promise kNTCloseness = n_t_row();

TClosenessConstraint::TClosenessConstraint(SensitiveAttribute attribute)
    : emd_(std::move(attribute)) {}

TClosenessConstraint::TClosenessConstraint(std::vector<std::int32_t> ranks, GroundDistance distance,
                                           double t)
    : emd_(SensitiveAttribute{std::move(ranks), distance, t, {}}) {}

void TClosenessConstraint::begin(ClassId capacity) {
  states_.assign(static_cast<std::size_t>(capacity), State());
}

bool TClosenessConstraint::allows(const RecordSpan& members) const {
  sort_values(members, &scratch_);
  return emd_.within(emd_.cost(scratch_), members.size());
}

bool TClosenessConstraint::allows(const Change& change) const {
  const std::int32_t out = rank(change.out), in = rank(change.in);
  if (out == in) return true;
  const State& state = states_[static_cast<std::size_t>(change.id)];
  if (out >= 0 && in >= 0)
    return emd_.within(emd_.exchanged(state.values, state.cost, out, in), change.size_after());
  scratch_ = state.values;
  exchange(&scratch_, out, in);
  return emd_.within(emd_.cost(scratch_), change.size_after());
}

void TClosenessConstraint::apply(const Change& change) {
  const std::int32_t out = rank(change.out), in = rank(change.in);
  State& state = states_[static_cast<std::size_t>(change.id)];
  const bool swapped = out >= 0 && in >= 0;
  if (swapped) state.cost = emd_.exchanged(state.values, state.cost, out, in);
  exchange(&state.values, out, in);
  if (!swapped && !state.values.empty()) state.cost = emd_.cost(state.values);
}

void TClosenessConstraint::assign(ClassId id, const RecordSpan& members) {
  State& state = states_[static_cast<std::size_t>(id)];
  sort_values(members, &state.values);
  state.cost = emd_.cost(state.values);
}

void TClosenessConstraint::sort_values(const RecordSpan& members, Emd::Sorted* values) const {
  values->clear();
  for (const Record i : members) values->push_back(rank(i));
  std::sort(values->begin(), values->end());
}

}  // namespace anonkit
