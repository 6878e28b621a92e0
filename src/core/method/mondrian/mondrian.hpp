#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "constraint/constraint.hpp"
#include "partition/partition.hpp"
#include "recode/generalisation.hpp"

namespace anonkit {

/// Where classes are cut.
enum class MondrianCut : std::uint8_t {
  strict,    ///< at the median, equal values on one side: what is published does not overlap
  relaxed,   ///< in halves, equal values on both sides where need be
  cheapest,  ///< strict, and not at the median but wherever the least is lost
};

/// Mondrian (LeFevre, DeWitt and Ramakrishnan, Mondrian Multidimensional K-Anonymity, ICDE 2006,
/// section 4): a class of at least 2k records is cut in two along one attribute, and again, as long
/// as every part has k records and is allowed by every constraint.
///
/// The paper leaves the choice of the attribute open and suggests the widest; here the one is taken
/// whose cut leaves the lowest normalised certainty penalty of the parts, ties to the first. With
/// attribute by attribute in that order, the first cut that is allowed is made. A median among
/// equal values is cut on the side that leaves the parts more nearly equal, or on the other one if
/// only that leaves k. A hierarchy is cut into all the children of the class's common ancestor if
/// strict, else in one of them and the rest. Sets are cut as ranges of their codes.
///
/// Throws infeasible if the class of all records is not allowed, or smaller than k.
/// O(n d^2 log(n/k)), and O(n d) memory; 'cheapest' sorts classes of up to some thousand records by
/// every attribute. The result is numbered by first record.
Partition mondrian(const GeneralisationSpace& space, Record k,
                   const std::vector<Constraint*>& constraints, MondrianCut cut, Ticker& ticker);

}  // namespace anonkit
