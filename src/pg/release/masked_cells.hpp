#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// Converts the core's numbers, codes and hierarchy groups to SQL values of the released types.
/// Fills cell_rows, cells and nulls. Memory: one Datum per cell, in the current memory context.
void mask_cells(Run& run);

}  // namespace anonkit::pg
