#pragma once

#include "pg/spec/hierarchy_rule.hpp"

namespace anonkit::pg {

/// The labels of a number or of a point in time from level 1 to the top, as range literals of the
/// type: intervals of each level's width, or between its cuts. A bound that the type cannot hold is
/// open. False if the value is not finite or out of the hierarchy's bounds. Palloc's.
bool interval_labels(const HierarchyRule& rule, Oid base_type, Datum value, const char** labels);

}  // namespace anonkit::pg
