#include "method/blocks/block_tree.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "base/threads.hpp"

namespace anonkit {
namespace {

// Sampled points of a block, and of a table of few blocks.
constexpr std::size_t kPointsOfBlock = 200, kFewestPoints = 20000;

/// Attributes to cut, the nominal ones first.
struct ColumnsToCut {
  std::vector<int> columns;
  std::size_t nominal;
};

ColumnsToCut columns_to_cut(const Space& space, CutAttributes attributes) {
  std::vector<int> nominal, others;
  for (int j = 0; j < space.dimension(); ++j)
    (space.attribute(j).kind == Kind::nominal ? nominal : others).push_back(j);
  ColumnsToCut found{nominal, nominal.size()};
  if (attributes == CutAttributes::all)
    found.columns.insert(found.columns.end(), others.begin(), others.end());
  return found;
}

/// Cuts of the space's attributes.
BlockCuts cuts_of(const Space& space, Record block_size, CutAttributes attributes,
                  std::uint64_t seed, Ticker& ticker) {
  const auto [columns, nominal] = columns_to_cut(space, attributes);
  if (columns.empty()) return {};
  const std::int64_t blocks = (std::int64_t{space.size()} + block_size - 1) / block_size;
  const std::size_t size =
      std::max(kFewestPoints, kPointsOfBlock * static_cast<std::size_t>(blocks));
  PointSample sample(columns.size(), std::min(size, at(space.size())), seed);
  std::vector<double> point(columns.size());
  for (Record i = 0; i < space.size(); ++i) {
    ticker.step(16 * static_cast<std::int64_t>(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j) point[j] = space.row(i)[columns[j]];
    sample.add(point.data());
  }
  BlockCuts cuts = learn_blocks(sample.take(), blocks, ticker, nominal);
  for (BlockCut& cut : cuts.cuts) cut.column = columns[at(cut.column)];
  return cuts;
}

}  // namespace

BlockTree::BlockTree(const Space& space, Record block_size, CutAttributes attributes,
                     std::uint64_t seed, int threads, Ticker& ticker)
    : cuts_(cuts_of(space, block_size, attributes, seed, ticker)),
      ranges_(cuts_.cuts.size()),
      records_(at(cuts_.count)) {
  note_ranges(cuts_.root);
  assign(space, threads, ticker);
}

void BlockTree::assign(const Space& space, int threads, Ticker& ticker) {
  std::vector<std::int32_t> block(at(space.size()));
  run_chunks(block.size(), threads, ticker, [&](std::size_t begin, std::size_t end, Ticker& own) {
    own.step(20 * static_cast<std::int64_t>(end - begin));
    for (std::size_t i = begin; i < end; ++i)
      block[i] = block_of(cuts_.cuts.data(), cuts_.root, space.row(static_cast<Record>(i))) - 1;
  });
  for (Record i = 0; i < space.size(); ++i) records_[at(block[at(i)])].push_back(i);
  ticker.step(4 * std::int64_t{space.size()});
}

BlockRange BlockTree::note_ranges(BlockNode node) {
  if (node > 0) return {node - 1, node};
  const BlockCut& cut = cuts_.cuts[at(~node)];
  const BlockRange below = note_ranges(cut.below), above = note_ranges(cut.above);
  ranges_[at(~node)] = {below.first, above.last};
  return ranges_[at(~node)];
}

std::size_t BlockTree::size(const BlockRange& range) const {
  std::size_t records = 0;
  for (std::int32_t block = range.first; block < range.last; ++block)
    records += records_[at(block)].size();
  return records;
}

std::vector<Record> BlockTree::records(const BlockRange& range) const {
  std::vector<Record> all;
  for (std::int32_t block = range.first; block < range.last; ++block)
    all.insert(all.end(), records_[at(block)].begin(), records_[at(block)].end());
  if (range.last - range.first > 1) std::sort(all.begin(), all.end());
  return all;
}

BlockRange BlockTree::parent(const BlockRange& range) const {
  BlockRange least{0, blocks()};
  for (const BlockRange& node : ranges_)
    if (node.contains(range) && !(node == range) && least.contains(node)) least = node;
  return least;
}

}  // namespace anonkit
