#pragma once

// A release by swapping: its private classes, and the proof that its rows are what these and the
// secret make of the source.
//
// The rows have no classes that a reader could form again. So the classes are kept, beside the
// secret, in the companion that only the owner reads, and the proof computes the rows again from
// both as they were written. Its code (core/model/swapped_rows.hpp) is none of the method's.
//
//   keep_private_classes(release, private_classes_of(run));
//   assert_swapped({rows, release}, source, spec, true);  // fails closed

#include "pg/audit/audit.hpp"
#include "pg/release/run.hpp"

namespace anonkit::pg {

/// The classes of a run by swapping, in the canonical order of its records, and which of them
/// withhold values; null for another recoding.
bytea* private_classes_of(const Run& run);

/// Writes them into the release's companion, as its owner.
void keep_private_classes(Oid release, bytea* classes);

/// An error (check_violation) unless the cells of a run by swapping are what its classes and its
/// secret make of its source. Nothing for another recoding.
void verify_swapped(const Run& run);

/// An error (check_violation) unless the rows are what the release's private classes and secret
/// make of the source, and the classes keep k and all promises. Errors: the source has changed
/// since (object_not_in_prerequisite_state), or returns other rows to the snapshot that they were
/// just made under (data_exception), or the companion lacks either. Requires the owner's work.
void assert_swapped(const Judged& judged, Oid source, const Spec& spec, bool just_made);

/// Tells a publisher what a release by swapping shows.
void warn_of_swap(const Spec& spec);

}  // namespace anonkit::pg
