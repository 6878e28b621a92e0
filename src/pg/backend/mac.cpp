#include "pg/backend/mac.hpp"

#include <algorithm>

#include "pg/backend/session.hpp"

namespace anonkit::pg {

const uint8* draw_secret() {
  auto* secret = allocate<uint8>(kSecretBytes);
  if (!pg_strong_random(secret, kSecretBytes))
    ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate a random secret")));
  return secret;
}

Mac make_mac(const uint8* secret) {
  return {HmacSha256(secret, kSecretBytes)};
}

void mac_of(const Mac& mac, Sealed kind, const void* bytes, std::size_t size, uint8* result) {
  const Sha256::Digest digest = mac.hmac.of(static_cast<uint8>(kind), bytes, size);
  std::copy(digest.begin(), digest.end(), result);
}

}  // namespace anonkit::pg
