#pragma once

// Peeling: local recoding along the lattice of generalisation levels (the project's own; the nodes
// are those of LeFevre et al. 2005, section 2.2).
//
// Phases: ladders of levels (ladder.hpp); nodes, combinations of levels, in ascending order of
// their mean loss; at each node, every group of at least k free records becomes a class and leaves;
// records left at the end join the class where they cost least. The order is that of the records
// still free: it is made anew whenever a tenth of them has left. Invariants: free records that are
// equal in all attributes leave together, and a node without a group of k records never gets one,
// nor do the nodes below it. Memory: 12 bytes per record and attribute, 16 per node.
//
//   const std::optional<Partition> start = peel(space, 5, {}, ticker);  // classes of 5 or more

#include <optional>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/constraint.hpp"
#include "recode/generalisation.hpp"

namespace anonkit {

/// Classes of at least k records that all constraints allow, with little normalised certainty
/// penalty: where attributes are skewed or independent, less than that of top-down cuts. No result
/// if the constraints keep the last records from every class, or if too many nodes have no groups,
/// as in tables of many columns whose values are nearly all different, or if two levels of each
/// column are more nodes than are visited: at most 100,000, and 100 for each record. A visit takes
/// O(d) per record that is still free.
std::optional<Partition> peel(const GeneralisationSpace& space, Record k,
                              const std::vector<Constraint*>& constraints, Ticker& ticker);

}  // namespace anonkit
