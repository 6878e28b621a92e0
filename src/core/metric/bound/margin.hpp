#pragma once

namespace anonkit {

/// Subtracted from a bound, as a share of the sums that it consists of: far above the error of
/// their floating-point additions.
constexpr double kMargin = 1e-9;

/// Above the relative error of a computed squared distance, even of thousands of attributes.
constexpr double kErrorOfDistance = 1e-11;

}  // namespace anonkit
