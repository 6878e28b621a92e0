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
/// model achievable via microaggregation. SDM 2008, section 4, by p, q, r and variance_of of the
/// promises. What they leave open:
///
///   several attributes  a record is sensitive if one of its values is rare. (d) goes on until each
///                       attribute has p values, (e) until each has its variance; the variance
///                       "increases" if the sum of its shares of the references does, in (e) over
///                       the attributes that lack some
///   (d) finds nobody    then p cannot be had: the class is left as it is
///   (e) finds nobody    likewise
///   (f) finds nobody    the nearest record joins, and (e) begins again
///   (g) takes the rest  also if too few sensitive records are left for p in any attribute; the
///                       records without rare values are given back (iv) only if the class holds
///                       without them; if it still does not hold (d) to (f) begin again
///   step 5              fewer than k records join the nearest classes that hold with them
///   classes that do not hold, or of fewer than k records, are united with the nearest class with
///                       which they do, else merged with their nearest until all hold
///
/// Exact searches of the spatial index. Returns classes numbered by their first record. Whether
/// they satisfy the model is for the caller to ask: if the merging fails there is one class. Needs
/// 1 <= k <= n; throws invalid_parameter as RareValues does.
Partition kpqr(const Space& space, const std::vector<SensitiveAttribute>& attributes, Record k,
               const Promises& promises, std::uint64_t seed, Ticker& ticker);

}  // namespace anonkit
