#pragma once

#include "pg/read/hierarchy/label_codes.hpp"
#include "pg/spec/hierarchy_rule.hpp"

namespace anonkit::pg {

/// A table of labels: one row per value, one column per level, values first. Plain data, palloc'd.
struct LabelTable {
  LabelCodes rows;
  int height;           ///< of the top level, which has a single label
  Dictionary* numbers;  ///< the numeric values, in canonical form; null for other types
  int32* row_of;        ///< by such value: its row; -1 if two rows spell it
};

/// Reads and checks a table with the caller's rights. `numbers`: lookups use numbers. Requires an
/// SPI session. Errors: no rows, a null, a repeated value, not a tree. Messages count values and
/// never show one.
LabelTable read_label_table(const HierarchyRule& rule, bool numbers, MemoryCount& memory);

/// The row of a value, or -1.
int32 find_row(const LabelTable& table, const char* value);
int32 find_number(const LabelTable& table, Numeric value);

/// The label of a row at a level.
const char* label_of(const LabelTable& table, int32 row, int level);

/// True if some level of the table has the label.
bool has_label(const LabelTable& table, const char* label);

}  // namespace anonkit::pg
