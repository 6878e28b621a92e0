#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The memory that a call needs, limited by anonkit.max_memory. Plain data.
struct MemoryCount {
  int64 bytes;
};

/// Adds to the memory needed; an error (configuration_limit_exceeded) above the limit. `detail` is
/// a sentence or null.
void count_memory(MemoryCount& memory, int64 bytes, const char* detail = nullptr);

/// Raises that error.
[[noreturn]] void refuse_memory(const char* detail, const char* hint);

}  // namespace anonkit::pg
