#pragma once

// The common state of full-domain algorithms: the records grouped once, the constraints, the
// metric.
//
// Phases: construction counts the records; table_at() rolls frequency sets up; cost_of() evaluates
// a node; publish() recodes at the chosen node. Invariant: publish() returns exactly the records
// that NodeConstraint accepts. Memory: the groups of the records, and one frequency set.
//
//   FullDomainSearch search(problem, ticker);
//   const Levels levels = {1, 0, 2};  // one level per attribute
//   if (search.cost_of(levels, search.table_at(levels))) return search.publish(levels);

#include <optional>
#include <vector>

#include "method/full_domain/lattice.hpp"
#include "method/full_domain/local_suppression.hpp"

namespace anonkit {

/// State and operations of one search.
class FullDomainSearch {
 public:
  using Cost = RecodingCost::Wide;

  /// Throws invalid_parameter unless 1 <= k <= records, and for an invalid max_suppression,
  /// sensitive attribute or identifying role. O(n log n).
  FullDomainSearch(const FullDomainProblem& problem, Ticker& ticker);
  FullDomainSearch(const FullDomainSearch&) = delete;
  FullDomainSearch& operator=(const FullDomainSearch&) = delete;

  const FullDomainProblem& problem;
  Ticker& ticker;
  GroupedRecords grouped;
  LeafCounts leaf_counts;
  NodeConstraint constraint;
  RecodingCost cost;

  /// The lattice of all attributes; see Lattice.
  Lattice lattice(Lattice::Node most, const char* hint) const;

  /// The frequency set at these levels, summed from the leaves.
  Frequencies table_at(const Levels& levels);
  /// The frequency set of keys, given by class of the leaves.
  Frequencies table_of(const std::vector<CellKey>& keys);

  /// By class of the leaves: its class in the last frequency set.
  const std::vector<std::int32_t>& class_of_leaves() const { return regrouper_.class_of(); }

  /// The cost of a feasible node; with local suppression, if requested and cheaper. Empty for an
  /// infeasible node, and with a limit for a node that costs at least as much.
  std::optional<Cost> cost_of(const Levels& levels, const Frequencies& table,
                              const Cost* limit = nullptr);

  /// The release at a node. Throws infeasible if it is empty or breaks the budget.
  Recoded publish(const Levels& levels);
  /// The release with the given keys, one per class of the leaves, whose groups belong to the
  /// levels. If `suppressing`, classes that break a promise are suppressed.
  Recoded publish_keys(const Levels& levels, const std::vector<CellKey>& keys, bool suppressing);
  /// The release with the given classes of the leaves. A class of `cells` that is not kept is
  /// suppressed.
  Recoded publish_classes(const std::vector<std::int32_t>& class_of_leaves, const Masked& cells,
                          const std::vector<char>& kept);
  /// The figures of a node's release.
  NodeFigures figures_at(const Levels& levels, const Frequencies& table);

 private:
  struct Local {
    std::vector<CellKey> keys;  ///< of the table's classes
    Frequencies table;
    Outcome outcome;
    Cost cost;
  };
  Cost cost_at(const Levels& levels, const Frequencies& table, const Outcome& outcome) const;
  std::optional<Local> suppress_cells(const Levels& levels, const Frequencies& table,
                                      const Outcome& outcome);
  Masked cells_of(const Levels& levels, const std::vector<CellKey>& keys) const;
  NodeFigures measure(const Masked& cells, const std::vector<std::int32_t>& sizes);

  Regrouper regrouper_;
};

/// Throws infeasible, because the top of the lattice fails.
[[noreturn]] void no_generalisation(const FullDomainProblem& problem);

}  // namespace anonkit
