#pragma once

#include "pg/read/block.hpp"
#include "pg/read/hierarchies.hpp"
#include "pg/read/protected_values.hpp"
#include "pg/read/sketch.hpp"

namespace anonkit::pg {

/// The treatment of columns that do not enter the core.
enum class Spool {
  columns,       ///< one column each, for a release
  json,          ///< one jsonb of all, for a look
  fingerprints,  ///< only the values that order the rows, for an evaluation
};

/// The treatment of more rows than anonkit.max_memory allows.
enum class Excess {
  refuse,  ///< an error
  sketch,  ///< a sketch of all rows takes their place
};

/// A quasi-identifier generalised by a hierarchy. Plain data.
struct Generalised {
  const ColumnHierarchy* hierarchy;  ///< or null; the other members require one
  Ranks ranks;
};

/// The rows of a source, in the order in which they were read. Plain data, palloc'd.
struct Loaded {
  int64 rows;
  int64 capacity;
  int64 needed_bytes;  ///< of the reading and the pipeline, as counted
  Block quasi_identifiers;
  Block sensitive;   ///< of the columns that enter the core as ranks
  Ranks* ranks;      ///< of each of these columns
  int64 population;  ///< rows of the population; they follow in `quasi_identifiers` and the
                     ///< ranks of `generalised`
  const ColumnHierarchy** sensitive_hierarchies;  ///< of each of them the chosen one, or null
  const ProtectedValues** protected_values;       ///< of each of them, or null
  Generalised* generalised;                       ///< each quasi-identifier
  int32* unit_of;         ///< by row: its person, numbered from 0; null if each row is a person of
                          ///< its own
  ItemPointerData* tids;  ///< null if the source has none, or they are not requested
  Fingerprint* fingerprints;       ///< null without a spool
  Fingerprint* kept_fingerprints;  ///< without sensitive values; null unless some may be withheld
  Tuplestorestate* spool;          ///< kept values, one tuple per row, or null; its reader ends it
  TupleDesc spool_descriptor;
  int64 domain;           ///< rows of values of the larger table that this is a part of; they
                          ///< follow, too, so that hierarchies and codes are those of all
  Sketch* sketch;         ///< in place of the rows of a table that is too large; else null
  int64 coarsened_cells;  ///< kept cells that are published coarser than they are
};

/// Reads the source with the caller's privileges and row-level security, in one query, into the
/// current memory context. Requires an SPI session. Errors: values that are NaN or infinite
/// (data_exception, with the column), more rows than anonkit.max_memory allows
/// (configuration_limit_exceeded), values without a leaf in the column's hierarchy.
Loaded read_source(const Source& source, const Spec& spec, Spool spool,
                   Excess excess = Excess::refuse);

struct RowReading;

/// Settles codes, persons, ranks and hierarchies after the last row, unless the reading has turned
/// to a sketch.
void finish_reading(RowReading& reading, const Spec& spec);

/// The core's view of the rows.
Table table_of(const Source& source, const Spec& spec, const Loaded& loaded);

}  // namespace anonkit::pg
