#pragma once

#include "model/level.hpp"

namespace anonkit {

/// k-anonymity: every class has at least k records (L. Sweeney: k-anonymity: a model for protecting
/// privacy. Int. J. Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002, Definition 3).
/// The level is the size of the smallest class. O(classes).
Level k_anonymity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
