#pragma once

#include <vector>

#include "base/record.hpp"
#include "base/ticker.hpp"
#include "metric/bound/progress.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Raises prices of records to those of the linear program of set partitioning, and returns the
/// certified bound on the loss that they prove.
///
/// A partition chooses classes that contain each record once. Its linear relaxation allows shares
/// of classes. By duality, for any prices u of records, no partition loses less than the sum over
/// the records i of u(i) and the least of (loss(C) - sum of u in C) / |C| over all classes C with
/// i: in a partition, each class collects its excess once. Column generation finds prices at which
/// this sum is nearly the value of the relaxation (Aloise, Hansen, Rocha, Santi: Column generation
/// bounds for numerical microaggregation, 2014): classes that violate the prices are sought
/// (cheapest_class.hpp) and join a pool (class_pool.hpp). Prices between the best ones so far and
/// the pool's own best ones are tried next (P. Wentges: Weighted Dantzig-Wolfe decomposition for
/// linear mixed-integer programming. International Transactions in Operational Research 4(2),
/// 1997).
struct ClassPrices {
  Record smallest = 2, largest = 3;  ///< records of a class
  int threads = 1;

  /// `prices`: by record, such that no class loses less than the sum of its prices. Minus infinity
  /// if the progress ends before a bound is proven.
  double raise(const Space& space, const std::vector<double>& prices, Progress& progress,
               Ticker& ticker) const;
};

}  // namespace anonkit
