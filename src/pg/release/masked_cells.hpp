#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// Turns the core's numbers, codes and hierarchy groups into SQL values of the released types:
/// fills cell_rows, cells and nulls. Memory: one Datum a cell, in the current memory context.
void mask_cells(Run& run);

}  // namespace anonkit::pg
