#pragma once

// A linked release between reading and writing.
//
//   read   each table once, by the pipeline's reader; its keys from the spool
//   form   classes of rows by src/core/linked_pipeline.hpp, their cells as SQL values
//   judge  each group of persons by itself, on its classes
//
//   SetWork work = prepare_set(read_published_tables(json), promises);
//   ...                                            // written by set_release.hpp
//   audit_written(work, tables, promises);  // as anon_assert_set does

#include "pg/set/set_audit.hpp"
#include "pg/set/set_release.hpp"

namespace anonkit::pg {

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
  bool** withheld;  ///< by table and row
};

/// Reads, forms and judges, as the current role. Names in the description are looked up in the
/// search path. Pushes the snapshot of the reading, for the caller to pop.
SetWork prepare_set(const SetTables& tables, const SetPromises& promises);

/// The set as its writer takes it; `names` are those of the written tables.
PreparedSet prepared_set(const SetWork& work, const char* const* names);

/// An error (check_violation) unless the written tables keep the promises.
void audit_written(const SetWork& work, const Oid* written, const SetPromises& promises);

/// The rows of anon_publish_set and anon_refresh_set: one for each table.
void return_table_rows(const SetWork& work, const char* const* names, ReturnSetInfo* result);

}  // namespace anonkit::pg
