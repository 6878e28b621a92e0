#pragma once

// Blocks of neighbouring records: the leaves of a k-d tree of cuts (Bentley 1975; Friedman, Bentley
// and Finkel 1977), learned from a sample. Every point of the space lies in exactly one block, also
// a point outside the sample.
//
// Phases of a cut: order the columns by their variance in the node, relative to that in the entire
// sample; columns of categories come first. Take the first column with an admissible cut. Choose
// the admissible cut nearest to the node's middle. A cut is admissible if it divides no equal
// values and leaves half a block on each side. Memory: a few numbers per point.
//
//   const BlockCuts blocks = learn_blocks(sample.take(), 16, ticker);
//   block_of(blocks.cuts.data(), blocks.root, point);  // 1 to blocks.count

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "space/point_sample.hpp"

namespace anonkit {

/// The number of a block, from 1, or the complement (~) of the position of a cut.
using BlockNode = std::int32_t;

/// A cut of the space at a value of one column.
struct BlockCut {
  double at;
  std::int32_t column;
  BlockNode below;  ///< points with a smaller value
  BlockNode above;  ///< all others
};

/// Blocks are numbered along the tree, so that neighbouring numbers are neighbouring blocks.
struct BlockCuts {
  BlockNode root = 1;
  std::int32_t count = 1;  ///< blocks
  std::vector<BlockCut> cuts;
};

/// The block of a point. NaN exceeds every number, as in PostgreSQL's order. O(depth).
inline std::int32_t block_of(const BlockCut* cuts, BlockNode root, const double* point) {
  BlockNode node = root;
  while (node < 0) {
    const BlockCut& cut = cuts[~node];
    node = point[cut.column] < cut.at ? cut.below : cut.above;
  }
  return node;
}

/// Cuts the points into about `blocks` blocks of equally many records. No block has less than half
/// of its share, and one with more than 1.5 shares has no admissible cut. The first `of_categories`
/// columns are codes of categories: cuts between them go first. O(n log n (d + log n)).
BlockCuts learn_blocks(const CountedPoints& points, std::int64_t blocks, Ticker& ticker,
                       std::size_t of_categories = 0);

}  // namespace anonkit
