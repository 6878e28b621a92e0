#include "pg/backend/mac.hpp"

#include "pg/backend/session.hpp"

extern "C" {
#include "common/hmac.h"
}

namespace anonkit::pg {

const uint8* draw_secret() {
  auto* secret = allocate<uint8>(kSecretBytes);
  if (!pg_strong_random(secret, kSecretBytes))
    ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate a random secret")));
  return secret;
}

Mac make_mac(const uint8* secret) {
  const Mac mac = {pg_hmac_create(PG_SHA256), secret};
  if (mac.context == nullptr)
    ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
  return mac;
}

void end_mac(const Mac& mac) {
  pg_hmac_free(mac.context);
}

void mac_of(const Mac& mac, Sealed kind, const void* bytes, std::size_t size, uint8* result) {
  const auto mark = static_cast<uint8>(kind);
  if (pg_hmac_init(mac.context, mac.secret, kSecretBytes) < 0 ||
      pg_hmac_update(mac.context, &mark, sizeof mark) < 0 ||
      pg_hmac_update(mac.context, static_cast<const uint8*>(bytes), size) < 0 ||
      pg_hmac_final(mac.context, result, kMacBytes) < 0)
    elog(ERROR, "could not compute an HMAC");
}

}  // namespace anonkit::pg
