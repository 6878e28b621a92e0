#include "pg/over_time/old_state.hpp"

#include <cstring>

#include "pg/backend/output_settings.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/places_reading.hpp"

extern "C" {
#include "mb/pg_wchar.h"
}

namespace anonkit::pg {
namespace {

struct Column {
  const char* name;
  Oid type;
};

constexpr Column kWaiting[] = {{"person", BYTEAOID}, {"since", INT4OID}};
constexpr Column kSecret[] = {
    {"secret", BYTEAOID},       {"version", INT4OID},      {"classes", INT8OID},
    {"present", INT8OID},       {"first_loss", FLOAT8OID}, {"first_sst", FLOAT8OID},
    {"scales", FLOAT8ARRAYOID}, {"columns", TEXTOID},      {"seal", TEXTOID}};

/// Locks a table, and refuses it unless it is as version 0.2.0 made it.
void require_old_table(Oid oid, Oid owner, const Column* columns, int count) {
  Relation table = try_relation_open(oid, ExclusiveLock);
  if (table == nullptr) refuse_state(oid, "was dropped");
  const char* fault = private_table_fault(table, owner);
  TupleDesc descriptor = RelationGetDescr(table);
  if (fault == nullptr && descriptor->natts != count) fault = "has other columns";
  for (int i = 0; fault == nullptr && i < count; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(descriptor, i);
    if (column.attisdropped || column.atttypid != columns[i].type ||
        std::strcmp(NameStr(column.attname), columns[i].name) != 0)
      fault = psprintf("lacks column \"%s\" of its type", columns[i].name);
  }
  if (fault != nullptr) refuse_state(oid, fault);
  relation_close(table, NoLock);
}

/// The seal of version 0.2.0.
const char* old_seal(const OverTimeQuery& release) {
  const int pinned = pin_output_settings();
  SPI_execute(
      psprintf("SELECT pg_catalog.concat_ws(' ',"
               "(SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum("
               "pg_catalog.hashtextextended(place::pg_catalog.text, 0))) FROM %s AS place),"
               "(SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum("
               "pg_catalog.hashtextextended(waiting::pg_catalog.text, 0))) FROM %s AS waiting))",
               qualified_name_of(release.places), qualified_name_of(release.waiting)),
      false, 0);
  const char* seal = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
  unpin_output_settings(pinned);
  return seal;
}

/// A value of the only row that SPI has read. Null scales are those of no version.
Datum field(const OverTimeQuery& release, int i) {
  bool is_null;
  const Datum value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, i + 1, &is_null);
  if (is_null && kSecret[i].type != FLOAT8ARRAYOID)
    refuse_state(release.secret, psprintf("has a null in column \"%s\"", kSecret[i].name));
  return is_null ? 0 : value;
}

void take_scales(const OverTimeQuery& release, Datum value, Memory& memory) {
  if (value == 0) return;
  const ArrayType* scales = DatumGetArrayTypeP(value);
  if (ARR_NDIM(scales) != 1 || ARR_HASNULL(scales))
    refuse_state(release.secret, "has other scales");
  memory.scale_count = ARR_DIMS(scales)[0];
  memory.scales = allocate<double>(memory.scale_count);
  std::memcpy(memory.scales, ARR_DATA_PTR(scales),
              sizeof(double) * static_cast<std::size_t>(memory.scale_count));
}

/// Reads the row of the secret, and returns its seal.
const char* read_secret(const OverTimeQuery& release, Memory& memory) {
  SPI_execute(psprintf("SELECT * FROM %s", qualified_name_of(release.secret)), false, 2);
  if (SPI_processed != 1) refuse_state(release.secret, "has no row, or several");
  const varlena* secret = PG_DETOAST_DATUM(field(release, 0));
  if (VARSIZE_ANY_EXHDR(secret) != kSecretBytes)
    refuse_state(release.secret, "has a secret of another length");
  std::memcpy(memory.secret, VARDATA_ANY(secret), kSecretBytes);
  memory.version = DatumGetInt32(field(release, 1));
  memory.classes = DatumGetInt64(field(release, 2));
  memory.present = DatumGetInt64(field(release, 3));
  memory.first_loss = DatumGetFloat8(field(release, 4));
  memory.first_sst = DatumGetFloat8(field(release, 5));
  take_scales(release, field(release, 6), memory);
  memory.columns = utf8_text(TextDatumGetCString(field(release, 7)));
  if (memory.version < 1 || memory.classes < 0 || memory.classes > INT_MAX || memory.present < 0)
    refuse_state(release.secret, "has impossible numbers");
  return TextDatumGetCString(field(release, 8));
}

struct WaitingRows {
  const OverTimeQuery* release;
  Memory* memory;
  int64 capacity;
};

void read_waiting(TupleTableSlot* slot, void* state) {
  auto& rows = *static_cast<WaitingRows*>(state);
  Memory& memory = *rows.memory;
  if (slot->tts_isnull[0] || slot->tts_isnull[1]) refuse_state(rows.release->waiting, "has nulls");
  const varlena* person = PG_DETOAST_DATUM_PACKED(slot->tts_values[0]);
  if (VARSIZE_ANY_EXHDR(person) != kPersonBytes)
    refuse_state(rows.release->waiting, "has a hash of another length");
  if (memory.waiting_count == rows.capacity) resize(memory.waiting, rows.capacity *= 2);
  Waiting& waiting = memory.waiting[memory.waiting_count++];
  std::memcpy(waiting.person, VARDATA_ANY(person), kPersonBytes);
  waiting.since = DatumGetInt32(slot->tts_values[1]);
}

void read_all_waiting(const OverTimeQuery& release, Memory& memory) {
  WaitingRows rows = {&release, &memory, 1024};
  memory.waiting = allocate<Waiting>(rows.capacity);
  for_each_row(psprintf("SELECT person, since FROM %s ORDER BY person USING"
                        " OPERATOR(pg_catalog.<)",
                        qualified_name_of(release.waiting)),
               read_waiting, &rows);
}

/// That version hashed texts in the server's encoding, this one in UTF-8.
void require_same_hashes(const Key& key, const EnumColumns& enums) {
  const int server = GetDatabaseEncoding();
  if (server == PG_UTF8 || server == PG_SQL_ASCII) return;
  for (int i = 0; i < key.count; ++i) {
    const ValueForm form = form_of(key.columns[i].declared_type, key.columns[i].name, enums);
    if (form.kind == ValueForm::Kind::text || form.kind == ValueForm::Kind::label ||
        form.type == NAMEOID)
      ereport(ERROR,
              (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
               errmsg("a state of version 0.2.0 with a key of texts is of use in UTF-8 only"),
               errdetail("The server's encoding is %s. That version made other hashes of the same "
                         "keys.",
                         GetDatabaseEncodingName()),
               errhint("Drop the release and publish it again.")));
  }
}

/// Without one, a publication of all tables would refuse the updates of a refresh.
void set_replica_identity(Oid places) {
  SPI_execute(
      psprintf("SELECT c.relname FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c"
               " ON c.oid OPERATOR(pg_catalog.=) i.indexrelid"
               " WHERE i.indrelid OPERATOR(pg_catalog.=) %u AND i.indisunique"
               " AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL"
               " AND i.indnkeyatts OPERATOR(pg_catalog.=) 2 LIMIT 1",
               places),
      true, 1);
  if (SPI_processed == 0) refuse_state(places, "lacks its unique index");
  const char* index = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
  execute(psprintf("ALTER TABLE %s REPLICA IDENTITY USING INDEX %s", qualified_name_of(places),
                   quote_identifier(index)),
          SPI_OK_UTILITY);
}

/// Replaces the query of the view, whose columns keep their names.
void replace_view(const OverTimeQuery& release, const Source& source, const Spec& spec) {
  StringInfoData names;
  initStringInfo(&names);
  Relation view = relation_open(release.relation, NoLock);
  for (int i = 0; i < RelationGetDescr(view)->natts; ++i)
    appendStringInfo(&names, "%s%s", i > 0 ? ", " : "",
                     quote_identifier(NameStr(TupleDescAttr(RelationGetDescr(view), i)->attname)));
  relation_close(view, NoLock);
  execute(psprintf("CREATE OR REPLACE VIEW %s (%s) WITH (security_barrier) AS %s",
                   qualified_name_of(release.relation), names.data,
                   over_time_query(source, spec.over_time.weight, release)),
          SPI_OK_UTILITY);
}

}  // namespace

