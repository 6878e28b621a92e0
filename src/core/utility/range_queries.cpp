#include "utility/range_queries.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/at.hpp"
#include "base/random.hpp"
#include "base/threads.hpp"

namespace anonkit {
namespace {

/// The condition of a query on one column.
struct Predicate {
  double low = 0;
  double high = 0;
  std::vector<bool> values;
};

using Query = std::vector<Predicate>;  ///< by column

/// Values of numbers by their rank, so that a query does not depend on the order of the rows.
std::vector<std::vector<double>> sorted_columns(const Cells& cells, Ticker& ticker) {
  std::vector<std::vector<double>> sorted(cells.columns.size());
  for (std::size_t j = 0; j < sorted.size(); ++j)
    if (cells.columns[j].numeric())
      sorted[j] = sorted_numbers(cells.columns[j], cells.rows, ticker);
  return sorted;
}

// Two random numbers bound an interval: it is wide where records are dense, so queries select a
// useful share of any distribution. Only a column of nulls alone is asked for them.
Predicate draw(const CellColumn& column, std::int32_t categories, const std::vector<double>& sorted,
               Random& random, Ticker& ticker) {
  Predicate predicate;
  if (column.numeric()) {
    if (sorted.empty()) return {kNullLow, kNullHigh, {}};
    const auto n = static_cast<std::uint32_t>(sorted.size());
    const double a = sorted[random.below(n)];
    const double b = sorted[random.below(n)];
    predicate.low = std::min(a, b);
    predicate.high = std::max(a, b);
    return predicate;
  }
  ticker.step(4 * static_cast<std::int64_t>(categories));
  for (std::int32_t v = 0; v < categories; ++v) predicate.values.push_back(random.below(2) == 1);
  predicate.values[random.below(static_cast<std::uint32_t>(categories))] = true;
  return predicate;
}

/// The share of a cell that satisfies the query.
double share_of(const CellColumn& column, std::int32_t row, const Predicate& predicate) {
  if (!column.numeric()) return predicate.values[at(column.codes[row])] ? 1 : 0;
  if (column.is_null(row)) return predicate.low > predicate.high ? 1 : 0;
  const double low = std::max(column.low[row], predicate.low);
  const double high = std::min(column.high[row], predicate.high);
  if (low > high) return 0;
  if (column.low[row] == column.high[row]) return 1;
  return share_of_range(low, high, column.low[row], column.high[row]);
}

// The expected count if the true values of a record are uniform in its cells and independent: the
// sum over records of their weights times the product of the shares.
double count(const Cells& cells, const Query& query, Ticker& ticker) {
  double sum = 0;
  for (std::int32_t i = 0; i < cells.rows; ++i) {
    double share = cells.columns.empty() ? 1 : cells.columns[0].weight(i);
    for (std::size_t j = 0; j < query.size() && share > 0; ++j) {
      ticker.step(8);
      share *= share_of(cells.columns[j], i, query[j]);
    }
    sum += share;
  }
  return sum;
}

}  // namespace

// The mean over queries of |masked - original| / max(original, 1).
double mean_query_error(const Cells& original, const Cells& masked, std::int32_t queries,
                        std::uint64_t seed, int threads, Ticker& ticker) {
  // Both relations answer the same queries, drawn from the original one.
  Random random(seed);
  const std::vector<std::vector<double>> sorted = sorted_columns(original, ticker);
  std::vector<Query> drawn(at(queries));
  for (Query& query : drawn)
    for (std::size_t j = 0; j < original.columns.size(); ++j)
      query.push_back(draw(original.columns[j],
                           std::max(original.columns[j].categories, masked.columns[j].categories),
                           sorted[j], random, ticker));
  std::vector<double> errors(drawn.size());
  run_unreported_tasks(drawn.size(), threads, ticker, [&](std::size_t q, Ticker& own) {
    const double asked = count(original, drawn[q], own);
    errors[q] = std::fabs(count(masked, drawn[q], own) - asked) / std::max(asked, 1.0);
  });
  return queries > 0 ? std::accumulate(errors.begin(), errors.end(), 0.0) / queries : 0;
}

}  // namespace anonkit
