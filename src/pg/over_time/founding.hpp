#pragma once

#include "pg/over_time/register.hpp"
#include "pg/release/figures.hpp"
#include "pg/release/run.hpp"

namespace anonkit::pg {

/// The classes founded by one refresh. Plain data.
struct Founded {
  int64 classes;
  int64 rows;
  bool* settled;    ///< by person: founded a place now
  int64* sizes;     ///< by new class
  Figures figures;  ///< of the method's run; valid for the first version only
  double loss;      ///< squared error per record in the method's classes
  double* scales;   ///< scales of the run
  PlacesSum sum;    ///< the seal of the new places
};

/// Forms classes of the waiting persons by the release's method, and writes the accepted ones as
/// places of the version in `memory`. The first version accepts all. Promises about the release's
/// distribution get a margin at the founding, because that distribution drifts (kDriftMargin).
Founded found_places(const OverTimeQuery& release, const Census& census, const Memory& memory,
                     const Standings& standings, const Spec& spec);

/// The share of t that a class may use at its founding.
constexpr double kDriftMargin = 0.8;

}  // namespace anonkit::pg
