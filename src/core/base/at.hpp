#pragma once

#include <cstddef>
#include <cstdint>

namespace anonkit {

/// The number of a record, class, value or group as an index into an array.
constexpr std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace anonkit
