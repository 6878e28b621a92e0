#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// NOTICEs that a publisher should see before anybody reads a release. None holds a cell's value.

/// Warns of disclosures by any classes: a k of 1, quasi-identifiers that identify, and ranges that
/// end at values of a single record. A quasi-identifier identifies if it is an integer that no two
/// rows share, or a category that nearly every row has for itself. O(rows log rows) for such
/// integers and for ranges.
void warn_of_disclosures(const Run& run);

/// The first distinct values of a quasi-identifier. Codes are few, and each stands for many rows;
/// twelve are the months of a year. Plain data.
struct FewValues {
  static constexpr int kMost = 12;
  double values[kMost];
  int count;  ///< kMost + 1 if there are more
};

/// Adds the values of the rows in a block's column j.
void add_values(FewValues& few, const Block& block, int j, int64 rows);

/// Names the columns of a table of so many rows that seem to be codes, whose mean is a code that
/// nobody has. `few`: one a quasi-identifier.
void warn_of_codes(const Spec& spec, const Source& source, const FewValues* few, int64 rows);
void warn_of_codes(const Run& run);

/// True if a quasi-identifier names its row, as in warn_of_disclosures.
bool identifies(const Run& run, int j);

/// Records whose value is an end of their published range, and in no other record. Plain data.
struct LonelyEnds {
  int64 records;  ///< in all
  int64 lonely;
};

/// Those of a numeric quasi-identifier. Aggregates have ranges of their own in each record.
LonelyEnds lonely_ends(const Run& run, int j);

/// Warns of columns where many records have such an end.
void warn_of_lonely_ends(const Spec& spec, const Source& source, const LonelyEnds* ends,
                         bool of_classes = true);

/// Warns of disclosures by a release that is formed in parts: k, and the quasi-identifiers that
/// identify in each part.
void warn_of_disclosures(const Spec& spec, const Source& source, const bool* identifying);

/// Names the columns of a table that may hold a null that a refresh would refuse.
void warn_of_refused_nulls(const Source& source, const Spec& spec);

/// Each kept or sensitive column of a release's rows that nearly every row has a value of its own
/// in, as its first 100,000 rows tell; else the kept columns that are nearly unique together; and a
/// unit that is kept. Runs equality functions of the columns' types: to be called on behalf of the
/// release's owner, in an SPI session.
void warn_of_unique_values(Oid rows, const Source& source, const Spec& spec);

}  // namespace anonkit::pg
