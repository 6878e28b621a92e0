#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// NOTICEs that a publisher should see before anybody reads a release. None holds a cell's value.

/// Warns of disclosures by any classes: a k of 1, quasi-identifiers that identify, and ranges that
/// end at values of a single record. A quasi-identifier identifies if it is an integer that no two
/// rows share, or a category that nearly every row has for itself. O(rows log rows) for such
/// integers and for ranges.
void warn_of_disclosures(const Run& run);

/// Names the columns that may hold a null that a refresh would refuse.
void warn_of_refused_nulls(const Source& source, const Spec& spec);

/// Each kept column of a finished release that nearly every row has a value of its own in, as its
/// first 100,000 rows tell. Runs equality functions of the columns' types: to be called on behalf
/// of the release's owner, in an SPI session.
void warn_of_unique_kept(Oid release, const Source& source);

}  // namespace anonkit::pg
