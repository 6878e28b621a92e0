#include "pg/over_time/places_table.hpp"

#include <cstring>

#include "pg/backend/described.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/state.hpp"
#include "pg/release/release_query.hpp"

extern "C" {
#include "commands/defrem.h"
}

namespace anonkit::pg {
namespace {

/// A column that the table must have. Plain data.
struct Expected {
  const char* name;
  Oid type;
  bool not_null;
  Oid collation;
};

struct ExpectedColumns {
  Expected* columns;
  int count;
};

/// The released columns in the order of the places.
ExpectedColumns expected_columns(Oid places, const Source& source, const Key& key) {
  ExpectedColumns expected = {allocate<Expected>(source.count + int64{lengthof(kPlaceColumns)}), 0};
  const auto add = [&expected](const Expected& column) {
    expected.columns[expected.count++] = column;
  };
  add({"anon_class", INT8OID, true, InvalidOid});
  add({"anon_person", BYTEAOID, true, InvalidOid});
  add({"anon_quasi", BYTEAOID, true, InvalidOid});
  add({"anon_met", INT8ARRAYOID, false, InvalidOid});
  if (key.unit_count > 0) add({kUnitColumn, BYTEAOID, true, InvalidOid});
  const SourceColumn** released =
      released_columns(source, [places](const char* name) { return get_attnum(places, name); });
  for (int i = 0; i < source.count; ++i)
    add({released[i]->name, released[i]->released_type, false, released[i]->released_collation});
  add({"anon_since", INT4OID, true, InvalidOid});
  add({"anon_until", INT4OID, false, InvalidOid});
  add({"anon_weight", FLOAT8OID, true, InvalidOid});
  return expected;
}

/// The difference between a column and the expected one, as the predicate of a sentence; null if
/// there is none. A default or a generated value would run its owner's code.
const char* column_fault(const FormData_pg_attribute& column, const Expected& expected) {
  if (column.attisdropped || std::strcmp(NameStr(column.attname), expected.name) != 0)
    return psprintf("lacks column \"%s\", or has it in another place", expected.name);
  if (column.atttypid != expected.type)
    return psprintf("has another type in column \"%s\"", expected.name);
  if (column.attnotnull != expected.not_null)
    return psprintf("%s nulls in column \"%s\"", expected.not_null ? "allows" : "forbids",
                    expected.name);
  if (OidIsValid(expected.collation) && column.attcollation != expected.collation)
    return psprintf("has another collation than the source in column \"%s\"", expected.name);
  if (column.attgenerated != '\0' || column.attidentity != '\0' || column.atthasdef)
    return psprintf("has a default in column \"%s\"", expected.name);
  return nullptr;
}

const char* places_fault(Relation table, Oid owner, const ExpectedColumns& expected) {
  if (const char* fault = private_table_fault(table, owner)) return fault;
  TupleDesc descriptor = RelationGetDescr(table);
  for (int i = 0; i < expected.count && i < descriptor->natts; ++i)
    if (const char* fault = column_fault(*TupleDescAttr(descriptor, i), expected.columns[i]))
      return fault;
  if (descriptor->natts != expected.count) return "has columns that were added or dropped";
  return nullptr;
}

void refuse_own_names(const Source& source) {
  for (int i = 0; i < source.count; ++i)
    for (const char* own : kPlaceColumns)
      if (std::strcmp(source.columns[i].name, own) == 0)
        ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
                        errmsg("column \"%s\" has a name that releases with a key need", own),
                        errhint("Rename the column in a view.")));
}

const char* definition(const Source& source, const Key& key) {
  const SourceColumn** columns = released_columns(source);
  StringInfoData list;
  initStringInfo(&list);
  appendStringInfoString(
      &list,
      "anon_class pg_catalog.int8 NOT NULL, anon_person pg_catalog.bytea NOT NULL, "
      "anon_quasi pg_catalog.bytea NOT NULL, anon_met pg_catalog.int8[]");
  if (key.unit_count > 0) appendStringInfo(&list, ", %s pg_catalog.bytea NOT NULL", kUnitColumn);
  for (int i = 0; i < source.count; ++i) {
    appendStringInfoString(&list, ", ");
    append_definition(&list, *columns[i]);
  }
  appendStringInfoString(&list,
                         ", anon_since pg_catalog.int4 NOT NULL, anon_until pg_catalog.int4, "
                         "anon_weight pg_catalog.float8 NOT NULL");
  return list.data;
}

}  // namespace

Oid create_places(const char* schema, const char* name, const Source& source, const Key& key) {
  refuse_own_names(source);
  const Oid space = get_namespace_oid(schema, false);
  // A release of this name may have been renamed, without its places.
  const char* table = ChooseRelationName(name, nullptr, "places", space, false);
  // A refresh changes the weights of whole classes, whose rows are neighbours: with room on their
  // page, no index changes.
  return make_private_table(space, table, definition(source, key), "fillfactor = 85",
                            "anonkit: the places of a release over time; keep it private");
}

void index_places(Oid places) {
  execute(psprintf("ALTER TABLE %s ADD PRIMARY KEY (anon_person, anon_since)",
                   qualified_name_of(places)),
          SPI_OK_UTILITY);
}

void require_places(const OverTimeQuery& release, const Source& source, const Key& key,
                    LOCKMODE mode) {
  Relation table = try_relation_open(release.places, mode);
  if (table == nullptr) refuse_state(release.places, "was dropped");
  if (const char* fault = places_fault(table, owner_of(release.relation),
                                       expected_columns(release.places, source, key)))
    refuse_state(release.places, fault);
  relation_close(table, NoLock);
}

void require_unaltered(const OverTimeQuery& release, const Source& source, const Key& key) {
  const char* name = relation_name(release.relation);
  OverTimeQuery now = {};
  if (!read_over_time(release.relation, now) || now.source != release.source ||
      now.places != release.places)
    refuse_altered(name, "Its query is another one.",
                   "Functions of views and policies must not alter relations.");
  require_described(release.places);
  require_places(release, source, key, NoLock);
}

}  // namespace anonkit::pg
