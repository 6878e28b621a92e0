#pragma once

#include "table/dictionary.hpp"

#include "pg/backend/memory_count.hpp"

namespace anonkit::pg {

/// Values and their labels at every level, coded. Plain data, palloc'd; a context owns the
/// dictionaries.
struct LabelCodes {
  int levels;  ///< with level 0, the values
  int64 values;
  int64 capacity;
  Dictionary** labels;  ///< one a level
  int32* codes;         ///< values x levels; -1: no label
  MemoryCount* memory;  ///< counts the memory allocated here

  int32& code(int64 value, int level) const { return codes[value * levels + level]; }
};

/// Without labels, in the current memory context.
LabelCodes make_label_codes(int levels, int64 values, MemoryCount& memory);

/// Adds a value without labels and returns its index.
int64 add_value(LabelCodes& codes);

void set_label(LabelCodes& codes, int64 value, int level, const char* label);

}  // namespace anonkit::pg
