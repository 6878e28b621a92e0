#include "pg/over_time/state.hpp"

#include <cstring>

#include "pg/backend/output_settings.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/release_query.hpp"

extern "C" {
#include "mb/pg_wchar.h"
#include "utils/acl.h"
}

namespace anonkit::pg {
namespace {

/// A name beside the release's, with room for the suffix; an error if it exists.
char* beside(const char* schema, const char* name, const char* suffix) {
  const int room = NAMEDATALEN - 1 - static_cast<int>(std::strlen(suffix));
  const int length = pg_mbcliplen(name, static_cast<int>(std::strlen(name)), room);
  char* table = psprintf("%.*s%s", length, name, suffix);
  if (OidIsValid(get_relname_relid(table, get_namespace_oid(schema, false))))
    ereport(ERROR,
            (errcode(ERRCODE_DUPLICATE_TABLE), errmsg("relation \"%s\" already exists", table),
             errdetail("A release with a key keeps its state in a table of that name.")));
  return quote_qualified_identifier(schema, table);
}

Oid made(const char* table) {
  return DatumGetObjectId(DirectFunctionCall1(regclassin, CStringGetDatum(table)));
}

/// Revokes all rights, since default privileges may have granted some.
void revoke_all(const char* table) {
  execute(psprintf("REVOKE ALL ON %s FROM PUBLIC", table), SPI_OK_UTILITY);
  Oid type = OIDOID;
  Datum relation = ObjectIdGetDatum(made(table));
  SPI_execute_with_args(
      "SELECT DISTINCT pg_catalog.quote_ident(r.rolname) FROM pg_catalog.pg_class AS c,"
      " LATERAL pg_catalog.aclexplode(c.relacl) AS a JOIN pg_catalog.pg_roles AS r"
      " ON r.oid OPERATOR(pg_catalog.=) a.grantee WHERE c.oid OPERATOR(pg_catalog.=) $1"
      " AND a.grantee OPERATOR(pg_catalog.<>) c.relowner",
      1, &type, &relation, nullptr, true, 0);
  const uint64 count = SPI_processed;
  SPITupleTable* rows = SPI_tuptable;
  for (uint64 i = 0; i < count; ++i)
    execute(
        psprintf("REVOKE ALL ON %s FROM %s", table, SPI_getvalue(rows->vals[i], rows->tupdesc, 1)),
        SPI_OK_UTILITY);
}

Oid create_table(const char* table, const char* columns, const char* comment) {
  execute(psprintf("CREATE TABLE %s (%s)", table, columns), SPI_OK_UTILITY);
  revoke_all(table);
  execute(psprintf("COMMENT ON TABLE %s IS %s", table, quote_literal_cstr(comment)),
          SPI_OK_UTILITY);
  return made(table);
}

void refuse_own_names(const Source& source) {
  for (int i = 0; i < source.count; ++i)
    for (const char* own : kPlaceColumns)
      if (std::strcmp(source.columns[i].name, own) == 0)
        ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
                        errmsg("column \"%s\" has a name that releases with a key need", own),
                        errhint("Rename the column in a view.")));
}

char* place_columns(const Source& source, const Key& key) {
  const SourceColumn** columns = released_columns(source);
  StringInfoData list;
  initStringInfo(&list);
  appendStringInfoString(&list,
                         "anon_class bigint NOT NULL, anon_person bytea NOT NULL, anon_quasi bytea "
                         "NOT NULL, anon_met bigint[]");
  if (key.unit_count > 0) appendStringInfo(&list, ", %s bytea NOT NULL", kUnitColumn);
  for (int i = 0; i < source.count; ++i) {
    appendStringInfoString(&list, ", ");
    append_definition(&list, *columns[i]);
  }
  appendStringInfoString(&list,
                         ", anon_since int NOT NULL, anon_until int, anon_weight double precision "
                         "NOT NULL, UNIQUE (anon_person, anon_since)");
  return list.data;
}

