#pragma once

// Hierarchies of the columns of a source, over their distinct values.
//
// Phases: choose_hierarchies() attaches the rules of a spec to columns; read_hierarchy() labels the
// distinct values and builds the tree. Invariants: values keep their order, null comes last, and
// every value has a leaf. Memory: one code per value and level, owned by the current memory
// context.
//
//   choose_hierarchies(source, descriptor, spec.hierarchies, spec.options.recode);
//   const ColumnHierarchy* tree = read_hierarchy(column, block, j, ranks, memory);
//   const char* label = tree->label(1, tree->hierarchy().group(1, 0));  // of the first value

#include <vector>

#include "table/hierarchy.hpp"

#include "pg/backend/memory_count.hpp"
#include "pg/read/block.hpp"

namespace anonkit::pg {

/// The labels of one level's groups. A context owns the dictionary.
struct GroupLabels {
  const Dictionary* texts;
  std::vector<std::int32_t> codes;  ///< one per group
};

/// A hierarchy over the distinct values of one column, in their order, null last, with the label of
/// each group. A context owns it.
class ColumnHierarchy {
 public:
  /// Levels from 0, the values. `rule` is null for a category that is published or suppressed.
  ColumnHierarchy(const HierarchyRule* rule, Hierarchy hierarchy, std::vector<GroupLabels> labels)
      : rule_(rule), hierarchy_(std::move(hierarchy)), labels_(std::move(labels)) {}

  const HierarchyRule* rule() const { return rule_; }
  const Hierarchy& hierarchy() const { return hierarchy_; }
  const char* label(std::int32_t level, std::int32_t group) const {
    const GroupLabels& labels = labels_[static_cast<std::size_t>(level)];
    return labels.texts->text(labels.codes[static_cast<std::size_t>(group)]).c_str();
  }
  /// The group of a label, or -1. O(groups).
  std::int32_t find(std::int32_t level, const char* label) const;

 private:
  const HierarchyRule* rule_;
  Hierarchy hierarchy_;
  std::vector<GroupLabels> labels_;  ///< by level
};

/// The groups of the values at each level above them, for judges of a distance.
std::vector<std::vector<std::int32_t>> levels_of(const ColumnHierarchy& hierarchy);

/// Attaches the chosen hierarchies to the columns of a source, and sets the columns' released
/// types. Errors: a column that is neither quasi-identifier nor sensitive, a hierarchy that does
/// not fit the column's type.
void choose_hierarchies(Source& source, TupleDesc descriptor, const HierarchyChoices& choices,
                        Recode recode);

/// The hierarchy of a column's values, in the order of `ranks`. Without a chosen one, a category is
/// published or suppressed, and numbers have none (null). Requires an SPI session with the right to
/// read the table of labels. Errors: values without a leaf, counted.
const ColumnHierarchy* read_hierarchy(const SourceColumn& column, const Block& block, int j,
                                      const Ranks& ranks, MemoryCount& memory);

/// The hierarchy of distinct values of a type, in its order.
const ColumnHierarchy* read_hierarchy(const char* column, Oid base_type, const Datum* values,
                                      int32 count, bool has_null, const HierarchyRule& rule,
                                      MemoryCount& memory);

}  // namespace anonkit::pg
