#include "pg/over_time/person.hpp"

#include <cstring>

#include "pg/backend/session.hpp"

extern "C" {
#include "catalog/pg_collation.h"
#include "common/cryptohash.h"
#include "common/sha2.h"
#include "utils/date.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

bool is_text(Oid type) {
  return type == TEXTOID || type == VARCHAROID || type == BPCHAROID || type == NAMEOID;
}

/// True for types whose values have one text each, independent of settings.
bool is_key_type(Oid type) {
  switch (type) {
    case BOOLOID:
    case INT2OID:
    case INT4OID:
    case INT8OID:
    case DATEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
    case NUMERICOID:
    case UUIDOID:
      return true;
    default:
      return is_text(type) || type_is_enum(type);
  }
}

void require_key_type(const SourceColumn& column) {
  const bool known =
      is_key_type(column.base_type) &&
      (!OidIsValid(column.collation) || get_collation_isdeterministic(column.collation));
  if (!known)
    ereport(ERROR,
            (errcode(ERRCODE_DATATYPE_MISMATCH),
             errmsg("column \"%s\" of type %s cannot be part of a key", column.name,
                    format_type_be(column.declared_type)),
             errhint("Use integers, numeric, text, uuid, dates, timestamps, booleans or enums, or "
                     "cast the column in a view.")));
}

char* integer_text(int64 number) {
  return psprintf(INT64_FORMAT, number);
}

char* padded_text(Datum value) {
  char* letters = TextDatumGetCString(value);
  std::size_t length = std::strlen(letters);
  while (length > 0 && letters[length - 1] == ' ') letters[--length] = '\0';
  return letters;
}

/// The canonical text of a value of a key type.
char* written_form(Oid type, Datum value) {
  switch (type) {
    case BOOLOID:
      return integer_text(DatumGetBool(value) ? 1 : 0);
    case INT2OID:
      return integer_text(DatumGetInt16(value));
    case INT4OID:
      return integer_text(DatumGetInt32(value));
    case INT8OID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return integer_text(DatumGetInt64(value));
    case DATEOID:
      return integer_text(DatumGetDateADT(value));
    case NUMERICOID:
      return numeric_normalize(DatumGetNumeric(value));
    case BPCHAROID:
      return padded_text(value);
    case TEXTOID:
    case VARCHAROID:
      return TextDatumGetCString(value);
    default: {
      Oid output;
      bool is_varlena;
      getTypeOutputInfo(type, &output, &is_varlena);
      return OidOutputFunctionCall(output, value);
    }
  }
}

void update(const Hasher& hasher, const void* bytes, std::size_t size) {
  if (pg_cryptohash_update(hasher.context, static_cast<const uint8*>(bytes), size) < 0)
    elog(ERROR, "could not compute a hash");
}

void begin(const Hasher& hasher) {
  if (pg_cryptohash_init(hasher.context) < 0) elog(ERROR, "could not compute a hash");
  update(hasher, hasher.secret, kSecretBytes);
}

void finish(const Hasher& hasher, uint8* hash) {
  if (pg_cryptohash_final(hasher.context, hash, PG_SHA256_DIGEST_LENGTH) < 0)
    elog(ERROR, "could not compute a hash");
}

/// Adds a value to the hash. The zero byte after each text separates columns, since no text
/// contains one.
void add_value(const Hasher& hasher, const SourceColumn& column, Datum value) {
  const char* text = written_form(column.base_type, value);
  update(hasher, text, std::strlen(text) + 1);
}

/// The place of a column among those of a key, which gets it if it has it not.
int place_of(TupleDesc descriptor, const char* name, Key& key) {
  const AttrNumber number = find_column(descriptor, name);
  for (int i = 0; i < key.count; ++i)
    if (key.columns[i].number == number) return i;
  Form_pg_attribute attribute = TupleDescAttr(descriptor, number - 1);
  SourceColumn& column = key.columns[key.count];
  column.name = pstrdup(NameStr(attribute->attname));
  column.number = number;
  column.declared_type = attribute->atttypid;
  column.collation = attribute->attcollation;
  column.base_type = getBaseType(attribute->atttypid);
  require_key_type(column);
  return key.count++;
}

}  // namespace

Key resolve_key(Oid relation_oid, const Spec& spec) {
  const Names& names = spec.over_time.key;
  Relation relation = relation_open(relation_oid, AccessShareLock);
  TupleDesc descriptor = RelationGetDescr(relation);
  Key key = {};
  key.columns = static_cast<SourceColumn*>(
      palloc0(sizeof(SourceColumn) * static_cast<std::size_t>(names.count + spec.unit.count)));
  key.unit = allocate<int>(spec.unit.count);
  for (int i = 0; i < names.count; ++i)
    if (place_of(descriptor, names.names[i], key) < i)
      ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
                      errmsg("key column \"%s\" is named twice", names.names[i])));
  key.named = key.count;
  for (int i = 0; i < spec.unit.count; ++i)
    key.unit[key.unit_count++] = place_of(descriptor, spec.unit.names[i], key);
  relation_close(relation, NoLock);
  return key;
}

Hasher make_hasher(const uint8* secret) {
  Hasher hasher = {pg_cryptohash_create(PG_SHA256), secret};
  if (hasher.context == nullptr)
    ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
  return hasher;
}

void end_hasher(const Hasher& hasher) {
  pg_cryptohash_free(hasher.context);
}

void hash_person(const Hasher& hasher, const Key& key, const Datum* values, uint8* person) {
  begin(hasher);
  for (int i = 0; i < key.count; ++i) add_value(hasher, key.columns[i], values[i]);
  finish(hasher, person);
}

void hash_unit(const Hasher& hasher, const Key& key, const Datum* values, uint8* unit) {
  begin(hasher);
  for (int i = 0; i < key.unit_count; ++i)
    add_value(hasher, key.columns[key.unit[i]], values[key.unit[i]]);
  finish(hasher, unit);
}

void hash_quasi(const Hasher& hasher, const uint8* person, int j, const SourceColumn& column,
                Datum value, bool is_null, uint8* quasi) {
  uint8 hash[PG_SHA256_DIGEST_LENGTH];
  begin(hasher);
  update(hasher, person, kPersonBytes);
  update(hasher, &j, sizeof j);
  if (!is_null && column.number_type != nullptr) {
    bool finite;
    const double number = number_of(column.base_type, value, &finite) + 0.0;
    update(hasher, &number, sizeof number);
  } else if (!is_null) {
    Oid output;
    bool is_varlena;
    getTypeOutputInfo(column.base_type, &output, &is_varlena);
    const char* text = OidOutputFunctionCall(output, value);
    update(hasher, text, std::strlen(text) + 1);
  }
  finish(hasher, hash);
  std::memcpy(quasi, hash, kQuasiBytes);
}

uint64 holder_of(const uint8* hash) {
  uint64 holder;
  std::memcpy(&holder, hash, sizeof holder);
  return holder;
}

int equal_quasi(const uint8* a, const uint8* b, int count) {
  int equal = 0;
  for (int j = 0; j < count; ++j)
    equal += std::memcmp(a + j * kQuasiBytes, b + j * kQuasiBytes, kQuasiBytes) == 0 ? 1 : 0;
  return equal;
}

}  // namespace anonkit::pg
