#pragma once

// Several releases of the same persons, as an adversary combines them who knows everybody's class
// in each of them.
//
// Persons who agree in all their classes are a joint class. Each release is a function of the joint
// classes and their multisets of values: it unites some of them. So all releases together tell no
// more than a table of the joint classes would, and a model that this table keeps holds for them
// together. That is a floor. The adversary sees the multisets of each release's own classes only,
// so more values may remain possible for a person than the joint class has.
//
//   const auto joint = joint_classes(class_of, persons, ticker);
//   const Level k = find_model("k-anonymity")->measure(ClassHistogram(joint, ticker), {}, ticker);
//   const RemainingValues values = remaining_values(class_of, value_of, ticker);

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// By release, by person: a number from 0, or kNowhere.
using ByRelease = std::vector<std::vector<std::int32_t>>;
/// The class of a person who is not in a release, or a value that it does not show.
constexpr std::int32_t kNowhere = -1;

/// By person, the joint class, numbered from 0, of the first `persons` persons. To be in no class
/// of a release counts as a class. O(persons) for each release.
std::vector<std::int32_t> joint_classes(const ByRelease& class_of, std::int64_t persons,
                                        Ticker& ticker);

/// The values of one attribute that remain possible.
struct RemainingValues {
  std::int64_t places = 0;      ///< persons with a value; a person with two values counts twice
  std::int64_t fewest = 0;      ///< possible values of one of them; an upper bound
  std::int64_t determined = 0;  ///< those with one; a lower bound
};

/// Values by release and person, as each release shows them: without kNowhere, in a class. A value
/// that differs between releases is two places. An attribute that no release shows has no places.
/// possible_values.hpp defines possible values.
RemainingValues remaining_values(const ByRelease& class_of, const ByRelease& value_of,
                                 Ticker& ticker);

/// Persons whose exact quasi-identifier follows from its means over the classes; below 0 above
/// kMostUnknowns persons.
std::int64_t solved_persons(const ByRelease& class_of, Ticker& ticker);

}  // namespace anonkit
