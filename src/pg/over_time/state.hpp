#pragma once

#include "pg/over_time/person.hpp"
#include "pg/over_time/view_query.hpp"

namespace anonkit::pg {

/// The state of a release over time, in tables of its owner beside it:
///   NAME_places   every place ever published; the release is a view of the current ones
///   NAME_waiting  waiting persons: the person's hash, and the version since which it waits
///   NAME_secret   one row: the salt of the hashes, scales, the first version's loss
/// No table holds a key or an exact quasi-identifier, and only the owner may read them.
///
/// Columns of NAME_places beside the published ones. A source must not have a published column of
/// these names.
constexpr const char* kPlaceColumns[] = {"anon_class", "anon_person", "anon_unit",  "anon_quasi",
                                         "anon_met",   "anon_since",  "anon_until", "anon_weight"};
/// The hash of the unit, in releases that count persons.
constexpr const char* kUnitColumn = kPlaceColumns[2];

/// The one row of NAME_secret. Plain data.
struct Memory {
  uint8 secret[kSecretBytes];
  int32 version;      ///< the last published one; 0: none
  int64 classes;      ///< founded so far
  int64 present;      ///< rows of the source at the last version
  double first_loss;  ///< squared error per record of the first version
  double first_sst;   ///< its squared error with one class of all records
  double* scales;     ///< of the quasi-identifiers, or null before the first version
  char* columns;      ///< names and types of the key and the columns
  char* seal;         ///< of the tables; see seal_of
};

/// The spec in terms of the places, where the unit is its hash.
Spec of_places(const Spec& spec);

/// Creates the tables beside a future release of this name ("schema"."name" in two parts). The
/// release's query refers to their OIDs.
void create_state(const char* schema, const char* name, const Source& source, const Key& key,
                  OverTimeQuery& release);

/// The names and types that reveal a change of the source.
char* columns_text(const Source& source, const Key& key);

/// Takes the lock that admits one refresh at a time without delaying readers, and reads the row.
/// Errors (object_not_in_prerequisite_state) if the row is missing, or the tables were changed.
Memory open_state(const OverTimeQuery& release);

/// Writes the row, with a seal of the tables' present contents.
void close_state(const OverTimeQuery& release, const Memory& memory, int quasi_identifiers);

/// An error unless the tables exist and belong to the release's owner. A fake release must not make
/// its victim write to an attacker's tables.
void require_one_owner(const OverTimeQuery& release);

/// Drops the tables.
void drop_state(const OverTimeQuery& release);

}  // namespace anonkit::pg
