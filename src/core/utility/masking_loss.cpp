#include "utility/masking_loss.hpp"

#include <algorithm>
#include <vector>

#include "base/at.hpp"
#include "base/threads.hpp"
#include "base/unknown.hpp"
#include "risk/cell_classes.hpp"
#include "utility/distribution.hpp"

namespace anonkit {
namespace {

/// The original records without an image. Without a key, the masked relation lacks them.
std::int64_t suppressed_records(const CellsPair& pair) {
  if (pair.image.empty()) return std::max(0, pair.original.rows - pair.masked.rows);
  return std::count(pair.image.begin(), pair.image.end(), -1);
}

/// The effect of masking on a column of numbers.
struct ColumnLoss {
  double total = 0;  ///< SST of the original numbers in units of their variance
  double squared_error = 0;
  double width = 0;
};

/// The cells of published records that lost their number. Without a key, those are the nulls that
/// the masked relation has more.
double suppressed_cells(const CellsPair& pair, std::size_t j) {
  const CellColumn& original = pair.original.columns[j];
  const CellColumn& masked = pair.masked.columns[j];
  if (pair.image.empty())
    return std::max(
        0.0, null_weight(masked, pair.masked.rows) - null_weight(original, pair.original.rows));
  double cells = 0;
  for (std::int32_t i = 0; i < pair.original.rows; ++i) {
    const std::int32_t row = pair.image[at(i)];
    cells += row >= 0 && masked.is_null(row) && !original.is_null(i) ? 1 : 0;
  }
  return cells;
}

/// SSE of a column in units of its original variance. A suppressed cell counts as the mean of all,
/// and a null as no error, as in the loss of a release.
double squared_error(const CellsPair& pair, std::size_t j, const Distribution& original) {
  if (pair.image.empty() || !(original.variance_in_units > 0)) return 0;
  const CellColumn& before = pair.original.columns[j];
  const CellColumn& after = pair.masked.columns[j];
  double squares = 0;
  for (std::int32_t i = 0; i < pair.original.rows; ++i) {
    if (before.is_null(i)) continue;
    const std::int32_t row = pair.image[at(i)];
    const double published = row < 0 || after.is_null(row) ? original.mean : after.middle(row);
    const double off = published / original.unit - before.middle(i) / original.unit;
    squares += off * off;
  }
  return squares / original.variance_in_units;
}

/// True if a column publishes numbers without a width that are not the original ones.
bool publishes_means(const CellsPair& pair, std::size_t j, const SortedColumn& original,
                     Ticker& ticker) {
  const CellColumn& masked = pair.masked.columns[j];
  for (std::int32_t i = 0; i < pair.masked.rows; ++i)
    if (masked.low[i] < masked.high[i]) return false;
  const SortedColumn after = sorted_column(masked, pair.masked.rows, ticker);
  return !std::includes(original.values.begin(), original.values.end(), after.values.begin(),
                        after.values.end());
}

/// Mean width of the cells over the range of the original ones; 1 for each suppressed cell, and 0
/// for a null of the original. NaN if means are published, since they have no width.
double mean_width(const CellsPair& pair, std::size_t j, const SortedColumn& sorted,
                  std::int64_t suppressed, Ticker& ticker) {
  if (publishes_means(pair, j, sorted, ticker)) return kUnknown;
  const CellColumn& original = pair.original.columns[j];
  const CellColumn& masked = pair.masked.columns[j];
  const double low = *std::min_element(original.low, original.low + pair.original.rows);
  const double high = *std::max_element(original.high, original.high + pair.original.rows);
  double width = 0;
  // As in the loss of a release, no cell costs more than all original numbers: ranges of a grid,
  // and open ones, reach beyond them.
  for (std::int32_t i = 0; high > low && i < pair.masked.rows; ++i)
    if (!masked.is_null(i))
      width += share_of_range(std::clamp(masked.low[i], low, high),
                              std::clamp(masked.high[i], low, high), low, high);
  const auto lost = static_cast<double>(suppressed);
  return (width + suppressed_cells(pair, j) + lost) / (pair.masked.rows + lost);
}

ColumnLoss column_loss(const CellsPair& pair, std::size_t j, std::int64_t suppressed,
                       Ticker& ticker) {
  ticker.step(16 * static_cast<std::int64_t>(pair.masked.rows));
  const SortedColumn sorted = sorted_column(pair.original.columns[j], pair.original.rows, ticker);
  const Distribution original = distribution_of(sorted);
  const double numbers = static_cast<double>(sorted.values.size());
  return {original.variance_in_units > 0 ? numbers - 1 : 0, squared_error(pair, j, original),
          mean_width(pair, j, sorted, suppressed, ticker)};
}

}  // namespace

// 100 SSE / SST with every column in units of its variance: SST is n - 1 for each column of n
// numbers that varies. Discernibility is the sum of |class|^2, and of n for a suppressed record
// (Bayardo, Agrawal 2005).
MaskingLoss masking_loss(const CellsPair& pair, int threads, Ticker& ticker,
                         std::size_t class_columns) {
  MaskingLoss loss;
  double numbers = 0;
  double sse = 0;
  double sst = 0;
  const std::int64_t suppressed = suppressed_records(pair);
  std::vector<ColumnLoss> losses(pair.original.columns.size());
  run_unreported_tasks(losses.size(), threads, ticker, [&](std::size_t j, Ticker& own) {
    if (pair.original.columns[j].numeric()) losses[j] = column_loss(pair, j, suppressed, own);
  });
  for (std::size_t j = 0; j < losses.size(); ++j) {
    loss.ncp_of.push_back(losses[j].width);
    if (!pair.original.columns[j].numeric()) continue;
    sse += losses[j].squared_error;
    sst += losses[j].total;
    loss.ncp += losses[j].width;
    ++numbers;
  }
  if (numbers > 0) loss.ncp /= numbers;
  loss.squared = pair.image.empty() || sst == 0 ? kUnknown : 100 * sse / sst;
  // Records with equal published cells are the classes that a reader sees.
  Cells cells = pair.masked;
  cells.columns.resize(std::min(class_columns, cells.columns.size()));
  const Grouping published = cell_classes({&cells}, ticker);
  std::vector<double> sizes(at(published.classes), 0);
  for (const std::int32_t c : published.class_of) ++sizes[at(c)];
  for (const double size : sizes) loss.discernibility += size * size;
  loss.discernibility += static_cast<double>(suppressed) * pair.original.rows;
  loss.mean_class = static_cast<double>(pair.masked.rows) / published.classes;
  return loss;
}

}  // namespace anonkit
