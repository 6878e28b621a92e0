#pragma once

// The columns of relations as a call first saw them. Code of one relation, such as a function in a
// view, can alter another one during the call: locks do not stop the session that holds them. So
// every statement on a relation checks, as the last step before it is parsed, that the columns
// still have the names and types by which its rows will be taken.
//
//   begin_descriptions(context);        // by open_session()
//   remember_columns(relation);         // by open_relation(), the first time
//   require_described(oid);             // before a statement

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Remembers columns from now on until the context is deleted.
void begin_descriptions(MemoryContext context);

/// Remembers the columns and the name of a relation, unless the call knows them.
void remember_columns(Relation relation);

/// The error (object_not_in_prerequisite_state) of a relation that code of one altered meanwhile.
[[noreturn]] void refuse_altered(const char* relation, const char* detail, const char* hint);

/// That error if the relation has another name or other columns
/// than those that were remembered; columns may have been added.
void require_described(Oid relation);

/// "schema"."name" of a relation, quoted, for a statement that names it: require_described() first.
char* described_name_of(Oid relation);

}  // namespace anonkit::pg
