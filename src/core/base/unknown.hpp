#pragma once

#include <limits>

namespace anonkit {

/// A figure without a value: of no numbers, or without an estimate.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace anonkit
