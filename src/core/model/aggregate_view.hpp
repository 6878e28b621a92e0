#pragma once

#include <vector>

#include "model/aggregate_knowledge.hpp"

namespace anonkit {

/// One function from the attacker's view: the interval of every published record, and the known
/// interval of every original one, [f - d|f|, f + d|f|].
struct AggregateView {
  std::vector<double> low, high;
  std::vector<double> least_known, greatest_known;  ///< empty without originals
  /// Numbers that differ by less count as equal: the error of a sum of doubles; 0 if all numbers
  /// are integers.
  double tolerance = 0;
};

/// Evaluates one function on the published ranges and, if present, on the originals. O(n m) for n
/// records of m attributes.
AggregateView aggregate_view(const PublishedRanges& release, const AggregateFunction& function,
                             double d, Ticker& ticker);

/// The level for a function f without originals: f(t) may lie anywhere in t's own interval, and the
/// attacker knows it to within d. O(n log n).
AggregateLevel worst_case_level(const AggregateView& view, double d, Ticker& ticker);

}  // namespace anonkit
