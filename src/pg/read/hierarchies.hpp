#pragma once

#include <vector>

#include "table/hierarchy.hpp"

#include "pg/backend/memory_count.hpp"
#include "pg/read/block.hpp"

namespace anonkit::pg {

/// What the groups of one level are called. The dictionary belongs to a context.
struct GroupLabels {
  const Dictionary* texts;
  std::vector<std::int32_t> codes;  ///< one per group
};

/// A hierarchy over the distinct values of one column, in their order, null being the last; and
/// what each group is called. A context owns it.
class ColumnHierarchy {
 public:
  /// Levels from 0, the values. `rule` is null where a category is published or suppressed.
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

/// The groups of the values at each level above them, for the judges of a distance.
std::vector<std::vector<std::int32_t>> levels_of(const ColumnHierarchy& hierarchy);

/// Gives the columns of a source the hierarchies that were chosen for them, and what they are
/// released as. Errors: a column that is neither quasi-identifier nor sensitive, a hierarchy that
/// is not about the column's type.
void choose_hierarchies(Source& source, TupleDesc descriptor, const HierarchyChoices& choices,
                        Recode recode);

/// The hierarchy of a column's values, as `ranks` has them: the chosen one; of a category without
/// one, publishing or suppressing it; of other numbers null. To be called in an SPI session, with
/// the rights by which a table of labels is read. Errors: values without a leaf, counted.
const ColumnHierarchy* read_hierarchy(const SourceColumn& column, const Block& block, int j,
                                      const Ranks& ranks, MemoryCount& memory);

/// The hierarchy of distinct values of a type, in its order.
const ColumnHierarchy* read_hierarchy(const char* column, Oid base_type, const Datum* values,
                                      int32 count, bool has_null, const HierarchyRule& rule,
                                      MemoryCount& memory);

}  // namespace anonkit::pg
