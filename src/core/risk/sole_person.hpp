#pragma once

#include <cstdint>

namespace anonkit {

/// The only person of a class, or one of these.
constexpr std::int32_t kNobody = -1, kSeveral = -2;

/// Adds a person to the one known so far.
constexpr std::int32_t sole_person(std::int32_t known, std::int32_t person) {
  return known == kNobody || known == person ? person : kSeveral;
}

}  // namespace anonkit
