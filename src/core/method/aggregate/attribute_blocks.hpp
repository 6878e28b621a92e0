#pragma once

#include <vector>

#include "method/aggregate/grouping.hpp"

namespace anonkit {

/// Sets of attributes that are generalised together or not at all.
using AttributeBlocks = std::vector<AttributeSet>;

/// A block for each attribute; where they are more than `most`, the attributes whose ranges over
/// the greedy's classes cost least share the last one. O(n m).
AttributeBlocks attribute_blocks(const SortedRecords& records, const AggregateOptions& options,
                                 const MaskedRuns& greedy, std::size_t most);

/// The attributes of a set of blocks.
AttributeSet attributes_of(const AttributeBlocks& blocks, AttributeSet set);

}  // namespace anonkit
