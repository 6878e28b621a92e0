#include "metric/generalisation_loss.hpp"

#include <numeric>

#include "base/at.hpp"
#include "base/logarithm.hpp"

namespace anonkit {
namespace {

/// Sums over the records for one attribute.
struct ColumnLoss {
  double height = 0;
  double ncp = 0;
  double bits_left = 0;  ///< bits to determine the values after generalisation
  double bits = 0;       ///< bits in the table
};

/// A cell of a suppressed record has the cost of the top level.
ColumnLoss measure(const Hierarchy& hierarchy, const std::vector<std::int64_t>& leaf_counts,
                   const std::vector<std::vector<std::int64_t>>& published,
                   std::int64_t suppressed) {
  ColumnLoss column;
  double within = 0;  // sum over values of n log n
  for (const std::int64_t count : leaf_counts)
    if (count > 0) within += static_cast<double>(count) * logarithm(static_cast<double>(count));
  const auto add = [&](std::int32_t level, std::int32_t group, std::int64_t records,
                       std::int64_t in_group) {
    const auto weight = static_cast<double>(records);
    column.height += weight * level / hierarchy.height();
    column.ncp += weight * hierarchy.ncp(level, group);
    column.bits_left += weight * logarithm(static_cast<double>(in_group));
  };
  const std::int32_t top = hierarchy.height();
  const auto n = std::accumulate(leaf_counts.begin(), leaf_counts.end(), std::int64_t{0});
  for (std::int32_t level = 0; level <= top; ++level) {
    const auto counts = group_counts(hierarchy, leaf_counts, level);
    for (std::size_t g = 0; g < counts.size(); ++g)
      if (published[at(level)][g] > 0)
        add(level, static_cast<std::int32_t>(g), published[at(level)][g], counts[g]);
  }
  if (suppressed > 0) add(top, 0, suppressed, n);
  column.bits_left -= within;
  column.bits = static_cast<double>(n) * logarithm(static_cast<double>(n)) - within;
  return column;
}

}  // namespace

std::vector<std::int64_t> group_counts(const Hierarchy& hierarchy,
                                       const std::vector<std::int64_t>& leaf_counts,
                                       std::int32_t level) {
  std::vector<std::int64_t> counts(at(hierarchy.groups(level)), 0);
  for (std::size_t v = 0; v < leaf_counts.size(); ++v)
    counts[at(hierarchy.level(level)[v])] += leaf_counts[v];
  return counts;
}

GeneralisationLoss generalisation_loss(const std::vector<const Hierarchy*>& hierarchies,
                                       const LeafCounts& leaf_counts, const Masked& masked,
                                       const std::vector<std::int32_t>& sizes, Ticker& ticker) {
  const std::size_t d = hierarchies.size();
  GeneralisationLoss loss;
  ColumnLoss sum;
  double cells = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const Hierarchy& hierarchy = *hierarchies[j];
    ticker.step(4 * static_cast<std::int64_t>(sizes.size()) + 16 * hierarchy.values());
    std::vector<std::vector<std::int64_t>> published;
    for (std::int32_t level = 0; level <= hierarchy.height(); ++level)
      published.emplace_back(at(hierarchy.groups(level)), 0);
    auto left = std::accumulate(leaf_counts[j].begin(), leaf_counts[j].end(), std::int64_t{0});
    cells += static_cast<double>(left);
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      const std::int32_t level = masked.levels[c * d + j];
      published[at(level)][static_cast<std::size_t>(masked.low[c * d + j])] += sizes[c];
      left -= sizes[c];
    }
    loss.suppressed_cells += published[at(hierarchy.height())][0];
    const ColumnLoss column = measure(hierarchy, leaf_counts[j], published, left);
    sum.height += column.height;
    sum.ncp += column.ncp;
    sum.bits_left += column.bits_left;
    sum.bits += column.bits;
  }
  if (cells == 0) return loss;
  loss.prec = 1 - sum.height / cells;
  loss.ncp = sum.ncp / cells;
  loss.entropy = sum.bits > 0 ? sum.bits_left / sum.bits : 0;
  return loss;
}

}  // namespace anonkit
