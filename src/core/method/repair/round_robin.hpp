#pragma once

#include <optional>
#include <vector>

#include "base/ticker.hpp"
#include "constraint/promised.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

enum class DealBy {
  value,      ///< classes with distributions like the table's: for t-closeness, variance, range
  frequency,  ///< the most frequent values first: for numbers of distinct values and shares
};

/// The records in the order of their sensitive values, by the first attribute, then the second
/// and so on; records of equal values in their own order. O(n log n).
std::vector<Record> dealing_order(const std::vector<SensitiveAttribute>& attributes,
                                  std::vector<Record> records, DealBy by, Ticker& ticker);

/// Deals the records out in turn, into about as many classes of k or more as the constraints allow:
/// the most if what they ask only gets easier when classes grow. None if not even one class of all
/// is allowed, or there are fewer than k records. The other records of the table have no class
/// (kNone).
///
/// By frequency the values that fewer records have than there are classes go to one class after the
/// other, so the classes differ by one distinct value at most: with one attribute no other way of
/// forming that many classes gives each more (p-sensitivity's Condition 2).
std::optional<Partition> deal(const std::vector<Record>& order, Record table, Record k,
                              const Constraints& constraints, Ticker& ticker);

}  // namespace anonkit
