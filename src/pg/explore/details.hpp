#pragma once

#include "pg/look/sweep.hpp"
#include "pg/report/html.hpp"

namespace anonkit::pg {

/// The parts of a point that need its run: the statement that publishes it, the sizes of its
/// classes, and its quasi-identifiers before and after masking. Requires the session of the run.
void write_details(const Html& html, Jsonb* spec, const Run& run);

}  // namespace anonkit::pg
