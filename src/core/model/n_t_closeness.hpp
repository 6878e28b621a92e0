#pragma once

#include <vector>

#include "model/level.hpp"

namespace anonkit {

/// (n,t)-closeness (N. Li, T. Li, S. Venkatasubramanian: Closeness: a new privacy measure for data
/// publishing. IEEE TKDE 22(7), 2010, Definition 3). Every class E1 has a natural superset E2 of at
/// least n records. The distributions of the sensitive attribute in both are within t of each
/// other. An observer may learn facts about a large population, but no more about a smaller group.
///
/// The caller defines the natural supersets: each of `supersets` gives the superset of every class.
/// Examples are the records that share the quasi-identifiers at a higher level of their
/// hierarchies, or that share some quasi-identifiers. The relation itself is always a natural
/// superset. So the level never exceeds that of t-closeness, and equals it without other supersets.
///
/// The level is the greatest over the classes of the least distance to a superset of at least n
/// records (or to the relation). The distance is hierarchical for attributes with a hierarchy,
/// ordered for ordinal and numeric attributes, and equal for nominal ones. All distances are
/// relative to the distinct values of the relation. Exact like t_closeness(). O(entries log m) for
/// each of `supersets`, with all classes' entries and m values. Throws invalid_parameter if n < 1
/// or a class lacks its superset.
Level n_t_closeness(const ClassHistogram& histogram,
                    const std::vector<std::vector<std::int32_t>>& supersets, std::int32_t n,
                    Ticker& ticker);

}  // namespace anonkit
