#pragma once

#include "json_build.hpp"
#include "run.hpp"

namespace anonkit::pg {

/// What is reported of a release. Plain data.
struct Figures {
  int64 rows;
  int64 classes;  ///< as GROUP BY sees them
  int64 smallest_class;
  double mean_class;
  double loss;    ///< 100 * SSE / SST
  int64 suppressed;
  int64 blanked;
  double seconds;
};

/// The figures of a run that ends now.
Figures figures_of(const Run& run);

/// Adds every figure under its name.
void add_figures(JsonObject& json, const Figures& figures);

}  // namespace anonkit::pg
