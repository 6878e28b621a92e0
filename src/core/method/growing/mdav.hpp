#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// MDAV, Maximum Distance to Average Vector (Domingo-Ferrer and Torra 2005, Algorithm
/// MDAV-generic): classes of k to 2k-1 records. While at least 3k records are left, r is the record
/// farthest from their centroid and s the record farthest from r. The k records nearest to r form a
/// class, and then the k others nearest to s. If 2k or more are left in the end, the k nearest to
/// the record farthest from the centroid form a class. The rest is the last class. Ties go to the
/// lower record.
///
/// A point of a weighted space counts as its records and is never divided: a class takes the
/// nearest points until it has k records. If fewer than k are left at the end, each of their points
/// joins the class with the nearest centroid.
///
/// Exact, on the spatial index: about O(n log n) on data of few effective dimensions, O(n^2 d / k)
/// in the worst case. Requires 1 <= k and 1 <= n; n < 2k gives one class (of fewer than k records
/// if n < k). The classes are numbered by their first record.
///
/// With a stretch above 1, other records may be farther than r and s by up to that factor, in
/// squared distance; it is at least 1.
Partition mdav(const Space& space, Record k, Ticker& ticker, double stretch = 1);

/// MDAV for some of the records, given in ascending order; the others have no class (kNone).
Partition mdav(const Space& space, const std::vector<Record>& records, Record k, Ticker& ticker);

/// The stretch for MDAV as the start of a search in a table of so many records. On large tables the
/// searches for r and s take most of its time, and seeds that are nearly farthest lead to the same
/// loss.
double stretch_of_start(Record table_records);

}  // namespace anonkit
