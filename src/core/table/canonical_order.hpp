#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The order in which algorithms see the records, so that a release depends on the data and not on
/// the physical order of the rows: lexicographic by the quasi-identifiers (null last), then by the
/// fingerprint of the other values. Returns the row of each canonical index. Records that are alike
/// in all of these are interchangeable in the release. O(n log n).
std::vector<Record> canonical_order(const Table& table, Ticker& ticker);

}  // namespace anonkit
