#pragma once

#include <cstdint>

namespace anonkit {

/// The most records of one value in a class of that size, if a share of alpha is allowed.
std::int32_t most_alike(double alpha, std::int32_t members);

}  // namespace anonkit
