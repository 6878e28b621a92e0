#pragma once

#include <functional>

#include "base/ticker.hpp"
#include "metric/bound/implied_constraints.hpp"
#include "space/space.hpp"

namespace anonkit {

struct BoundOptions {
  /// Rounds of the ascent. 0: without a clock, as many as `work` allows, and none above 20,000
  /// records.
  int rounds = 0;
  /// The work of these rounds for each record, in a ticker's steps, so that it is the same on
  /// every machine: some milliseconds. Promises can make classes large, and the work of a round
  /// grows with their square.
  double work = 3.15e6;
  /// The work of prices of classes for each record, of 2,000 at most.
  double class_work = 3e6;
  /// Threads that seek classes. The bound does not depend on their number.
  int threads = 1;
  /// The elapsed share of the time limit, 1 or more at its end; empty if time is unlimited.
  std::function<double()> clock;
  /// The largest number of records in a block; time and memory grow with its square.
  Record block = 1200;
};

struct LowerBound {
  double value = 0;
  bool reproducible = true;  ///< false if the clock ended the ascent
};

/// A certified lower bound on sse() of every partition into classes that satisfy the constraints:
/// at least k records (`smallest`), and enough distinct values. No method can beat it.
///
/// The squared error of a class of m records is 1/(2m) of the sum over all its ordered pairs. A
/// class of 2k or more can be cut into classes of k to 2k-1 without a higher error. So each record
/// contributes at least 1/(2m) of the squared distances to its m-1 nearest records, for the best m
/// from k to 2k-1. Their sum is the plain bound.
///
/// A Lagrangian relaxation is sharper. Members of a class agree on its size, its pairs and its
/// triples. Prices for disagreement, raised by subgradient steps, bound the loss in every round
/// (bound/shares.hpp has the sum and its proof). Many records are cut into blocks of neighbours,
/// each with its own prices. The larger bound is the result.
///
/// For k up to 12 and 20,000 records, the linear relaxation of set partitioning follows: a class
/// collects its records' prices, and those that lose less are sought among all classes
/// (bound/class_prices.hpp). It knows k alone, and without other conditions it starts at those
/// shares.
///
/// If classes have at least l values, each record's partners bring l-1 others: the nearest ones of
/// the nearest other values. Cutting could deprive a class of values, so classes have any size. Yet
/// a record's share only falls with a further record nearer than twice the share.
///
/// The bound covers ordinal and nominal attributes. Squares about the median are no less than about
/// the mean. The records of a class that differ from its mode are at least 1/(2m) of its ordered
/// pairs with different codes.
///
/// Rounding never raises the bound. Prices and distances are integers in a unit, rounded down, and
/// 1e-9 of the sum is subtracted for floating-point addition. Requires 1 <= k <= n, and l <= k.
/// Memory: some 60 MB beside one search for 2k-1 neighbours per record. Above k = 50 the plain
/// bound alone is computed.
LowerBound sse_lower_bound(const Space& space, const ImpliedConstraints& constraints,
                           const BoundOptions& options, Ticker& ticker);

/// The plain bound. One search for 2k-1 neighbours per record, and one for 8 times as many where
/// they lack values.
double plain_sse_lower_bound(const Space& space, const ImpliedConstraints& constraints,
                             Ticker& ticker);

}  // namespace anonkit
