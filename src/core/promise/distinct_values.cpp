#include "promise/distinct_values.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace anonkit {

std::int32_t count_distinct(std::vector<std::int32_t>* values) {
  std::sort(values->begin(), values->end());
  return static_cast<std::int32_t>(std::unique(values->begin(), values->end()) - values->begin());
}

DistinctValues::DistinctValues(std::vector<std::vector<std::int32_t>> codes, std::int32_t p)
    : codes_(std::move(codes)), p_(p) {
  if (p < 1)
    throw Error(ErrorKind::invalid_parameter, "p is out of range", "p must be at least 1.");
}

void DistinctValues::begin(ClassId capacity) {
  counts_.assign(static_cast<std::size_t>(capacity) * codes_.size(), 0);
}

bool DistinctValues::allows(const RecordSpan& members) const {
  for (std::size_t a = 0; a < codes_.size(); ++a)
    if (distinct(a, members) < p_) return false;
  return true;
}

bool DistinctValues::allows(const Change& change) const {
  if (change.out == kNone) return true;
  for (std::size_t a = 0; a < codes_.size(); ++a) {
    // A class that loses a record loses at most one value.
    const std::int32_t now = count(change.id, a);
    if (now <= p_ && now + gain(a, change) < p_) return false;
  }
  return true;
}

void DistinctValues::apply(const Change& change) {
  for (std::size_t a = 0; a < codes_.size(); ++a) count(change.id, a) += gain(a, change);
}

void DistinctValues::assign(ClassId id, const RecordSpan& members) {
  for (std::size_t a = 0; a < codes_.size(); ++a) count(id, a) = distinct(a, members);
}

std::int32_t DistinctValues::distinct(std::size_t attribute, const RecordSpan& members) const {
  scratch_.clear();
  for (const Record i : members) scratch_.push_back(codes_[attribute][static_cast<std::size_t>(i)]);
  return count_distinct(&scratch_);
}

std::int32_t DistinctValues::gain(std::size_t attribute, const Change& change) const {
  const std::vector<std::int32_t>& code = codes_[attribute];
  const auto code_of = [&](Record i) {
    return i == kNone ? -1 : code[static_cast<std::size_t>(i)];
  };
  const std::int32_t out = code_of(change.out), in = code_of(change.in);
  if (out == in) return 0;
  std::int32_t like_out = 0, like_in = 0;
  for (const Record i : change.members) {
    like_out += code_of(i) == out;
    like_in += code_of(i) == in;
  }
  const std::int32_t won = in >= 0 && like_in == 0 ? 1 : 0;
  const std::int32_t lost = out >= 0 && like_out == 1 ? 1 : 0;
  return won - lost;
}

}  // namespace anonkit
