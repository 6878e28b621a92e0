#include "promise/largest_share.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

/// Dominance (A. Hundepohl et al.: Statistical disclosure control. Wiley 2012, section 4.2.2, with
/// records as contributions): no person has more than this share of the records of a class. A mean
/// is close to the values of a person who dominates it. As numbers of a person's records and of all
/// records add up in a union, its largest share is at most the larger one of the parts', and one
/// class of all records has the least dominance possible. A limit of 1 allows any class.
constexpr Promise row() {
  Promise row;
  row.name = "dominance";
  row.kind = kPromisePersons;
  row.parameters[0] = {"dominance", ParameterDomain::above_0_to_1, nullptr, &Promises::dominance};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.dominance; },
                   "of dominance %g"};
  row.is_made = [](const Promises& p) { return p.dominance > 0 && p.dominance < 1; };
  row.not_transparent = "It is about persons with several rows.";
  row.person_model = [](const Promises& p) { return largest_share_within(p.dominance); };
  return row;
}

}  // namespace

constexpr Promise kDominance = row();

}  // namespace anonkit
