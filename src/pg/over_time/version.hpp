#pragma once

#include "pg/over_time/view_query.hpp"
#include "pg/release/figures.hpp"
#include "pg/release/source_writes.hpp"

namespace anonkit::pg {

/// A person whose classes are withdrawn. Plain data.
struct Withdrawal {
  const ArrayType* key;  ///< texts: the values of the key's columns, then of the unit's other ones
  int64 rows;            ///< of these classes; set by make_version
};

/// Makes the next version of a release over time from the present rows of its source. It retires
/// and founds classes, proves all versions together and the new one alone, and notes the figures.
/// The owner calls it, in a snapshot taken after the release was locked. Readers and a refresh
/// never wait for each other, because rows change under MVCC.
///
/// With a withdrawal, the classes of one person retire, whoever of them is present, and their
/// sensitive and kept values are erased.
///
///   read_record     reads the places in one query
///   take_census     reads the source in one query, and meets each row with its place
///   compare_state   calls the roll
///   found_places    runs the method on newcomers
///   write           writes changes by class, never by row
///   assert_founded  lets the models judge the new places, and k of the version
///
/// Errors: those of the stages, a state that was altered or does not fit the source, more than half
/// of the keys new or absent.
Figures make_version(const OverTimeQuery& release, const Spec& spec, const SourceWrites& writes,
                     Withdrawal* withdrawal = nullptr);

/// Raises check_violation unless the table of all places keeps every promise. Its classes are those
/// of GROUP BY over cells, first and last version. Distributions are compared with those of the
/// places of the same first version.
void assert_places(const OverTimeQuery& release, const Spec& spec);

}  // namespace anonkit::pg
