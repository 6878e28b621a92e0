#pragma once

#include "pg/spec/hierarchy_rule.hpp"

namespace anonkit::pg {

/// Writes the labels of a number or of a point in time, from level 1 to the top, as range literals
/// of the type. They are intervals of each level's width, or between its cuts. A bound outside the
/// type's domain is open. False if the value is not finite or outside the hierarchy's bounds.
/// Pallocs.
bool interval_labels(const HierarchyRule& rule, Oid base_type, Datum value, const char** labels);

}  // namespace anonkit::pg
