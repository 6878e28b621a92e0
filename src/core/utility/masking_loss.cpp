#include "utility/masking_loss.hpp"

#include <algorithm>
#include <limits>

#include "base/at.hpp"
#include "risk/published_points.hpp"
#include "utility/distribution.hpp"

namespace anonkit {
namespace {

/// SSE of a column in units of its original variance, over the records with an image.
double squared_error(const CellsPair& pair, std::size_t j, const Distribution& original) {
  if (!(original.variance_in_units > 0)) return 0;
  double squares = 0;
  for (std::size_t i = 0; i < pair.image.size(); ++i) {
    if (pair.image[i] < 0) continue;
    const double off =
        pair.masked.columns[j].middle(pair.image[i]) / original.unit -
        pair.original.columns[j].middle(static_cast<std::int32_t>(i)) / original.unit;
    squares += off * off;
  }
  return squares / original.variance_in_units;
}

/// Mean width of the masked cells over the range of the original ones.
double mean_width(const CellsPair& pair, std::size_t j) {
  const CellColumn& original = pair.original.columns[j];
  const CellColumn& masked = pair.masked.columns[j];
  const double low = *std::min_element(original.low, original.low + pair.original.rows);
  const double high = *std::max_element(original.high, original.high + pair.original.rows);
  if (!(high > low)) return 0;
  double width = 0;
  for (std::int32_t i = 0; i < pair.masked.rows; ++i)
    width += share_of_range(masked.low[i], masked.high[i], low, high);
  return width / pair.masked.rows;
}

}  // namespace

MaskingLoss masking_loss(const CellsPair& pair, Ticker& ticker) {
  MaskingLoss loss;
  double numbers = 0;
  double sse = 0;
  double sst = 0;
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j) {
    loss.ncp_of.push_back(0);
    if (!pair.original.columns[j].numeric()) continue;
    ticker.step(16 * static_cast<std::int64_t>(pair.masked.rows));
    const Distribution distribution =
        distribution_of(pair.original.columns[j], pair.original.rows, ticker);
    sse += squared_error(pair, j, distribution);
    if (distribution.variance_in_units > 0) sst += pair.original.rows - 1;
    loss.ncp_of.back() = mean_width(pair, j);
    loss.ncp += loss.ncp_of.back();
    ++numbers;
  }
  if (numbers > 0) loss.ncp /= numbers;
  loss.squared =
      pair.image.empty() || sst == 0 ? std::numeric_limits<double>::quiet_NaN() : 100 * sse / sst;
  const PublishedPoints points(pair, ticker);
  for (std::int32_t point = 0; point < points.points(); ++point) {
    const auto size = static_cast<double>(points.members(point).size());
    loss.discernibility += size * size;
  }
  loss.mean_class = static_cast<double>(pair.masked.rows) / points.points();
  return loss;
}

}  // namespace anonkit
