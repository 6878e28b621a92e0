#include "space/block_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace anonkit {
namespace {

/// Places of a node's points in the learner's order: first .. last-1.
struct NodePoints {
  std::size_t first;
  std::size_t last;
  std::int64_t records;
};

/// A division of a node's points, sorted by a column: the first `points` of them, which represent
/// `records`.
struct Division {
  std::size_t points = 0;
  std::int64_t records = 0;
};

class Learner {
 public:
  Learner(const CountedPoints& points, std::int64_t blocks, std::size_t of_categories,
          Ticker& ticker)
      : points_(points), of_categories_(of_categories), ticker_(ticker), order_(points.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::int64_t records = 0;
    for (const std::int64_t count : points.counts) records += count;
    all_ = {0, points.size(), records};
    share_ = static_cast<double>(records) / static_cast<double>(blocks);
    for (std::size_t j = 0; j < points.dimension; ++j) extents_.push_back(extent_of(j));
    for (std::size_t j = 0; j < points.dimension; ++j) variances_.push_back(variance(all_, j));
  }

  BlockCuts learn() {
    result_.count = 0;
    result_.root = cut(all_);
    return std::move(result_);
  }

 private:
  /// A column's least value and half its range, which does not overflow.
  struct Extent {
    double least = 0;
    double half_range = 0;
  };

  double value(std::size_t at, std::size_t j) const { return points_.point(order_[at])[j]; }
  std::int64_t count(std::size_t at) const { return points_.counts[order_[at]]; }

  Extent extent_of(std::size_t j) const {
    double least = value(0, j), largest = least;
    for (std::size_t at = 1; at < points_.size(); ++at) {
      least = std::min(least, value(at, j));
      largest = std::max(largest, value(at, j));
    }
    return {least, largest / 2 - least / 2};
  }

  /// A value within its column's range, from 0 to 1.
  double share_of_range(std::size_t at, std::size_t j) const {
    const Extent& extent = extents_[j];
    return (value(at, j) / 2 - extent.least / 2) / extent.half_range;
  }

  double variance(const NodePoints& node, std::size_t j) {
    if (!(extents_[j].half_range > 0)) return 0;
    double sum = 0, squares = 0;
    const auto records = static_cast<double>(node.records);
    for (std::size_t at = node.first; at < node.last; ++at)
      sum += share_of_range(at, j) * static_cast<double>(count(at));
    const double mean = sum / records;
    for (std::size_t at = node.first; at < node.last; ++at) {
      const double away = share_of_range(at, j) - mean;
      squares += away * away * static_cast<double>(count(at));
    }
    ticker_.step(static_cast<std::int64_t>(node.last - node.first) * 8);
    return squares / records;
  }

  /// The columns by descending variance in the node, relative to that of all points, those of
  /// categories first; columns of equal variance in their order.
  std::vector<std::size_t> widest_first(const NodePoints& node) {
    std::vector<double> width(points_.dimension, 0);
    for (std::size_t j = 0; j < width.size(); ++j)
      if (variances_[j] > 0) width[j] = variance(node, j) / variances_[j];
    std::vector<std::size_t> columns(width.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    const auto numbers = columns.begin() + static_cast<std::ptrdiff_t>(of_categories_);
    const auto wider = [&](std::size_t a, std::size_t b) { return width[a] > width[b]; };
    std::stable_sort(columns.begin(), numbers, wider);
    std::stable_sort(numbers, columns.end(), wider);
    return columns;
  }

  void sort_by(const NodePoints& node, std::size_t j) {
    const auto begin = order_.begin();
    ticker_.step(static_cast<std::int64_t>(node.last - node.first) * 100);
    std::sort(begin + static_cast<std::ptrdiff_t>(node.first),
              begin + static_cast<std::ptrdiff_t>(node.last), [&](std::size_t a, std::size_t b) {
                const double x = points_.point(a)[j], y = points_.point(b)[j];
                return x != y ? x < y : a < b;
              });
  }

  /// The admissible division nearest to `middle` records; no points without one.
  Division nearest_division(const NodePoints& node, std::size_t j, double middle) const {
    Division best, now;
    for (std::size_t at = node.first; at + 1 < node.last; ++at) {
      ++now.points;
      now.records += count(at);
      const auto below = static_cast<double>(now.records);
      if (value(at, j) == value(at + 1, j) || below < share_ / 2) continue;
      if (static_cast<double>(node.records - now.records) < share_ / 2) break;
      const auto best_below = static_cast<double>(best.records);
      if (best.points == 0 || std::fabs(below - middle) < std::fabs(best_below - middle))
        best = now;
    }
    return best;
  }

  BlockNode new_block() { return ++result_.count; }

  BlockNode cut(const NodePoints& node) {
    const auto blocks = std::llround(static_cast<double>(node.records) / share_);
    if (blocks < 2) return new_block();
    const auto blocks_below = blocks / 2;
    const double middle = static_cast<double>(node.records) * static_cast<double>(blocks_below) /
                          static_cast<double>(blocks);
    for (const std::size_t j : widest_first(node)) {
      sort_by(node, j);
      const Division division = nearest_division(node, j, middle);
      if (division.points > 0) return cut_at(node, j, division);
    }
    return new_block();
  }

  BlockNode cut_at(const NodePoints& node, std::size_t j, const Division& division) {
    const std::size_t border = node.first + division.points;
    const auto position = static_cast<BlockNode>(result_.cuts.size());
    result_.cuts.push_back(
        {between(value(border - 1, j), value(border, j)), static_cast<std::int32_t>(j), 0, 0});
    const BlockNode below = cut({node.first, border, division.records});
    const BlockNode above = cut({border, node.last, node.records - division.records});
    result_.cuts[static_cast<std::size_t>(position)].below = below;
    result_.cuts[static_cast<std::size_t>(position)].above = above;
    return ~position;
  }

  /// A number above `low` and at most `high`, their middle if there is one.
  static double between(double low, double high) {
    const double middle = low / 2 + high / 2;
    return middle > low ? middle : high;
  }

  const CountedPoints& points_;
  std::size_t of_categories_;
  Ticker& ticker_;
  std::vector<std::size_t> order_;  ///< points; those of a node are contiguous
  NodePoints all_{};
  double share_ = 0;  ///< the records of a block
  std::vector<Extent> extents_;
  std::vector<double> variances_;  ///< of all points, by column
  BlockCuts result_;
};

}  // namespace

BlockCuts learn_blocks(const CountedPoints& points, std::int64_t blocks, Ticker& ticker,
                       std::size_t of_categories) {
  if (points.size() == 0) return {};
  return Learner(points, std::max<std::int64_t>(1, blocks), of_categories, ticker).learn();
}

}  // namespace anonkit
