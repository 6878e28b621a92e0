// Readers of a release, or of its private tables, by settings made before it.

#include "pg/release/other_readers.hpp"

#include "pg/backend/owners_work.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "catalog/pg_publication.h"
}

namespace anonkit::pg {
namespace {

void append_name(StringInfo list, const char* name) {
  appendStringInfo(list, "%s%s", list->len > 0 ? ", " : "", name);
}

char* publication_names(const List* publications) {
  StringInfoData names;
  initStringInfo(&names);
  ListCell* cell;
  foreach (cell, publications)
    append_name(&names, quote_identifier(get_publication_name(lfirst_oid(cell), false)));
  return names.data;
}

/// Publications that get each new table of the schema.
List* publications_of_schema(Oid schema) {
  return list_concat(GetAllTablesPublications(), anonkit_schema_publications(schema));
}

}  // namespace

void warn_of_default_privileges(Oid release, const List* grantees) {
  const Acl* acl = privileges_of(release);
  if (acl == nullptr) return;
  const Oid owner = owner_of(release);
  StringInfoData readers;
  initStringInfo(&readers);
  for (int i = 0; i < ACL_NUM(acl); ++i) {
    const AclItem& item = ACL_DAT(acl)[i];
    if (item.ai_grantee == owner || (ACLITEM_GET_PRIVS(item) & ACL_SELECT) == 0 ||
        list_member_oid(grantees, item.ai_grantee))
      continue;
    append_name(&readers, item.ai_grantee == ACL_ID_PUBLIC
                              ? "PUBLIC"
                              : quote_identifier(GetUserNameFromId(item.ai_grantee, false)));
  }
  if (readers.len == 0) return;
  ereport(NOTICE, (errmsg("default privileges let others read the release"),
                   errdetail("Not in grant_to, but with a right to read it: %s.", readers.data),
                   errhint("Use REVOKE SELECT ON %s FROM %s, if that is not what you want.",
                           quote_identifier(relation_name(release)), readers.data)));
}

void warn_of_publications(Oid schema, const List* private_tables) {
  const List* publications = publications_of_schema(schema);
  if (publications == NIL) return;
  StringInfoData tables;
  initStringInfo(&tables);
  ListCell* cell;
  foreach (cell, private_tables)
    if (OidIsValid(lfirst_oid(cell)))
      append_name(&tables, quote_identifier(relation_name(lfirst_oid(cell))));
  ereport(NOTICE,
          (errmsg("a publication sends private tables of the release to its subscribers"),
           errdetail("Publications: %s. Tables: %s.", publication_names(publications), tables.data),
           errhint("Publish single tables, with FOR TABLE in place of FOR ALL TABLES or FOR TABLES "
                   "IN SCHEMA, and leave these out.")));
}

// PostgreSQL decodes changes of rows, and none of a table's file.
void warn_of_unsent_rows(Oid schema, const NamedTables& tables) {
  List* publications = publications_of_schema(schema);
  for (int t = 0; t < tables.count; ++t)
    publications = list_concat_unique_oid(publications, GetRelationPublications(tables.tables[t]));
  if (publications == NIL) return;
  ereport(
      NOTICE,
      (errmsg("subscribers to tables of schema \"%s\" keep their earlier rows",
              get_namespace_name(schema)),
       errdetail("Publications: %s. A refresh exchanges whole tables, which logical replication "
                 "does not send.",
                 publication_names(publications)),
       errhint("Copy the tables to the subscribers again.")));
}

}  // namespace anonkit::pg
