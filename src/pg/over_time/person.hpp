#pragma once

#include "pg/backend/mac.hpp"
#include "pg/read/source.hpp"

namespace anonkit::pg {

struct ValueForm;

/// The length of a person's hash: sha256 of a secret and the key.
constexpr int kPersonBytes = 32;
/// The length of the hash of a row's quasi-identifiers, which reveals if one has changed. Version
/// 0.2.0 kept a hash of kOldQuasiBytes of each instead: no number of them is as long as this one.
constexpr int kQuasiBytes = 12;
constexpr int kOldQuasiBytes = 8;
static_assert(kQuasiBytes % kOldQuasiBytes != 0);

/// The columns that identify a record over time: those of the key, then the other ones of the unit.
/// So a row that changes its unit becomes another record. Plain data.
struct Key {
  SourceColumn* columns;
  int count;
  int named;       ///< how many of them the key itself has: the first
  int* unit;       ///< places of the unit's columns
  int unit_count;  ///< 0: each record is somebody else's
};

/// True if equal values of the type have one text each, under the collation and any settings.
bool can_be_key(Oid type, Oid collation);

/// Looks up these columns. Errors: an unknown or repeated column, a type whose equal values may
/// have different texts.
Key resolve_key(Oid relation, const Spec& spec);

/// Makes hashes with a secret, of values in their canonical form. Plain data.
struct Hasher {
  Sha256 begun;             ///< has read the secret
  const ValueForm* key;     ///< of the key's columns
  const ValueForm* source;  ///< of the source's columns
};
Hasher make_hasher(const uint8* secret, const ValueForm* key, const ValueForm* source);

/// Writes the hash of a key's values, none of them null, to kPersonBytes. Equal keys have equal
/// hashes under any settings, and in any encoding of the server.
void hash_person(const Hasher& hasher, const Key& key, const Datum* values, uint8* person);
/// The hash of the unit's values alone.
void hash_unit(const Hasher& hasher, const Key& key, const Datum* values, uint8* unit);

/// Values of quasi-identifiers of one row. Plain data.
struct QuasiValues {
  const SourceColumn* columns;
  int count;
  const Datum* values;
  const bool* nulls;
};

/// Writes the hash of a row's quasi-identifiers to kQuasiBytes. The hash of the person, or of the
/// unit, is its salt, so that values of different persons cannot be compared.
void hash_quasi(const Hasher& hasher, const uint8* person, const QuasiValues& row, uint8* quasi);

/// As hash_quasi, of the hashes that version 0.2.0 made of each value; and of such hashes as a
/// table has them.
void hash_old_quasi(const Hasher& hasher, const uint8* person, const QuasiValues& row,
                    uint8* quasi);
void hash_of_old_quasi(const uint8* old, std::size_t size, uint8* quasi);

/// The first bytes of a hash, enough to distinguish all persons.
uint64 holder_of(const uint8* hash);

}  // namespace anonkit::pg
