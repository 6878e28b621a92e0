#pragma once

#include "promise/promise.hpp"

namespace anonkit {

/// The conditions on classes that t-closeness implies, by the distance:
/// - nominal: the distance of a class is 1 less the sum over its values v of min(p_v, q_v), which
///   is at most their share of the table. So they have a share of at least 1 - t, and the most
///   frequent values give the least number of them
/// - ordered: all of the table moves to values of the class, each record at least to the nearest
///   one. So the least cost of that many medians is at most t
/// - a least number of records: the least s for which some numbers of s records come as close to
///   the table's distribution as t. For each value or each prefix of the values, a multiple of 1/s
///   must be near the table's share
///
/// t-closeness limits a sum over the class, so the cheapest partners of a record are a knapsack
/// problem, and there is no condition on their choice. Hierarchical distances imply no condition.
/// O(m) per number of records, and O(m^2) per number of ordered values.
ImpliedByTable implied_by_closeness(const SensitiveAttribute& attribute);

}  // namespace anonkit
