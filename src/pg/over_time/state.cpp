#include "pg/over_time/state.hpp"

#include <cstring>

#include "pg/backend/companion.hpp"
#include "pg/backend/origin.hpp"
#include "pg/backend/output_settings.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/canonical.hpp"
#include "pg/over_time/old_state.hpp"
#include "pg/over_time/places_table.hpp"
#include "pg/over_time/state_bytes.hpp"
#include "pg/release/release_note.hpp"

extern "C" {
#include "access/htup_details.h"
#include "access/xact.h"
#include "storage/bufmgr.h"
}

namespace anonkit::pg {
namespace {

constexpr char kItem[] = "state";

/// Warns of a state that another database wrote, or that is older than the view's last version. If
/// two databases continue one release, or one continues from an older state, the same persons are
/// shown in different classes.
void warn_of_copy(const OverTimeQuery& release, const Memory& memory) {
  if (memory.version == 0 || memory.system == 0) return;
  const PublicNote note = read_public_note(release.relation);
  const bool elsewhere = memory.system != present_system() || memory.database != MyDatabaseId;
  const bool older = memory.built != 0 && note.found && note.built != memory.built;
  if (!elsewhere && !older) return;
  ereport(
      NOTICE,
      (errmsg("the state of release \"%s\" was restored or cloned", get_rel_name(release.relation)),
       errdetail("%s", elsewhere ? "Another database made the last version."
                                 : "It is not that of the version which the view's comment "
                                   "tells of."),
       errhint("Persons who are in different classes of two copies, or of versions from before "
               "and after, can be intersected. Refresh one copy only, and publish a new "
               "release for other readers.")));
}

/// The names and types that reveal a change of the source.
const char* columns_text(const Source& source, const Key& key) {
  const int pinned = pin_output_settings();
  StringInfoData text;
  initStringInfo(&text);
  for (int i = 0; i < key.count; ++i)
    appendStringInfo(&text, "key %s %s; ", quote_identifier(key.columns[i].name),
                     format_type_be_qualified(key.columns[i].declared_type));
  for (int i = 0; i < source.count; ++i)
    appendStringInfo(&text, "%s %s; ", quote_identifier(source.columns[i].name),
                     format_type_be_qualified(source.columns[i].declared_type));
  unpin_output_settings(pinned);
  return utf8_text(text.data);
}

/// The places have the lengths and precisions of the first version. An insertion of other ones
/// would round values, or fail.
bool has_modifiers_of(Oid places, const Source& source) {
  for (int i = 0; i < source.count; ++i) {
    const SourceColumn& column = source.columns[i];
    const AttrNumber number = get_attnum(places, column.name);
    Oid type, collation;
    int32 modifier = -1;
    if (number != InvalidAttrNumber)
      get_atttypetypmodcoll(places, number, &type, &modifier, &collation);
    if (modifier >= 0 && modifier != column.released_typmod) return false;
  }
  return true;
}

void require_same_columns(Oid places, const Memory& memory, const Source& source, const Key& key) {
  const bool scaled = memory.version == 0 || memory.scale_count == source.quasi_identifiers;
  if (scaled && std::strcmp(memory.columns, columns_text(source, key)) == 0 &&
      has_modifiers_of(places, source))
    return;
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("the source's columns are not those that the release was made of"),
                  errdetail("A key, quasi-identifier, sensitive or kept column has another name, "
                            "type or role."),
                  errhint("Change the source back, in a view if need be, or publish a new "
                          "release.")));
}

Memory read_state(Oid companion) {
  const CompanionRow row = read_companion(companion, kItem, 0);
  if (!row.found || row.bytes == nullptr) refuse_state(companion, "has no state");
  Memory memory;
  if (!read_state_bytes(row.bytes, memory))
    refuse_state(companion, "has a state that no refresh wrote");
  return memory;
}

