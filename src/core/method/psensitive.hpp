#pragma once

#include "method/method.hpp"

namespace anonkit {

/// Method 'psensitive': p-sensitive k-anonymity for every sensitive attribute, by the algorithm of
/// options.algorithm.
Classification form_psensitive(const Problem& problem, Ticker& ticker);

/// Throws invalid_parameter for an unknown algorithm, and without p.
void check_psensitive(const Options& options);

}  // namespace anonkit
