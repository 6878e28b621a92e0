#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/constraint.hpp"
#include "search/loss/loss.hpp"
#include "search/neighbours.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Up to this many records, a search tries every start.
constexpr Record kEveryStart = 5000;
/// Above this many records a fast search descends only, and little more than once.
constexpr Record kMostQuenched = 100000;

struct RefineOptions {
  Effort effort = Effort::fast;
  std::uint64_t seed = 0;
  /// Multiplies the effort of every stage, for tests and quick results.
  double scale = 1;
  /// The elapsed share of the time limit, 1 or more at its end; empty if time is unlimited.
  std::function<double()> clock;
  /// If the records are a part of a problem, the number of all its records. A part then gets the
  /// effort per record of the entire problem.
  Record table_records = 0;
  /// True if a fast search of many records, too, searches from every start.
  bool every_start = false;
  /// True if a thorough annealing tries relays. Under t-closeness they lead to more loss: nearly
  /// all of them are evaluated in vain.
  bool relays = true;
  /// True if a fast search of at most kMostQuenched records ends with a short annealing.
  bool quench = true;
  /// The most threads that make the lists of neighbours; changes the time, never the result.
  int threads = 1;
  /// The number of records that share the effort, for n records.
  Record effort_records(Record n) const { return std::max(n, table_records); }
};

struct RefineResult {
  Partition partition;  ///< numbered by first record
  double loss_before = 0;
  double loss_after = 0;     ///< never above loss_before
  std::int64_t tried = 0;    ///< changes evaluated
  bool reproducible = true;  ///< false if the clock shortened the search
};

/// The neighbour lists of searches on one space. The first search of an effort makes them, the
/// others reuse them.
struct SearchNeighbours {
  Neighbours fast, thorough;
};

/// Searches for classes of lower loss, each with at least k records and allowed by every
/// constraint. The start must be such a partition; otherwise throws infeasible.
RefineResult refine(const Space& space, const Partition& start, Record k, Loss& loss,
                    const std::vector<Constraint*>& constraints, const RefineOptions& options,
                    Ticker& ticker, SearchNeighbours* shared = nullptr);

/// Refines by SSE to the centroid.
RefineResult refine(const Space& space, const Partition& start, Record k,
                    const std::vector<Constraint*>& constraints, const RefineOptions& options,
                    Ticker& ticker, SearchNeighbours* shared = nullptr);

}  // namespace anonkit
