#pragma once

#include <cstdint>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The heuristic for (k,p,q,r)-anonymity of J. Domingo-Ferrer, F. Sebe and A. Solanas: An anonymity
/// model achievable via microaggregation. SDM 2008, section 4, with p, q, r and variance_of from
/// the promises. Decisions beyond the paper:
///
///   several attributes  a record is sensitive if one of its values is rare. (d) runs until each
///                       attribute has p values, (e) until each has its variance. The variance
///                       "increases" if the sum of its shares of the references does, in (e) over
///                       the attributes that lack some
///   (d) finds no record then p is out of reach: the class stays as it is
///   (e) finds no record likewise
///   (f) finds no record the nearest record joins, and (e) starts again
///   (g) takes the rest  also if too few sensitive records are left for p in any attribute. The
///                       records without rare values are given back (iv) only if the class holds
///                       without them. If it still does not hold, (d) to (f) start again
///   step 5              fewer than k records join the nearest classes that hold with them
///   repair              classes that do not hold, or of fewer than k records, unite with the
///                       nearest class that makes them hold, else merge until all hold
///
/// Exact searches of the spatial index. Returns classes numbered by their first record. The caller
/// checks if they satisfy the model: if merging fails, the result is one class. Requires 1 <= k <=
/// n; throws invalid_parameter like RareValues.
Partition kpqr(const Space& space, const std::vector<SensitiveAttribute>& attributes, Record k,
               const Promises& promises, std::uint64_t seed, Ticker& ticker);

}  // namespace anonkit
