#include "recode/range.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

/// The lowest common ancestor of the class.
void mask_ancestor(const Column& column, const RecordSpan& rows, Masked& masked, std::size_t cell) {
  const Hierarchy& hierarchy = *column.hierarchy;
  std::int32_t level = 0, group = column.leaves[*rows.begin()];
  for (const Record i : rows)
    while (hierarchy.group(level, column.leaves[i]) != group) {
      group = hierarchy.parent(level, group);
      ++level;
    }
  masked.low[cell] = group;
  masked.levels[cell] = level;
}

/// The lowest common ancestor of the values; the range in a column without a hierarchy.
constexpr Recoding row_of_hierarchy() {
  Recoding row;
  row.name = "hierarchy";
  row.by_hierarchy = true;
  row.of_numbers = row.of_categories = "range or lowest common label";
  row.of_hierarchies = "label of its hierarchy";
  row.mask = [](const Table& table, const RecordSpan& rows, std::size_t j, Masked& masked,
                std::size_t cell) {
    if (table.columns[j].hierarchy != nullptr)
      mask_ancestor(table.columns[j], rows, masked, cell);
    else
      mask_range(table, rows, j, masked, cell);
  };
  return row;
}

}  // namespace

constexpr Recoding kHierarchyRecoding = row_of_hierarchy();

}  // namespace anonkit
