#pragma once

// The canonical form of a value: bytes that depend on the value alone. Hashes and seals of a
// release over time are made of it, and outlive a dump, a restore, another server encoding and any
// setting.
//
//   texts            UTF-8
//   enums            the label as the release first saw it, in UTF-8
//   numbers, dates   their binary value
//   other types      the text of their output function under pinned settings, in UTF-8

#include "pg/over_time/enum_labels.hpp"

namespace anonkit::pg {

/// The form of a column's values. Plain data.
struct ValueForm {
  enum class Kind : uint8 { number, text, label, output };

  Oid type;  ///< not a domain
  Kind kind;
  Oid output;
  bool pinned;  ///< settings would change its output
  const EnumLabels* labels;
};

/// True if the text of values holds names of the catalogs, which may be renamed: labels of enums
/// inside other types, attributes that composites may gain, and relations behind regclass and its
/// like. Enums themselves have the label as it was first seen.
bool is_spelt_by_names(Oid type);

/// The form of values of a type (or of a domain over it) in a column.
ValueForm form_of(Oid type, const char* column, const EnumColumns& enums);

/// The forms of columns by their declared types.
const ValueForm* forms_of(const SourceColumn* columns, int count, const EnumColumns& enums);

/// Bytes in the current memory context, or in the value. Plain data.
struct Text {
  const char* letters;
  std::size_t size;
};

/// The text of a value in UTF-8.
Text canonical_text(const ValueForm& form, Datum value);

/// Appends the length and bytes of a value, or a mark for null.
void append_canonical(StringInfo bytes, const ValueForm& form, Datum value, bool is_null);

/// Appends a whole number in a fixed order of its bytes.
void append_number(StringInfo bytes, uint64 number);
uint64 bits_of(double number);

/// A text of the server's encoding in UTF-8: itself if nothing changes. A database in SQL_ASCII
/// keeps its bytes.
const char* utf8_text(const char* text);

}  // namespace anonkit::pg
