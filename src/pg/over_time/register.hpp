#pragma once

#include "cohort/cohorts.hpp"

#include "pg/over_time/census.hpp"
#include "pg/over_time/state.hpp"

namespace anonkit::pg {

/// The state compared with a census. Plain data, but for what a memory context owns.
struct Standings {
  const Register* known;
  Roll* roll;
  double* weights;      ///< of each cohort, as published last
  int32* waiting;       ///< of each person: the version since which they wait, 0: they do not
  int64 known_persons;  ///< present, and known from an earlier version
  int64 living;         ///< published places as they should be
  double sse;  ///< of those, against today's quasi-identifiers; null unless means of numbers
};

/// Reads places and waiting, and calls the roll. Cohort c is anon_class c+1.
Standings compare_state(const OverTimeQuery& release, const Census& census, const Memory& memory,
                        const Spec& spec);

}  // namespace anonkit::pg
