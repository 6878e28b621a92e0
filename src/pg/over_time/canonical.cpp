#include "pg/over_time/canonical.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "pg/backend/output_settings.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/utf8.hpp"

extern "C" {
#include "mb/pg_wchar.h"
#include "utils/date.h"
}

namespace anonkit::pg {
namespace {

/// True for types whose binary value is a number.
bool is_number(Oid type) {
  switch (type) {
    case BOOLOID:
    case INT2OID:
    case INT4OID:
    case INT8OID:
    case FLOAT4OID:
    case FLOAT8OID:
    case DATEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return true;
    default:
      return false;
  }
}

uint64 number_bits(Oid type, Datum value) {
  switch (type) {
    case BOOLOID:
      return DatumGetBool(value) ? 1 : 0;
    case INT2OID:
      return static_cast<uint64>(DatumGetInt16(value));
    case INT4OID:
      return static_cast<uint64>(DatumGetInt32(value));
    case DATEOID:
      return static_cast<uint64>(DatumGetDateADT(value));
    case FLOAT4OID:
      return bits_of(DatumGetFloat4(value));
    case FLOAT8OID:
      return bits_of(DatumGetFloat8(value));
    default:
      return static_cast<uint64>(DatumGetInt64(value));
  }
}

bool is_plain_text(Oid type) {
  return type == TEXTOID || type == VARCHAROID || type == BPCHAROID;
}

/// True for types whose output no setting changes.
bool has_fixed_output(Oid type) {
  constexpr Oid kFixed[] = {BOOLOID,  INT2OID, INT4OID,   INT8OID,    NUMERICOID,  NAMEOID,
                            UUIDOID,  INETOID, CIDROID,   MACADDROID, MACADDR8OID, JSONOID,
                            JSONBOID, BITOID,  VARBITOID, TIMEOID};
  return std::find(std::begin(kFixed), std::end(kFixed), type) != std::end(kFixed);
}

/// In UTF-8; what has no equivalent there, as it is after a byte that no text in UTF-8 has.
Text as_utf8(const char* text, std::size_t size) {
  const char* utf8 = GetDatabaseEncoding() == PG_SQL_ASCII ? text : to_utf8(text, size);
  if (utf8 == text) return {text, size};
  if (utf8 == nullptr) utf8 = psprintf("\xff%s", pnstrdup(text, size));
  return {utf8, std::strlen(utf8)};
}

Text output_text(Oid output, Datum value) {
  const char* text = OidOutputFunctionCall(output, value);
  return as_utf8(text, std::strlen(text));
}

bool is_registered_name(Oid type) {
  constexpr Oid kNames[] = {REGPROCOID,   REGPROCEDUREOID,  REGOPEROID,     REGOPERATOROID,
                            REGCLASSOID,  REGTYPEOID,       REGROLEOID,     REGNAMESPACEOID,
                            REGCONFIGOID, REGDICTIONARYOID, REGCOLLATIONOID};
  return std::find(std::begin(kNames), std::end(kNames), type) != std::end(kNames);
}

/// The type of the elements or bounds; InvalidOid for other types.
Oid type_inside(Oid type) {
  const Oid element = get_element_type(type);
  if (OidIsValid(element)) return element;
  return type_is_multirange(type) ? get_multirange_range(type) : get_range_subtype(type);
}

}  // namespace

bool is_spelt_by_names(Oid type) {
  const Oid base = getBaseType(type);
  if (type_is_rowtype(base) || is_registered_name(base)) return true;
  const Oid inside = type_inside(base);
  return OidIsValid(inside) && (type_is_enum(getBaseType(inside)) || is_spelt_by_names(inside));
}

ValueForm form_of(Oid type, const char* column, const EnumColumns& enums) {
  using Kind = ValueForm::Kind;
  ValueForm form = {};
  form.type = getBaseType(type);
  form.kind = is_number(form.type)       ? Kind::number
              : is_plain_text(form.type) ? Kind::text
              : type_is_enum(form.type)  ? Kind::label
                                         : Kind::output;
  form.pinned = !has_fixed_output(form.type);
  bool is_varlena;
  getTypeOutputInfo(form.type, &form.output, &is_varlena);
  if (form.kind == Kind::label) form.labels = labels_of(enums, column);
  if (form.kind == Kind::label && form.labels == nullptr)
    elog(ERROR, "the labels of column \"%s\" are unknown", column);
  return form;
}

const ValueForm* forms_of(const SourceColumn* columns, int count, const EnumColumns& enums) {
  auto* forms = allocate<ValueForm>(count);
  for (int i = 0; i < count; ++i)
    forms[i] = form_of(columns[i].declared_type, columns[i].name, enums);
  return forms;
}

Text canonical_text(const ValueForm& form, Datum value) {
  if (form.kind == ValueForm::Kind::text) {
    const varlena* packed = PG_DETOAST_DATUM_PACKED(value);
    return as_utf8(VARDATA_ANY(packed), VARSIZE_ANY_EXHDR(packed));
  }
  if (form.kind == ValueForm::Kind::label) {
    const char* label = first_label(*form.labels, DatumGetObjectId(value));
    return {label, std::strlen(label)};
  }
  if (!form.pinned) return output_text(form.output, value);
  const int pinned = pin_output_settings();
  const Text text = output_text(form.output, value);
  unpin_output_settings(pinned);
  return text;
}

uint64 bits_of(double number) {
  uint64 bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

void append_number(StringInfo bytes, uint64 number) {
  char little[sizeof number];
  for (char& byte : little) {
    byte = static_cast<char>(number & 0xff);
    number >>= 8;
  }
  appendBinaryStringInfo(bytes, little, sizeof little);
}

void append_canonical(StringInfo bytes, const ValueForm& form, Datum value, bool is_null) {
  appendStringInfoChar(bytes, is_null ? '\0' : '\1');
  if (is_null) return;
  if (form.kind == ValueForm::Kind::number) {
    append_number(bytes, number_bits(form.type, value));
    return;
  }
  const Text text = canonical_text(form, value);
  append_number(bytes, text.size);
  appendBinaryStringInfo(bytes, text.letters, static_cast<int>(text.size));
}

const char* utf8_text(const char* text) {
  return as_utf8(text, std::strlen(text)).letters;
}

}  // namespace anonkit::pg
