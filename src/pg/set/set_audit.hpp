#pragma once

#include "pg/set/set_reader.hpp"

namespace anonkit::pg {

constexpr int kLargestM = 3;

/// The promises of related tables that are asserted. Plain data.
struct SetPromises {
  int m;         ///< kLargestM + 1: all
  int32 k;       ///< 0: none
  double alpha;  ///< above 1: none
  int32 l;       ///< 0: none
  bool counts;   ///< k by the numbers of rows, too
};

/// An error (check_violation) unless the tables keep the promises.
void require_levels(const SetRows& rows, const SetPromises& promises);

}  // namespace anonkit::pg
