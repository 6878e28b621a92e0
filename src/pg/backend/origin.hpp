#pragma once

// Where a version was made. Two databases that continue one release, or one set that grows, show
// the same persons in different classes; a refresh of a copy says so.

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The cluster and its history: a standby that was promoted has the same identifier, and goes on by
/// itself. Clusters that never recovered so are on timeline 1.
uint64 present_system();

/// The present database, as a text that no other has.
char* present_database();

}  // namespace anonkit::pg
