#pragma once

// The requirements of the promises on a table, checked before any work.

#include "base/options.hpp"
#include "method/method.hpp"
#include "table/table.hpp"

namespace anonkit {

/// Throws an Error if the table is empty, or has fewer rows or units than k, n, p or l asks for.
void check_size(const Table& table, const Options& options);

/// Throws infeasible for dominance and limits of risk that no classes of the table's records keep,
/// whichever the options allow to suppress. O(rows).
void check_possible(const Table& table, const Options& options);

/// Requirements of models of distances and distributions. An ordered attribute has no position for
/// null, unless a hierarchy provides one. Throws an Error if they do not hold.
void check_sensitive(const Table& table, const Options& options);

/// Throws invalid_parameter for options that need all records at once, in a table that has null
/// strata.
void check_stratified(const Method& method, const Options& options);

}  // namespace anonkit
