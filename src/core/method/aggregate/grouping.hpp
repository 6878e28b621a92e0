#pragma once

#include <vector>

#include "method/aggregate/masked_class.hpp"

namespace anonkit {

/// A class of places up to `last`, from the end of the class before, and its generalised
/// attributes.
struct MaskedRun {
  Record last;
  AttributeSet generalised;
  double loss;  ///< class_loss
};
using MaskedRuns = std::vector<MaskedRun>;

/// Lines 3 and 4 of Algorithm 1: the last places of classes of k records each; the last class takes
/// the remainder. With sensitive values, a class grows until it has p of them, and a remainder with
/// fewer joins the class before. O(n). Throws infeasible if all records together have fewer than p
/// sensitive values.
std::vector<Record> equivalence_classes(const SortedRecords& records,
                                        const AggregateOptions& options, Ticker& ticker);

/// Lines 5 to 20 for each class: generalises one attribute after the other until the guarantee
/// holds. Each is the one without which f varies least within the class. With several functions the
/// variation is a sum, each function in units of its range over all records. O(n m^2 functions
/// log(class size)).
MaskedRuns greedy_generalisation(const SortedRecords& records, const AggregateOptions& options,
                                 const std::vector<Record>& classes, Ticker& ticker);

}  // namespace anonkit
