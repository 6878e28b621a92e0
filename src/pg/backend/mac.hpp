#pragma once

#include "base/sha256.hpp"

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The length of a secret.
constexpr int kSecretBytes = 32;
/// A new secret, from a cryptographic source, in the current memory context.
const uint8* draw_secret();

/// The length of HMAC-SHA-256.
constexpr int kMacBytes = 32;

/// The kind of the bytes under an HMAC, so that none passes for another.
enum class Sealed : uint8 {
  place = 'p',
  cohort = 'c',
  state = 's',
  persons = 'n',
  rows = 'r',
  coins = 'd',
  pseudonym = 'y'
};

/// Makes HMACs under a secret. Plain data.
struct Mac {
  HmacSha256 hmac;
};
Mac make_mac(const uint8* secret);

/// Writes HMAC-SHA-256 of the bytes to kMacBytes.
void mac_of(const Mac& mac, Sealed kind, const void* bytes, std::size_t size, uint8* result);

}  // namespace anonkit::pg
