#pragma once

#include <vector>

#include "model/aggregate_knowledge.hpp"

namespace anonkit {

/// One function, as an attacker computes it from a release: the interval of every published record,
/// and what is known of every original one, [f - d|f|, f + d|f|].
struct AggregateView {
  std::vector<double> low, high;
  std::vector<double> least_known, greatest_known;  ///< empty without originals
  /// Numbers that differ by less are taken for equal: the error of a sum of doubles; 0 if all
  /// numbers are whole.
  double tolerance = 0;
};

AggregateView aggregate_view(const PublishedRanges& release, const AggregateFunction& function,
                             double d, Ticker& ticker);

/// The level for a function f of which nothing is known but that f(t) lies in t's own interval, and
/// that it is known to within d. O(n log n).
AggregateLevel worst_case_level(const AggregateView& view, double d, Ticker& ticker);

}  // namespace anonkit
