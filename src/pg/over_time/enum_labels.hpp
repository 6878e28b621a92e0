#pragma once

#include "pg/over_time/person.hpp"

namespace anonkit::pg {

/// Labels of an enum column in the order of the type, all in UTF-8. Hashes use the first spelling
/// of a label, so that ALTER TYPE ... RENAME VALUE changes none. Plain data.
struct EnumLabels {
  const char* column;
  int count;
  Oid* values;         ///< of this database
  const char** first;  ///< each label as the release first saw it: no two are equal
  const char** last;   ///< each label as the last refresh saw it
};

/// The enum columns of a release: of its key and its source. Plain data.
struct EnumColumns {
  EnumLabels* columns;
  int count;
};

/// The present labels, as if each was seen for the first time.
EnumColumns present_labels(const Source& source, const Key& key);

/// Takes first spellings from the state. Labels may have been renamed, or others added. An error
/// (object_not_in_prerequisite_state) if it is unclear which of them is which.
void recall_labels(const EnumColumns& known, EnumColumns& present);

/// The labels of a column; null if it is no enum.
const EnumLabels* labels_of(const EnumColumns& enums, const char* column);

/// The first spelling of a value.
const char* first_label(const EnumLabels& labels, Oid value);

}  // namespace anonkit::pg