/// A text that changes with any row of the tables.
char* seal_of(const OverTimeQuery& release) {
  const int pinned = pin_output_settings();
  SPI_execute(
      psprintf("SELECT pg_catalog.concat_ws(' ',"
               "(SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum("
               "pg_catalog.hashtextextended(place::pg_catalog.text, 0))) FROM %s AS place),"
               "(SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum("
               "pg_catalog.hashtextextended(waiting::pg_catalog.text, 0))) FROM %s AS waiting))",
               qualified_name_of(release.places), qualified_name_of(release.waiting)),
      false, 0);
  char* seal = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
  unpin_output_settings(pinned);
  return seal;
}

[[noreturn]] void altered(const OverTimeQuery& release, const char* detail) {
  ereport(ERROR,
          (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
           errmsg("the state of the release is not as the last refresh left it"),
           errdetail("%s", detail),
           errhint("Restore tables \"%s\", \"%s\" and \"%s\" together, or publish a new release.",
                   get_rel_name(release.places), get_rel_name(release.waiting),
                   get_rel_name(release.secret))));
  pg_unreachable();
}

double* scales_of(Datum value) {
  Datum* numbers;
  int count;
  deconstruct_array(DatumGetArrayTypeP(value), FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL,
                    TYPALIGN_DOUBLE, &numbers, nullptr, &count);
  double* scales = allocate<double>(count);
  for (int j = 0; j < count; ++j) scales[j] = DatumGetFloat8(numbers[j]);
  return scales;
}

