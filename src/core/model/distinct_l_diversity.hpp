#pragma once

#include "model/level.hpp"

namespace anonkit {

/// Distinct l-diversity: every class has at least l distinct values of the sensitive attribute, the
/// simplest reading of "well represented" (A. Machanavajjhala, J. Gehrke, D. Kifer, M.
/// Venkitasubramaniam: l-diversity: privacy beyond k-anonymity. ICDE 2006; so named in N. Li, T.
/// Li, S. Venkatasubramanian: t-closeness. ICDE 2007, Section 2). The level is the fewest distinct
/// values of a class: p-sensitivity under another name, also with units. O(distinct values of all
/// classes).
Level distinct_l_diversity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
