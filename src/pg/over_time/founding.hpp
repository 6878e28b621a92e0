#pragma once

#include "pg/over_time/register.hpp"
#include "pg/release/figures.hpp"
#include "pg/release/run.hpp"

namespace anonkit::pg {

/// The classes that were founded by one refresh. Plain data.
struct Founded {
  int64 classes;
  int64 rows;
  bool* settled;    ///< of each person: founded a place now
  int64* sizes;     ///< of each new class
  Figures figures;  ///< of the method's run; of use after the first version alone
  double loss;      ///< squared error of a record in the method's classes
  double* scales;   ///< that the run used
};

/// Forms classes of those who wait, by the release's method, and writes those that are accepted as
/// places of the version. The first version accepts all. Promises about the distribution in the
/// whole release are founded with a margin, because that distribution drifts (kDriftMargin).
Founded found_places(const OverTimeQuery& release, const Census& census, const Memory& memory,
                     const Standings& standings, const Spec& spec, int32 version);

/// The share of t that a class may use up when it is founded.
constexpr double kDriftMargin = 0.8;

}  // namespace anonkit::pg
