#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The memory that a call needs, limited by anonkit.max_memory. Plain data.
struct MemoryCount {
  int64 bytes;
  const char* hint;  ///< the way out; null: blocks
};

/// The way out for functions that measure a relation.
inline constexpr char kFewerRows[] =
    "Raise anonkit.max_memory, or measure a view of fewer rows or columns.";

/// A count in the current memory context, for structs that refer to it and are moved.
MemoryCount* new_memory_count(const char* hint = nullptr);

/// Adds to the memory needed; an error (configuration_limit_exceeded) above the limit. `detail` is
/// a sentence or null.
void count_memory(MemoryCount& memory, int64 bytes, const char* detail = nullptr);

/// Raises that error.
[[noreturn]] void refuse_memory(const char* detail, const char* hint);

}  // namespace anonkit::pg
