#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// The original values that the published numbers of a column reveal by their computation, as
/// shares of the original records with an image.
struct Exposure {
  /// The record's value is an end of its published range.
  double range_ends = 0;
  /// The value is an end of its published range and no other record shares it: the range publishes
  /// it.
  double lonely_ends = 0;
  /// An attacker who knows all other values of the class computes the record's value from the
  /// centroid: no value of the column's precision is nearer to the result. An exact centroid proves
  /// it. A rounded one of n records leaves about n values, of which this one is found by chance.
  double solved = 0;
};

/// One result per column; all 0 for categories. Requires images. `class_of` numbers the classes of
/// the masked records.
std::vector<Exposure> exposures(const CellsPair& pair, const std::vector<std::int32_t>& class_of,
                                Ticker& ticker);

/// Exposures without images, where the range published for a record is not known. `range_ends`
/// counts the values that are an end of any range, and `solved` is unknown (NaN).
std::vector<Exposure> exposures_of_ends(const CellsPair& pair, Ticker& ticker);

}  // namespace anonkit