void refuse_old_state(const OverTimeQuery& release) {
  if (OidIsValid(release.secret))
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("the state of release \"%s\" is of version 0.2.0",
                           get_rel_name(release.relation)),
                    errhint("anon_refresh converts it.")));
}

void convert_old_state(OverTimeQuery& release, const Spec& spec) {
  PushActiveSnapshot(GetTransactionSnapshot());
  const Oid owner = owner_of(release.relation);
  require_old_table(release.waiting, owner, kWaiting, lengthof(kWaiting));
  require_old_table(release.secret, owner, kSecret, lengthof(kSecret));
  const Source source = resolve_source(release.source, spec);
  const Key key = resolve_key(release.source, spec);
  Memory memory = {};
  const char* seal = read_secret(release, memory);
  read_all_waiting(release, memory);
  memory.enums = present_labels(source, key);
  require_places(release, source, key, RowExclusiveLock);
  require_same_hashes(key, memory.enums);
  if (std::strcmp(seal, old_seal(release)) != 0)
    refuse_state(release.places, "has rows that were added, changed or removed");
  memory.places = read_places(release, source, key, memory);
  leave_to_owner(release.places);
  set_replica_identity(release.places);
  close_state(release, memory);
  replace_view(release, source, spec);
  execute(psprintf("DROP TABLE %s", qualified_name_of(release.waiting)), SPI_OK_UTILITY);
  execute(psprintf("DROP TABLE %s", qualified_name_of(release.secret)), SPI_OK_UTILITY);
  release.waiting = release.secret = InvalidOid;
  PopActiveSnapshot();
}

}  // namespace anonkit::pg
