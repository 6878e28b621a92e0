#pragma once

#include "pg/over_time/person.hpp"
#include "pg/over_time/view_query.hpp"

namespace anonkit::pg {

/// What a release over time remembers, in tables of its owner's beside it:
///   NAME_places   every place that was ever published; the release is a view of those that are
///   NAME_waiting  who waits for a place: the person's hash, and since which version
///   NAME_secret   one row: what the hashes are salted with, scales, the first version's loss
/// No table holds a key or an exact quasi-identifier, and nobody but the owner may read one.
///
/// Columns of NAME_places beside those that are published. No source may have a published column
/// of these names.
constexpr const char* kPlaceColumns[] = {"anon_class", "anon_person", "anon_quasi", "anon_met",
                                         "anon_since", "anon_until",  "anon_weight"};

/// The one row of NAME_secret. Plain data.
struct Memory {
  uint8 secret[kSecretBytes];
  int32 version;      ///< the last one that was published; 0: none
  int64 classes;      ///< founded so far
  int64 present;      ///< rows of the source at the last version
  double first_loss;  ///< squared error of a record of the first version
  double first_sst;   ///< and what it would be if one class held all
  double* scales;     ///< of the quasi-identifiers, or null before the first version
  char* columns;      ///< names and types of key and columns
  char* seal;         ///< of the tables; see seal_of
};

/// Makes the tables beside a release that is to have this name ("schema"."name" in two parts).
/// Their OIDs go into the release's query.
void create_state(const char* schema, const char* name, const Source& source, const Key& key,
                  OverTimeQuery& release);

/// The names and types by which a change of the source is noticed.
char* columns_text(const Source& source, const Key& key);

/// Takes the lock that lets one refresh in at a time and no reader wait, and reads the row. Errors
/// (object_not_in_prerequisite_state) if it is not there, or the tables are not as they were left.
Memory open_state(const OverTimeQuery& release);

/// Writes the row, with a seal of what the tables hold now.
void close_state(const OverTimeQuery& release, const Memory& memory, int quasi_identifiers);

/// An error unless the tables are there and belong to the release's owner: a fake release must not
/// lead its victim to write to tables of somebody else's choice.
void require_one_owner(const OverTimeQuery& release);

/// Drops the tables.
void drop_state(const OverTimeQuery& release);

}  // namespace anonkit::pg
