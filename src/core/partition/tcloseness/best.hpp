#pragma once

#include <vector>

#include "partition/tcloseness/tcloseness.hpp"

namespace anonkit {

/// 'best': every cheaper algorithm is a start, and the search engine lowers the loss (SSE) under
/// t-closeness by each attribute. The thorough search begins with the start that has most classes:
/// it leaves small classes only where t demands it, while large ones hold many records that it
/// would have to take apart under the constraint. The start of lowest loss, if that is another one,
/// is searched briefly, and the better result is kept: so 'best' is never above any start.
/// Arguments and result as for tcloseness().
TClosenessClasses best_of(const Space& space, const std::vector<Confidential>& attributes,
                          const TClosenessOptions& options, Ticker& ticker);

}  // namespace anonkit
