#pragma once

#include "model/level.hpp"

namespace anonkit {

/// The mean over all records of their risk, 1 / the members of the record's class (K. El Emam, F.
/// K. Dankar: Protecting privacy using k-anonymity. JAMIA 15(5), 2008, for a prosecutor). With
/// units members are persons. The worst class is the one of fewest members. O(classes), with units
/// O(n).
Level mean_risk(const ClassHistogram& histogram, Ticker& ticker);

/// The share of the records whose risk exceeds the threshold. O(classes), with units O(n).
Level records_at_risk(const ClassHistogram& histogram, double threshold, Ticker& ticker);

}  // namespace anonkit
