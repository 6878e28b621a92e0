#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "table/nulls/kept_patterns.hpp"
#include "table/standardize.hpp"

namespace anonkit {

/// Throws Error (invalid_data) with the number of nulls of each column that has any.
void refuse_nulls(const std::vector<std::string>& columns, const std::vector<std::int64_t>& nulls,
                  const char* hint);

/// Throws the same for the numbers of a table, if there is any null. O(rows * columns).
void refuse_nulls(const Table& table, const char* hint);

/// Records that are partitioned separately, over the columns in which they have no null.
struct Stratum {
  std::vector<Record> rows;          ///< in canonical order
  std::vector<std::size_t> columns;  ///< empty: all records are equal, all null
};

/// The promises that the records of every stratum keep as one class, beside k.
struct StratumRule {
  /// By attribute that the promises concern: the code of each record, in canonical order.
  std::vector<std::vector<std::int32_t>> codes = {};
  PatternRule allows = {};  ///< of canonical indices; empty: only k is promised
};

/// One stratum per pattern of nulls in the numeric columns. Where a pattern has fewer than k
/// records or breaks the rule, as few cells as possible are suppressed until every stratum keeps
/// both (table/nulls/null_patterns.hpp and kept_patterns.hpp). Of records that are alike in this,
/// those whose cells are nearest to the columns' means on the given scales lose least and are
/// suppressed first. Ties go to the first in canonical order. Requires at least k records. Throws
/// Error (invalid_data) if there are nulls and the options do not allow them.
///
/// Costs O(rows * columns) and the cost of the plan; suppressing in a pattern of m records costs
/// O(m).
std::vector<Stratum> strata_of(const Table& table, const std::vector<Record>& order,
                               const std::vector<Scale>& scales, const Options& options,
                               Ticker& ticker, const StratumRule& rule = {});

/// The stratum of all records and columns of a table without null numbers.
Stratum whole_stratum(const Table& table, const std::vector<Record>& order);
/// True if a number is null, so that there may be several strata.
bool has_null_numbers(const Table& table);

}  // namespace anonkit
