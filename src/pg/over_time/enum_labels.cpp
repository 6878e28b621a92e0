#include "pg/over_time/enum_labels.hpp"

#include <cstring>

#include "pg/backend/catalog_rows.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/canonical.hpp"

extern "C" {
#include "catalog/pg_enum.h"
}

namespace anonkit::pg {
namespace {

bool equal(const char* a, const char* b) {
  return std::strcmp(a, b) == 0;
}

/// True if one of the first so many labels is this one.
bool contains(const char* const* labels, int count, const char* label) {
  for (int i = 0; i < count; ++i)
    if (equal(labels[i], label)) return true;
  return false;
}

void add_label(EnumLabels& labels, int& capacity, Oid value, const char* label) {
  if (labels.count == capacity) {
    capacity *= 2;
    resize(labels.values, capacity);
    resize(labels.last, capacity);
  }
  labels.values[labels.count] = value;
  labels.last[labels.count++] = utf8_text(pstrdup(label));
}

/// Reads the labels of an enum in their order.
EnumLabels read_labels(Oid type, const char* column) {
  int capacity = 16;
  EnumLabels labels = {};
  labels.column = utf8_text(pstrdup(column));
  labels.values = allocate<Oid>(capacity);
  labels.last = allocate<const char*>(capacity);
  ScanKeyData key = oid_key(Anum_pg_enum_enumtypid, type);
  Relation enums = table_open(EnumRelationId, AccessShareLock);
  Relation index = index_open(EnumTypIdSortOrderIndexId, AccessShareLock);
  SysScanDesc scan = systable_beginscan_ordered(enums, index, nullptr, 1, &key);
  while (HeapTuple tuple = systable_getnext_ordered(scan, ForwardScanDirection)) {
    CHECK_FOR_INTERRUPTS();
    const auto* form = reinterpret_cast<const FormData_pg_enum*>(GETSTRUCT(tuple));
    add_label(labels, capacity, form->oid, NameStr(form->enumlabel));
  }
  systable_endscan_ordered(scan);
  index_close(index, AccessShareLock);
  table_close(enums, AccessShareLock);
  labels.first = allocate<const char*>(labels.count);
  std::copy_n(labels.last, labels.count, labels.first);
  return labels;
}

void add_columns(EnumColumns& enums, const SourceColumn* columns, int count) {
  for (int i = 0; i < count; ++i)
    if (type_is_enum(columns[i].base_type) && labels_of(enums, columns[i].name) == nullptr)
      enums.columns[enums.count++] = read_labels(columns[i].base_type, columns[i].name);
}

/// True if the old labels are among the present ones, in the same order. Sets `place` to the place
/// of each.
bool find_all(const EnumLabels& known, const EnumLabels& present, int* place) {
  int at = 0;
  for (int i = 0; i < known.count; ++i, ++at) {
    while (at < present.count && !equal(known.last[i], present.last[at])) ++at;
    if (at == present.count) return false;
    place[i] = at;
  }
  return true;
}

/// True if labels were renamed and none was added. Then their order tells which is which, unless a
/// new name was that of another label.
bool only_renamed(const EnumLabels& known, const EnumLabels& present) {
  if (known.count != present.count) return false;
  for (int i = 0; i < known.count; ++i)
    if (!equal(known.last[i], present.last[i]) &&
        contains(known.last, known.count, present.last[i]))
      return false;
  return true;
}

/// A first spelling for a label that was added: its own, unless that was another label's.
const char* new_spelling(const EnumLabels& labels, int i) {
  const char* spelling = labels.last[i];
  for (int n = 2; contains(labels.first, i, spelling) ||
                  contains(labels.first + i + 1, labels.count - i - 1, spelling);
       ++n)
    spelling = psprintf("%s\n%d", labels.last[i], n);
  return spelling;
}

void recall(const EnumLabels& known, EnumLabels& present) {
  int* place = allocate<int>(known.count);
  if (only_renamed(known, present)) {
    std::copy_n(known.first, known.count, present.first);
    return;
  }
  if (!find_all(known, present, place))
    ereport(ERROR,
            (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
             errmsg("the labels of an enum column are not those of the last refresh"),
             errdetail("It is unclear which labels were renamed."),
             errhint("Rename them back. Rename labels and add labels in different refreshes, "
                     "and exchange no names.")));
  bool* old = allocate<bool>(present.count);
  std::fill_n(old, present.count, false);
  std::fill_n(present.first, present.count, "");
  for (int i = 0; i < known.count; ++i) {
    present.first[place[i]] = known.first[i];
    old[place[i]] = true;
  }
  for (int i = 0; i < present.count; ++i)
    if (!old[i]) present.first[i] = new_spelling(present, i);
}

}  // namespace

EnumColumns present_labels(const Source& source, const Key& key) {
  EnumColumns enums = {allocate<EnumLabels>(source.count + key.count), 0};
  add_columns(enums, key.columns, key.count);
  add_columns(enums, source.columns, source.count);
  return enums;
}

void recall_labels(const EnumColumns& known, EnumColumns& present) {
  for (int i = 0; i < present.count; ++i)
    for (int j = 0; j < known.count; ++j)
      if (equal(present.columns[i].column, known.columns[j].column))
        recall(known.columns[j], present.columns[i]);
}

const EnumLabels* labels_of(const EnumColumns& enums, const char* column) {
  const char* name = utf8_text(column);
  for (int i = 0; i < enums.count; ++i)
    if (equal(enums.columns[i].column, name)) return &enums.columns[i];
  return nullptr;
}

const char* first_label(const EnumLabels& labels, Oid value) {
  for (int i = 0; i < labels.count; ++i)
    if (labels.values[i] == value) return labels.first[i];
  elog(ERROR, "enum value %u is unknown", value);
  pg_unreachable();
}

}  // namespace anonkit::pg
