#pragma once

// The metrics of full-domain recoding as integer costs.
//
// Phases: construction sums the costs of each level. of_levels() or of_classes() gives the cost of
// a node without suppression. OfNode adds suppressed classes one by one. Invariant: cell costs are
// multiples of 2^-30, so nodes of equal loss compare as equal in any order of summation. Memory:
// one number per attribute, level and group.
//
//   RecodingCost::OfNode node(cost, levels, table);
//   node.suppress(0);
//   const RecodingCost::Wide total = node.cost();

#include <utility>
#include <vector>

#include "method/full_domain/node_constraint.hpp"
#include "metric/generalisation_loss.hpp"

namespace anonkit {

/// A metric with exact sums.
class RecodingCost {
 public:
  __extension__ using Wide = __int128;

  RecodingCost(const FullDomainProblem& problem, const CellLayout& layout,
               const LeafCounts& leaf_counts);

  /// True for metrics of cells: the cost of a node without suppression follows from its levels.
  bool of_cells() const { return !marginal_.empty(); }
  /// The cost without suppression, by metrics of cells. It is a lower bound for the node with
  /// suppression and for all its generalisations.
  Wide of_levels(const Levels& levels) const;
  /// The cost without suppression, by metrics of classes.
  Wide of_classes(const Frequencies& table) const;

  /// The cost of a node as its classes are suppressed one by one. A singly suppressed cell adds no
  /// cost when its record is suppressed, too.
  class OfNode {
   public:
    OfNode(const RecodingCost& cost, const Levels& levels, const Frequencies& table);
    /// Adds the cost of suppressing class c. O(attributes).
    void suppress(std::size_t c);
    Wide cost() const { return sum_; }

   private:
    const RecodingCost& cost_;
    const Frequencies& table_;
    std::vector<std::pair<std::size_t, const std::int64_t*>> below_top_;  ///< attributes, extra_
    Wide sum_;
  };

  /// The cost of suppressing a cell, per record that has it.
  std::int64_t of_suppressing(std::size_t attribute, std::int32_t level, std::int32_t group) const {
    return extra_[attribute][static_cast<std::size_t>(level)][static_cast<std::size_t>(group)];
  }

 private:
  const FullDomainProblem& problem_;
  const CellLayout& layout_;
  RecodingMetric metric_;
  std::vector<std::vector<Wide>> marginal_;  ///< by attribute and level: over all records
  /// By attribute, level and group: the additional cost of the top level; 0 for a suppressed cell.
  std::vector<std::vector<std::vector<std::int64_t>>> extra_;
};

/// By attribute and leaf: the number of records.
LeafCounts leaf_counts_of(const FullDomainProblem& problem, Ticker& ticker);

}  // namespace anonkit
