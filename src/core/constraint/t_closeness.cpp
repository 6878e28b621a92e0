#include "constraint/t_closeness.hpp"

#include <algorithm>
#include <utility>

namespace anonkit {

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
  state.cost = members.size() > 0 ? emd_.cost(state.values) : 0;
}

void TClosenessConstraint::sort_values(const RecordSpan& members, Emd::Sorted* values) const {
  values->clear();
  for (const Record i : members) values->push_back(rank(i));
  std::sort(values->begin(), values->end());
}

}  // namespace anonkit
