#include "method/aggregate/attribute_blocks.hpp"

#include <numeric>

namespace anonkit {

AttributeBlocks attribute_blocks(const SortedRecords& records, const AggregateOptions& options,
                                 const MaskedRuns& greedy, std::size_t most) {
  const std::size_t m = records.attributes();
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), 0);
  if (m > most) {
    std::vector<double> cost(m);
    MaskedClass masked(records, options);
    Record first = 0;
    for (const MaskedRun& run : greedy) {
      masked.turn_to(first, run.last);
      for (std::size_t j = 0; j < m; ++j)
        cost[j] += class_loss(run.last - first, masked.ncp(AttributeSet{1} << j));
      first = run.last;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cost[a] > cost[b]; });
  }
  AttributeBlocks blocks(std::min(m, most), 0);
  for (std::size_t i = 0; i < m; ++i)
    blocks[std::min(i, blocks.size() - 1)] |= AttributeSet{1} << order[i];
  return blocks;
}

AttributeSet attributes_of(const AttributeBlocks& blocks, AttributeSet set) {
  AttributeSet attributes = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (contains(set, b)) attributes |= blocks[b];
  return attributes;
}

}  // namespace anonkit
