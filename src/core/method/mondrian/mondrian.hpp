#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/constraint.hpp"
#include "recode/generalisation.hpp"

namespace anonkit {

/// The position of a cut.
enum class MondrianCut : std::uint8_t {
  strict,    ///< at the median, equal values on one side: published ranges do not overlap
  relaxed,   ///< in halves, equal values on both sides if necessary
  cheapest,  ///< strict, at the position of least loss instead of the median
};

/// Mondrian (LeFevre, DeWitt and Ramakrishnan, Mondrian Multidimensional K-Anonymity, ICDE 2006,
/// section 4). It cuts a class of at least 2k records in two along one attribute, recursively,
/// while every part has k records and satisfies all constraints.
///
/// The paper leaves the choice of the attribute open and suggests the widest. This implementation
/// ranks attributes by the normalised certainty penalty of the parts, lowest first, ties to the
/// first attribute, and makes the first allowed cut. A median among equal values is cut on one of
/// its two sides: that of more nearly equal parts, unless only the other leaves k. Strict cuts
/// divide a hierarchy into all children of the class's common ancestor; the others separate one
/// child from the rest. Sets are cut as ranges of their codes.
///
/// Throws infeasible if the class of all records is not allowed, or smaller than k. O(n d^2
/// log(n/k)), and O(n d) memory; 'cheapest' sorts classes of up to some thousand records by every
/// attribute. The result is numbered by first record.
Partition mondrian(const GeneralisationSpace& space, Record k,
                   const std::vector<Constraint*>& constraints, MondrianCut cut, Ticker& ticker);

}  // namespace anonkit
