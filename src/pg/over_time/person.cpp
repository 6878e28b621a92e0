#include "pg/over_time/person.hpp"

#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/over_time/canonical.hpp"

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

Text integer_text(int64 number) {
  const char* digits = psprintf(INT64_FORMAT, number);
  return {digits, std::strlen(digits)};
}

/// Spaces at the end of a character(n) mean nothing.
Text without_padding(Text text) {
  while (text.size > 0 && text.letters[text.size - 1] == ' ') --text.size;
  return text;
}

/// The text of a value of a key type: equal values have equal texts.
Text written_form(const ValueForm& form, Datum value) {
  switch (form.type) {
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
    case NUMERICOID: {
      const char* digits = numeric_normalize(DatumGetNumeric(value));
      return {digits, std::strlen(digits)};
    }
    case BPCHAROID:
      return without_padding(canonical_text(form, value));
    default:
      return canonical_text(form, value);
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

/// The zero byte after each text separates columns, since no text contains one.
void update(const Hasher& hasher, const Text& text) {
  constexpr char kEnd = '\0';
  update(hasher, text.letters, text.size);
  update(hasher, &kEnd, 1);
}

/// Adds the lowest bytes of a number, in a fixed order.
void update(const Hasher& hasher, uint64 number, std::size_t size) {
  uint8 bytes[sizeof number];
  for (std::size_t i = 0; i < size; ++i, number >>= 8) bytes[i] = static_cast<uint8>(number & 0xff);
  update(hasher, bytes, size);
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

Hasher make_hasher(const uint8* secret, const ValueForm* key, const ValueForm* source) {
  const Hasher hasher = {pg_cryptohash_create(PG_SHA256), secret, key, source};
  if (hasher.context == nullptr)
    ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
  return hasher;
}

void end_hasher(const Hasher& hasher) {
  pg_cryptohash_free(hasher.context);
}

void hash_person(const Hasher& hasher, const Key& key, const Datum* values, uint8* person) {
  begin(hasher);
  for (int i = 0; i < key.count; ++i) update(hasher, written_form(hasher.key[i], values[i]));
  finish(hasher, person);
}

void hash_unit(const Hasher& hasher, const Key& key, const Datum* values, uint8* unit) {
  begin(hasher);
  for (int i = 0; i < key.unit_count; ++i)
    update(hasher, written_form(hasher.key[key.unit[i]], values[key.unit[i]]));
  finish(hasher, unit);
}

void hash_quasi(const Hasher& hasher, const uint8* person, int j, const SourceColumn& column,
                Datum value, bool is_null, uint8* quasi) {
  uint8 hash[PG_SHA256_DIGEST_LENGTH];
  begin(hasher);
  update(hasher, person, kPersonBytes);
  update(hasher, static_cast<uint64>(j), sizeof(int32));
  if (!is_null && column.number_type != nullptr) {
    bool finite;
    update(hasher, bits_of(number_of(column.base_type, value, &finite) + 0.0), sizeof(double));
  } else if (!is_null) {
    update(hasher, canonical_text(hasher.source[j], value));
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
