#pragma once

// Columns of a set that are not published as ranges or labels of their own values.
//
//   since_first   a date as whole days since the person's first date in any such column of the set,
//                 published or withheld; ranges of these days are published
//   means         a number as the mean of its class, in tables with one row a person: classes of
//                 several rows of a person are equations that its other rows help to solve
//
//   check_columns(work);  // before rows are read
//   ...
//   take_columns(work);   // after they were read, with their persons

#include "pg/set/set_work.hpp"

namespace anonkit::pg {

/// Marks the columns of each run. Errors name the table or the column: no quasi-identifier, no
/// date, no number, a hierarchy.
void check_columns(SetWork& work);

/// Turns dates into days. An error that names the table if it has means, and several rows of a
/// person that may be published. O(rows).
void take_columns(SetWork& work);

}  // namespace anonkit::pg
