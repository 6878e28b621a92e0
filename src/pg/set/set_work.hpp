#pragma once

// A linked release between reading and writing.
//
//   read   each table once, by the pipeline's reader; its keys from the spool
//   form   classes of rows by src/core/linked_pipeline.hpp, their cells as SQL values
//   judge  each group of persons by itself, on its classes
//
//   SetWork work = prepare_set(read_published_tables(json), promises);
//   ...                                            // written by set_release.hpp
//   audit_written(work, tables, names, promises);  // as anon_assert_set does

#include "pg/over_time/person.hpp"
#include "pg/set/set_audit.hpp"
#include "pg/set/set_release.hpp"

namespace anonkit::pg {

/// The keyed hash of a person's key.
struct PersonHash {
  uint8 bytes[kPersonBytes];
};

/// Hashes in the companion; see set_hashes.hpp. Plain data.
struct HashList {
  const uint8* secret;
  const uint8* hashes;  ///< ascending
  int64 count;
  const char* type;    ///< that of the key at the last refresh; null: not known
  const char* origin;  ///< the database that made the list; null: not known
};

/// The length of the hash of a row's key.
constexpr int kRowBytes = 16;
struct RowHash {
  uint8 bytes[kRowBytes];
  bool is_null;  ///< the row has no key
};

/// The rows of a table that came with the persons of a set. Plain data.
struct KnownRows {
  Oid source;
  HashList list;
};

/// The persons whom a set that grows has taken; see set_persons.hpp. Plain data.
struct KnownPersons {
  Names key;              ///< the column that identifies persons in the root
  HashList list;          ///< empty before the first publication, but for the secret
  const KnownRows* rows;  ///< by place of the sources
  int tables;             ///< 0 before the first publication
};

/// Everything between reading and writing. Plain data.
struct SetWork {
  SetTables tables;
  KeyColumns* keys;
  Spec* specs;  ///< by table
  Run* runs;
  SetRows rows;
  const int32***
      protected_values;  ///< by table and sensitive column, by rank; see linked_tables.hpp
  MemoryCount* memory;
  bool** withheld;            ///< by table and row; true for rows of persons who take no part, too
  int64* published;           ///< by table: the number of rows
  const KnownPersons* known;  ///< of a set that grows; null: of another one
  const PersonHash* hashes;   ///< by person, of a set that grows
  bool* absent;               ///< by person: known already; null: of another set
  int32 present;              ///< persons who take part

  RowHash** row_hashes;  ///< by table and row, of a set that grows; null: rows are not followed
  bool** left_out;       ///< by table and row: known with another person; null: none is
  bool has_left_out;

  bool takes_part(int32 person) const { return absent == nullptr || !absent[person]; }
  bool is_growth() const { return known != nullptr && known->list.count > 0; }
};

/// Reads, forms and judges, as the current role. Names in the description are looked up in the
/// search path. Pushes the snapshot of the reading, for the caller to pop. Known persons take no
/// part. If fewer than k others are left for a set that grows, nothing is formed.
SetWork prepare_set(const SetTables& tables, const SetPromises& promises,
                    const KnownPersons* known = nullptr);

/// The rows as the judge sees them, with classes as labels. `labels`, unless null, may have others
/// by table and row of the source, kNone for a row that does not count. Withheld rows among them
/// show no values.
SetRows rows_by_group(const SetWork& work, const int32* const* labels);

/// True if nothing was formed, because fewer than k persons are new.
bool has_too_few_persons(const SetWork& work, const SetPromises& promises);

/// The set as its writer takes it; `names` are those of the written tables, `used` the largest
/// pseudonym that they have.
PreparedSet prepared_set(const SetWork& work, const char* const* names, int64 used = 0);

/// The set without pseudonyms, for a look at its columns.
PreparedSet unnumbered_set(const SetWork& work, const char* const* names);

/// An error (check_violation) unless the written tables keep the promises. It has their names of
/// `names`: a refresh writes them beside those of the set.
void audit_written(const SetWork& work, const Oid* written, const char* const* names,
                   const SetPromises& promises);

/// The rows of anon_publish_set and anon_refresh_set, one for each table. They count the rows of
/// persons who took part.
void return_table_rows(const SetWork& work, const char* const* names, ReturnSetInfo* result);

}  // namespace anonkit::pg
