#include "pg/read/hierarchy/labeller.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/read/hierarchy/interval_labels.hpp"
#include "pg/read/hierarchy/value_text.hpp"
#include "pg/read/number_type.hpp"

extern "C" {
#include "mb/pg_wchar.h"
}

namespace anonkit::pg {
namespace {

bool is_number(Oid type) {
  return number_type(type) != nullptr && !is_time_type(type);
}

/// The first letters of a text, padded with the mask.
const char* masked(const char* text, int letters, int length, const char* mask) {
  const auto bytes = static_cast<int>(std::strlen(text));
  const int kept = pg_mbcharcliplen(text, bytes, letters);
  StringInfoData label;
  initStringInfo(&label);
  appendBinaryStringInfo(&label, text, kept);
  for (int n = pg_mbstrlen_with_len(text, kept); n < length; ++n)
    appendStringInfoString(&label, mask);
  return label.data;
}

bool prefix_labels(const HierarchyRule& rule, const char* text, const char** labels) {
  if (pg_mbstrlen_with_len(text, static_cast<int>(std::strlen(text))) > rule.length) return false;
  for (int level = 1; level <= rule.levels; ++level)
    labels[level - 1] =
        masked(text, std::max(rule.length - level * rule.step, 0), rule.length, rule.mask);
  return true;
}

bool table_labels(const Labeller& labeller, Datum value, const char* text, const char** labels) {
  const LabelTable& table = *labeller.table;
  const Numeric number = is_number(labeller.type) ? exact_numeric(labeller.type, value) : nullptr;
  if (is_number(labeller.type) && number == nullptr) return false;
  const int32 row = number != nullptr ? find_number(table, number) : find_row(table, text);
  for (int level = 1; row >= 0 && level <= table.height; ++level)
    labels[level - 1] = label_of(table, row, level);
  return row >= 0;
}

}  // namespace

Labeller open_labeller(const HierarchyRule& rule, Oid base_type, MemoryCount& memory) {
  Labeller labeller = {&rule, base_type, rule.levels, nullptr};
  if (rule.kind != HierarchyKind::table) return labeller;
  LabelTable* table = allocate<LabelTable>(1);
  *table = read_label_table(rule, is_number(base_type), memory);
  labeller.table = table;
  labeller.height = table->height;
  return labeller;
}

bool make_labels(const Labeller& labeller, Datum value, const char** labels) {
  labels[0] = value_text(labeller.type, value);
  switch (labeller.rule->kind) {
    case HierarchyKind::table:
      return table_labels(labeller, value, labels[0], labels + 1);
    case HierarchyKind::prefix:
      return prefix_labels(*labeller.rule, labels[0], labels + 1);
    default:
      return interval_labels(*labeller.rule, labeller.type, value, labels + 1);
  }
}

const char* top_label(const Labeller& labeller) {
  if (labeller.table != nullptr) return label_of(*labeller.table, 0, labeller.height);
  return has_intervals(*labeller.rule) ? "(,)"
                                       : masked("", 0, labeller.rule->length, labeller.rule->mask);
}

}  // namespace anonkit::pg
