#pragma once

#include <cstdint>
#include <vector>

#include "table/hierarchy.hpp"

namespace anonkit {

/// A group of a hierarchy's level that must not be disclosed, and so nothing below it either.
struct ProtectedGroup {
  std::int32_t level;
  std::int32_t group;
};

/// What each value counts as under extended p-sensitivity (A. Campan, T. M. Truta: Extended
/// p-sensitive k-anonymity, 2006; section 2.3 of the paper on EnhancedPKClustering): its lifted
/// value, the topmost protected group that it is in; if none is protected, itself. Values of one
/// strong value get one number; those numbers go from 0 in the order of their first values.
/// p-sensitivity of these numbers is extended p-sensitivity of the values. O(values * height +
/// protected). Throws invalid_parameter if there is no such level or group.
std::vector<std::int32_t> lifted_values(const Hierarchy& hierarchy,
                                        const std::vector<ProtectedGroup>& protected_groups);

}  // namespace anonkit
