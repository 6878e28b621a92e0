#pragma once

#include <vector>

#include "method/tcloseness/tcloseness.hpp"

namespace anonkit {

/// 'best': every cheaper algorithm is a start, and the search lowers the loss (SSE) under
/// t-closeness for each attribute. So the loss never exceeds that of any start. See
/// search/starts.hpp. Arguments and result as for tcloseness().
TClosenessClasses best_of(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                          const TClosenessOptions& options, Ticker& ticker);

}  // namespace anonkit
