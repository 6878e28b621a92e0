#pragma once

#include <vector>

#include "model/level.hpp"

namespace anonkit {

/// (n,t)-closeness (N. Li, T. Li, S. Venkatasubramanian: Closeness: a new privacy measure for data
/// publishing. IEEE TKDE 22(7), 2010, Definition 3): every class E1 has a natural superset E2 of at
/// least n records such that the sensitive attribute's distributions in E1 and in E2 are within t.
/// An observer may learn what holds for a large population, but no more about a smaller group.
///
/// What is natural is the caller's choice: each of `supersets` tells of every class which superset
/// it lies in, such as the records that share the quasi-identifiers at a higher level of their
/// hierarchies, or some of the quasi-identifiers. The whole relation is always a natural superset,
/// so that the level is never above that of t-closeness, and equal to it if there are no others.
///
/// The level is the greatest over the classes of the least distance to a superset of n records or
/// more (or to the whole relation): hierarchical for attributes with a hierarchy, ordered for
/// ordinal and numeric attributes, equal distance for nominal ones; all relative to the distinct
/// values of the whole relation. Exact as t_closeness() is. O(entries log m) for each of
/// `supersets`, for all classes' entries and m values. Throws invalid_parameter if n < 1 or unless
/// every class has its superset.
Level n_t_closeness(const ClassHistogram& histogram,
                    const std::vector<std::vector<std::int32_t>>& supersets, std::int32_t n,
                    Ticker& ticker);

}  // namespace anonkit
