#include "pg/read/fingerprint.hpp"

#include <cstring>

#include "base/byte_hash.hpp"
#include "base/byte_order.hpp"

#include "pg/backend/output_settings.hpp"

extern "C" {
#include "catalog/pg_type.h"
}

namespace anonkit::pg {
namespace {

void add_bytes(Fingerprint& fingerprint, const void* bytes, std::size_t size) {
  for (uint64_t& half : fingerprint) half = hash_of_bytes(bytes, size, half);
}

/// The widths of the numbers that an image consists of, in the machine's order of their bytes; the
/// last one repeats. Null for an image of bytes.
const int* widths_of(Oid type) {
  struct Widths {
    Oid type;
    int widths[5];
  };
  static constexpr Widths kWidths[] = {
      {NUMERICOID, {2}},   {INTERVALOID, {8, 4}}, {TIMETZOID, {8, 4}},  {BITOID, {4, 1}},
      {VARBITOID, {4, 1}}, {POINTOID, {8}},       {LSEGOID, {8}},       {BOXOID, {8}},
      {LINEOID, {8}},      {CIRCLEOID, {8}},      {POLYGONOID, {4, 8}}, {PATHOID, {4, 4, 4, 8}},
      {TIDOID, {2}}};
  for (const Widths& entry : kWidths)
    if (entry.type == type) return entry.widths;
  return nullptr;
}

/// An image by reference as it is where numbers have their lowest byte first.
void add_image_of(Oid type, Fingerprint& fingerprint, const void* bytes, std::size_t size) {
  const int* widths = kLowestByteFirst ? nullptr : widths_of(type);
  if (widths == nullptr) return add_bytes(fingerprint, bytes, size);
  void* reversed = std::memcpy(palloc(size), bytes, size);
  reverse_numbers(reversed, size, widths);
  add_bytes(fingerprint, reversed, size);
  pfree(reversed);
}

/// The type of the numbers in images, where their order matters.
Oid numbers_of(Oid type) {
  return kLowestByteFirst ? InvalidOid : getBaseType(type);
}

/// A value as its column passes it on.
struct PassedBy {
  Oid type;  ///< InvalidOid: its image is one of bytes
  bool value;
  int length;
};

/// Extends a fingerprint by the image of one value. Equal values of equal type have equal images.
void add_image(Fingerprint& fingerprint, Datum value, const PassedBy& passed) {
  if (passed.value) {
    char image[sizeof value];
    write_bytes(value, image);
    return add_bytes(fingerprint, image, sizeof image);
  }
  if (passed.length == -2) {
    const char* text = DatumGetCString(value);
    return add_bytes(fingerprint, text, std::strlen(text));
  }
  if (passed.length != -1)
    return add_image_of(passed.type, fingerprint, DatumGetPointer(value),
                        static_cast<std::size_t>(passed.length));
  const varlena* packed = PG_DETOAST_DATUM_PACKED(value);
  add_image_of(passed.type, fingerprint, VARDATA_ANY(packed), VARSIZE_ANY_EXHDR(packed));
}

/// True if the image of such a value contains OIDs, which differ between databases. This concerns
/// types of users (enums, composite types, arrays of either), except domains over built-in types.
bool holds_oids(Oid type) {
  if (type >= FirstNormalObjectId) type = getBaseType(type);
  return type >= FirstNormalObjectId || type == RECORDOID;
}

/// The text of a value under any settings: a composite type may hold a date.
Datum as_text(Oid type, Datum value) {
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(type, &output, &is_varlena);
  const int pinned = pin_output_settings();
  const Datum text = CStringGetTextDatum(OidOutputFunctionCall(output, value));
  unpin_output_settings(pinned);
  return text;
}

/// The start of the fingerprint of a value: that of its column.
Fingerprint fingerprint_of_name(const char* column) {
  NameData name;
  namestrcpy(&name, column);
  Fingerprint fingerprint = {1, 2};
  add_image(fingerprint, NameGetDatum(&name), {InvalidOid, false, -2});
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
    add_image(fingerprint, as_text(attribute->atttypid, value), {TEXTOID, false, -1});
  else
    add_image(fingerprint, value,
              {numbers_of(attribute->atttypid), attribute->attbyval, attribute->attlen});
  return fingerprint;
}

Fingerprint fingerprint_of_hash(const uint8* hash) {
  return {number_of_bytes<uint64_t>(hash), number_of_bytes<uint64_t>(hash + sizeof(uint64_t))};
}

Fingerprint fingerprint_of_row(TupleDesc columns, const Datum* values, const bool* nulls) {
  Fingerprint fingerprint = {1, 2};
  for (int i = 0; i < columns->natts; ++i) {
    const Form_pg_attribute column = TupleDescAttr(columns, i);
    add_image(fingerprint, BoolGetDatum(!nulls[i]), {BOOLOID, true, sizeof(bool)});
    if (!nulls[i])
      add_image(fingerprint, values[i], {InvalidOid, column->attbyval, column->attlen});
  }
  return fingerprint;
}

}  // namespace anonkit::pg
