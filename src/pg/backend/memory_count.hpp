#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The memory that a call is going to need, held against anonkit.max_memory. Plain data.
struct MemoryCount {
  int64 bytes;
};

/// Adds to what is needed; an error (configuration_limit_exceeded) if that is too much. `detail`
/// is a sentence, or null.
void count_memory(MemoryCount& memory, int64 bytes, const char* detail = nullptr);

}  // namespace anonkit::pg
