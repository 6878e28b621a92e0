#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// The product's promise: a release that does not verify does not exist.
///
/// Forms the classes again from the SQL values that will be written, by the equality that GROUP BY
/// uses, and measures every model that the spec promises on them. The judges (src/core/model) share
/// no code with the methods that formed the classes. anon_publish and anon_refresh repeat the
/// measurement on the finished relation (pg/audit).
///
///   mask_cells(run);   // the values that will be written
///   verify(run);       // or an error, and nothing is written
///
/// Fills published_class, published_sizes and published_breaks. Throws promise_broken, with the
/// model, the promised level and the level found. O(n log n) for n rows of cells.
void verify(Run& run);

}  // namespace anonkit::pg
