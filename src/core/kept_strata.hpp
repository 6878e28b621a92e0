#pragma once

#include "base/ticker.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "table/nulls/strata.hpp"

namespace anonkit {

/// By sensitive column, the counts of the table that promises compare classes with: those of its
/// values, or of weights of persons. Empty if no promise is relative to a table.
TableCounts reference_counts(const Table& table, const Options& options);

/// The promises of all classes as a rule for null strata: a stratum keeps them as one class. So it
/// has classes that keep them, which for some models (promises to persons, (k,p,q,r)-anonymity) the
/// classes of a partition alone would not show. Empty if only k is promised, or if not even one
/// class of all records keeps the promises: methods report that, or leave records out. Promises to
/// persons may hold for parts of such a class: then a stratum needs k persons, and no more.
///
/// `order`: the rows in canonical order; `table_counts`: of a larger table, or null. Refers to
/// nothing.
StratumRule stratum_rule(const Table& table, const std::vector<Record>& order,
                         const Options& options, const TableCounts* table_counts, Ticker& ticker);

}  // namespace anonkit
