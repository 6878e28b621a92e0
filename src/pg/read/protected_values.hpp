#pragma once

#include <vector>

#include "sensitive/lifted_values.hpp"

#include "pg/read/hierarchies.hpp"

namespace anonkit::pg {

/// The protected values of a sensitive column under extended p-sensitivity. A context owns it.
struct ProtectedValues {
  std::vector<ProtectedGroup> groups;  ///< of the column's hierarchy
  std::vector<std::int32_t> lifted;    ///< the lifted value of each value
};

/// Attaches the protected labels to the sensitive columns of a source. Errors: a column that is not
/// sensitive, or has no hierarchy.
void choose_protected(Source& source, TupleDesc descriptor, const ProtectedChoices& choices);

/// The groups of a column's hierarchy with one of these labels, at any level. A label without
/// values in the column protects nothing. Requires an SPI session. Errors: no hierarchy (null);
/// unknown labels, counted.
const ProtectedValues* read_protected(const char* column, const ColumnHierarchy* hierarchy,
                                      const Names& labels);

/// The protected groups of each level above the values, for the judge.
std::vector<std::vector<bool>> protected_groups(const ColumnHierarchy& hierarchy,
                                                const ProtectedValues& values);

/// By value the number of its topmost protected group, or -1 for a value below none. The current
/// memory context owns them.
const std::vector<std::int32_t>& protected_numbers(const ColumnHierarchy& hierarchy,
                                                   const ProtectedValues& values);

[[noreturn]] void refuse_protected(const char* column, const char* why);

}  // namespace anonkit::pg
