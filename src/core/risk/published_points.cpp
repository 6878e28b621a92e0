#include "risk/published_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Squares of distances up to this one, of any number of columns, do not overflow.
constexpr double kFarthest = 1e100;

/// A column's numbers by mean and deviation of the original ones, both in the column's unit. Masked
/// numbers may be any, even open ranges.
class Standardised {
 public:
  Standardised(const CellColumn& column, std::int32_t rows, Ticker& ticker) {
    std::vector<double> values;
    for (std::int32_t i = 0; i < rows; ++i) values.push_back(column.middle(i));
    // Independent of the order of the records.
    sort_numbers(values, ticker);
    unit_ = unit_of(column, rows);
    for (const double x : values) mean_ += x / unit_;
    if (rows > 0) mean_ /= rows;
    double squares = 0;
    for (const double x : values) squares += (x / unit_ - mean_) * (x / unit_ - mean_);
    if (rows > 1) deviation_ = std::sqrt(squares / (rows - 1));
  }

  double apply(double x) const {
    const double coordinate = deviation_ > 0 ? (x / unit_ - mean_) / deviation_ : 0;
    return std::isnan(coordinate) ? 0 : std::clamp(coordinate, -kFarthest, kFarthest);
  }

 private:
  double unit_ = 1;
  double mean_ = 0;
  double deviation_ = 0;
};

/// Standardised coordinates of all records of a relation, one row each.
std::vector<double> coordinates_of(const Cells& cells, const std::vector<Standardised>& scales,
                                   Ticker& ticker) {
  std::vector<double> values;
  values.reserve(at(cells.rows) * cells.columns.size());
  for (std::int32_t i = 0; i < cells.rows; ++i) {
    ticker.step(8 * static_cast<std::int64_t>(scales.size()));
    for (std::size_t j = 0; j < cells.columns.size(); ++j)
      values.push_back(cells.columns[j].numeric() ? scales[j].apply(cells.columns[j].middle(i))
                                                  : cells.columns[j].codes[i]);
  }
  return values;
}

/// Standardised values are rounded, so equal distances may differ in the last bits.
bool tie(double nearest, double other) {
  return other - nearest <= 1e-9 * nearest + 1e-18;
}

}  // namespace

PublishedPoints::PublishedPoints(const CellsPair& pair, Ticker& ticker)
    : point_of_(at(pair.masked.rows)) {
  std::vector<Standardised> scales;
  std::vector<Attribute> attributes;
  for (const CellColumn& column : pair.original.columns) {
    scales.emplace_back(column, column.numeric() ? pair.original.rows : 0, ticker);
    Attribute attribute;
    attribute.kind = column.numeric() ? Kind::numeric : Kind::nominal;
    attribute.categories = column.categories;
    attributes.push_back(attribute);
  }
  const std::size_t d = attributes.size();
  const std::vector<double> masked = coordinates_of(pair.masked, scales, ticker);
  const auto row = [&](std::int32_t i) {
    return masked.begin() + static_cast<std::ptrdiff_t>(at(i) * d);
  };
  const auto end = [&](std::int32_t i) { return row(i) + static_cast<std::ptrdiff_t>(d); };
  std::vector<std::int32_t> order(at(pair.masked.rows));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    ticker.step(8);
    return std::lexicographical_compare(row(a), end(a), row(b), end(b));
  });
  std::vector<double> coordinates;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !std::equal(row(order[i]), end(order[i]), row(order[i - 1]))) {
      coordinates.insert(coordinates.end(), row(order[i]), end(order[i]));
      members_.emplace_back();
      ++points_;
    }
    point_of_[at(order[i])] = points_ - 1;
    members_.back().push_back(order[i]);
  }
  const std::vector<double> original = coordinates_of(pair.original, scales, ticker);
  coordinates.insert(coordinates.end(), original.begin(), original.end());
  space_ = std::make_unique<Space>(std::move(coordinates), std::move(attributes), &ticker);
  std::vector<Record> indexed(at(points_));
  std::iota(indexed.begin(), indexed.end(), 0);
  index_ = std::make_unique<SpatialIndex>(*space_, indexed, ticker);
}

void PublishedPoints::nearest(std::int32_t original, std::int32_t enough,
                              std::vector<std::int32_t>& out, Ticker& ticker) const {
  out.clear();
  if (points_ == 0) return;
  std::vector<Neighbour> found;
  for (Record wanted = 2;; wanted *= 2) {
    wanted = std::min(wanted, points_);
    index_->nearest(space_->row(points_ + original), wanted, found, ticker);
    std::int64_t held = 0;
    std::size_t i = 0;
    while (i < found.size() && held < enough)
      held += static_cast<std::int64_t>(members(found[i++].record).size());
    const double last = found[i - 1].distance;
    while (i < found.size() && tie(last, found[i].distance)) ++i;
    if (i == found.size() && wanted < points_) continue;
    for (std::size_t n = 0; n < i; ++n) out.push_back(found[n].record);
    return;
  }
}

}  // namespace anonkit
