#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "metric/bound/class_column.hpp"
#include "metric/bound/class_points.hpp"

namespace anonkit {

/// The classes found so far: the columns of the restricted linear program. Each point has one at
/// least before the first ascent.
class ClassPool {
 public:
  explicit ClassPool(const ClassPoints& points) : points_(points), of_point_(at(points.size())) {}

  /// Adds a class unless it is in the pool.
  void add(const ClassColumn& column);
  /// The least excess of the pool's classes with a record of point i; infinity if there is none.
  double least(std::int32_t i, const std::vector<double>& prices) const;
  /// Moves the prices by so many subgradient steps to the best that it meets, as far as the pool
  /// knows, and returns their value there. `known` is a value that has been reached; steps aim
  /// somewhat above it.
  double ascend(std::vector<double>& prices, int steps, double known, Ticker& ticker) const;

 private:
  double slope(const std::vector<double>& prices, std::vector<double>& slope, Ticker& ticker) const;

  const ClassPoints& points_;
  std::vector<ClassColumn> columns_;
  std::vector<std::vector<std::int32_t>> of_point_;  ///< the columns of each point
};

}  // namespace anonkit
