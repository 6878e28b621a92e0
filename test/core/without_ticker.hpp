#pragma once

// The preparing steps of the pipeline, for tests that nobody interrupts.

#include <vector>

#include "data/canonical_order.hpp"
#include "data/standardize.hpp"
#include "ticker.hpp"

namespace anonkit {

inline std::vector<Record> canonical_order(const Table& table) {
  SilentTicker ticker;
  return canonical_order(table, ticker);
}

inline std::vector<Scale> scales_of(const Table& table, const std::vector<Record>& order,
                                    Standardize standardize) {
  SilentTicker ticker;
  return scales_of(table, order, standardize, ticker);
}

inline Space space_of(const Table& table, const std::vector<Record>& rows,
                      const std::vector<std::size_t>& columns, const std::vector<Scale>& scales) {
  SilentTicker ticker;
  return space_of(table, rows, columns, scales, ticker);
}

}  // namespace anonkit
