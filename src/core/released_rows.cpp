#include "released_rows.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "base/at.hpp"
#include "base/error.hpp"
#include "suppression.hpp"

namespace anonkit {
namespace {

/// A null cell must equal itself.
double comparable(double cell) {
  return is_null(cell) ? -std::numeric_limits<double>::max() : cell;
}

constexpr double kWithheld = -1;

}  // namespace

ReleasedRows::ReleasedRows(const Table& table, const Anonymized& result, Ticker& ticker) {
  const auto cells_of_row = static_cast<std::int64_t>(table.columns.size());
  for (Record i = 0; i < table.rows; ++i) {
    ticker.step(200 + 20 * cells_of_row);
    const std::int32_t cells = result.cells(at(i));
    if (cells != kNone) rows_.push_back(row_of(table, result, i, at(cells)));
  }
  std::sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
    ticker.step(20);
    return a < b;
  });
}

bool ReleasedRows::Row::operator<(const Row& other) const {
  return std::tie(numbers, sets) < std::tie(other.numbers, other.sets);
}

ReleasedRows::Row ReleasedRows::row_of(const Table& table, const Anonymized& result, Record i,
                                       std::size_t cells) {
  const Masked& masked = result.masked;
  const std::size_t d = table.columns.size();
  Row row;
  for (std::size_t cell = cells * d; cell < (cells + 1) * d; ++cell) {
    row.numbers.push_back(comparable(masked.low[cell]));
    if (!masked.high.empty()) row.numbers.push_back(comparable(masked.high[cell]));
    if (!masked.levels.empty()) row.numbers.push_back(masked.levels[cell]);
    if (!masked.sets.empty()) row.sets.push_back(masked.sets[cell]);
  }
  for (const SensitiveColumn& column : table.sensitive)
    row.numbers.push_back(result.withholds(at(i)) ? kWithheld : column.ranks[i]);
  return row;
}

bool leads_to(const ReleasedRows& release, const Table& table, const Method& method,
              const Options& options, Ticker& ticker) {
  const std::optional<Anonymized> result = unless({ErrorKind::infeasible}, [&] {
    return anonymize_within_budget(table, method, options, ticker);
  });
  return result && ReleasedRows(table, *result, ticker) == release;
}

std::int64_t released_bytes(const Table& table) {
  // A row has two vectors.
  constexpr std::int64_t kBytesOfRow = 96;
  const auto cells = static_cast<std::int64_t>(table.columns.size() * 2 + table.sensitive.size());
  return table.rows * (kBytesOfRow + 2 * cells * std::int64_t{sizeof(double)});
}

}  // namespace anonkit
