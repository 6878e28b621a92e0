#pragma once

#include "base/ticker.hpp"
#include "table/nulls/pattern_flow.hpp"

namespace anonkit {

/// The search for the null patterns in which records end, given the cheapest transport for any
/// choice of patterns. It is a descent from a given choice, then branch and bound over all choices.
class BlankingSearch {
 public:
  /// See PatternFlow; `effort` limits the number of arcs visited.
  BlankingSearch(const std::vector<NullPattern>& patterns, std::vector<std::int64_t> counts,
                 std::int64_t k, std::int64_t effort, Ticker& ticker);

  /// Starts from the choice in which exactly the patterns with kept[q] may hold records. That
  /// choice must have a plan.
  void run(const std::vector<char>& kept);

  std::int64_t cells() const { return best_cells_; }
  const std::vector<PatternFlow::Shipment>& shipments() const { return best_; }
  /// True if the search ran to completion: its plan is optimal.
  bool complete() const { return complete_; }

 private:
  bool improves();
  void keep_best();
  bool descend_once();
  void branch();
  std::size_t doubtful_pattern() const;

  PatternFlow flow_;
  std::vector<PatternStatus> fates_;
  std::int64_t k_;
  std::int64_t effort_;
  Ticker& ticker_;
  std::int64_t best_cells_ = -1;
  std::vector<PatternFlow::Shipment> best_;
  bool complete_ = true;
};

}  // namespace anonkit
