#pragma once

#include "table/nulls/null_pattern.hpp"

namespace anonkit {

/// What is decided of a null pattern: whether records may end in it, and then at least k of them.
enum class PatternStatus : std::uint8_t { undecided, kept, emptied };

/// The least number of cells to blank once it is decided in which null patterns records may end: a
/// transport of records from their patterns to patterns that cover them, at one cell for every
/// additional null.
///
/// The cost of a plan is the number of nulls in the end less the number at the start, so every
/// chain of moves from a pattern r to a pattern q costs nulls(q) - nulls(r), whatever lies between:
/// a shortest augmenting path is one from the reachable pattern with the most nulls, and
/// breadth-first search finds it. Exact.
class PatternFlow {
 public:
  /// counts[p] records start in patterns[p]. The patterns are in ascending order of their number of
  /// nulls. `k` is the smallest number of records in a pattern that is kept.
  PatternFlow(const std::vector<NullPattern>& patterns, std::vector<std::int64_t> counts,
              std::int64_t k);

  /// Finds a cheapest plan in which kept patterns end with k records or more, emptied ones with
  /// none and undecided ones with any number; false if there is none.
  bool solve(const std::vector<PatternStatus>& statuses);

  /// The plan that solve() has found: cells suppressed, records that end in pattern q, and the
  /// records that go from p to q as (p, q, number).
  std::int64_t cells() const;
  std::int64_t held(std::size_t q) const { return held_[q]; }
  struct Shipment {
    std::size_t from, to;
    std::int64_t records;
  };
  std::vector<Shipment> shipments() const;

  /// Arcs looked at so far: a measure of time that is the same on every machine.
  std::int64_t work() const { return work_; }

 private:
  struct Arc {
    std::size_t from, to;
    std::int64_t flow;
  };
  /// How a record leaves a pattern on the way to the one that is being filled.
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
