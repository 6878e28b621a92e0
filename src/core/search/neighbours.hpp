#pragma once

#include <vector>

#include "base/ticker.hpp"
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

/// The m nearest other records of every record, by n searches of the spatial index. Where records
/// share a place, one record at each of the nearest places, and one at the record's own. Above 1,
/// `stretch` saves most of the time where columns are many: the other record of each rank is then
/// at most so many times as far as the nearest of that rank, in squared distance. The number of
/// threads changes the time, never a list.
Neighbours neighbours(const Space& space, int m, Ticker& ticker, int threads = 1,
                      double stretch = 1);

}  // namespace anonkit
