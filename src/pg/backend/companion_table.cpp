// The table of a companion: its creation and its check.

#include "pg/backend/companion_table.hpp"

#include <cstring>

#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "access/genam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_opfamily.h"
#include "commands/defrem.h"
#include "storage/lmgr.h"
}

namespace anonkit::pg {
namespace {

struct Column {
  const char* name;
  Oid type;
  const char* definition;
};

// The collation "C" keeps the key's order in every version of the C library.
constexpr Column kColumns[kCompanionColumns] = {
    {"item", TEXTOID, "pg_catalog.text COLLATE pg_catalog.\"C\" NOT NULL"},
    {"number", INT8OID, "pg_catalog.int8 NOT NULL"},
    {"at", TIMESTAMPTZOID, "pg_catalog.timestamptz NOT NULL"},
    {"content", JSONBOID, "pg_catalog.jsonb"},
    {"bytes", BYTEAOID, "pg_catalog.bytea"},
    {"release", REGCLASSOID, "pg_catalog.regclass NOT NULL DEFAULT"}};

bool may_be_null(int column) {
  return column + 1 == kCompanionContent || column + 1 == kCompanionBytes;
}

bool has_columns(TupleDesc descriptor) {
  if (descriptor->natts != kCompanionColumns) return false;
  for (int i = 0; i < kCompanionColumns; ++i) {
    const Form_pg_attribute column = TupleDescAttr(descriptor, i);
    if (column->attisdropped || std::strcmp(NameStr(column->attname), kColumns[i].name) != 0 ||
        column->atttypid != kColumns[i].type || column->attgenerated != '\0' ||
        column->attidentity != '\0' || column->attnotnull == may_be_null(i))
      return false;
  }
  return true;
}

/// True if the index is a B-tree on (item, number) with built-in operators alone. An index on an
/// expression, or of another class, would run its owner's code at a write.
bool is_on_key(Relation index) {
  const Form_pg_index form = index->rd_index;
  return index->rd_rel->relam == BTREE_AM_OID && form->indnatts == 2 && form->indnkeyatts == 2 &&
         form->indkey.values[0] == kCompanionItem && form->indkey.values[1] == kCompanionNumber &&
         index->rd_opfamily[0] == TEXT_BTREE_FAM_OID && index->rd_opcintype[0] == TEXTOID &&
         index->rd_opfamily[1] == INTEGER_BTREE_FAM_OID && index->rd_opcintype[1] == INT8OID &&
         index->rd_indcollation[0] == C_COLLATION_OID &&
         heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, nullptr);
}

bool is_primary_key(const FormData_pg_index& form) {
  return form.indisprimary && form.indisvalid && form.indimmediate;
}

char* definition(Oid release) {
  StringInfoData columns;
  initStringInfo(&columns);
  for (const Column& column : kColumns)
    appendStringInfo(&columns, "%s %s%s", column.name, column.definition,
                     column.type == REGCLASSOID ? "" : ", ");
  appendStringInfo(&columns, " %s::pg_catalog.regclass, PRIMARY KEY (item, number)",
                   quote_literal_cstr(qualified_name_of(release)));
  return columns.data;
}

// VACUUM would lock readers out while it shortens the table. They do not wait for locks, so they
// would miss the figures.
Oid make_table(Oid release) {
  const Oid schema = get_rel_namespace(release);
  const char* name = ChooseRelationName(get_rel_name(release), nullptr, "companion", schema, false);
  return make_private_table(schema, name, definition(release), "vacuum_truncate = off",
                            "anonkit: what only the owner of a release may read; keep it private");
}

}  // namespace

bool resembles_companion(Oid table) {
  if (get_rel_relkind(table) != RELKIND_RELATION) return false;
  int alike = 0;
  for (int i = 0; i < kCompanionColumns; ++i) {
    const char* name = get_attname(table, static_cast<AttrNumber>(i + 1), true);
    alike += name != nullptr && std::strcmp(name, kColumns[i].name) == 0 ? 1 : 0;
  }
  return 2 * alike >= kCompanionColumns;
}

Oid release_of_companion(Relation table) {
  const TupleConstr* constraints = RelationGetDescr(table)->constr;
  if (constraints == nullptr || constraints->num_defval != 1 ||
      constraints->defval[0].adnum != kCompanionRelease)
    return InvalidOid;
  const auto* node = static_cast<const Node*>(stringToNode(constraints->defval[0].adbin));
  if (!IsA(node, Const)) return InvalidOid;
  const auto* value = reinterpret_cast<const Const*>(node);
  return value->constisnull || value->consttype != REGCLASSOID
             ? InvalidOid
             : DatumGetObjectId(value->constvalue);
}

Oid key_of_companion(Relation table) {
  Oid key = InvalidOid;
  bool sound = true;
  ListCell* cell;
  foreach (cell, RelationGetIndexList(table)) {
    Relation index = index_open(lfirst_oid(cell), AccessShareLock);
    sound = sound && is_on_key(index);
    if (is_primary_key(*index->rd_index)) key = RelationGetRelid(index);
    index_close(index, AccessShareLock);
  }
  return sound ? key : InvalidOid;
}

const char* companion_fault(Relation table, Oid release, Oid owner) {
  if (const char* fault = private_table_fault(table, owner)) return fault;
  if (!has_columns(RelationGetDescr(table))) return "has other columns";
  if (release_of_companion(table) != release)
    return "has another default than the release in column \"release\"";
  if (!OidIsValid(key_of_companion(table)))
    return "lacks its primary key (item, number), or has another index";
  return nullptr;
}

void refuse_companion(Relation table, Oid release, const char* fault) {
  const Oid owner = OidIsValid(release) ? owner_of(release) : table->rd_rel->relowner;
  const char* hint = "Undo that change, or restore the table.";
  if (table->rd_rel->relowner != owner)
    hint = psprintf("Use ALTER TABLE %s OWNER TO %s.", qualified_name_of(RelationGetRelid(table)),
                    quote_identifier(GetUserNameFromId(owner, false)));
  ereport(
      ERROR,
      (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
       OidIsValid(release) ? errmsg("the companion of release \"%s\" is not as anonkit made it",
                                    get_rel_name(release))
                           : errmsg("the companion of a release is not as anonkit made it"),
       errdetail("Table \"%s\" %s.", RelationGetRelationName(table), fault), errhint("%s", hint)));
  pg_unreachable();
}

Oid create_companion(Oid release) {
  const OwnersWork work = begin_owners_work(release);
  SPI_connect();
  const Oid companion = make_table(release);
  SPI_finish();
  depend_on_release(companion, release);
  end_owners_work(work);
  return companion;
}

}  // namespace anonkit::pg
