#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/points.hpp"
#include "space/space.hpp"

namespace anonkit {

/// By record of a space, the units (persons) of its records: one, or several if the record
/// represents many equal ones. The units of record i are units[begin[i]] .. units[begin[i+1]-1],
/// all distinct.
struct RecordUnits {
  std::vector<std::int32_t> begin = {0};
  std::vector<std::int32_t> units;

  /// By point: the units of its records.
  static RecordUnits of_points(const Points& points, const std::vector<std::int32_t>& unit_of);
  /// One unit per record.
  static RecordUnits one_each(const std::vector<std::int32_t>& unit_of);
};

/// MDAV (see mdav.hpp) for classes of k different units. A class takes the nearest records to its
/// first one, except those whose units it already has, until it has k units. While the units
/// suffice for three classes (3k), two classes are formed, and then one more if they suffice for
/// two (2k). The last k or more units form the last class if they have at most 2k-1 records;
/// otherwise one more class is formed alike. The rest of the records, of too few units for a class,
/// joins the class with the nearest centroid, ties to the lower class.
///
/// A point of a weighted space is never divided; its units count together.
///
/// If every record is a unit, the classes equal those of MDAV. Exact, on the spatial index, with as
/// many neighbours as necessary. Requires 1 <= k <= units.
Partition mdav_of_units(const Space& space, const RecordUnits& units, std::int32_t k,
                        Ticker& ticker);

/// V-MDAV (see vmdav.hpp) for classes of k different units, formed as in mdav_of_units. Any near
/// record extends a class, up to 2k-1 records, even another record of a unit in the class. A class
/// is not extended when exactly k units are left and the record would take one of them. The rest of
/// the records joins the class with the nearest centroid.
Partition vmdav_of_units(const Space& space, const RecordUnits& units, std::int32_t k, double gamma,
                         Ticker& ticker);

}  // namespace anonkit
