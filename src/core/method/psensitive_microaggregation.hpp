#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Microaggregation for p-sensitive k-anonymity, the variant with a random initial record (Solanas,
/// Sebe and Domingo-Ferrer, EDBT workshops 2008, as Domingo-Ferrer, Sebe and Solanas 2008 use it).
/// While the records that are left can form a class: a random one of them is its first record; the
/// nearest that brings a value which the class does not have joins it, until each attribute has p
/// values; then the nearest until there are k records. What is left in the end joins the classes
/// whose centroids are nearest. Protected values count as what they are lifted to.
///
/// Exact searches of the spatial index, one for each record. Returns classes numbered by their
/// first record. Needs 1 <= k <= n; throws infeasible if an attribute has fewer than p values.
Partition psensitive_microaggregation(const Space& space,
                                      const std::vector<SensitiveAttribute>& attributes, Record k,
                                      std::int32_t p, std::uint64_t seed, Ticker& ticker);

}  // namespace anonkit
