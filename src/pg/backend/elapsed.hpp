#pragma once

#include <algorithm>

#include "pg/backend/boundary.hpp"

extern "C" {
#include "utils/timestamp.h"
}

namespace anonkit::pg {

/// The seconds from one time to another, and 0 if the clock was set back between them.
inline double seconds_between(TimestampTz from, TimestampTz to) {
  return static_cast<double>(std::max<int64>(to - from, 0)) / USECS_PER_SEC;
}

inline double seconds_since(TimestampTz time) {
  return seconds_between(time, GetCurrentTimestamp());
}

}  // namespace anonkit::pg
