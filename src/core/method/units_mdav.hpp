#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/points.hpp"
#include "space/space.hpp"

namespace anonkit {

/// By record of a space the units, persons, whose it is: one, or several where the space's records
/// stand for many that are equal. Those of record i are units[begin[i]] .. units[begin[i+1]-1], all
/// different.
struct RecordUnits {
  std::vector<std::int32_t> begin = {0};
  std::vector<std::int32_t> units;

  /// By point whose its records are.
  static RecordUnits of_points(const Points& points, const std::vector<std::int32_t>& unit_of);
  /// One unit a record.
  static RecordUnits one_each(const std::vector<std::int32_t>& unit_of);
};

/// MDAV (see mdav.hpp) for classes of k different units: a class takes the records nearest to its
/// first one, but for records whose units are all in the class already, until it has k units. While
/// units enough for three classes are left (3k) two classes are formed, then one more if 2k are.
/// While k units are left they are the last class if they have no more than 2k-1 records, else one
/// more class is formed in the same way. Every record that is left then, of units that fill no
/// class any more, joins the class whose centroid is nearest, ties to the lower class.
///
/// A point of a weighted space is never divided; its units count all together.
///
/// With a unit of its own for every record the classes are those of MDAV. Exact, on the spatial
/// index, which is asked for as many neighbours as it takes. Needs 1 <= k <= units.
Partition mdav_of_units(const Space& space, const RecordUnits& units, std::int32_t k,
                        Ticker& ticker);

/// V-MDAV (see vmdav.hpp) for classes of k different units, formed in the same way. A class is
/// extended, up to 2k-1 records, by any near record: one more of a unit that it has already does no
/// harm. It is not extended when exactly k units are left and the record would take one of them.
/// Every record that is left in the end joins the class whose centroid is nearest.
Partition vmdav_of_units(const Space& space, const RecordUnits& units, std::int32_t k, double gamma,
                         Ticker& ticker);

}  // namespace anonkit
