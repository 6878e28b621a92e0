#pragma once

#include <vector>

#include "model/level.hpp"

namespace anonkit {

/// (n,t)-closeness (N. Li, T. Li, S. Venkatasubramanian: Closeness: a new privacy measure for data
/// publishing. IEEE TKDE 22(7), 2010, Definition 3): every class E1 has a natural superset E2 of at
/// least n records such that the sensitive attribute's distributions in E1 and in E2 are within t.
/// An observer may learn what holds for a large population, but no more about a smaller group.
///
/// What is natural is the caller's choice: `coarser` are partitions of the records, each class of
/// them a union of classes of `class_of`, such as the records that share the quasi-identifiers at a
/// higher level of their hierarchies. The whole relation is always a natural superset, so that the
/// level is never above that of t-closeness, and equal to it if there is no coarser partition.
///
/// The level is the greatest over the classes of the least distance to a superset of n records or
/// more (or to the whole relation): ordered for ordinal and numeric attributes, equal distance for
/// nominal ones, both relative to the distinct values of the whole relation. Exact as t_closeness()
/// is. O((records + d log m) * partitions) for d distinct values of all classes and m of the
/// relation. Throws invalid_parameter if n < 1 or a partition is not coarser or differs in length.
Level n_t_closeness(const std::vector<std::int32_t>& class_of, const SensitiveAttribute& attribute,
                    const std::vector<std::vector<std::int32_t>>& coarser, std::int32_t n,
                    Ticker& ticker);

}  // namespace anonkit
