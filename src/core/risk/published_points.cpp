#include "risk/published_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/at.hpp"
#include "base/threads.hpp"
#include "risk/null_indicators.hpp"
#include "space/index/leaf_order.hpp"

namespace anonkit {
namespace {

/// Squares of distances up to this one, of any number of columns, do not overflow.
constexpr double kFarthest = 1e100;

/// A column's numbers by mean and deviation of the original ones, both in the column's unit. Masked
/// numbers may be any, even open ranges.
class Standardised {
 public:
  Standardised() = default;
  Standardised(const CellColumn& column, std::int32_t rows, Ticker& ticker) {
    // Independent of the order of the records.
    const std::vector<double> values = sorted_numbers(column, rows, ticker);
    if (values.empty()) return;
    unit_ = unit_of(column, rows);
    const auto n = static_cast<double>(values.size());
    for (const double x : values) mean_ += x / unit_;
    mean_ /= n;
    // Rounding would make equal numbers vary.
    if (values.front() == values.back()) mean_ = values.front() / unit_;
    double squares = 0;
    for (const double x : values) squares += (x / unit_ - mean_) * (x / unit_ - mean_);
    if (n > 1) deviation_ = std::sqrt(squares / (n - 1));
  }

  /// 0, the mean, for NaN.
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

/// Original records, which follow the points in the space, by the leaves of a k-d tree.
std::vector<std::int32_t> order_of_originals(const Space& space, Record points, Ticker& ticker) {
  constexpr std::size_t kRecordsOfLeaf = 256;
  std::vector<Record> rows(at(space.size() - points));
  std::iota(rows.begin(), rows.end(), points);
  std::size_t leaves = 1;
  while (leaves * kRecordsOfLeaf < rows.size()) leaves *= 2;
  std::vector<std::int32_t> order;
  order.reserve(rows.size());
  LeafOrder by_leaf(space, ticker);
  by_leaf.arrange(rows, leaves, [&](std::size_t, const Record* members, std::size_t count) {
    for (std::size_t m = 0; m < count; ++m) order.push_back(by_leaf.record(members[m]) - points);
  });
  return order;
}

}  // namespace

PublishedPoints::PublishedPoints(const CellsPair& pair, int threads, Ticker& ticker)
    : point_of_(at(pair.masked.rows)) {
  const NullIndicators cells(pair.original, pair.masked);
  const std::vector<CellColumn>& columns = cells.original().columns;
  std::vector<Standardised> scales(columns.size());
  run_unreported_tasks(scales.size(), threads, ticker, [&](std::size_t j, Ticker& own) {
    if (columns[j].numeric()) scales[j] = Standardised(columns[j], pair.original.rows, own);
  });
  std::vector<Attribute> attributes;
  for (const CellColumn& column : columns) {
    Attribute attribute;
    attribute.kind = column.numeric() ? Kind::numeric : Kind::nominal;
    attribute.categories = column.categories;
    attributes.push_back(attribute);
  }
  const std::size_t d = attributes.size();
  const std::vector<double> masked = coordinates_of(cells.masked(), scales, ticker);
  const auto row = [&](std::int32_t i) {
    return masked.begin() + static_cast<std::ptrdiff_t>(at(i) * d);
  };
  const auto end = [&](std::int32_t i) { return row(i) + static_cast<std::ptrdiff_t>(d); };
  std::vector<Record>& order = members_.records;
  order.resize(at(pair.masked.rows));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    ticker.step(8);
    return std::lexicographical_compare(row(a), end(a), row(b), end(b));
  });
  std::vector<double> coordinates;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !std::equal(row(order[i]), end(order[i]), row(order[i - 1]))) {
      coordinates.insert(coordinates.end(), row(order[i]), end(order[i]));
      members_.first_of.push_back(static_cast<Record>(i));
    }
    point_of_[at(order[i])] = static_cast<std::int32_t>(members_.first_of.size()) - 1;
  }
  members_.first_of.push_back(static_cast<Record>(order.size()));
  const std::vector<double> original = coordinates_of(cells.original(), scales, ticker);
  coordinates.insert(coordinates.end(), original.begin(), original.end());
  space_ = std::make_unique<Space>(std::move(coordinates), std::move(attributes), &ticker);
  std::vector<Record> weights;
  for (const RecordSpan of_point : members_) weights.push_back(of_point.size());
  weights.resize(at(space_->size()), 1);
  space_->weigh(std::move(weights));
  std::vector<Record> indexed(at(points()));
  std::iota(indexed.begin(), indexed.end(), 0);
  index_ = std::make_unique<SpatialIndex>(*space_, indexed, ticker);
  order_ = order_of_originals(*space_, points(), ticker);
}

/// A squared distance from x within which points hold enough masked records, as some points show.
double PublishedPoints::within(const double* x, std::int32_t enough,
                               const std::vector<std::int32_t>& known) const {
  double farthest = 0;
  std::int64_t held = 0;
  for (const std::int32_t point : known) {
    farthest = std::max(farthest, space_->squared_distance(x, space_->row(point)));
    held += members(point).size();
  }
  return held < enough ? std::numeric_limits<double>::infinity() : farthest;
}

void PublishedPoints::nearest(std::int32_t original, std::int32_t enough,
                              std::vector<std::int32_t>& out, Ticker& ticker) const {
  const double* x = space_->row(points() + original);
  std::vector<Neighbour> found;
  index_->nearest_tied(x, enough, within(x, enough, out), found, ticker);
  out.clear();
  for (const Neighbour& point : found) out.push_back(point.record);
  std::sort(out.begin(), out.end());
}

}  // namespace anonkit
