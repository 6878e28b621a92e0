#include "metric/bound/class_pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anonkit {
namespace {

constexpr double kFirstOfFew = 0.5, kFirstOfMany = 1, kLastOfPool = 0.02;
constexpr int kMany = 20;
// The steps aim above the known value by this factor.
constexpr double kAim = 1.03;

bool is_same_class(const ClassColumn& a, const ClassColumn& b) {
  return std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                    [](const ClassColumn::Member& x, const ClassColumn::Member& y) {
                      return x.point == y.point && x.records == y.records;
                    });
}

double squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

}  // namespace

void ClassPool::add(const ClassColumn& column) {
  for (const std::int32_t known : of_point_[at(column.members.front().point)])
    if (is_same_class(columns_[at(known)], column)) return;
  for (const ClassColumn::Member& one : column.members)
    of_point_[at(one.point)].push_back(static_cast<std::int32_t>(columns_.size()));
  columns_.push_back(column);
}

double ClassPool::least(std::int32_t i, const std::vector<double>& prices) const {
  double least = std::numeric_limits<double>::infinity();
  for (const std::int32_t one : of_point_[at(i)])
    least = std::min(least, columns_[at(one)].excess(prices));
  return least;
}

// The direction keeps the length of the previous one beside the subgradient's, as that of the
// prices of pairs does (ascent.cpp has the sources).
double ClassPool::ascend(std::vector<double>& prices, int steps, double known,
                         Ticker& ticker) const {
  std::vector<double> present = prices, direction(prices.size()), slopes;
  double best = -std::numeric_limits<double>::infinity();
  for (int step = 0;; ++step) {
    const double value = slope(present, slopes, ticker);
    if (step > 0 && value > best) {
      best = value;
      prices = present;
    }
    if (step == steps) return best;
    const double before = squares(direction), steepness = squares(slopes);
    const double keep = before > 0 ? std::sqrt(steepness / before) : 0;
    for (std::size_t i = 0; i < slopes.size(); ++i) direction[i] = slopes[i] + keep * direction[i];
    const double norm = squares(direction);
    if (!(norm > 0)) {
      prices = present;
      return value;
    }
    const double left = 1 - static_cast<double>(step) / steps;
    const double length =
        kLastOfPool + (steps > kMany ? kFirstOfMany : kFirstOfFew) * left * left * left;
    const double move = length * (kAim * std::max(best, known) - value) / norm;
    for (std::size_t i = 0; i < slopes.size(); ++i) present[i] += move * direction[i];
  }
}

// The value of the prices, as far as the pool knows, and its subgradient: each record pays its
// price once, and receives its share of the prices of the class that it would choose.
double ClassPool::slope(const std::vector<double>& prices, std::vector<double>& slope,
                        Ticker& ticker) const {
  std::vector<double> excess;
  for (const ClassColumn& column : columns_) excess.push_back(column.excess(prices));
  slope.assign(prices.size(), 0);
  double value = 0;
  for (std::int32_t i = 0; i < points_.size(); ++i) {
    const double records = points_.weight(i);
    const auto& columns = of_point_[at(i)];
    const std::int32_t best = *std::min_element(
        columns.begin(), columns.end(),
        [&](std::int32_t a, std::int32_t b) { return excess[at(a)] < excess[at(b)]; });
    value += records * (prices[at(i)] + excess[at(best)]);
    slope[at(i)] += records;
    const ClassColumn& column = columns_[at(best)];
    for (const ClassColumn::Member& one : column.members)
      slope[at(one.point)] -= records * one.records / column.size;
  }
  ticker.step(static_cast<std::int64_t>(columns_.size()) * 20);
  return value;
}

}  // namespace anonkit
