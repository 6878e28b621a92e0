#include "pg/read/protected_values.hpp"

#include <cstring>

#include "pg/backend/session.hpp"

namespace anonkit::pg {
namespace {

/// True if the label is one of a group's.
bool occurs(const ColumnHierarchy& hierarchy, const char* label) {
  const Hierarchy& groups = hierarchy.hierarchy();
  for (std::int32_t level = 0; level <= groups.height(); ++level)
    for (std::int32_t group = 0; group < groups.groups(level); ++group)
      if (std::strcmp(hierarchy.label(level, group), label) == 0) return true;
  return false;
}

/// Labels may be listed that no value of the column has today.
int32 count_unlisted(const char* hierarchy, Datum* labels, int count) {
  Oid types[2] = {TEXTOID, TEXTARRAYOID};
  Datum arguments[2] = {
      CStringGetTextDatum(hierarchy),
      PointerGetDatum(construct_array(labels, count, TEXTOID, -1, false, TYPALIGN_INT))};
  SPI_execute_with_args(
      psprintf(
          "SELECT pg_catalog.count(*)::pg_catalog.int4 FROM pg_catalog.unnest($2) AS l(label)"
          " WHERE NOT EXISTS (SELECT FROM %s.anon_hierarchy_leaves AS v"
          " WHERE v.hierarchy OPERATOR(pg_catalog.=) $1"
          " AND l.label OPERATOR(pg_catalog.=) ANY (pg_catalog.array_prepend(v.leaf, v.labels)))",
          extension_schema()),
      2, types, arguments, nullptr, true, 1);
  bool is_null;
  return DatumGetInt32(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &is_null));
}

void check_labels(const char* column, const ColumnHierarchy& hierarchy, const Names& labels) {
  Datum* absent = allocate<Datum>(labels.count);
  int count = 0;
  for (int i = 0; i < labels.count; ++i) {
    CHECK_FOR_INTERRUPTS();
    if (!occurs(hierarchy, labels.names[i])) absent[count++] = CStringGetTextDatum(labels.names[i]);
  }
  const int32 unknown = count == 0 ? 0 : count_unlisted(hierarchy.name(), absent, count);
  if (unknown > 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("protected values of column \"%s\" are not in hierarchy \"%s\"", column,
                           hierarchy.name()),
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
    for (std::int32_t group = 0; group < groups.groups(level); ++group)
      for (int i = 0; i < labels.count; ++i)
        if (std::strcmp(hierarchy->label(level, group), labels.names[i]) == 0)
          values->groups.push_back({level, group});
  values->lifted = lifted_values(groups, values->groups);
  return &own_in_context(std::move(values));
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
