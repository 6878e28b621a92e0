#pragma once

// The evaluation of combinations of methods, ks and parameters: of anon_sweep and anon_explore.
//
// Phases: sweep_of() lists the combinations of a call; evaluate_sweep() evaluates each without a
// release. Invariant: an infeasible combination has an error in place of figures, other errors end
// the call. Memory: a combination leaves its figures and texts behind.
//
//   Sweep sweep = sweep_of(fcinfo);
//   evaluate_sweep(sweep, {});
//   for (int i = 0; i < sweep.count; ++i) write(sweep.points[i], is_on_frontier(sweep, i));

#include <cmath>

#include "pg/release/figures.hpp"
#include "pg/release/run.hpp"

namespace anonkit::pg {

/// One combination, and its figures. Plain data.
struct Point {
  FunctionCallInfo fcinfo;
  int series;          ///< the combinations that differ in k alone have one number
  const char* method;  ///< or null
  Datum k;
  bool k_is_null;
  Jsonb* params;
  Figures figures;
  double largest_risk;  ///< of a published record, 1 / the members of its class; or NaN
  double mean_risk;     ///< over the published records; or NaN
  double by_form;  ///< the share of attacked cells that the form of the release determines, or NaN
  double by_code;
  const char* promises;  ///< in words
  const char* remarks;   ///< what the figures are of, and why some are null; or null
  char* error;           ///< of a combination that is not possible; or null

  double cost() const { return by_ncp() ? figures.ncp : figures.loss; }
  bool by_ncp() const { return std::isnan(figures.loss); }
};

struct Sweep {
  Point* points;
  int count;
  int cells;         ///< to attack
  Jsonb* preferred;  ///< options for the methods that have them, unless the call gives others
};

/// Receives the run of a combination that is possible. The session of the run is open, and its
/// memory ends with the call.
struct RunObserver {
  void (*see)(const Sweep& sweep, int point, Jsonb* spec, const Run& run, void* state) = nullptr;
  void* state = nullptr;
};

/// The combinations of a call with arguments ks, methods and params, series by series. An error
/// (invalid_parameter_value) above `most`.
Sweep sweep_of(FunctionCallInfo fcinfo, int32 most);

void evaluate_sweep(Sweep& sweep, const RunObserver& observer);

/// True if no other combination is better in loss (NCP for a method without squared loss) or mean
/// risk, and at least as good in the other.
bool is_on_frontier(const Sweep& sweep, int point);

}  // namespace anonkit::pg
