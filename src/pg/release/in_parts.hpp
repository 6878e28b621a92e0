#pragma once

// A release of a table that is larger than anonkit.max_memory.
//
// Phases: form_in_parts() reads the table part by part, runs the pipeline on each, and adds the
// verified rows to a sort; put_parts() passes the sorted rows on, and forms the classes of the
// release: rounding can join classes of two parts. Invariants: every class keeps the promises,
// which the union of two such classes keeps, too, and lies in one part before rounding. The order
// of the rows is that of any release. Memory: that of the largest part, and maintenance_work_mem;
// the rest is in temporary files.
//
//   if (run.loaded.sketch != nullptr) parts = form_in_parts(run);
//   const Figures figures = put_parts(*parts, add_to_result, result);

#include "pg/release/figures.hpp"
#include "pg/release/release_rows.hpp"
#include "pg/release/warnings.hpp"

namespace anonkit::pg {

/// The rows of a release, verified part by part. Plain data.
struct PartsRelease {
  Spec spec;
  Source source;
  int32 parts;
  Tuplesortstate* sort;  ///< rows of the release, their fingerprints and numbers
  TupleDesc descriptor;  ///< the sort's
  Figures figures;       ///< sums over parts; those of classes are still missing
  FewValues* few;        ///< by quasi-identifier
  bool* identifying;     ///< by quasi-identifier: it has another value in nearly every row of
                         ///< each part so far
  LonelyEnds* lonely;    ///< by quasi-identifier
  TimestampTz started_at;
  StageSeconds stages;
};

/// True if classes of parts serve as classes of the table: the method may divide the rows, and each
/// promise is about one class after another.
bool may_be_in_parts(const Spec& spec, const Source& source);

/// Forms the release of a run that has left a sample. Errors: those of the pipeline, and of parts
/// that do not fit in memory.
PartsRelease* form_in_parts(const Run& run);

/// Passes the rows to a function, once. Returns the figures of the release.
Figures put_parts(PartsRelease& release, RowsFunction put, void* state);

/// Warns a publisher as of other releases. A quasi-identifier identifies if it does in every part.
void warn_of_disclosures(const PartsRelease& release);

}  // namespace anonkit::pg
