#pragma once

#include "base/ticker.hpp"
#include "space/space.hpp"

namespace anonkit {

/// A certified lower bound on sse() of every partition into classes of at least k records: what no
/// method can beat. Sum over the records of the least, over class sizes m from k to 2k-1, of
/// (1/2m) * the squared distances to its m-1 nearest others.
///
/// Why it holds: the squares within a class of m records, about its mean, are 1/2m of the sum over
/// all ordered pairs; a class of 2k or more can be cut into classes of k to 2k-1 without raising
/// them. With ordinal and nominal attributes too: squares about the median are no less than about
/// the mean, and the records of a class that differ from its mode are no fewer than 1/2m of the
/// ordered pairs that differ from each other.
///
/// Rounding may move the figure by a few units of its 15th digit. One search for 2k-1 neighbours a
/// record. Needs 1 <= k <= n.
double sse_lower_bound(const Space& space, Record k, Ticker& ticker);

}  // namespace anonkit
