#include "pg/read/pseudonyms.hpp"

#include <algorithm>

#include "base/byte_order.hpp"

#include "pg/backend/mac.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/coarsened.hpp"
#include "pg/read/hierarchy/value_text.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"
}

namespace anonkit::pg {
namespace {

/// True for types of identifiers whose equal values have equal texts, under any setting.
bool has_identifiers(const SourceColumn& column) {
  switch (column.base_type) {
    case INT2OID:
    case INT4OID:
    case INT8OID:
    case NUMERICOID:
    case UUIDOID:
      return true;
    case TEXTOID:
    case VARCHAROID:
    case BPCHAROID:
      return !OidIsValid(column.collation) || get_collation_isdeterministic(column.collation);
    default:
      return false;
  }
}

void refuse_pseudonym(const char* column, const char* why, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("column \"%s\" of pseudonym %s", column, why), errhint("%s", hint)));
}

SourceColumn& pseudonymous_column(Source& source, TupleDesc descriptor, const char* name) {
  SourceColumn* column = find_kept(source, descriptor, name);
  if (column == nullptr)
    refuse_pseudonym(name, "is not kept", "Name it in keep, too.");
  else if (column->pseudonym)
    refuse_pseudonym(name, "is named twice", "Name each column once.");
  else if (column->coarsening != nullptr)
    refuse_pseudonym(name, "is coarsened", "Pseudonyms are random. Leave it out of coarsen.");
  else if (!has_identifiers(*column))
    ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                    errmsg("column \"%s\" of type %s cannot have pseudonyms", name,
                           format_type_be(column->declared_type)),
                    errhint("Use integers, numeric, uuid or text under a deterministic collation, "
                            "or cast the column in a view.")));
  return *column;
}

/// The text of a value. Equal values have equal texts.
const char* identifier_text(Oid type, Datum value) {
  return type == NUMERICOID ? numeric_normalize(DatumGetNumeric(value))
                            : unpadded_output(type, value);
}

/// The pseudonym of a value. The number of its column is part of it, so that equal values of
/// different columns, such as a person's number and a ward's, have different ones.
int64 pseudonym_of(const Mac& mac, const SourceColumn& column, Datum value) {
  const char* text = identifier_text(column.base_type, value);
  StringInfoData bytes;
  initStringInfo(&bytes);
  char number_of_column[sizeof column.number];
  write_bytes(column.number, number_of_column);
  appendBinaryStringInfo(&bytes, number_of_column, sizeof number_of_column);
  appendStringInfoString(&bytes, text);
  uint8 hash[kMacBytes];
  mac_of(mac, Sealed::pseudonym, bytes.data, static_cast<std::size_t>(bytes.len), hash);
  pfree(bytes.data);
  return number_of_bytes<int64>(hash) & PG_INT64_MAX;
}

}  // namespace

void choose_pseudonyms(Source& source, TupleDesc descriptor, const Spec& spec) {
  for (int i = 0; i < spec.pseudonym.count; ++i) {
    SourceColumn& column = pseudonymous_column(source, descriptor, spec.pseudonym.names[i]);
    column.pseudonym = true;
    column.released_type = INT8OID;
    column.released_typmod = -1;
    column.released_collation = InvalidOid;
  }
  if (spec.pseudonym.count > 0) source.pseudonym_secret = draw_secret();
}

int count_pseudonyms(const Source& source) {
  const SourceColumn* end = source.columns + source.count;
  return static_cast<int>(std::count_if(
      source.spooled(), end, [](const SourceColumn& column) { return column.pseudonym; }));
}

void fill_pseudonyms(const Source& source, TupleTableSlot* slot, int original, int kept) {
  const Mac mac = make_mac(source.pseudonym_secret);
  for (int i = 0; i < source.spooled_count(); ++i) {
    const SourceColumn& column = source.spooled()[i];
    if (!column.pseudonym) continue;
    slot->tts_isnull[kept + i] = slot->tts_isnull[original];
    if (!slot->tts_isnull[original])
      slot->tts_values[kept + i] =
          Int64GetDatum(pseudonym_of(mac, column, slot->tts_values[original]));
    ++original;
  }
}

}  // namespace anonkit::pg
