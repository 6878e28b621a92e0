#pragma once

// Suppression instead of distortion: the records that raise the loss most are suppressed.
//
//   anonymize      all records, as without a budget
//   choose         the records farthest from their k - 1 nearest, within the budget
//   anonymize      the others, as a separate table, on equal scales
//   keep           the second release if its records lose less than all records did
//
// Every class of the second release keeps k and all promises among the remaining records, and
// promises about distributions are relative to these. If no classes keep them, or no record has a
// cost, the first release stays. Time: twice that of the method.

#include "pipeline.hpp"

namespace anonkit {

/// anonymize(), without the costliest records if the options have a budget for suppression and the
/// method has none of its own. Throws Error like anonymize, and for null strata.
Anonymized anonymize_within_budget(const Table& table, const Method& method, const Options& options,
                                   Ticker& ticker, const TableCounts* table_counts = nullptr);

}  // namespace anonkit
