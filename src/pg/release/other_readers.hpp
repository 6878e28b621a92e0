#pragma once

#include "pg/spec/named_tables.hpp"

namespace anonkit::pg {

/// A NOTICE of the roles that may read a new release because of default privileges, beside its
/// grantees. To be called before these have their right.
void warn_of_default_privileges(Oid release, const List* grantees);

/// A NOTICE if a publication of all tables, or of the schema's tables, sends private tables of a
/// release to its subscribers.
void warn_of_publications(Oid schema, const List* private_tables);

/// A NOTICE if a publication has one of the tables of a schema, whose files were exchanged.
void warn_of_unsent_rows(Oid schema, const NamedTables& tables);

}  // namespace anonkit::pg
