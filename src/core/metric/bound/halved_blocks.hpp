#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Cuts the records into blocks of neighbours, each of at most `most` records in ascending order,
/// by repeated halving along the widest attribute. O(n log n).
std::vector<std::vector<Record>> cut_into_blocks(const Space& space, Record most, Ticker& ticker);

}  // namespace anonkit
