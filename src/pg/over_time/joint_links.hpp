#pragma once

// The records of several releases of the same persons: rows with equal keys show one record.

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

#include "pg/over_time/joint_reading.hpp"

namespace anonkit::pg {

using Numbers = std::vector<std::int32_t>;

/// The rows of the releases by the record that they show: linked ones first, then those that have
/// left their source.
struct Linked {
  Numbers record_of;  ///< by row
  std::int32_t linked = 0, records = 0;
  Numbers unit_of;  ///< by record; empty: each is a person of its own
};

/// Links the rows of all releases, once they have been read. O(n log n).
Linked link_records(const JointRows& rows, Ticker& ticker);

}  // namespace anonkit::pg
