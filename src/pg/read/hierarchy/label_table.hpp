#pragma once

#include "pg/read/hierarchy/label_codes.hpp"
#include "pg/spec/hierarchy_rule.hpp"

namespace anonkit::pg {

/// A table of labels: a row a value, a column a level, the values first. Plain data, palloc'd.
struct LabelTable {
  LabelCodes rows;
  int height;           ///< of the top level, which has a single label
  Dictionary* numbers;  ///< the values that are numbers, in one spelling; null for other types
  int32* row_of;        ///< of each of them its row; -1: two rows spell it
};

/// Reads and checks a table with the caller's rights. `numbers`: values will be looked up as
/// numbers. To be called in an SPI session. Errors: no rows, a null, a value twice, no tree; they
/// count values and never show one.
LabelTable read_label_table(const HierarchyRule& rule, bool numbers, MemoryCount& memory);

/// The row of a value, or -1.
int32 find_row(const LabelTable& table, const char* value);
int32 find_number(const LabelTable& table, Numeric value);

/// Labels from level 1 to the top; `labels` has room for the height.
const char* label_of(const LabelTable& table, int32 row, int level);

/// True if some level of the table has the label.
bool has_label(const LabelTable& table, const char* label);

}  // namespace anonkit::pg
