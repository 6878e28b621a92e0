#pragma once

#include <utility>
#include <vector>

#include "method/full_domain/node_constraint.hpp"
#include "metric/generalisation_loss.hpp"

namespace anonkit {

/// A metric as whole numbers, so that nodes of equal loss compare as equal whatever the order in
/// which their classes are added up: cells cost multiples of 2^-30.
class RecodingCost {
 public:
  __extension__ using Wide = __int128;

  RecodingCost(const FullDomainProblem& problem, const CellLayout& layout,
               const LeafCounts& leaf_counts);

  /// True if the cost of a node where nothing is suppressed is known without its frequency set.
  bool of_cells() const { return !marginal_.empty(); }
  /// That cost, of metrics of cells. No node that suppresses costs less: so this is a bound for it,
  /// and for all its generalisations.
  Wide of_levels(const Levels& levels) const;
  /// That cost, by metrics of classes.
  Wide of_classes(const Frequencies& table) const;

  /// The cost of a node whose classes are suppressed one by one. Cells that are suppressed on their
  /// own cost nothing more with their record.
  class OfNode {
   public:
    OfNode(const RecodingCost& cost, const Levels& levels, const Frequencies& table);
    /// O(attributes).
    void suppress(std::size_t c);
    Wide cost() const { return sum_; }

   private:
    const RecodingCost& cost_;
    const Frequencies& table_;
    std::vector<std::pair<std::size_t, const std::int64_t*>> below_top_;  ///< attributes, extra_
    Wide sum_;
  };

  /// What suppressing a cell costs, for each record that has it.
  std::int64_t of_suppressing(std::size_t attribute, std::int32_t level, std::int32_t group) const {
    return extra_[attribute][static_cast<std::size_t>(level)][static_cast<std::size_t>(group)];
  }

 private:
  const FullDomainProblem& problem_;
  const CellLayout& layout_;
  RecodingMetric metric_;
  std::vector<std::vector<Wide>> marginal_;  ///< by attribute and level: of all records
  /// By attribute, level and group: what the top level costs more; 0 for a suppressed cell.
  std::vector<std::vector<std::vector<std::int64_t>>> extra_;
};

/// The records of every leaf.
LeafCounts leaf_counts_of(const FullDomainProblem& problem, Ticker& ticker);

}  // namespace anonkit
