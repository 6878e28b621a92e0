#pragma once

#include <functional>

#include "base/ticker.hpp"
#include "space/space.hpp"

namespace anonkit {

struct BoundOptions {
  /// Rounds of the ascent; 0: a number that keeps to some seconds for a thousand records, and none
  /// for more than 20,000 unless there is a clock.
  int rounds = 0;
  /// The share of the time allowed that is gone, 1 or more when it is over; none if unlimited.
  std::function<double()> clock;
  /// Records of a block, at most; time and memory grow with its square.
  Record block = 1200;
};

struct LowerBound {
  double value = 0;
  bool reproducible = true;  ///< false if the clock ended the ascent
};

/// A certified lower bound on sse() of every partition into classes of at least k records: what no
/// method can beat.
///
/// The squares within a class of m records, about its mean, are 1/2m of the sum over all ordered
/// pairs; a class of 2k or more can be cut into classes of k to 2k-1 without raising them. So a
/// record of its own bears at least the least, over m from k to 2k-1, of 1/2m of the squared
/// distances to its m-1 nearest others: the plain bound. A Lagrangian relaxation is sharper:
/// members of a class agree on its size, on its pairs and on its triples; prices of disagreeing,
/// raised by subgradient steps, bound the loss in every round (bound/shares.hpp has the sum, with
/// its proof). Of many records, prices are raised within blocks of neighbours. The larger bound is
/// returned.
///
/// With ordinal and nominal attributes too: squares about the median are no less than about the
/// mean, and the records of a class that differ from its mode are no fewer than 1/2m of the ordered
/// pairs that differ from each other.
///
/// Rounding never makes it too large: prices and distances are whole numbers of a unit, rounded
/// down, and 1e-9 of the sum is taken off for what is added in floating point. Needs 1 <= k <= n.
/// Memory: some 60 MB beside one search for 2k-1 neighbours a record. Above k = 50 the plain bound
/// alone.
LowerBound sse_lower_bound(const Space& space, Record k, const BoundOptions& options,
                           Ticker& ticker);

/// The plain bound.
double plain_sse_lower_bound(const Space& space, Record k, Ticker& ticker);

}  // namespace anonkit
