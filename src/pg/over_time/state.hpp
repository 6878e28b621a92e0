#pragma once

#include "pg/over_time/enum_labels.hpp"
#include "pg/over_time/view_query.hpp"

namespace anonkit::pg {

// The state of a release over time is its table of places (places_table.hpp) and the rest of it,
// sealed, in the companion. Neither holds a key or an exact quasi-identifier, and only the owner
// may read them.

/// A sum over all places, and all classes, of their HMACs: it changes with any row, and follows a
/// change of a row without a look at the others. Plain data.
struct PlacesSum {
  static constexpr int kLanes = 4;

  int64 rows;
  uint64 lanes[kLanes];
};

/// A person without a place. Plain data.
struct Waiting {
  uint8 person[kPersonBytes];
  int32 since;  ///< a version
};

/// The state beside the places. Plain data.
struct Memory {
  uint8 secret[kSecretBytes];
  int32 version;        ///< the last published one; 0: none
  int64 classes;        ///< founded so far
  int64 present;        ///< rows of the source at the last version
  double first_loss;    ///< squared error per record of the first version
  double first_sst;     ///< its squared error with one class of all records
  double told_lacking;  ///< percentage of persons not published when the owner was last told; 0
  double told_stratum;  ///< that of a stratum
  int scale_count;      ///< quasi-identifiers; 0 before the first version
  double* scales;       ///< of the quasi-identifiers
  const char* columns;  ///< names and types of the key and the columns
  PlacesSum places;
  uint64 system;      ///< the server that wrote the last version, by its system identifier
  Oid database;       ///< and the database
  TimestampTz built;  ///< when, as the view's comment has it; 0: not known
  EnumColumns enums;
  Waiting* waiting;  ///< sorted by person
  int64 waiting_count;
};

/// The spec in terms of the places, where the unit is its hash.
Spec of_places(const Spec& spec);

/// Makes the secret of a new release, whose view and places exist, and writes its first state.
void create_state(const OverTimeQuery& release, const Source& source, const Key& key);

/// The state, and the source that it fits. Plain data.
struct OpenState {
  Memory memory;
  Source source;
  Key key;
};

/// Reads the state and checks the table of places, which stays locked. Errors
/// (object_not_in_prerequisite_state): a part of the state is missing, malformed or altered; the
/// source has other columns.
OpenState open_state(const OverTimeQuery& release, const Spec& spec);

/// open_state for the next version. The release is locked. An error (serialization_failure) if this
/// transaction's snapshot is older than the last version.
OpenState continue_state(const OverTimeQuery& release, const Spec& spec);

/// Writes the state, sealed, with the time of the version that the view's comment has by now.
void close_state(const OverTimeQuery& release, Memory& memory);

/// Lets DROP of the release take its places and its companion along, as after every refresh. An
/// error unless the places belong to the release's owner: a fake release must not make its victim
/// drop another's table.
void tie_state(const OverTimeQuery& release);

/// Raises object_not_in_prerequisite_state about a table of the state. `fault` is the predicate of
/// a sentence.
[[noreturn]] void refuse_state(Oid table, const char* fault);

}  // namespace anonkit::pg
