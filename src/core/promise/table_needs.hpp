#pragma once

#include <cstdint>

#include "base/ticker.hpp"
#include "promise/promise.hpp"

namespace anonkit {

/// Necessary conditions on the classes of any release of all records, from the table's values.
struct TableNeeds {
  std::int32_t values = 1;   ///< distinct ones of every class, at least
  std::int64_t classes = 0;  ///< of any release, at most
};

/// The conditions that recursive (c,l)-diversity, beta-likeness, delta-disclosure and t-closeness
/// imply for one attribute. Let f_v be the records of value v among n, p_v = f_v / n, and q_v its
/// share of a class of s records with m distinct values.
/// - (c,l): r_1 < c (r_l + .. + r_m) and r_l + .. + r_m <= (m - l + 1) r_1, so m - l + 1 > 1 / c.
///   Over the classes of rows the sums of r_l + .. + r_m are at most that of the table, and those
///   of r_1 at least its r_1: if the table as one class breaks the promise, so does every release.
///   Persons meet in several classes, so for them only the first condition holds.
/// - beta: q_v <= u_v = p_v (1 + min(beta, -ln p_v)). The shares of a class add up to 1, so its
///   values have a sum of u_v of at least 1, and the largest u_v give the least m.
/// - t, nominal: the distance is at least q_v - p_v, so u_v = p_v + t. Of the ordered distance and
///   of both, the conditions of implied_by_closeness hold, too.
/// - A class with v has q_v >= 1 / s, so s >= 1 / u_v; also s >= m. The classes are as many as the
///   sum over records of 1 / s, so at most the sum over v of f_v / max(m, ceil(1 / u_v)).
/// - delta: a class without a value of the table has a ratio of shares of 0, so m is all of them.
///
/// With `of_persons` only the first condition is counted: the shares are of rows.
/// O(n log n).
TableNeeds needs_of_table(const SensitiveAttribute& attribute, const Promises& promises,
                          bool of_persons, Ticker& ticker);

}  // namespace anonkit
