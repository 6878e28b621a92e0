#pragma once

#include "pg/read/protected_values.hpp"
#include "pg/read/units.hpp"
#include "pg/read/value_ranks.hpp"

namespace anonkit::pg {

/// A sensitive attribute as it stands in a relation. Plain data.
struct AttributeData {
  const char* name;
  Oid type;
  bool has_numbers;  ///< every value is null or a finite number
  int32* codes;      ///< one per row: the rank among the distinct values, from 0; null is the last
  const Datum* values;  ///< of each code but null's
  double* numbers;      ///< of each code but null's, ascending, if has_numbers
  int32 distinct;       ///< codes in use, null's included
  bool has_null;
  const ColumnHierarchy* hierarchy;         ///< over the codes, or null
  const ProtectedValues* protected_values;  ///< of the hierarchy, or null
};

/// A quasi-identifier as it stands in a relation. Plain data.
struct ClassColumn {
  const char* name;
  ValueRanks ranks;
};

/// A relation as an audit sees it. Plain data.
struct RelationData {
  int64 rows;
  int32* class_of;  ///< one per row, numbered from 0 in the order of the quasi-identifiers
  /// The classes by the first one, two, ... quasi-identifiers, if they were asked for: one per row.
  int32** coarser;
  int coarser_count;
  int32* unit_of;  ///< one per row: whose it is, numbered from 0; null if each is somebody else's
  ClassColumn* qi;
  int qi_count;
  AttributeData* attributes;
  int attribute_count;
};

/// Reads a relation once, with the classes that GROUP BY makes of its quasi-identifiers: by each
/// type's own equality, null equal to null. Without quasi-identifiers all rows are one class. With
/// `coarser`, also the classes of each beginning of the list of quasi-identifiers. Errors: unknown
/// column, a type without an order, no rows, rows without a unit, values without a leaf, and of
/// protected values as read_protected. Hierarchies of columns that are not sensitive are of no
/// interest here.
RelationData read_relation(Oid relation, const Names& qi, const Names& sensitive, const Names& unit,
                           const HierarchyChoices& hierarchies,
                           const ProtectedChoices& protected_values, bool coarser);

/// The quasi-identifiers' values of some classes, as jsonb; in the order of `classes`.
Datum* read_class_values(const RelationData& data, const int32* classes, int count);

}  // namespace anonkit::pg
