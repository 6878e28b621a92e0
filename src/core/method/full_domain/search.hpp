#pragma once

#include <optional>
#include <vector>

#include "method/full_domain/lattice.hpp"
#include "method/full_domain/local_suppression.hpp"

namespace anonkit {

/// What every full-domain algorithm works with: the records grouped once, the demands, the metric.
class FullDomainSearch {
 public:
  using Cost = RecodingCost::Wide;

  /// Throws invalid_parameter unless 1 <= k <= records, and for a max_suppression, sensitive
  /// attribute or role of an attribute that makes no sense.
  FullDomainSearch(const FullDomainProblem& problem, Ticker& ticker);
  FullDomainSearch(const FullDomainSearch&) = delete;
  FullDomainSearch& operator=(const FullDomainSearch&) = delete;

  const FullDomainProblem& problem;
  Ticker& ticker;
  GroupedRecords grouped;
  LeafCounts leaf_counts;
  NodeConstraint demands;
  RecodingCost cost;

  /// All attributes' lattice; see Lattice.
  Lattice lattice(Lattice::Node most, const char* hint) const;

  /// The frequency set of levels, from the leaves.
  Frequencies table_at(const Levels& levels);
  /// A frequency set of keys that are given class by class of the leaves.
  Frequencies table_of(const std::vector<CellKey>& keys);

  /// The class of every class of the leaves, in the last frequency set that was asked for.
  const std::vector<std::int32_t>& class_of_leaves() const { return regrouper_.class_of(); }

  /// The cost of a node that is feasible, with local suppression if that is asked for and less.
  /// With a limit, nothing also of a node that costs as much or more.
  std::optional<Cost> cost_of(const Levels& levels, const Frequencies& table,
                              const Cost* limit = nullptr);

  /// What is published at a node. Throws infeasible if that is nothing, or breaks the budget.
  Recoded publish(const Levels& levels);
  /// What is published of keys, given class by class of the leaves, whose groups belong to the
  /// levels. If `demanding`, classes that break a demand are suppressed.
  Recoded publish_keys(const Levels& levels, const std::vector<CellKey>& keys, bool demanding);
  /// What is published of classes of the leaves. A class of `cells` that is not kept is suppressed.
  Recoded publish_classes(const std::vector<std::int32_t>& class_of_leaves, const Masked& cells,
                          const std::vector<char>& kept);
  /// What a node would publish.
  NodeFigures figures_at(const Levels& levels, const Frequencies& table);

 private:
  struct Local {
    std::vector<CellKey> keys;  ///< of the classes of the table
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

/// Throws infeasible: not even the top of the lattice will do.
[[noreturn]] void no_generalisation(const FullDomainProblem& problem);

}  // namespace anonkit
