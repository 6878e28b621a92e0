#pragma once

// The relation to anonymise, and the columns that take part in it.
//
// Phases: resolve_source() looks up the columns of a spec; choose_hierarchies() and
// choose_protected() add their hierarchies and protected values; readers then use the numbers and
// types. Invariants: columns have quasi-identifiers first, in the order of the spec, then sensitive
// and kept ones in the order of the table. No column occurs twice. Memory: plain data in the
// current memory context.
//
//   const Source source = resolve_source(relation, spec);
//   for (int j = 0; j < source.quasi_identifiers; ++j) use(source.columns[j]);
//   const SourceColumn* kept = source.spooled();  // the columns that bypass the core

#include <algorithm>

#include "pg/backend/session.hpp"
#include "pg/read/number_type.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

enum class Role : uint8 { quasi_identifier, sensitive, keep };

/// The source of the order of a column's categories.
enum class CategoryOrder : uint8 {
  own,      ///< the type: enums have an order, other categories none
  numbers,  ///< the numbers in their texts
  list,     ///< a list of them
};

/// A column of the source in the spec. Plain data.
struct SourceColumn {
  char* name;
  AttrNumber number;
  Role role;
  Oid declared_type;
  Oid base_type;  ///< the declared type, or the base type of a domain
  int32 base_typmod;
  Oid collation;
  const NumberType* number_type;  ///< null: a category (or a kept column)
  Kind kind;                      ///< quasi-identifiers only
  Oid released_type;              ///< the column's type in the release
  int32 released_typmod;
  Oid released_collation;
  bool as_text;  ///< its values are categories by their texts
  CategoryOrder order;
  double width;   ///< of the finest ranges on a grid, in internal units; 0: the smallest distance
  Spread spread;  ///< in a larger table, of numbers in internal units; 0: not known
  const Coarsening* coarsening;    ///< kept columns only; or null
  bool pseudonym;                  ///< kept columns only: published as a pseudonym
  const Names* values_in_order;    ///< of CategoryOrder::list
  bool told_apart;                 ///< different texts are unequal values
  const HierarchyRule* hierarchy;  ///< or null
  bool intervals;                  ///< its labels are values of the number type's range type
  const Names* protected_labels;   ///< protected labels of a sensitive column, or null
  bool since_first;                ///< of a set: its dates become days since the person's first one
  bool mean;                       ///< of a set: its numbers are published as means, among ranges
};

/// The relation to anonymise and its columns. Plain data.
struct Source {
  Oid relation;
  bool has_tid;          ///< rows have a readable tid that identifies them
  char* qualified_name;  ///< quoted
  const char* rows;      ///< the name, or a subquery with the same column names
  Oid unit_relation;     ///< the relation with the unit's columns
  SourceColumn* columns;
  int count;
  int quasi_identifiers;
  SourceColumn* sensitive;  ///< in the spec's order: columns of promised models
  int sensitive_count;
  const uint8* pseudonym_secret;  ///< or null; see pseudonyms.hpp
  bool has_target;                ///< a column of class labels follows them
  const char* class_column;       ///< of the release: random numbers of its classes; or null

  const SourceColumn* spooled() const { return columns + quasi_identifiers; }
  int spooled_count() const { return count - quasi_identifiers; }
  int released_count() const { return count + (class_column != nullptr ? 1 : 0); }
  /// The number of columns that enter the core as ranks.
  int ranked_count() const { return sensitive_count + (has_target ? 1 : 0); }
};

/// Looks up the spec's columns. Errors: a relation or column that is unknown, a column named twice,
/// a type that the method cannot handle.
Source resolve_source(Oid relation, const Spec& spec);

/// The columns of the release in the order of the source table: pointers into source.columns.
const SourceColumn** released_columns(const Source& source);

/// These columns in an order that was noted earlier: by the place that each name has there.
/// `place_of` is called once a column. The source's columns may have another order now: one that
/// was dropped and added again is the last.
template <class PlaceOf>
const SourceColumn** released_columns(const Source& source, const PlaceOf& place_of) {
  const SourceColumn** columns = released_columns(source);
  auto* places = allocate<int>(source.count);
  for (int i = 0; i < source.count; ++i) places[i] = place_of(source.columns[i].name);
  std::sort(columns, columns + source.count, [&](const SourceColumn* a, const SourceColumn* b) {
    const int place = places[a - source.columns], other = places[b - source.columns];
    return place != other ? place < other : a->number < b->number;
  });
  return columns;
}

/// An error unless the relation has rows.
void require_rows(Relation relation);

/// An error unless values of the column's type can be sorted and grouped by built-in functions.
void require_order(const char* name, Oid type);

/// The number of a column: by its exact name, else by the lower-case form, as for an unquoted
/// identifier. An error without such a column, which names the table unless that is null.
AttrNumber find_column(TupleDesc descriptor, const char* name, const char* table = nullptr);

/// True if the names, resolved so, include the column.
bool is_named(TupleDesc descriptor, AttrNumber number, const Names& names);

}  // namespace anonkit::pg
