#include "pg/read/protected_values.hpp"

#include <algorithm>

#include "pg/backend/session.hpp"
#include "pg/read/hierarchy/label_table.hpp"

namespace anonkit::pg {
namespace {

/// True if a group has the label.
bool occurs(const ColumnHierarchy& hierarchy, const char* label) {
  for (std::int32_t level = 0; level <= hierarchy.hierarchy().height(); ++level)
    if (hierarchy.find(level, label) >= 0) return true;
  return false;
}

/// The number of labels that a table of labels lacks as well: the table may list labels without
/// values in the column.
int count_unlisted(const HierarchyRule* rule, const Names& absent) {
  if (rule == nullptr || rule->kind != HierarchyKind::table) return absent.count;
  MemoryCount memory = {};
  const LabelTable table = read_label_table(*rule, false, memory);
  int unlisted = 0;
  for (int i = 0; i < absent.count; ++i) unlisted += has_label(table, absent.names[i]) ? 0 : 1;
  return unlisted;
}

void check_labels(const char* column, const ColumnHierarchy& hierarchy, const Names& labels) {
  Names absent = {allocate<char*>(labels.count), 0};
  for (int i = 0; i < labels.count; ++i) {
    CHECK_FOR_INTERRUPTS();
    if (!occurs(hierarchy, labels.names[i])) absent.names[absent.count++] = labels.names[i];
  }
  const int unknown = absent.count == 0 ? 0 : count_unlisted(hierarchy.rule(), absent);
  if (unknown > 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("protected values of column \"%s\" are not in its hierarchy", column),
                    errdetail("Labels that it does not have: %d of %d.", unknown, labels.count)));
}

}  // namespace

void refuse_protected(const char* column, const char* why) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("column \"%s\" has protected values, but %s", column, why)));
  pg_unreachable();
}

void choose_protected(Source& source, TupleDesc descriptor, const ProtectedChoices& choices) {
  for (int i = 0; i < choices.count; ++i) {
    const ProtectedChoice& choice = choices.list[i];
    const AttrNumber number = find_column(descriptor, choice.column);
    SourceColumn* column = nullptr;
    for (int a = 0; a < source.sensitive_count; ++a)
      if (source.sensitive[a].number == number) column = &source.sensitive[a];
    if (column == nullptr) refuse_protected(choice.column, "is not sensitive");
    if (column->hierarchy == nullptr) refuse_protected(choice.column, "no hierarchy");
    column->protected_labels = &choice.labels;
  }
}

const ProtectedValues* read_protected(const char* column, const ColumnHierarchy* hierarchy,
                                      const Names& labels) {
  if (hierarchy == nullptr) refuse_protected(column, "no hierarchy");
  check_labels(column, *hierarchy, labels);
  auto values = std::make_unique<ProtectedValues>();
  const Hierarchy& groups = hierarchy->hierarchy();
  for (std::int32_t level = 0; level <= groups.height(); ++level)
    for (int i = 0; i < labels.count; ++i) {
      const std::int32_t group = hierarchy->find(level, labels.names[i]);
      if (group >= 0) values->groups.push_back({level, group});
    }
  values->lifted = lifted_values(groups, values->groups);
  return &own_in_context(std::move(values));
}

const std::vector<std::int32_t>& protected_numbers(const ColumnHierarchy& hierarchy,
                                                   const ProtectedValues& values) {
  const Hierarchy& groups = hierarchy.hierarchy();
  auto numbers = std::make_unique<std::vector<std::int32_t>>(values.lifted);
  for (std::size_t value = 0; value < numbers->size(); ++value) {
    const auto contains = [&](const ProtectedGroup& one) {
      return groups.group(one.level, static_cast<std::int32_t>(value)) == one.group;
    };
    if (std::none_of(values.groups.begin(), values.groups.end(), contains)) (*numbers)[value] = -1;
  }
  return own_in_context(std::move(numbers));
}

std::vector<std::vector<bool>> protected_groups(const ColumnHierarchy& hierarchy,
                                                const ProtectedValues& values) {
  const Hierarchy& groups = hierarchy.hierarchy();
  std::vector<std::vector<bool>> levels;
  for (std::int32_t level = 1; level <= groups.height(); ++level)
    levels.emplace_back(static_cast<std::size_t>(groups.groups(level)), false);
  for (const ProtectedGroup& one : values.groups)
    if (one.level > 0)
      levels[static_cast<std::size_t>(one.level) - 1][static_cast<std::size_t>(one.group)] = true;
  return levels;
}

}  // namespace anonkit::pg
