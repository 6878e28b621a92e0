#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "space/block_cuts.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Neighbouring blocks, numbered from 0: first .. last-1.
struct BlockRange {
  std::int32_t first;
  std::int32_t last;
  bool contains(const BlockRange& other) const {
    return first <= other.first && other.last <= last;
  }
};

inline bool operator==(const BlockRange& a, const BlockRange& b) {
  return a.first == b.first && a.last == b.last;
}

/// The attributes that blocks are cut along.
enum class CutAttributes : std::uint8_t { all, nominal };

/// The records of a space in blocks of neighbours, by cuts that are learned from a sample: between
/// sets of categories, which few near records differ in, and where those do not suffice, of numbers
/// and ranks. Equal records share a block. The tree depends on the records and the seed alone;
/// `threads` assign the records.
class BlockTree {
 public:
  BlockTree(const Space& space, Record block_size, CutAttributes attributes, std::uint64_t seed,
            int threads, Ticker& ticker);

  std::int32_t blocks() const { return static_cast<std::int32_t>(records_.size()); }
  std::size_t size(const BlockRange& range) const;
  /// The records of these blocks, ascending.
  std::vector<Record> records(const BlockRange& range) const;
  /// The least node of the tree that contains these blocks and others.
  BlockRange parent(const BlockRange& range) const;

  const std::vector<BlockCut>& cuts() const { return cuts_.cuts; }
  BlockNode root() const { return cuts_.root; }
  /// The blocks on both sides of a cut, by its position.
  const BlockRange& blocks_of(std::size_t cut) const { return ranges_[cut]; }

 private:
  BlockRange note_ranges(BlockNode node);
  void assign(const Space& space, int threads, Ticker& ticker);

  BlockCuts cuts_;
  std::vector<BlockRange> ranges_;            ///< by cut
  std::vector<std::vector<Record>> records_;  ///< by block, ascending
};

}  // namespace anonkit
