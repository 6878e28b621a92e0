#include "constraint/sorted_values.hpp"

#include <algorithm>

#include "sensitive/emd.hpp"

namespace anonkit {

void SortedValues::begin(ClassId capacity) {
  values_.assign(static_cast<std::size_t>(capacity), Values());
}

bool SortedValues::allows(const RecordSpan& members) const {
  sort_values(members, &scratch_);
  return holds(scratch_);
}

bool SortedValues::allows(const Change& change) const {
  const std::int32_t out = rank(change.out), in = rank(change.in);
  if (out == in) return true;
  scratch_ = values_[static_cast<std::size_t>(change.id)];
  exchange(&scratch_, out, in);
  return holds(scratch_);
}

void SortedValues::apply(const Change& change) {
  exchange(&values_[static_cast<std::size_t>(change.id)], rank(change.out), rank(change.in));
}

void SortedValues::assign(ClassId id, const RecordSpan& members) {
  sort_values(members, &values_[static_cast<std::size_t>(id)]);
}

void SortedValues::sort_values(const RecordSpan& members, Values* values) const {
  values->clear();
  for (const Record i : members) values->push_back(rank(i));
  std::sort(values->begin(), values->end());
}

}  // namespace anonkit
