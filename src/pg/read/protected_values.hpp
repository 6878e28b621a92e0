#pragma once

#include <vector>

#include "sensitive/lifted_values.hpp"

#include "pg/read/hierarchies.hpp"

namespace anonkit::pg {

/// What of a sensitive column is protected under extended p-sensitivity. A context owns it.
struct ProtectedValues {
  std::vector<ProtectedGroup> groups;  ///< of the column's hierarchy
  std::vector<std::int32_t> lifted;    ///< what each value counts as
};

/// Notes in the sensitive columns of a source what of them is protected. Errors: a column that is
/// not sensitive, or has no hierarchy.
void choose_protected(Source& source, TupleDesc descriptor, const ProtectedChoices& choices);

/// The groups of a column's hierarchy that have one of these labels, at whatever level. A label of
/// the hierarchy that no value of the column has protects nothing. To be called in an SPI session.
/// Errors: no hierarchy (null), labels that it does not have, counted.
const ProtectedValues* read_protected(const char* column, const ColumnHierarchy* hierarchy,
                                      const Names& labels);

/// The protected groups of each level above the values, for the judge.
std::vector<std::vector<bool>> protected_groups(const ColumnHierarchy& hierarchy,
                                                const ProtectedValues& values);

[[noreturn]] void refuse_protected(const char* column, const char* why);

}  // namespace anonkit::pg
