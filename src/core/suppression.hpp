#pragma once

// Suppression in the place of distortion: records that are dear to hide are left out.
//
//   anonymize      all records, as without a budget
//   choose         the records that are farthest from their k - 1 nearest, within the budget
//   anonymize      the others, as a table of their own, on the same scales
//   keep           the second release if its records lose less than all records did
//
// Every class of the second release keeps k and all promises among the records that are left, and
// promises about distributions are relative to these. Where they can keep none, or no record costs
// anything, the first release stays. Time: twice that of the method.

#include "pipeline.hpp"

namespace anonkit {

/// anonymize(), and without the costliest records if the options have a budget for them and the
/// method has none of its own. Throws Error as anonymize does, and with null strata.
Anonymized anonymize_within_budget(const Table& table, const Method& method, const Options& options,
                                   Ticker& ticker, const Whole* whole = nullptr);

}  // namespace anonkit
