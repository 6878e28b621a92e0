#pragma once

#include <cstdint>

namespace anonkit {

/// A record's position in the canonical order (see table/canonical_order.hpp).
using Record = std::int32_t;
using ClassId = std::int32_t;

/// Marks the absence of a record or class; also the class of a suppressed record.
inline constexpr std::int32_t kNone = -1;

}  // namespace anonkit
