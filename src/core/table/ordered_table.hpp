#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The quasi-identifiers of a table with its records in another order, copied. Where neighbouring
/// records are needed together, random access to a large table would take most of the time.
class OrderedTable {
 public:
  /// The i-th record is row order[i]. `threads` copy. O(rows x columns) time and memory.
  OrderedTable(const Table& table, const std::vector<Record>& order, int threads, Ticker& ticker);
  OrderedTable(const OrderedTable&) = delete;
  OrderedTable& operator=(const OrderedTable&) = delete;

  /// Without sensitive columns, fingerprints, units and labels.
  const Table& view() const { return view_; }

 private:
  std::vector<double> values_;
  std::vector<std::vector<std::int32_t>> leaves_;  ///< by column; empty without a hierarchy
  Table view_;
};

}  // namespace anonkit
