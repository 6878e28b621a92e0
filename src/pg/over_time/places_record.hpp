#pragma once

// The places of a release in memory, as a refresh meets the rows of the source with them. A row
// whose place is known needs no more than hashes of its values, so only newcomers are kept whole.
//
//   PlacesRecord places = read_record(release, open, spec, withdrawn);
//   meet_row(places, row);  // each row of the source: see census.hpp

#include "pg/over_time/person_index.hpp"
#include "pg/over_time/places_reading.hpp"

namespace anonkit::pg {

/// A place as it was read; its cells follow it. Plain data.
struct PlaceRow {
  int32 cohort;
  int32 person;  ///< the ordinal of its row of the source; kNone: it is absent
  int32 next;    ///< another place of the person, which version 0.2.0 made; else kNone
  bool old_quasi;
  bool kept_changed;       ///< a kept value is another one now
  bool sensitive_changed;  ///< a sensitive one that the class shows
  bool stale;
  uint64 holder;
  uint64 sensitive;  ///< hashes of the values published
  uint64 kept;
  uint8 quasi[kQuasiBytes];
};

/// A cohort whose mean includes quasi-identifiers of a person who is in another one, too.
struct Meeting {
  int64 cohort;
  uint64 holder;
};

/// All places, by the person's number in an index. Plain data.
struct PlacesRecord {
  const Source* source;
  PlaceReading values;
  PersonIndex persons;
  int64 known;        ///< persons with a place: the first in the index
  std::size_t width;  ///< bytes of a place with its cells
  uint8* rows;
  int64 count;
  int64 capacity;
  Meeting* meetings;
  int64 meeting_count;
  int64 meeting_capacity;
  const uint8* withdrawn;  ///< a person's hash, or null
  bool* withdraws;         ///< by cohort
  bool losses;             ///< means of numbers: places whose person is present have a loss
  const double* scales;
  const double* weights;  ///< or null
  double sse;
  FmgrInfo** hash_functions;  ///< by column of the source
  StringInfoData bytes;

  PlaceRow& row(int64 i) const {
    return *reinterpret_cast<PlaceRow*>(rows + static_cast<std::size_t>(i) * width);
  }
  /// By quasi-identifier, NaN for null; with losses only.
  double* cells(int64 i) const { return reinterpret_cast<double*>(&row(i) + 1); }
};

/// A row of the source with the quasi-identifiers' hash. Plain data.
struct MetRow {
  int32 known;  ///< the person's number, of those with a place
  int32 ordinal;
  const uint8* unit;  ///< the hash of the unit, or of the person
  const uint8* quasi;
  const Hasher* hasher;  ///< of the source
  const Datum* values;   ///< by column of the source
  const bool* nulls;
};

/// Reads all places. An error (object_not_in_prerequisite_state) if they are not as the last
/// refresh left them. The cohorts of the person with the hash `withdrawn`, if any, are marked.
PlacesRecord read_record(const OverTimeQuery& release, const OpenState& open, const Spec& spec,
                         const uint8* withdrawn);

/// Compares a row with the places of its person, in a memory context that is reset after the row.
void meet_row(PlacesRecord& places, const MetRow& row);

}  // namespace anonkit::pg
