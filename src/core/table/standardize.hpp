#pragma once

#include <string>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

/// x is standardised to (x - location) / scale. A constant column has scale 0 and maps to 0.
struct Scale {
  double location = 0;
  double scale = 1;

  double apply(double x) const { return scale > 0 ? (x - location) / scale : 0; }
};

/// Throws Error (invalid_data) if the difference of the column's extremes overflows.
void require_finite_extent(const std::string& column, double smallest, double largest);

/// The scale of each column over all its non-null values; categorical columns get {0, 1}. Sums
/// follow `order`, the canonical order, so that they do not depend on the order of the rows. Throws
/// Error (invalid_data) if the difference of a column's extremes overflows. O(rows x columns), and
/// a column's values in memory for each of `threads`.
std::vector<Scale> scales_of(const Table& table, const std::vector<Record>& order,
                             Standardize standardize, Ticker& ticker, int threads = 1);

}  // namespace anonkit
