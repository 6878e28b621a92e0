#pragma once

#include <cstdint>

#include "promise/class_model.hpp"

namespace anonkit {

/// The condition that no value has more than this share of a class. The largest share of a union is
/// at most that of one of its parts.
ClassModel largest_share_within(double most);

/// The most records of one value in a class of that size, if a share of alpha is allowed.
std::int32_t most_alike(double alpha, std::int32_t members);

}  // namespace anonkit
