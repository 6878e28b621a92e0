#pragma once

#include <vector>

#include "data/space.hpp"
#include "ticker.hpp"

namespace anonkit {

/// The nearest other records of every record, nearest first, ties to the lower index.
struct Neighbours {
  int each = 0;                 ///< neighbours of one record: min(m, n-1)
  std::vector<Record> records;  ///< n * each

  const Record* of(Record i) const {
    return records.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(each);
  }
};

/// Finds the m nearest other records of every record.
Neighbours neighbours(const Space& space, int m, Ticker& ticker);

}  // namespace anonkit
