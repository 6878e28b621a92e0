#pragma once

#include "pg/audit/judging.hpp"
#include "pg/release/run.hpp"

namespace anonkit::pg {

/// The product's promise: only verified releases exist.
///
/// Forms the classes again from the final SQL values, by the equality of GROUP BY, and measures
/// every promised model on them. The judges (src/core/model) share no code with the methods that
/// formed the classes. anon_publish and anon_refresh repeat the measurement on the written
/// rows (pg/audit).
///
///   mask_cells(run);   // computes the final SQL values
///   verify(run);       // raises an error, before anything is written
///
/// Fills published_order, published_class, published_sizes, published_breaks and withheld. Models
/// on sensitive values judge the classes that publish theirs. Throws promise_broken, with the
/// model, the promised level and the level found; infeasible, if more is withheld than may be. O(n
/// log n) for n rows of cells.
void verify(Run& run);

// Parts of verify(), for a release that is judged later.

/// Forms the classes again from the final values alone: rounding may have joined some.
void form_published_classes(Run& run);
/// Takes the classes that were formed for the published ones: where records have cells of their
/// own, classes are private, and readers see none.
void take_private_classes(Run& run);
/// The rows in published classes, as models see them.
JudgedRows published_rows(const Run& run);
/// Measures every promised model on the published classes, or on the private ones.
void verify_classes(const Run& run);

/// The published rows whose sensitive values are withheld.
int64 withheld_rows(const Run& run);

}  // namespace anonkit::pg
