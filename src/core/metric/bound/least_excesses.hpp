#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "metric/bound/cheapest_class.hpp"
#include "metric/bound/class_points.hpp"
#include "metric/bound/class_pool.hpp"
#include "metric/bound/progress.hpp"

namespace anonkit {

/// Proves for each point, under prices, what the excess of no class with its records is below.
///
/// The points with the largest known excess come first, in batches. Each class is then sought from
/// one of its points only: a class with a point of an earlier batch has at least the excess proven
/// for that one, which is seldom below the excess known for those that follow.
class LeastExcesses {
 public:
  /// Classes of `smallest` to `largest` records. The points must outlive it.
  LeastExcesses(const ClassPoints& points, const std::vector<double>& prices, const ClassPool& pool,
                Record smallest, Record largest);

  /// No excess is below `floor`. The result does not depend on the number of threads. False if the
  /// progress ended before the last batch.
  bool prove(double floor, int threads, Progress& progress, Ticker& ticker);

  /// By point.
  const std::vector<double>& proven() const { return priced_.proven; }
  /// The classes found whose excess is below the known one.
  const std::vector<ClassColumn>& columns() const { return columns_; }

 private:
  void search(std::size_t begin, std::size_t end, int threads, Ticker& ticker);

  const ClassPoints& points_;
  Record smallest_, largest_;
  PricedPoints priced_;
  std::vector<std::int32_t> order_;
  std::vector<CheapestClass::Answer> answers_;  ///< of a batch
  std::vector<ClassColumn> columns_;
};

}  // namespace anonkit
