#pragma once

#include <string>
#include <vector>

#include "base/options.hpp"
#include "space/point_sample.hpp"
#include "table/standardize.hpp"

namespace anonkit {

/// The scale of each column of numbers, estimated from a sample of a table that is not in memory:
/// the sample deviation or the extent of the sampled records, 0 for a column that is constant
/// there. Sums follow the order of the points, so they do not depend on the order of the rows.
/// Throws Error (invalid_data) with the column's name if its extent overflows. O(points x columns).
std::vector<Scale> scales_of(const CountedPoints& points, const std::vector<std::string>& names,
                             Standardize standardize);

}  // namespace anonkit
