#pragma once

#include "pg/over_time/register.hpp"
#include "pg/release/figures.hpp"
#include "pg/release/run.hpp"

namespace anonkit::pg {

/// The classes founded by one refresh. Plain data.
struct Founded {
  int64 classes;
  int64 rows;
  bool* settled;      ///< by person: founded a place now
  int64* sizes;       ///< by new class
  int64 withheld;     ///< rows whose sensitive values are withheld
  Figures figures;    ///< of the method's run; valid for the first version only
  double loss;        ///< squared error per record in the classes founded
  double* scales;     ///< scales of the run
  PlacesSum sum;      ///< the seal of the new places
  CommandId command;  ///< that inserted them, or InvalidCommandId
};

/// Founds classes of the waiting persons who are due, by the release's method, and writes them as
/// places of the version in `memory`: see settling.hpp. In the first version all are due. Values
/// that are withheld are stored nowhere. Promises about distributions are relative to the rows
/// founded with a class, which later versions cannot change.
Founded found_places(const OverTimeQuery& release, const Census& census, const Memory& memory,
                     const Standings& standings, const Spec& spec);

}  // namespace anonkit::pg
