#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "partition/change.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Near other records of every record, nearest first, ties to the lower index.
struct Neighbours {
  int each = 0;                 ///< neighbours of one record: min(m, n-1)
  std::vector<Record> records;  ///< n * each

  const Record* of(Record i) const {
    return records.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(each);
  }
};

/// The m nearest other records of every record: n searches of the spatial index. Where records
/// share a place, one at each of the nearest places, and one of the record's own.
Neighbours neighbours(const Space& space, int m, Ticker& ticker);

/// Nearly the same for records whose classes are compact, in a fraction of the time: the m nearest
/// among the members of the record's own class and of the classes about it. n/k searches of the
/// index, in which each class is represented by its most central record, and O(n d) distances for
/// every class looked at. Where classes are too large or too few for that, exactly the same.
Neighbours neighbours_by_class(const Space& space, const Partition& partition, int m,
                               Ticker& ticker);

}  // namespace anonkit
