#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Microaggregation for p-sensitive k-anonymity, the variant with a random initial record. From
/// Solanas, Sebe and Domingo-Ferrer, EDBT workshops 2008, as used by Domingo-Ferrer, Sebe and
/// Solanas 2008. While the records left can form a class, a random one of them is its first record.
/// The nearest record with a value new to the class joins it, until each attribute has p values.
/// Then the nearest ones join until there are k records. The rest joins the classes with the
/// nearest centroids. Protected values count as their lifted values.
///
/// Exact searches of the spatial index, one per record. Returns classes numbered by their first
/// record. Requires 1 <= k <= n; throws infeasible if an attribute has fewer than p values.
Partition psensitive_microaggregation(const Space& space,
                                      const std::vector<SensitiveAttribute>& attributes, Record k,
                                      std::int32_t p, std::uint64_t seed, Ticker& ticker);

}  // namespace anonkit
