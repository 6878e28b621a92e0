#include "method/full_domain/recoding_cost.hpp"

#include <cmath>

#include "base/at.hpp"
#include "base/logarithm.hpp"

namespace anonkit {
namespace {

std::int64_t on_grid(double cost) {
  return static_cast<std::int64_t>(std::nearbyint(cost * (1 << 30)));
}

/// The least cost of a cell by a metric of cells, in the unit of the grid.
std::int64_t cell_cost(RecodingMetric metric, const Hierarchy& hierarchy, std::int32_t level,
                       std::int32_t group, std::int64_t records) {
  if (metric == RecodingMetric::prec)
    return on_grid(static_cast<double>(level) / hierarchy.height());
  if (metric == RecodingMetric::ncp) return on_grid(hierarchy.ncp(level, group));
  return records > 0 ? on_grid(logarithm(static_cast<double>(records))) : 0;
}

}  // namespace

LeafCounts leaf_counts_of(const FullDomainProblem& problem, Ticker& ticker) {
  LeafCounts counts;
  for (std::size_t j = 0; j < problem.leaves.size(); ++j) {
    ticker.step(problem.records);
    counts.emplace_back(at(problem.hierarchies[j]->values()), 0);
    for (std::size_t i = 0; i < at(problem.records); ++i) ++counts[j][at(problem.leaves[j][i])];
  }
  return counts;
}

RecodingCost::RecodingCost(const FullDomainProblem& problem, const CellLayout& layout,
                           const LeafCounts& leaf_counts)
    : problem_(problem), layout_(layout), metric_(problem.metric) {
  if (metric_ == RecodingMetric::dm || metric_ == RecodingMetric::avg) return;
  for (std::size_t j = 0; j < problem.hierarchies.size(); ++j) {
    const Hierarchy& hierarchy = *problem.hierarchies[j];
    const std::int64_t top = cell_cost(metric_, hierarchy, hierarchy.height(), 0, problem.records);
    marginal_.emplace_back();
    extra_.emplace_back();
    for (std::int32_t level = 0; level <= hierarchy.height(); ++level) {
      const auto counts = group_counts(hierarchy, leaf_counts[j], level);
      Wide sum = 0;
      extra_[j].emplace_back();
      for (std::size_t g = 0; g < counts.size(); ++g) {
        const std::int64_t cost =
            cell_cost(metric_, hierarchy, level, static_cast<std::int32_t>(g), counts[g]);
        sum += static_cast<Wide>(counts[g]) * cost;
        extra_[j].back().push_back(top - cost);
      }
      extra_[j].back().resize(at(layout.star(j)) + 1, 0);
      marginal_[j].push_back(sum);
    }
  }
}

RecodingCost::Wide RecodingCost::of_levels(const Levels& levels) const {
  Wide sum = 0;
  for (std::size_t j = 0; j < marginal_.size(); ++j) sum += marginal_[j][at(levels[j])];
  return sum;
}

RecodingCost::Wide RecodingCost::of_classes(const Frequencies& table) const {
  if (metric_ == RecodingMetric::avg) return -static_cast<Wide>(table.classes());
  Wide sum = 0;
  for (const Record size : table.sizes) sum += static_cast<Wide>(size) * size;
  return sum;
}

RecodingCost::OfNode::OfNode(const RecodingCost& cost, const Levels& levels,
                             const Frequencies& table)
    : cost_(cost),
      table_(table),
      sum_(cost.of_cells() ? cost.of_levels(levels) : cost.of_classes(table)) {
  for (std::size_t j = 0; j < levels.size() && cost.of_cells(); ++j)
    if (levels[j] < cost.problem_.hierarchies[j]->height())
      below_top_.emplace_back(j, cost.extra_[j][at(levels[j])].data());
}

void RecodingCost::OfNode::suppress(std::size_t c) {
  const Record size = table_.sizes[c];
  if (cost_.of_cells()) {
    std::int64_t cells = 0;
    for (const auto& [j, extra] : below_top_)
      cells += extra[cost_.layout_.group(table_.keys[c], j)];
    sum_ += static_cast<Wide>(size) * cells;
  } else if (cost_.metric_ == RecodingMetric::avg) {
    sum_ += 1;  // n over the classes: more classes are better
  } else {
    sum_ += static_cast<Wide>(size) * (cost_.problem_.records - size);
  }
}

}  // namespace anonkit
