#pragma once

#include "pg/backend/memory_count.hpp"
#include "pg/read/value_ranks.hpp"

namespace anonkit::pg {

/// The proposed role of a column, in the words of anon_profile.
enum class ColumnRole : uint8 {
  identifier,
  unit,  ///< it names the person of a row, and a person has several rows
  quasi_identifier,
  sensitive,
  free_text,
  other  ///< its type can be kept, but not masked
};

/// A column during reading and afterwards. Plain data.
struct ProfiledColumn {
  char* name;
  const char* type;
  Oid base_type;
  char category;  ///< of the type
  bool as_text;   ///< its type has no equality, or not a built-in one
  ValueRanks ranks;
  int64 nulls;
  double mean_length;  ///< of the distinct values of a text column, in characters
  int64 equal_pairs;   ///< ordered pairs of records with equal values
  int determined;      ///< if it may be a unit: the columns that are constant within its values
  int64 uniques_added;
  ColumnRole role;
  const char* reason;

  bool is_quasi_identifier() const { return role == ColumnRole::quasi_identifier; }
  int64 values() const { return values_of(ranks); }
};

struct Profile {
  ProfiledColumn* columns;
  int count;
  int64 rows;
  int64 capacity;
  MemoryCount* memory;
};

/// Reads the table once, codes each column by its distinct values, counts on the codes, and
/// proposes roles. Counts against anonkit.max_memory. Calls the core.
Profile profile_of(Oid relation);

/// Proposes the role of each column from its values, its type and its name. At most one column is
/// the unit.
void propose_roles(Profile& profile);

}  // namespace anonkit::pg
