#pragma once

// Lists of keyed hashes in the companion of a set that grows: of its persons, and of the rows that
// came with them.
//
//   a secret, the HMAC of all that follows, the time of the version that wrote the list, and the
//   hashes, ascending
//
//   const HashList known = read_hashes(set, kPersonHashes, 0);
//   if (has_hash(known, kPersonHashes, hash)) ...

#include "pg/over_time/person.hpp"
#include "pg/release/run.hpp"
#include "pg/set/set_description.hpp"

namespace anonkit::pg {

/// The subject of a list's hashes. Plain data.
struct HashKind {
  const char* item;  ///< of the companion, and the noun of messages
  Sealed sealed;
  int width;  ///< bytes a hash
  const char* most;
};
constexpr HashKind kPersonHashes = {"persons", Sealed::persons, kPersonBytes, "33 million persons"};
/// Half of a hash: among a billion rows two are taken for one with a probability below 2^-68.
constexpr HashKind kRowHashes = {"rows", Sealed::rows, kRowBytes, "67 million rows a table"};

/// The list of an item and number. An error (object_not_in_prerequisite_state) if the companion has
/// none, or that of another version: a refresh that continued from it would publish again what
/// readers could join.
HashList read_hashes(const SetQuery& set, const HashKind& kind, int64 number);

/// The list of a set that has noted nothing yet.
HashList no_hashes(const uint8* secret);

bool has_hash(const HashList& known, const HashKind& kind, const uint8* hash);

/// Writes the known hashes and the added ones, which are sorted in place, after note_set. `type` is
/// that of the key, or null. An error (program_limit_exceeded) for more than a value holds.
void write_hashes(const SetQuery& set, const HashKind& kind, int64 number, const HashList& known,
                  uint8* added, int64 count, const char* type);

/// A row of the source, and the hash of its key; null without a key.
using HashedRow = void (*)(int64 row, const uint8* hash, void* state);

/// Passes the rows of a spool that has the key, a single column.
void for_each_hash(const uint8* secret, const Key& key, const Run& run, HashedRow receive,
                   void* state);

/// The type of a key, under a domain.
const char* type_of_key(Oid relation, const char* key);

/// An error (datatype_mismatch) with this detail if the key of a table has another type than at the
/// last refresh, unless the hashes show that they go on.
void require_key_type(const SetTable& table, const char* key, const HashList& known, bool go_on,
                      const char* detail);

}  // namespace anonkit::pg
