#pragma once

// Minimum-cost transport of records between null patterns.
//
// Phases: place_all moves each record to the admissible pattern with the fewest nulls. Then fill
// augments one kept pattern at a time along shortest paths, found by breadth-first search.
// Invariant: records only move to patterns that cover their own. Memory O(arcs), at most
// O(patterns^2).
//
//   PatternFlow flow(patterns, counts, k);
//   if (flow.solve(statuses))
//     for (const PatternFlow::Shipment& shipment : flow.shipments()) blank(shipment);

#include "table/nulls/null_pattern.hpp"

namespace anonkit {

/// The decision about a null pattern: records may end in it (then at least k of them) or may not.
enum class PatternStatus : std::uint8_t { undecided, kept, emptied };

/// The least number of suppressed cells, given the null patterns in which records may end. Records
/// move to patterns that cover their own, at one cell per additional null.
///
/// The cost of a plan is the number of nulls at the end less the number at the start. So a chain of
/// moves from pattern r to pattern q costs nulls(q) - nulls(r), whichever patterns lie between. A
/// shortest augmenting path therefore starts at the reachable pattern with the most nulls, and
/// breadth-first search finds it. Exact.
class PatternFlow {
 public:
  /// counts[p] records start in patterns[p]. The patterns ascend by their number of nulls. `k` is
  /// the smallest number of records in a kept pattern.
  PatternFlow(const std::vector<NullPattern>& patterns, std::vector<std::int64_t> counts,
              std::int64_t k);

  /// Finds a cheapest plan in which kept patterns end with at least k records, emptied ones with
  /// none and undecided ones with any number. False if no plan exists.
  bool solve(const std::vector<PatternStatus>& statuses);

  /// The plan of the last solve(): suppressed cells, records that end in pattern q, and moves from
  /// p to q as (p, q, number).
  std::int64_t cells() const;
  std::int64_t held(std::size_t q) const { return held_[q]; }
  struct Shipment {
    std::size_t from, to;
    std::int64_t records;
  };
  std::vector<Shipment> shipments() const;

  /// Arcs visited so far, a machine-independent measure of time.
  std::int64_t work() const { return work_; }

 private:
  struct Arc {
    std::size_t from, to;
    std::int64_t flow;
  };
  /// The arcs by which a record leaves one pattern for the next on an augmenting path.
  struct Step {
    std::size_t leave, enter;  ///< arcs of the same source
  };

  bool place_all(const std::vector<PatternStatus>& statuses);
  bool fill(std::size_t q, const std::vector<PatternStatus>& statuses);
  void search_back_from(std::size_t q);
  void look_at_source(std::size_t enter);
  std::int64_t spare(std::size_t r, PatternStatus status) const;

  std::vector<std::int64_t> counts_, nulls_, held_;
  std::int64_t k_;
  std::vector<Arc> arcs_;                     ///< by source, then by target
  std::vector<std::size_t> first_arc_;        ///< of each source; patterns + 1
  std::vector<std::vector<std::size_t>> in_;  ///< arcs into each pattern
  std::vector<std::size_t> reached_;          ///< in the order of the search
  std::vector<Step> step_;
  std::vector<char> pattern_seen_, source_seen_;
  std::int64_t work_ = 0;
};

}  // namespace anonkit
