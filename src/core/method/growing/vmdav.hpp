#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The paper's gamma for scattered data.
inline constexpr double kUsualGamma = 0.2;

/// V-MDAV, MDAV with classes of variable size (Solanas and Martinez-Balleste 2006). While at least
/// k records have no class, the record farthest from the centroid of all records and its k-1
/// nearest form a class. The class then takes the nearest record to any of its members, at distance
/// d_in, as long as d_in < gamma * d_out. Here d_out is that record's distance to the nearest other
/// record without a class. Ties go to the lower record. gamma = 0 never extends a class; the paper
/// advises 0.2 for scattered and about 1.1 for clustered data.
///
/// In the paper the last fewer than k records join the class with the nearest centroid before any
/// of them joined. Ties go to the class formed first. Two additional rules keep every class within
/// k to 2k-1 records. A class is not extended when exactly k records are left, and the last records
/// only join classes with room.
///
/// A point of a weighted space counts as its records and is never divided. It extends no class
/// beyond 2k-1 records. A last point without room anywhere joins the nearest class all the same.
///
/// Exact, on the spatial index: O(n k) searches. Requires k >= 1, n >= 1 and gamma >= 0; n < 2k
/// gives one class. The classes are numbered by their first record.
Partition vmdav(const Space& space, Record k, double gamma, Ticker& ticker);

}  // namespace anonkit
