#pragma once

#include <cstdint>

namespace anonkit {

/// A record's place in the canonical order (see table/canonical_order.hpp).
using Record = std::int32_t;
using ClassId = std::int32_t;

/// No record or no class; the class of a suppressed record.
inline constexpr std::int32_t kNone = -1;

}  // namespace anonkit
