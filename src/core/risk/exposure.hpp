#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// What the published numbers of a column tell by the way they were computed. Shares of the
/// original records that have an image.
struct Exposure {
  /// The record's value is an end of the range that is published for it.
  double range_ends = 0;
  /// And nobody else has that value: the range publishes it.
  double lonely_ends = 0;
  /// Who knows the values of all others of the class solves the centroid for the record's: its
  /// rounding leaves no other value of the column's precision.
  double solved = 0;
};

/// One for each column; all 0 of categories. Needs the images. `class_of` numbers the classes of
/// the masked records.
std::vector<Exposure> exposures(const CellsPair& pair, const std::vector<std::int32_t>& class_of,
                                Ticker& ticker);

}  // namespace anonkit
