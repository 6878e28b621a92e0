#pragma once

// The secret of a release that is made with secret_seed: 32 bytes of the server's strong random
// source. The owner's companion has them, and every refresh uses them again.
//
//   const uint8* secret = draw_secret();  // anon_publish
//   use_secret(spec, secret);
//   keep_secret(release, secret);         // read by secret_of(release) at a refresh

#include "pg/backend/mac.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// Lets a spec with secret_seed draw its coins and its seed from the secret. Nothing for others.
void use_secret(Spec& spec, const uint8* secret);

/// Writes the secret of a new release, as its owner.
void keep_secret(Oid release, const uint8* secret);

/// The secret of a release. An error (object_not_in_prerequisite_state) if it has none.
const uint8* secret_of(Oid release);

/// The release of this source and spec that a command of this session is refreshing, such as
/// REFRESH MATERIALIZED VIEW, whose query cannot name it; InvalidOid if there is none. An error
/// (feature_not_supported) if a transaction has several.
Oid release_in_refresh(Oid source, Jsonb* spec);

/// Warns a publisher whose seed everybody may know that coins are none.
void warn_of_public_seed(const Spec& spec);

}  // namespace anonkit::pg