Datum scales_datum(const double* scales, int count) {
  Datum* numbers = allocate<Datum>(count);
  for (int j = 0; j < count; ++j) numbers[j] = Float8GetDatum(scales[j]);
  return PointerGetDatum(
      construct_array(numbers, count, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

Datum field(const char* name, bool* null) {
  return SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc,
                       SPI_fnumber(SPI_tuptable->tupdesc, name), null);
}

Memory read_memory(const OverTimeQuery& release) {
  SPI_execute(psprintf("SELECT * FROM %s", qualified_name_of(release.secret)), false, 0);
  if (SPI_processed != 1) altered(release, "The row of the secret is missing.");
  Memory memory = {};
  bool null;
  const Datum secret = field("secret", &null);
  if (null || VARSIZE_ANY_EXHDR(PG_DETOAST_DATUM(secret)) != kSecretBytes)
    altered(release, "The secret has another length.");
  std::memcpy(memory.secret, VARDATA_ANY(PG_DETOAST_DATUM(secret)), kSecretBytes);
  memory.version = DatumGetInt32(field("version", &null));
  memory.classes = DatumGetInt64(field("classes", &null));
  memory.present = DatumGetInt64(field("present", &null));
  memory.first_loss = DatumGetFloat8(field("first_loss", &null));
  memory.first_sst = DatumGetFloat8(field("first_sst", &null));
  const Datum scales = field("scales", &null);
  memory.scales = null ? nullptr : scales_of(scales);
  memory.columns = TextDatumGetCString(field("columns", &null));
  memory.seal = TextDatumGetCString(field("seal", &null));
  return memory;
}

}  // namespace

void require_one_owner(const OverTimeQuery& release) {
  for (const Oid table : {release.places, release.waiting, release.secret})
    if (!OidIsValid(table) || get_rel_name(table) == nullptr ||
        owner_of(table) != owner_of(release.relation))
      altered(release, "A table is missing, or belongs to somebody else than the release.");
}

char* columns_text(const Source& source, const Key& key) {
  StringInfoData text;
  initStringInfo(&text);
  for (int i = 0; i < key.count; ++i)
    appendStringInfo(&text, "key %s %s; ", quote_identifier(key.columns[i].name),
                     format_type_be_qualified(key.columns[i].declared_type));
  for (int i = 0; i < source.count; ++i)
    appendStringInfo(&text, "%s %s; ", quote_identifier(source.columns[i].name),
                     format_type_be_qualified(source.columns[i].declared_type));
  return text.data;
}

namespace {

/// Passes values as parameters, which logs of statements do not show.
void insert_memory(const OverTimeQuery& release, const uint8* secret, const char* columns) {
  auto* bytes = static_cast<bytea*>(palloc(VARHDRSZ + kSecretBytes));
  SET_VARSIZE(bytes, VARHDRSZ + kSecretBytes);
  std::memcpy(VARDATA(bytes), secret, kSecretBytes);
  Oid types[] = {BYTEAOID, TEXTOID, TEXTOID};
  Datum values[] = {PointerGetDatum(bytes), CStringGetTextDatum(columns),
                    CStringGetTextDatum(seal_of(release))};
  SPI_execute_with_args(psprintf("INSERT INTO %s VALUES ($1, 0, 0, 0, 0, 0, NULL, $2, $3)",
                                 qualified_name_of(release.secret)),
                        static_cast<int>(lengthof(types)), types, values, nullptr, false, 0);
}

}  // namespace

Spec of_places(const Spec& spec) {
  if (spec.unit.count == 0) return spec;
  Spec places = spec;
  char** name = allocate<char*>(1);
  name[0] = pstrdup(kUnitColumn);
  places.unit = places.keep = {name, 1};
  return places;
}

void create_state(const char* schema, const char* name, const Source& source, const Key& key,
                  OverTimeQuery& release) {
  refuse_own_names(source);
  release.places = create_table(beside(schema, name, "_places"), place_columns(source, key),
                                "anonkit: the places of a release over time; keep it private");
  release.waiting =
      create_table(beside(schema, name, "_waiting"), "person bytea PRIMARY KEY, since int NOT NULL",
                   "anonkit: who waits for a place in a release over time; keep it private");
  release.secret = create_table(
      beside(schema, name, "_secret"),
      "secret bytea NOT NULL, version int NOT NULL, classes bigint NOT NULL, present bigint NOT "
      "NULL, first_loss double precision NOT NULL, first_sst double precision NOT NULL, scales "
      "double precision[], columns text NOT "
      "NULL, seal text NOT NULL",
      "anonkit: the secret of a release over time; keep it private");
  uint8 secret[kSecretBytes];
  if (!pg_strong_random(secret, sizeof secret)) elog(ERROR, "could not make a secret");
  insert_memory(release, secret, columns_text(source, key));
}

Memory open_state(const OverTimeQuery& release) {
  require_one_owner(release);
  execute(psprintf("LOCK TABLE %s IN EXCLUSIVE MODE", qualified_name_of(release.secret)),
          SPI_OK_UTILITY);
  const Memory memory = read_memory(release);
  if (std::strcmp(memory.seal, seal_of(release)) != 0)
    altered(release, "A row was added, changed or removed.");
  return memory;
}

void close_state(const OverTimeQuery& release, const Memory& memory, int quasi_identifiers) {
  Oid types[] = {INT4OID, INT8OID, INT8OID, FLOAT8OID, FLOAT8OID, FLOAT8ARRAYOID, TEXTOID};
  Datum values[] = {
      Int32GetDatum(memory.version),        Int64GetDatum(memory.classes),
      Int64GetDatum(memory.present),        Float8GetDatum(memory.first_loss),
      Float8GetDatum(memory.first_sst),     scales_datum(memory.scales, quasi_identifiers),
      CStringGetTextDatum(seal_of(release))};
  SPI_execute_with_args(
      psprintf("UPDATE %s SET version = $1, classes = $2, present = $3, first_loss = $4,"
               " first_sst = $5, scales = $6, seal = $7",
               qualified_name_of(release.secret)),
      static_cast<int>(lengthof(types)), types, values, nullptr, false, 0);
}

void drop_state(const OverTimeQuery& release) {
  for (const Oid table : {release.places, release.waiting, release.secret})
    execute(psprintf("DROP TABLE %s", qualified_name_of(table)), SPI_OK_UTILITY);
}

}  // namespace anonkit::pg
