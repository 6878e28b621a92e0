#pragma once

#include <vector>

#include "method/aggregate/grouping.hpp"

namespace anonkit {

/// Sets of attributes that are generalised together or not at all.
using AttributeBlocks = std::vector<AttributeSet>;

/// One block per attribute. If there are more than `most`, the attributes with the cheapest ranges
/// over the greedy's classes share the last block. O(n m).
AttributeBlocks attribute_blocks(const SortedRecords& records, const AggregateOptions& options,
                                 const MaskedRuns& greedy, std::size_t most);

/// The attributes of a set of blocks.
AttributeSet attributes_of(const AttributeBlocks& blocks, AttributeSet set);

}  // namespace anonkit
