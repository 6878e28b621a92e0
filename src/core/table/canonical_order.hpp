#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The order in which algorithms see the records: lexicographic by the quasi-identifiers, null
/// last. A release then depends on the data and not on the physical order of the rows. Returns the
/// row of each canonical index; `threads` sort. O(n log n).
///
/// A hash orders records with equal quasi-identifiers. It is keyed by the seed, and covers their
/// other values and a number that distinguishes copies of one record. An algorithm that divides
/// such records therefore favours no value. An attacker who knows the key can compute the order, so
/// no such algorithm is transparent. Records that agree in all published values are
/// interchangeable.
///
/// `columns`: the quasi-identifiers in the order of comparison; empty: in the order of the table.
std::vector<Record> canonical_order(const Table& table, std::uint64_t seed, Ticker& ticker,
                                    std::vector<std::size_t> columns = {}, int threads = 1);

/// The quasi-identifiers in the order of their names, which is independent of the user's list.
std::vector<std::size_t> columns_by_name(const Table& table);

}  // namespace anonkit
