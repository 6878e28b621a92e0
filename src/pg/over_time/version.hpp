#pragma once

#include "pg/over_time/view_query.hpp"
#include "pg/release/figures.hpp"

namespace anonkit::pg {

/// Makes the next version of a release over time out of what its source holds now: retires and
/// founds classes, proves all versions together and this one alone, and notes the figures. To be
/// called by the owner, in a snapshot that was taken after the release was locked. Readers are
/// never in the way of it, nor it in theirs: rows change under MVCC.
///
///   one query reads the source      take_census
///   one query reads the places      compare_state
///   the method runs on newcomers    found_places
///   what changed is written         a class at a time, never a row
///   the models judge all places     assert_places
///
/// Errors: besides those of the stages, state that is altered or does not fit the source, and more
/// than half of the keys new or gone.
Figures make_version(const OverTimeQuery& release, const Spec& spec);

/// Raises check_violation unless the table of all places keeps every promise: classes are those
/// that GROUP BY makes of cells, first and last version.
void assert_places(const OverTimeQuery& release, const Spec& spec);

}  // namespace anonkit::pg
