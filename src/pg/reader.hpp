#pragma once

#include "data/dictionary.hpp"
#include "data/table.hpp"

#include "source.hpp"

namespace anonkit::pg {

/// What becomes of the columns that do not enter the core.
enum class Spool {
  columns,  ///< one column each, for a release
  json,     ///< one jsonb of all, for a look
};

/// The rows of a source, in the order in which they were read. Plain data, palloc'd.
struct Loaded {
  int64 rows;
  int64 capacity;
  double* values;             ///< rows x quasi-identifiers; null is NaN; categories are codes
  ItemPointerData* tids;      ///< null if the source has none, or they are not wanted
  Fingerprint* fingerprints;  ///< null if nothing is spooled
  Dictionary** dictionaries;  ///< one a quasi-identifier; null for numbers
  int32* null_codes;          ///< one a quasi-identifier: the code of null, or -1 if none is
  Tuplestorestate* spool;     ///< kept values, one tuple a row; null if there are none
  TupleDesc spool_descriptor;
};

/// Reads the source with the caller's privileges and row-level security, in one query. Everything
/// is allocated in the current memory context. Errors: values that are NaN or infinite
/// (data_exception, naming the column), more rows than anonkit.max_memory allows
/// (configuration_limit_exceeded). Must be called between SPI_connect and SPI_finish.
Loaded read_source(const Source& source, Spool spool);

/// The core's view of what was read.
Table table_of(const Source& source, const Spec& spec, const Loaded& loaded);

}  // namespace anonkit::pg
