#include "pg/over_time/person.hpp"

#include <algorithm>
#include <cstring>

#include "base/byte_order.hpp"

#include "pg/backend/session.hpp"
#include "pg/over_time/canonical.hpp"

extern "C" {
#include "catalog/pg_collation.h"
#include "utils/builtins.h"
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
  if (!is_key_type(column.base_type))
    ereport(ERROR,
            (errcode(ERRCODE_DATATYPE_MISMATCH),
             errmsg("column \"%s\" of type %s cannot be part of a key", column.name,
                    format_type_be(column.declared_type)),
             errhint("Use integers, numeric, text, uuid, dates, timestamps, booleans or enums, or "
                     "cast the column in a view.")));
  if (OidIsValid(column.collation) && !get_collation_isdeterministic(column.collation))
    ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                    errmsg("column \"%s\" of type %s cannot be part of a key", column.name,
                           format_type_be(column.declared_type)),
                    errdetail("Under its collation, equal values may have different texts."),
                    errhint("Use a deterministic collation in a view.")));
}

Text integer_text(int64 number) {
  constexpr std::size_t kMostDigits = 21;
  auto* digits = static_cast<char*>(palloc(kMostDigits));
  return {digits, static_cast<std::size_t>(pg_lltoa(number, digits))};
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

/// The zero byte after each text separates columns, since no text contains one.
void add_text(Sha256& hash, const Text& text) {
  constexpr char kEnd = '\0';
  hash.update(text.letters, text.size);
  hash.update(&kEnd, 1);
}

/// Adds the lowest bytes of a number, in a fixed order.
void add_low_bytes(Sha256& hash, uint64 number, std::size_t size) {
  uint8 bytes[sizeof number];
  for (std::size_t i = 0; i < size; ++i, number >>= 8) bytes[i] = static_cast<uint8>(number & 0xff);
  hash.update(bytes, size);
}

void write_digest(Sha256& hash, uint8* bytes, std::size_t size) {
  std::copy_n(hash.finish().begin(), size, bytes);
}

uint64 number_bits_of(const SourceColumn& column, Datum value) {
  bool finite;
  return bits_of(number_of(column.base_type, value, &finite) + 0.0);
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

bool can_be_key(Oid type, Oid collation) {
  return is_key_type(getBaseType(type)) &&
         (!OidIsValid(collation) || get_collation_isdeterministic(collation));
}

Key resolve_key(Oid relation_oid, const Spec& spec) {
  const Names& names = spec.over_time.key;
  Relation relation = open_relation(relation_oid);
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
  Hasher hasher = {Sha256(), key, source};
  hasher.begun.update(secret, kSecretBytes);
  return hasher;
}

void hash_person(const Hasher& hasher, const Key& key, const Datum* values, uint8* person) {
  Sha256 hash = hasher.begun;
  for (int i = 0; i < key.count; ++i) add_text(hash, written_form(hasher.key[i], values[i]));
  write_digest(hash, person, kPersonBytes);
}

void hash_unit(const Hasher& hasher, const Key& key, const Datum* values, uint8* unit) {
  Sha256 hash = hasher.begun;
  for (int i = 0; i < key.unit_count; ++i)
    add_text(hash, written_form(hasher.key[key.unit[i]], values[key.unit[i]]));
  write_digest(hash, unit, kPersonBytes);
}

void hash_quasi(const Hasher& hasher, const uint8* person, const QuasiValues& row, uint8* quasi) {
  enum : uint8 { kNothing, kNumber, kText };
  Sha256 hash = hasher.begun;
  hash.update(person, kPersonBytes);
  for (int j = 0; j < row.count; ++j) {
    const bool is_number = row.columns[j].number_type != nullptr;
    add_low_bytes(hash, row.nulls[j] ? kNothing : is_number ? kNumber : kText, 1);
    if (row.nulls[j]) continue;
    if (is_number) {
      add_low_bytes(hash, number_bits_of(row.columns[j], row.values[j]), sizeof(uint64));
    } else {
      const Text text = canonical_text(hasher.source[j], row.values[j]);
      add_low_bytes(hash, text.size, sizeof(uint64));
      hash.update(text.letters, text.size);
    }
  }
  write_digest(hash, quasi, kQuasiBytes);
}

void hash_of_old_quasi(const uint8* old, std::size_t size, uint8* quasi) {
  Sha256 hash;
  hash.update(old, size);
  write_digest(hash, quasi, kQuasiBytes);
}

void hash_old_quasi(const Hasher& hasher, const uint8* person, const QuasiValues& row,
                    uint8* quasi) {
  const std::size_t size = static_cast<std::size_t>(row.count) * kOldQuasiBytes;
  auto* old = static_cast<uint8*>(palloc(size));
  for (int j = 0; j < row.count; ++j) {
    Sha256 hash = hasher.begun;
    hash.update(person, kPersonBytes);
    add_low_bytes(hash, static_cast<uint64>(j), sizeof(int32));
    if (!row.nulls[j] && row.columns[j].number_type != nullptr)
      add_low_bytes(hash, number_bits_of(row.columns[j], row.values[j]), sizeof(double));
    else if (!row.nulls[j])
      add_text(hash, canonical_text(hasher.source[j], row.values[j]));
    write_digest(hash, old + j * kOldQuasiBytes, kOldQuasiBytes);
  }
  hash_of_old_quasi(old, size, quasi);
  pfree(old);
}

uint64 holder_of(const uint8* hash) {
  return number_of_bytes<uint64>(hash);
}

}  // namespace anonkit::pg
