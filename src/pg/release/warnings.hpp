#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// NOTICEs that a publisher should see before anybody reads a release. None holds a cell's value.

/// What the release discloses whatever its classes: that k is 1; each quasi-identifier that
/// identifies, an integer that no two rows share or a category that nearly every row has for
/// itself; columns whose ranges end at values that only one record has. O(rows log rows) for such
/// integers and for ranges.
void warn_of_disclosures(const Run& run);

/// Which columns may hold the null that a refresh will refuse.
void warn_of_refused_nulls(const Source& source, const Spec& spec);

/// Each kept column of a finished release that nearly every row has a value of its own in, as its
/// first 100,000 rows tell. Runs equality functions of the columns' types: to be called on behalf
/// of the release's owner, in an SPI session.
void warn_of_unique_kept(Oid release, const Source& source);

}  // namespace anonkit::pg
