#pragma once

// The columns of keys of related tables that are published, and the pseudonyms in their place.
//
// A row's pseudonym is its place in a random permutation of the published rows of its table, from a
// cryptographic source, and the rows are written in that order. So neither keys nor places tell
// anything, and no two releases have pseudonyms in common. Those of a batch that joins a set come
// after all that are in use there.

#include "pg/set/set_reader.hpp"

namespace anonkit::pg {

/// The rows that a column of keys identifies.
enum class KeyOf : uint8 { row, parent, person };

/// Plain data.
struct KeyColumn {
  AttrNumber number;
  const char* name;
  KeyOf of;
  bool primary;  ///< the primary key of the release
};
struct KeyColumns {
  KeyColumn* list;
  int count;

  KeyColumn* find(AttrNumber number) const;
};

/// By table the columns of keys. An error that names the table for keys of several columns, and for
/// a key that rows share with their parents.
KeyColumns* key_columns_of(const SetTables& set);

/// By table and row of the source its pseudonym; 0 if it is withheld. Plain data.
struct Pseudonyms {
  int64** rows;
  int64* persons;  ///< by person; 0 if all rows of the person are withheld
};
/// From the number after `used`.
Pseudonyms draw_pseudonyms(const SetRows& rows, const bool* const* withheld, int64 used);

/// The pseudonym in a column of keys; 0: null.
int64 key_value(const SetRows& rows, const Pseudonyms& pseudonyms, int table, int64 row, KeyOf of);

}  // namespace anonkit::pg