/// Every class has places. The owner can write a state of more classes than the table has rows,
/// and memory is taken by class.
void require_rows_of_classes(Oid table, int64 classes) {
  Relation relation = open_relation(table);
  const int64 most = int64{RelationGetNumberOfBlocks(relation)} * MaxHeapTuplesPerPage;
  relation_close(relation, NoLock);
  if (classes > most) refuse_state(table, "has fewer rows than the state has classes");
}

OpenState open_with(const OverTimeQuery& release, const Spec& spec, Oid companion, LOCKMODE mode) {
  OpenState open;
  open.memory = read_state(companion);
  open.source = resolve_source(release.source, spec);
  open.key = resolve_key(release.source, spec);
  require_same_columns(release.places, open.memory, open.source, open.key);
  EnumColumns enums = present_labels(open.source, open.key);
  recall_labels(open.memory.enums, enums);
  open.memory.enums = enums;
  require_places(release, open.source, open.key, mode);
  require_rows_of_classes(release.places, open.memory.classes);
  return open;
}

/// Lets DROP of the release, and of a column's type with CASCADE, take the places along.
void tie_places(const OverTimeQuery& release) {
  depend_on_release(release.places, release.relation);
  depend_on_types(release.places);
}

}  // namespace

void refuse_state(Oid table, const char* fault) {
  const char* name = get_rel_name(table);
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("the state of the release is not as the last refresh left it"),
                  name != nullptr ? errdetail("Table \"%s\" %s.", name, fault)
                                  : errdetail("The table of its places %s.", fault),
                  errhint("Undo that change, or restore the release, its places and its companion "
                          "together, or publish a new release.")));
  pg_unreachable();
}

void tie_state(const OverTimeQuery& release) {
  for (const Oid table : {release.places, release.waiting, release.secret}) {
    if (!OidIsValid(table)) continue;
    if (get_rel_name(table) == nullptr) refuse_state(table, "was dropped");
    if (owner_of(table) != owner_of(release.relation))
      refuse_state(table, "belongs to another role than the release");
  }
  tie_places(release);
  tie_companion(release.relation);
}

Spec of_places(const Spec& spec) {
  if (spec.unit.count == 0) return spec;
  Spec places = spec;
  char** name = allocate<char*>(1);
  name[0] = pstrdup(kUnitColumn);
  places.unit = places.keep = {name, 1};
  return places;
}

void create_state(const OverTimeQuery& release, const Source& source, const Key& key) {
  Memory memory = {};
  if (!pg_strong_random(memory.secret, sizeof memory.secret))
    elog(ERROR, "could not make a secret");
  memory.columns = columns_text(source, key);
  memory.enums = present_labels(source, key);
  close_state(release, memory);
}

OpenState open_state(const OverTimeQuery& release, const Spec& spec) {
  refuse_old_state(release);
  const Oid companion = find_companion(release.relation);
  return open_with(release, spec,
                   OidIsValid(companion) ? companion : require_companion(release.relation),
                   AccessShareLock);
}

OpenState continue_state(const OverTimeQuery& release, const Spec& spec) {
  const Oid companion = require_companion(release.relation);
  const OpenState open = open_with(release, spec, companion, RowExclusiveLock);
  warn_of_copy(release, open.memory);
  tie_places(release);
  if (open.memory.version > 0 && !sees_companion_row(companion, kItem, 0))
    ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
                    errmsg("the last version of the release is newer than this transaction"),
                    errdetail("Its snapshot would put older rows in the place of newer ones."),
                    errhint("Refresh in another transaction, or in READ COMMITTED.")));
  return open;
}

void close_state(const OverTimeQuery& release, Memory& memory) {
  const PublicNote note = read_public_note(release.relation);
  memory.system = present_system();
  memory.database = MyDatabaseId;
  memory.built = note.found ? note.built : 0;
  write_companion(require_companion(release.relation), kItem, 0, nullptr, bytes_of_state(memory));
}

}  // namespace anonkit::pg
