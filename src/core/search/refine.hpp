#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "constraint/constraint.hpp"
#include "data/space.hpp"
#include "partition/partition.hpp"
#include "search/loss.hpp"
#include "ticker.hpp"

namespace anonkit {

enum class Effort {
  fast,      ///< descent, and a short annealing of small tables: 50 ms for thousands of records,
             ///< about three times what MDAV takes for millions
  thorough,  ///< descent and long annealing: some ten seconds for a thousand records
};

struct RefineOptions {
  Effort effort = Effort::fast;
  std::uint64_t seed = 0;
  /// Multiplies the effort of every stage, for tests and impatient callers.
  double scale = 1;
  /// The share of the time allowed that is gone, 1 or more when it is over; none if unlimited.
  std::function<double()> clock;
  /// If the records are a part of a problem, all of its records: a part is given the effort that a
  /// record of the whole is worth.
  Record whole = 0;
  /// The same, for a search of n records.
  Record whole_of(Record n) const { return std::max(n, whole); }
};

struct RefineResult {
  Partition partition;  ///< numbered by first record
  double loss_before = 0;
  double loss_after = 0;     ///< never above loss_before
  std::int64_t tried = 0;    ///< changes evaluated
  bool reproducible = true;  ///< false if the clock had a say
};

/// Searches for classes of lower loss, each with at least k records and allowed by every
/// constraint, from a start that is such a partition (else throws infeasible).
RefineResult refine(const Space& space, const Partition& start, Record k, Loss& loss,
                    const std::vector<Constraint*>& constraints, const RefineOptions& options,
                    Ticker& ticker);

/// The same, with the loss SSE to the centroid.
RefineResult refine(const Space& space, const Partition& start, Record k,
                    const std::vector<Constraint*>& constraints, const RefineOptions& options,
                    Ticker& ticker);

}  // namespace anonkit
