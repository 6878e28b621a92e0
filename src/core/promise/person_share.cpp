#include "promise/person_share.hpp"

#include <algorithm>
#include <memory>

#include "base/at.hpp"
#include "promise/largest_share.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

void constrain_dominance(const std::vector<SensitiveAttribute>&, const Promises& promises,
                         const std::vector<std::int32_t>& units, Constraints* added) {
  added->push_back(std::make_unique<PersonShare>(units, promises.dominance));
}

/// Dominance (A. Hundepohl et al.: Statistical disclosure control. Wiley 2012, section 4.2.2, with
/// records as contributions): no person has more than this share of the records of a class. A mean
/// is close to the values of a person who dominates it. As numbers of a person's records and of all
/// records add up in a union, its largest share is at most the larger one of the parts', and one
/// class of all records has the least dominance possible. A limit of 1 allows any class.
constexpr Promise row_of_dominance() {
  Promise row;
  row.name = "dominance";
  row.kind = kPromisePersons;
  row.parameters[0] = {"dominance", ParameterDomain::above_0_to_1, nullptr, &Promises::dominance};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.dominance; },
                   "of dominance %g"};
  row.is_made = [](const Promises& p) { return p.dominance > 0 && p.dominance < 1; };
  row.not_transparent = "It is about persons with several rows.";
  row.person_model = [](const Promises& p) { return largest_share_within(p.dominance); };
  row.constrain = constrain_dominance;
  return row;
}

}  // namespace

constexpr Promise kDominance = row_of_dominance();

void PersonShare::begin(ClassId capacity) {
  bounds_.assign(at(capacity), 0);
}

bool PersonShare::within(Record of_person, Record size) const {
  return static_cast<double>(of_person) / size <= most_;
}

bool PersonShare::allows(const RecordSpan& members) const {
  listed_.clear();
  for (const Record i : members) listed_.push_back(units_[at(i)]);
  return within(most_listed(), members.size());
}

bool PersonShare::allows(const Change& change) const {
  const Record arrived = change.in == kNone ? 0 : 1;
  if (within(bounds_[at(change.id)] + arrived, change.size_after())) return true;
  listed_.clear();
  for_each_after(change, [&](Record i) { listed_.push_back(units_[at(i)]); });
  return within(most_listed(), change.size_after());
}

void PersonShare::apply(const Change& change) {
  if (change.in == kNone) return;
  const std::int32_t unit = units_[at(change.in)];
  Record records = 0;
  for_each_after(change, [&](Record i) { records += units_[at(i)] == unit ? 1 : 0; });
  bounds_[at(change.id)] = std::max(bounds_[at(change.id)], records);
}

void PersonShare::assign(ClassId id, const RecordSpan& members) {
  listed_.clear();
  for (const Record i : members) listed_.push_back(units_[at(i)]);
  bounds_[at(id)] = most_listed();
}

Record PersonShare::most_listed() const {
  std::sort(listed_.begin(), listed_.end());
  Record most = 0, records = 0;
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    records = i > 0 && listed_[i] == listed_[i - 1] ? records + 1 : 1;
    most = std::max(most, records);
  }
  return most;
}

}  // namespace anonkit
