#pragma once

#include "cohort/cohorts.hpp"

#include "pg/over_time/census.hpp"
#include "pg/over_time/places_record.hpp"

namespace anonkit::pg {

/// The state compared with a census. Plain data, except objects of a memory context.
struct Standings {
  const Register* known;
  Roll* roll;
  ClassLife* lives;     ///< by cohort, as last published
  int32* waiting;       ///< by person: the version since which they wait, 0 if they do not
  int64 known_persons;  ///< present now and known from an earlier version
  bool* withdrawn;      ///< by cohort: the withdrawn person founded it
  int64 withdrawn_rows;
  int64 living;    ///< published places whose person is present
  int64 withheld;  ///< of those that stay, the ones without their sensitive values
  double sse;  ///< of the living, against today's quasi-identifiers; null unless means of numbers
};

/// Calls the roll of the places that the census has met, and of the persons who wait. Cohort c is
/// anon_class c+1. Marked cohorts retire.
Standings compare_state(const OverTimeQuery& release, const Census& census, const Memory& memory,
                        const Spec& spec, PlacesRecord& places);

/// Names the rows that wait as relation NAME(ordinal). The caller ends the store.
Tuplestorestate* name_waiting(const Census& census, const Roll& roll, const char* name);

}  // namespace anonkit::pg
