#pragma once

#include <cstdint>
#include <vector>

#include "table/hierarchy.hpp"

namespace anonkit {

/// A group of a hierarchy's level that must not be disclosed, nor any value below it.
struct ProtectedGroup {
  std::int32_t level;
  std::int32_t group;
};

/// Lifts values for extended p-sensitivity (A. Campan, T. M. Truta: Extended p-sensitive
/// k-anonymity, 2006; section 2.3 of the paper on EnhancedPKClustering). The lifted value is the
/// topmost protected group that contains the value, or the value itself if no such group is
/// protected. All values of a protected group get one number. Numbers start at 0, in the order of
/// their first values. p-sensitivity of these numbers is extended p-sensitivity of the values.
/// O(values * height + protected). Throws invalid_parameter if a level or group does not exist.
std::vector<std::int32_t> lifted_values(const Hierarchy& hierarchy,
                                        const std::vector<ProtectedGroup>& protected_groups);

}  // namespace anonkit
