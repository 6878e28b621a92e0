#pragma once

#include "pg/backend/mac.hpp"
#include "pg/read/source.hpp"

struct pg_cryptohash_ctx;

namespace anonkit::pg {

struct ValueForm;

/// The length of a person's hash: sha256 of a secret and the key.
constexpr int kPersonBytes = 32;
/// The length of a quasi-identifier's hash, which reveals if the value has changed.
constexpr int kQuasiBytes = 8;

/// The columns that identify a record over time: those of the key, then the other ones of the unit.
/// So a row that changes its unit becomes another record. Plain data.
struct Key {
  SourceColumn* columns;
  int count;
  int named;       ///< how many of them the key itself has: the first
  int* unit;       ///< places of the unit's columns
  int unit_count;  ///< 0: each record is somebody else's
};

/// Looks up these columns. Errors: an unknown or repeated column, a type whose equal values may
/// have different texts.
Key resolve_key(Oid relation, const Spec& spec);

/// Makes hashes with a secret, of values in their canonical form. Plain data.
struct Hasher {
  pg_cryptohash_ctx* context;
  const uint8* secret;
  const ValueForm* key;     ///< of the key's columns
  const ValueForm* source;  ///< of the source's columns
};
Hasher make_hasher(const uint8* secret, const ValueForm* key, const ValueForm* source);
void end_hasher(const Hasher& hasher);

/// Writes the hash of a key's values, none of them null, to kPersonBytes. Equal keys have equal
/// hashes under any settings, and in any encoding of the server.
void hash_person(const Hasher& hasher, const Key& key, const Datum* values, uint8* person);
/// The hash of the unit's values alone.
void hash_unit(const Hasher& hasher, const Key& key, const Datum* values, uint8* unit);

/// Writes the hash of a person's value of the j-th column to kQuasiBytes. The hash of the person,
/// or of the unit, is its salt, so that values of different persons cannot be compared.
void hash_quasi(const Hasher& hasher, const uint8* person, int j, const SourceColumn& column,
                Datum value, bool is_null, uint8* quasi);

/// The first bytes of a hash, enough to distinguish all persons.
uint64 holder_of(const uint8* hash);

/// The number of equal values in two such rows of hashes.
int equal_quasi(const uint8* a, const uint8* b, int count);

}  // namespace anonkit::pg
