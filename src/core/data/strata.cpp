#include "data/strata.hpp"

#include <numeric>

#include "error.hpp"

namespace anonkit {
namespace {

std::int64_t null_cells(const Table& table) {
  const std::size_t cells = static_cast<std::size_t>(table.rows) * table.columns.size();
  std::int64_t nulls = 0;
  for (std::size_t at = 0; at < cells; ++at) nulls += is_null(table.values[at]);
  return nulls;
}

std::vector<std::size_t> all_columns(const Table& table) {
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

}  // namespace

std::vector<Stratum> strata_of(const Table& table, const std::vector<Record>& order,
                               const Options& options) {
  const std::int64_t nulls = null_cells(table);
  if (nulls == 0) return {{order, all_columns(table)}};
  if (options.nulls == Nulls::error)
    throw Error(ErrorKind::invalid_data, "numeric quasi-identifiers contain nulls",
                std::to_string(nulls) + " cells are null.",
                "Use nulls => 'stratify', or select from a view without them.");
  throw Error(ErrorKind::internal, "not reached");
}

}  // namespace anonkit
