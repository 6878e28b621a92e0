#pragma once

#include <vector>

#include "data/table.hpp"
#include "options.hpp"

namespace anonkit {

/// Records that are partitioned on their own, over the columns in which none of them counts as
/// null.
struct Stratum {
  std::vector<Record> rows;          ///< in canonical order
  std::vector<std::size_t> columns;  ///< empty: the records are alike, all null
};

/// One stratum for each pattern of nulls in the numeric columns; a single one where nothing is
/// null. Where a pattern has fewer than k records, cells are blanked, as few as possible, until
/// every stratum has k. Throws Error (invalid_data) if there are nulls and the options do not allow
/// them.
std::vector<Stratum> strata_of(const Table& table, const std::vector<Record>& order,
                               const Options& options);

}  // namespace anonkit
