#pragma once

#include "pg/read/source.hpp"

struct pg_cryptohash_ctx;

namespace anonkit::pg {

/// A person as the state knows it: sha256 of a secret and the key.
constexpr int kPersonBytes = 32;
/// What is kept of one quasi-identifier of a person, to see whether it has changed.
constexpr int kQuasiBytes = 8;
/// The length of a secret.
constexpr int kSecretBytes = 32;

/// The columns by which a record is known again. Plain data.
struct Key {
  SourceColumn* columns;
  int count;
};

/// Looks the key's columns up. Errors: unknown or repeated column, a type whose equal values may
/// look different.
Key resolve_key(Oid relation, const Names& names);

/// Makes hashes with a secret. Plain data.
struct Hasher {
  pg_cryptohash_ctx* context;
  const uint8* secret;
};
Hasher make_hasher(const uint8* secret);
void end_hasher(const Hasher& hasher);

/// The hash of a key's values, none of which is null, into kPersonBytes. Equal keys have equal
/// hashes, whatever the session's settings.
void hash_person(const Hasher& hasher, const Key& key, const Datum* values, uint8* person);

/// The hash of a person's value of the column numbered j, into kQuasiBytes. Salted by the person,
/// so that nobody can compare persons.
void hash_quasi(const Hasher& hasher, const uint8* person, int j, const SourceColumn& column,
                Datum value, bool is_null, uint8* quasi);

/// How many of the values of two such rows of hashes are equal.
int equal_quasi(const uint8* a, const uint8* b, int count);

}  // namespace anonkit::pg
