#pragma once

#include "pg/over_time/places_record.hpp"

namespace anonkit::pg {

/// The source as one refresh sees it, read once. The rows without a place, which are few but for
/// the first version, are in a tuplestore, in the order of their ordinals. The refresh's statements
/// see it as the relation anon_present(ordinal, person, unit, quasi, c0, c1, ...), where the c are
/// source.columns. Plain data.
struct Census {
  Source source;
  Key key;
  int64 rows;
  int64 capacity;
  const PersonIndex* persons;
  int32* person_of;  ///< by ordinal: the person's number
  uint64* holders;   ///< by ordinal: whose the row is, the first bytes of the unit's hash
  uint64* nulls;     ///< rows x null_words: the stratum, a NullPattern of the quasi-identifiers
  int null_words;
  Tuplestorestate* store;
  TupleDesc descriptor;
  int64 stored;

  const uint8* person(int64 ordinal) const { return persons->persons[person_of[ordinal]].hash; }
};

/// Columns of the relation before those of the source.
enum Present { kPresentOrdinal, kPresentPerson, kPresentUnit, kPresentQuasi, kPresentOwn };

/// Reads the source's key and named columns in one query, under the active snapshot, and compares
/// the rows with their places. Requires an SPI session. Errors: a key or unit that is null, a key
/// that is not unique.
Census take_census(const OpenState& open, PlacesRecord& places);

/// Lets the session's statements read a tuplestore as a relation of that name.
void name_store(const char* name, Tuplestorestate* store, TupleDesc descriptor, int64 rows);

/// An empty tuplestore for name_store.
Tuplestorestate* new_store();

/// Forgets the name and closes the tuplestore with its file, if it has one.
void end_store(const char* name, Tuplestorestate* store);

}  // namespace anonkit::pg
