#pragma once

// Statements on relations that a user names, and the types whose values anonkit may compare.
//
// Such a relation may belong to anybody, and anybody may attach code to a type: casts, operators,
// operator classes, checks of domains. Invariant: a statement selects columns as they are, and so
// runs what the caller's own SELECT of them would run. Values are converted in C, by functions of
// built-in types, and by output functions. Only types that consist of built-in ones are compared.
//
//   UserQuery query = begin_user_query();
//   add_column(query, "age");
//   for_each_row(end_user_query(query, relation), take, &state);

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A SELECT under construction; the relation has the alias `source`. Plain data, palloc'd.
struct UserQuery {
  StringInfoData text;
  int columns;
};

UserQuery begin_user_query();
/// Adds a column by its exact name.
void add_column(UserQuery& query, const char* name);
/// Adds an expression over `source`. Only casts and operators of built-in types may occur in it,
/// all of them qualified.
void add_expression(UserQuery& query, const char* expression);
/// The complete statement; it may have no columns.
char* end_user_query(UserQuery& query, Oid relation);
/// A statement over a qualified relation name or a subquery.
char* end_user_query(UserQuery& query, const char* rows);

/// The places of so many columns of a statement's result, as ORDER BY and GROUP BY take them.
char* column_places(int first, int count);

/// True for a built-in type, and for an enum, domain, array, range or composite type of built-in
/// types. Comparing values of such a type runs no function of a user.
bool is_built_in_type(Oid type);

/// An error (datatype_mismatch) unless values of the column can be compared by built-in functions.
void require_built_in_type(const char* column, Oid type);

/// The text of the type's output function.
char* output_of(Oid type, Datum value);

/// The text that a cast to text gives for a built-in type; for another type the text of its output
/// function, whatever casts users have made.
Datum cast_to_text(Oid type, Datum value);

}  // namespace anonkit::pg
