#pragma once

#include "model/level.hpp"

namespace anonkit {

/// Entropy l-diversity: in every class the entropy of the sensitive attribute is at least that of l
/// equally frequent values, - sum over the values of p log p >= log l, where p is a value's share
/// of the class (A. Machanavajjhala et al.: l-diversity. ICDE 2006, Section 4).
///
/// The level is exp(smallest entropy of a class), not less than 1: the greatest l that holds; it
/// need not be whole. Computed to about 13 digits, by the four operations alone and so alike on
/// every machine; a level that is within 1e-12 of a whole number, relatively, is that number, so
/// that l equally frequent values are entropy l-diverse. O(distinct values of all classes).
Level entropy_l_diversity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
