#pragma once

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// Propensity score mean squared error (M.-J. Woo, J. P. Reiter, A. Oganian, A. F. Karr: Global
/// measures of data utility for microdata masked for disclosure limitation. Journal of Privacy and
/// Confidentiality 1(1), 2009). It measures how well a logistic regression on all columns, with
/// squares and interactions, and an indicator of nulls, separates masked records from original
/// ones. 0 if it cannot; at most c (1-c), with c the masked records' share. The result does not
/// depend on the number of threads.
double propensity_mse(const Cells& original, const Cells& masked, int threads, Ticker& ticker);

}  // namespace anonkit
