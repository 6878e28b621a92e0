#pragma once

#include <vector>

#include "risk/wildcards.hpp"

#include "pg/read/exact_numbers.hpp"
#include "pg/read/protected_values.hpp"
#include "pg/read/sampling_weights.hpp"
#include "pg/read/units.hpp"
#include "pg/read/value_ranks.hpp"

namespace anonkit::pg {

/// A sensitive attribute of a relation. Plain data.
struct AttributeData {
  const char* name;
  Oid type;          ///< text for a column that is read as a category
  bool is_ordered;   ///< of a type of numbers, or an enum
  bool has_numbers;  ///< every value is null or a finite number, which a double tells from others
  NumbersLoss loss;  ///< of doubles, of a number type
  int32* codes;      ///< one per row: the rank among the distinct values, from 0; null is the last
  const Datum* values;  ///< by code, without null
  double* numbers;      ///< by code, ascending, without null, if has_numbers
  int32 distinct;       ///< codes in use, with null's
  bool has_null;
  const ColumnHierarchy* hierarchy;         ///< over the codes, or null
  const ProtectedValues* protected_values;  ///< of the hierarchy, or null
};

/// A column of a relation. Plain data.
struct ClassColumn {
  const char* name;
  bool category;  ///< its values are codes without an order
  ValueRanks ranks;
};

/// A relation in the form of an audit. Plain data.
struct RelationData {
  int64 rows;
  int64 suppressed;  ///< further rows, which are in no class
  int32* class_of;   ///< one per row, numbered from 0 in the order of the quasi-identifiers
  /// The classes by the first one, two, ... quasi-identifiers, if requested: one per row.
  int32** coarser;
  int coarser_count;
  int32* unit_of;  ///< by row: its person, numbered from 0; null if each row is a person of its own
  const double* weights;  ///< by row: its sampling weight; null without them
  ClassColumn* qi;
  int qi_count;
  AttributeData* attributes;
  int attribute_count;
};

/// The columns of a relation that an audit reads, by their roles. Plain data.
struct AuditedColumns {
  Names qi = {};
  Names sensitive = {};
  Names unit = {};                         ///< of the person of a row
  Names categories = {};                   ///< sensitive columns without an order
  HierarchyChoices hierarchies = {};       ///< ignored for columns that are not sensitive
  ProtectedChoices protected_values = {};  ///< of sensitive columns
  bool coarser = false;                    ///< also the classes by each prefix of `qi`
  const char* condition = nullptr;         ///< in SQL, or null: only rows that satisfy it count
  const char* sampling_weight = nullptr;   ///< or null: of the records
  SuppressedCells suppressed = {};         ///< of quasi-identifiers, which become null
  bool wildcards = false;                  ///< the caller counts compatible rows
  bool labelled = false;  ///< the caller labels texts: different ones are not equal
};

/// Reads a relation once, with the classes of GROUP BY over its quasi-identifiers: by each type's
/// own equality, null equal to null. Without quasi-identifiers all rows are one class. If
/// suppressed cells are named, rows whose quasi-identifiers are all null are counted and left out:
/// they are in no class. Errors: an unknown column, a type without an order, no rows, rows without
/// a unit, values without a leaf, and those of read_protected and of sampling weights. The memory
/// is added to the caller's count, which lives as long as the relation; without one it has its own.
RelationData read_relation(Oid relation, const AuditedColumns& columns,
                           MemoryCount* memory = nullptr);

/// The quasi-identifiers with null as a wildcard, and by row its class and its person.
std::vector<WildcardColumn> wildcard_columns(const RelationData& data);
std::vector<std::int32_t> classes_of(const RelationData& data);
std::vector<std::int32_t> units_of(const RelationData& data);

/// The quasi-identifiers' values of some classes, as jsonb, in the order of `classes`.
Datum* read_class_values(const RelationData& data, const int32* classes, int count);

}  // namespace anonkit::pg
