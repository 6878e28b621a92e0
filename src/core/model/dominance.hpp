#pragma once

#include "model/level.hpp"

namespace anonkit {

/// Dominance: the greatest share of a class's records that belong to one person, as the dominance
/// rule of statistical offices has it for the contributors to a cell of a table (A. Hundepohl et
/// al.: Statistical disclosure control. Wiley 2012, section 4.2.2, with records as contributions).
/// A mean of a class is close to the values of a person who dominates it. Throws invalid_parameter
/// without units. O(n log n).
Level dominance(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
