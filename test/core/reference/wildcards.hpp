#pragma once

// The records that a record with suppressed cells is compatible with, from the definition: each
// pair of records is compared, column by column.

#include <cstdint>
#include <set>
#include <vector>

namespace anonkit::reference {

constexpr std::int32_t kSuppressed = -1;

/// By record of a table (by row and column), the persons with a compatible record. `person_of` may
/// be empty: then each record is a person's own.
inline std::vector<std::int64_t> compatible_persons(
    const std::vector<std::vector<std::int32_t>>& rows,
    const std::vector<std::int32_t>& person_of) {
  std::vector<std::int64_t> counts;
  for (const auto& row : rows) {
    std::set<std::size_t> persons;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      bool compatible = true;
      for (std::size_t j = 0; j < row.size(); ++j)
        compatible = compatible &&
                     (row[j] == kSuppressed || rows[i][j] == kSuppressed || row[j] == rows[i][j]);
      if (compatible)
        persons.insert(person_of.empty() ? i : static_cast<std::size_t>(person_of[i]));
    }
    counts.push_back(static_cast<std::int64_t>(persons.size()));
  }
  return counts;
}

}  // namespace anonkit::reference
