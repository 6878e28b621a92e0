#pragma once

#include "model/level.hpp"

namespace anonkit {

/// Entropy l-diversity: in every class the entropy of the sensitive attribute is at least that of l
/// equally frequent values, - sum over the values of p log p >= log l, where p is a value's share
/// of the class (A. Machanavajjhala et al.: l-diversity. ICDE 2006, Section 4).
///
/// With units p is a value's weight, and for every value at least l - 1 persons of the class lack
/// it: the level of a class is at most one above the fewest persons without a value.
///
/// The level is exp(smallest entropy of a class), at least 1: the greatest l that holds, often not
/// an integer. It has about 13 correct digits. Only the four operations enter it, so every machine
/// finds the same level. A level within a relative 1e-12 of an integer is that integer, so that l
/// equally frequent values are entropy l-diverse. O(distinct values of all classes).
Level entropy_l_diversity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
