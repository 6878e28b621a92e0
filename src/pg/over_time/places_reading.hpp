#pragma once

#include "pg/backend/mac.hpp"
#include "pg/over_time/canonical.hpp"
#include "pg/over_time/places_table.hpp"
#include "pg/over_time/state.hpp"

namespace anonkit::pg {

/// The last version and the weight, which the places of a class share. Plain data.
struct ClassLife {
  int32 until;  ///< 0: published
  double weight;
  int32 places;  ///< rows read so far
  bool shows;    ///< one of them has a sensitive value: otherwise the class withholds them
};

/// A row of the table as a refresh wrote it. Pointers are into the row. Plain data.
struct PlaceValues {
  int64 cohort;  ///< from 0
  const uint8* person;
  const uint8* quasi;
  int quasi_size;       ///< kQuasiBytes; other in places of version 0.2.0
  const uint8* holder;  ///< the unit's hash, or the person's
  const int64* met;     ///< cohorts, from 1
  int met_count;
};

/// Reads places of a query, checks each value and adds it to the seal. Plain data.
struct PlaceReading {
  Oid table;
  int columns;
  int quasi_identifiers;
  bool units;              ///< holders are not the persons themselves
  const ValueForm* forms;  ///< of the released columns, in the order of the source
  const SourceColumn* released;
  int32 version;  ///< the last one
  int64 classes;
  ClassLife* lives;  ///< by cohort
  Mac mac;
  StringInfoData bytes;
  PlacesSum sum;
};

/// The first columns of a query's rows, of places by this alias. `kPlaceValues` columns precede the
/// released ones.
constexpr int kPlaceValues = 8;
const char* place_list(const Source& source, const Key& key, const char* alias);

/// Begins to read classes below `classes` of versions up to this one.
PlaceReading begin_places(Oid table, const Source& source, const Key& key, const Memory& memory,
                          int64 classes, int32 version);

/// Reads a row. Errors (object_not_in_prerequisite_state): a value that no refresh wrote.
PlaceValues read_place_values(PlaceReading& reading, const TupleTableSlot* slot);

/// read_place_values for the seal alone.
void read_place_row(TupleTableSlot* slot, void* reading);

/// The seal of all rows read and of their classes.
PlacesSum end_places(PlaceReading& reading);

/// Adds and removes the seal of a class that has changed.
void change_class(const Mac& mac, PlacesSum& sum, int64 cohort, const ClassLife& from,
                  const ClassLife& to);

/// The sum of two seals of different places.
PlacesSum joined(const PlacesSum& a, const PlacesSum& b);

/// An error (object_not_in_prerequisite_state) unless the seals are equal.
void require_sum(Oid table, const Source& source, const PlacesSum& sealed,
                 const PlacesSum& present);

/// Reads all places.
PlacesSum read_places(const OverTimeQuery& release, const Source& source, const Key& key,
                      const Memory& memory);

/// Reads all places, and raises that error unless they and the state are as the last refresh left
/// them.
void verify_state(const OverTimeQuery& release, const Spec& spec);

}  // namespace anonkit::pg
