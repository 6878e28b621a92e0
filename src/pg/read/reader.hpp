#pragma once

#include "pg/read/block.hpp"
#include "pg/read/hierarchies.hpp"
#include "pg/read/protected_values.hpp"

namespace anonkit::pg {

/// What becomes of the columns that do not enter the core.
enum class Spool {
  columns,       ///< one column each, for a release
  json,          ///< one jsonb of all, for a look
  fingerprints,  ///< nothing but what puts the rows into their order, for an evaluation
};

/// A quasi-identifier that is generalised by a hierarchy. Plain data.
struct Generalised {
  const ColumnHierarchy* hierarchy;  ///< or null; the rest is for a column that has one
  Ranks ranks;
};

/// The rows of a source, in the order in which they were read. Plain data, palloc'd.
struct Loaded {
  int64 rows;
  int64 capacity;
  Block quasi_identifiers;
  Block sensitive;  ///< of the columns that enter the core as ranks
  Ranks* ranks;     ///< of each of these columns
  int64 more_rows;  ///< of a larger table, of which `sensitive` and `ranks` go on to tell
  int64** whole;    ///< of each column the records of each rank in that table, or null
  const ColumnHierarchy** sensitive_hierarchies;  ///< of each of them the chosen one, or null
  const ProtectedValues** protected_values;       ///< of each of them, or null
  Generalised* generalised;                       ///< each quasi-identifier
  int32* unit_of;         ///< whose each row is, numbered from 0; null if each is somebody else's
  ItemPointerData* tids;  ///< null if the source has none, or they are not wanted
  Fingerprint* fingerprints;  ///< null if nothing is spooled
  Tuplestorestate* spool;     ///< kept values, one tuple a row, or null; its reader ends it
  TupleDesc spool_descriptor;
};

/// Reads the source with the caller's privileges and row-level security, in one query. Everything
/// is allocated in the current memory context. Errors: values that are NaN or infinite
/// (data_exception, naming the column), more rows than anonkit.max_memory allows
/// (configuration_limit_exceeded), values without a leaf in the column's hierarchy. Must be called
/// between SPI_connect and SPI_finish.
Loaded read_source(const Source& source, const Spec& spec, Spool spool);

/// The core's view of what was read.
Table table_of(const Source& source, const Spec& spec, const Loaded& loaded);

}  // namespace anonkit::pg
