#pragma once

#include "pg/read/number_type.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

enum class Role : uint8 { quasi_identifier, sensitive, keep };

/// A column of the source that the spec names. Plain data.
struct SourceColumn {
  char* name;
  AttrNumber number;
  Role role;
  Oid declared_type;
  Oid base_type;  ///< the declared type, or what a domain is made of
  int32 base_typmod;
  Oid collation;
  const NumberType* number_type;  ///< null: a category (or a kept column)
  Kind kind;                      ///< quasi-identifiers only
  Oid released_type;              ///< what the release publishes the column as
  int32 released_typmod;
  Oid released_collation;
  bool told_apart;  ///< quasi-identifiers only: values whose texts differ are not equal
  const HierarchyRule* hierarchy;  ///< or null
  bool intervals;                  ///< its labels are values of the number type's range type
  const Names* protected_labels;   ///< what of a sensitive column is protected, or null
};

/// The relation to anonymise and the columns that take part: first the quasi-identifiers in the
/// order of the spec, then sensitive and kept ones in the order of the table. Plain data.
struct Source {
  Oid relation;
  bool has_tid;           ///< rows have a tid that identifies them and may be read
  char* qualified_name;   ///< quoted
  const char* rows;       ///< what is read: the name, or a subquery with the same column names
  const char* more_rows;  ///< a relation whose sensitive values these rows are to be like, or null
  SourceColumn* columns;
  int count;
  int quasi_identifiers;
  SourceColumn* sensitive;  ///< in the spec's order: the columns that a promised model looks at
  int sensitive_count;
  bool has_target;  ///< behind them there is the column of class labels

  const SourceColumn* spooled() const { return columns + quasi_identifiers; }
  int spooled_count() const { return count - quasi_identifiers; }
  /// Columns that enter the core as ranks.
  int ranked_count() const { return sensitive_count + (has_target ? 1 : 0); }
};

/// Looks the spec's columns up, with one clear error for a relation or column that is unknown,
/// named twice, or of a type that the method cannot handle.
Source resolve_source(Oid relation, const Spec& spec);

/// The columns of the release in the order of the source table: pointers into source.columns.
const SourceColumn** released_columns(const Source& source);

/// An error unless the relation has rows.
void require_rows(Relation relation);

/// An error unless values of the column's type can be sorted and grouped.
void require_order(const char* name, Oid type);

/// The number of the column of that name: the exact name, else what an unquoted identifier of that
/// spelling would mean (lower case). An error if there is none.
AttrNumber find_column(TupleDesc descriptor, const char* name);

}  // namespace anonkit::pg
