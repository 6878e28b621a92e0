#pragma once

#include "pg/read/block.hpp"

namespace anonkit::pg {

/// The places of a column's categories on the axis along which cuts divide a table: by code of the
/// block, and last that of null, after all others. Labels of one group of the column's hierarchy
/// are neighbours; without one the most frequent come first. Requires an SPI session with the right
/// to read the table of labels. Errors: those of read_hierarchy. Allocates in the current memory
/// context. O(n log n) comparisons.
double* category_places(const SourceColumn& column, const Block& block, int j,
                        const int64* records);

}  // namespace anonkit::pg
