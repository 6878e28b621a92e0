#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The order in which algorithms see the records, so that a release depends on the data and not on
/// the physical order of the rows: lexicographic by the quasi-identifiers (null last). Returns the
/// row of each canonical index. O(n log n).
///
/// Records of equal quasi-identifiers come in the order of a hash, keyed by the seed, of the other
/// values and of a number that tells copies of one record apart. So an algorithm that divides such
/// records favours no value; but who knows the key can tell the order, and no such algorithm is
/// transparent. Records that are alike in all published values are interchangeable.
///
/// `columns`: the quasi-identifiers in the order in which they are compared; none: as they stand.
std::vector<Record> canonical_order(const Table& table, std::uint64_t seed, Ticker& ticker,
                                    std::vector<std::size_t> columns = {});

/// The quasi-identifiers in the order of their names, which does not depend on who lists them.
std::vector<std::size_t> columns_by_name(const Table& table);

}  // namespace anonkit
