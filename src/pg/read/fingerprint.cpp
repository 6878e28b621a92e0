#include "pg/read/fingerprint.hpp"

#include <cstring>

extern "C" {
#include "common/hashfn.h"
}

namespace anonkit::pg {
namespace {

/// Extends a fingerprint by the image of one value. Equal values of equal type have equal images.
void add_image(Fingerprint& fingerprint, Datum value, bool by_value, int length) {
  const void* bytes = &value;
  std::size_t size = sizeof value;
  if (!by_value) {
    bytes = DatumGetPointer(value);
    size = static_cast<std::size_t>(length);
    if (length == -1) {
      const varlena* packed = PG_DETOAST_DATUM_PACKED(value);
      bytes = VARDATA_ANY(packed);
      size = VARSIZE_ANY_EXHDR(packed);
    } else if (length == -2) {
      size = std::strlen(DatumGetCString(value));
    }
  }
  for (uint64_t& half : fingerprint)
    half =
        hash_bytes_extended(static_cast<const unsigned char*>(bytes), static_cast<int>(size), half);
}

/// True if the image of such a value contains OIDs, which differ between databases. This concerns
/// types of users (enums, composite types, arrays of either), except domains over built-in types.
bool holds_oids(Oid type) {
  if (type >= FirstNormalObjectId) type = getBaseType(type);
  return type >= FirstNormalObjectId || type == RECORDOID;
}

Datum as_text(Oid type, Datum value) {
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(type, &output, &is_varlena);
  return CStringGetTextDatum(OidOutputFunctionCall(output, value));
}

/// The start of the fingerprint of a value: that of its column.
Fingerprint fingerprint_of_name(const char* column) {
  NameData name;
  namestrcpy(&name, column);
  Fingerprint fingerprint = {1, 2};
  add_image(fingerprint, NameGetDatum(&name), false, -2);
  return fingerprint;
}

Fingerprint of_null(Fingerprint of_column) {
  for (uint64_t& half : of_column) half = ~half;
  return of_column;
}

}  // namespace

Fingerprint fingerprint_of_null(const char* column) {
  return of_null(fingerprint_of_name(column));
}

Fingerprint fingerprint_of(const char* column, const TupleTableSlot* slot, int at) {
  Form_pg_attribute attribute = TupleDescAttr(slot->tts_tupleDescriptor, at);
  Fingerprint fingerprint = fingerprint_of_name(column);
  const Datum value = slot->tts_values[at];
  if (slot->tts_isnull[at]) return of_null(fingerprint);
  if (holds_oids(attribute->atttypid))
    add_image(fingerprint, as_text(attribute->atttypid, value), false, -1);
  else
    add_image(fingerprint, value, attribute->attbyval, attribute->attlen);
  return fingerprint;
}

Fingerprint fingerprint_of_row(TupleDesc columns, const Datum* values, const bool* nulls) {
  Fingerprint fingerprint = {1, 2};
  for (int i = 0; i < columns->natts; ++i) {
    const Form_pg_attribute column = TupleDescAttr(columns, i);
    const Datum present = BoolGetDatum(!nulls[i]);
    add_image(fingerprint, present, true, sizeof(bool));
    if (!nulls[i]) add_image(fingerprint, values[i], column->attbyval, column->attlen);
  }
  return fingerprint;
}

}  // namespace anonkit::pg
