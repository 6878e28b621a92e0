#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "partition/change.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Nearest other records of every record, nearest first, ties to the lower index.
struct Neighbours {
  int each = 0;                 ///< neighbours of one record: min(m, n-1)
  std::vector<Record> records;  ///< n * each

  const Record* of(Record i) const {
    return records.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(each);
  }
};

/// The m nearest other records of every record, by n searches of the spatial index. Where records
/// share a place, one record at each of the nearest places, and one at the record's own. The number
/// of threads changes the time, never a list.
Neighbours neighbours(const Space& space, int m, Ticker& ticker, int threads = 1);

/// An approximation for compact classes at a fraction of the time. It has the m nearest records
/// among those of the record's own class and of the classes around it. It takes n/k searches of an
/// index that holds the most central record of each class, and O(n d) distances per class visited.
/// Members of wide classes, such as those between two clusters, get exact lists. If classes are too
/// large or too few for that, all lists are exact.
Neighbours neighbours_by_class(const Space& space, const Partition& partition, int m,
                               Ticker& ticker, int threads = 1);

}  // namespace anonkit
