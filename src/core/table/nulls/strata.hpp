#pragma once

#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "table/standardize.hpp"

namespace anonkit {

/// Records that are partitioned on their own, over the columns in which none of them counts as
/// null.
struct Stratum {
  std::vector<Record> rows;          ///< in canonical order
  std::vector<std::size_t> columns;  ///< empty: the records are alike, all null
};

/// One stratum for each pattern of nulls in the numeric columns; a single one where nothing is
/// null. Where a pattern has fewer than k records, cells are blanked, as few as possible, until
/// every stratum has k (data/null_patterns.hpp); of a pattern's records those are blanked that lose
/// least by it, that is whose cells are nearest to the columns' means on the given scales, and of
/// equal ones the first in canonical order. There must be k records or more. Throws Error
/// (invalid_data) if there are nulls and the options do not allow them.
///
/// O(rows * columns) and the cost of the plan; blanking records of a pattern of m
/// costs O(m).
std::vector<Stratum> strata_of(const Table& table, const std::vector<Record>& order,
                               const std::vector<Scale>& scales, const Options& options,
                               Ticker& ticker);

}  // namespace anonkit
