#include "pg/backend/described.hpp"

#include <cstring>

#include "pg/backend/error_explanation.hpp"
#include "pg/backend/nested.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "catalog/pg_type.h"
#include "storage/lock.h"
#include "utils/hsearch.h"
}

namespace anonkit::pg {
namespace {

struct Described {
  Oid relation;  ///< the key
  NameData name;
  NameData schema;  ///< its name: statements name relations
  TupleDesc columns;
};

/// The relations of a call.
struct Descriptions {
  Nested<Descriptions> nested;
  HTAB* relations;
  MemoryContext context;
};

Descriptions* current = nullptr;

bool is_same(const FormData_pg_attribute& before, const FormData_pg_attribute& now) {
  if (before.attisdropped || now.attisdropped) return before.attisdropped == now.attisdropped;
  return before.atttypid == now.atttypid && before.atttypmod == now.atttypmod &&
         std::strcmp(NameStr(before.attname), NameStr(now.attname)) == 0;
}

bool is_as_described(const Described& before, Relation now) {
  TupleDesc columns = RelationGetDescr(now);
  bool same =
      std::strcmp(NameStr(before.name), RelationGetRelationName(now)) == 0 &&
      std::strcmp(NameStr(before.schema), get_namespace_name(RelationGetNamespace(now))) == 0 &&
      before.columns->natts <= columns->natts;
  for (int i = 0; same && i < before.columns->natts; ++i)
    same = is_same(*TupleDescAttr(before.columns, i), *TupleDescAttr(columns, i));
  return same;
}

/// DROP keeps its lock until the transaction ends.
bool is_dropped_here(Oid type) {
  LOCKTAG tag;
  SET_LOCKTAG_OBJECT(tag, MyDatabaseId, TypeRelationId, type, 0);
  return anonkit_holds_lock(&tag, AccessExclusiveLock);
}

/// A type of the call's relations that code of its own dropped, or InvalidOid. Reads no catalog.
Oid dropped_type() {
  Oid dropped = InvalidOid;
  if (current == nullptr || current->relations == nullptr) return dropped;
  HASH_SEQ_STATUS all;
  hash_seq_init(&all, current->relations);
  while (auto* described = static_cast<const Described*>(hash_seq_search(&all)))
    for (int i = 0; i < described->columns->natts; ++i) {
      const FormData_pg_attribute& column = *TupleDescAttr(described->columns, i);
      if (!column.attisdropped && is_dropped_here(column.atttypid)) dropped = column.atttypid;
    }
  return dropped;
}

/// The backend's own errors about a type that is gone tell of OIDs alone.
void explain_dropped_type() {
  const int code = geterrcode();
  if (code != ERRCODE_INTERNAL_ERROR && code != ERRCODE_UNDEFINED_OBJECT &&
      code != ERRCODE_INVALID_BINARY_REPRESENTATION)
    return;
  const Oid type = dropped_type();
  if (!OidIsValid(type)) return;
  FlushErrorState();
  ereport(ERROR,
          (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("a type was dropped during the call"),
           errdetail("A column of a relation that the call reads has it. Its OID was %u.", type),
           errhint("Functions of views and policies must not drop types.")));
}

}  // namespace

void begin_descriptions(MemoryContext context) {
  explain_error = explain_dropped_type;
  auto* begun = static_cast<Descriptions*>(MemoryContextAllocZero(context, sizeof(Descriptions)));
  begun->context = context;
  begin_nested(begun, current, context);
}

void remember_columns(Relation relation) {
  if (current == nullptr) return;
  if (current->relations == nullptr) {
    HASHCTL control = {};
    control.keysize = sizeof(Oid);
    control.entrysize = sizeof(Described);
    control.hcxt = current->context;
    current->relations =
        hash_create("anonkit descriptions", 16, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
  }
  const Oid oid = RelationGetRelid(relation);
  if (hash_search(current->relations, &oid, HASH_FIND, nullptr) != nullptr) return;
  MemoryContext old = MemoryContextSwitchTo(current->context);
  TupleDesc columns = CreateTupleDescCopy(RelationGetDescr(relation));
  MemoryContextSwitchTo(old);
  const char* schema = get_namespace_name(RelationGetNamespace(relation));
  // No error may leave an entry that is not filled: a job goes on after an error of its refresh.
  bool found;
  auto* described =
      static_cast<Described*>(hash_search(current->relations, &oid, HASH_ENTER, &found));
  described->name = relation->rd_rel->relname;
  namestrcpy(&described->schema, schema);
  described->columns = columns;
}

void refuse_altered(const char* relation, const char* detail, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("relation \"%s\" was altered during the call", relation),
                  errdetail("%s", detail), errhint("%s", hint)));
  pg_unreachable();
}

void require_described(Oid relation) {
  if (current == nullptr || current->relations == nullptr) return;
  const auto* described =
      static_cast<const Described*>(hash_search(current->relations, &relation, HASH_FIND, nullptr));
  if (described == nullptr) return;
  Relation now = open_relation(relation);
  if (!is_as_described(*described, now))
    refuse_altered(NameStr(described->name),
                   "Its name or the names or types of its columns changed.",
                   "Functions of views and policies must not alter relations.");
  relation_close(now, NoLock);
}

char* described_name_of(Oid relation) {
  require_described(relation);
  return qualified_name_of(relation);
}

}  // namespace anonkit::pg
