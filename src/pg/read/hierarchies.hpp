#pragma once

#include <string>
#include <vector>

#include "table/hierarchy.hpp"

#include "pg/read/block.hpp"

namespace anonkit::pg {

/// What the values of a column are called at one level. The dictionary belongs to a context.
struct ValueLabels {
  const Dictionary* texts;
  std::vector<std::int32_t> codes;  ///< one per value
};

/// A hierarchy over the distinct values of one column, in their order, null being the last; and
/// what each group is called. A context owns it.
class ColumnHierarchy {
 public:
  /// Levels from 0, the values. Those of one label are one group. Throws invalid_data if that makes
  /// no tree, with the hierarchy's name.
  ColumnHierarchy(const char* name, const std::vector<ValueLabels>& levels);

  const char* name() const { return name_.c_str(); }
  const Hierarchy& hierarchy() const { return hierarchy_; }
  const char* label(std::int32_t level, std::int32_t group) const {
    return labels_[static_cast<std::size_t>(level)][static_cast<std::size_t>(group)].c_str();
  }

 private:
  std::string name_;
  std::vector<std::vector<std::string>> labels_;  ///< by level and group
  Hierarchy hierarchy_;
};

/// The schema of the extension, quoted. To be called in an SPI session.
const char* extension_schema();

/// The groups of the values at each level above them, for the judges of a distance.
std::vector<std::vector<std::int32_t>> levels_of(const ColumnHierarchy& hierarchy);

/// Finds the hierarchies that were chosen for the columns of a source, and says so in them and in
/// what they are released as. To be called in an SPI session. Errors: an unknown hierarchy, a
/// column that is neither quasi-identifier nor sensitive, intervals for a column without numbers.
void choose_hierarchies(Source& source, TupleDesc descriptor, const HierarchyChoices& choices,
                        Recode recode);

/// The hierarchy of a column's values, as `ranks` has them: the chosen one; of a category without
/// one, publishing or suppressing it; of other numbers null. Errors: values without a leaf,
/// counted.
const ColumnHierarchy* read_hierarchy(const SourceColumn& column, const Block& block, int j,
                                      const Ranks& ranks);

/// The hierarchy of the distinct values of a column of a relation, in the order of its type.
const ColumnHierarchy* read_hierarchy(Oid relation, const char* column, Oid base_type, int32 values,
                                      bool has_null, const char* hierarchy);

}  // namespace anonkit::pg
