#pragma once

// The rows of a source while they are read: from the executor into matrices, ranks and a spool.
//
// Phases: begin_reading() allocates, receive_row() takes each row of reading_query(), and
// end_reading() checks the memory. If a table is larger than anonkit.max_memory and may be divided,
// the reading turns to a sketch of its rows, and keeps none of them.
//
//   RowReading reading = begin_reading(source, spec, spool, Excess::refuse, loaded);
//   for_each_row(reading_query(reading), receive_row, &reading);
//   end_reading(reading);

#include "pg/backend/user_query.hpp"
#include "pg/read/reader.hpp"
#include "pg/read/units.hpp"

namespace anonkit::pg {

/// The state of the reading. Plain data.
struct RowReading {
  const Source* source;
  Loaded* loaded;
  Spool spool;
  Excess excess;
  std::uint64_t seed;
  MemoryContext context;  ///< holds the result
  int64 bytes_per_row;
  UnitColumns units;
  int first_unit;      ///< position of the unit's first column in the query's result
  int tid;             ///< position of the tid
  int changes;         ///< position of the number of coarsened cells
  bool coarsens;       ///< there is such a number
  int first_original;  ///< position of the first column that has pseudonyms
  int first_kept;      ///< position of the first kept column
  int kept;            ///< columns
};

/// Allocates for a first thousand rows.
RowReading begin_reading(const Source& source, const Spec& spec, Spool spool, Excess excess,
                         Loaded& loaded);

/// The query that reads the source: both blocks, the unit, the tid and the kept columns.
char* reading_query(const RowReading& reading);

/// Adds a row of the query to the RowReading in `state`.
void receive_row(TupleTableSlot* slot, void* state);

/// An error for more rows than memory or the core allow, those of a population included.
void check_memory(const RowReading& reading);

/// Checks the memory that the rows will need, after the last one.
void end_reading(RowReading& reading);

/// An error for a source that returned other rows at its second reading under one snapshot.
[[noreturn]] void refuse_other_rows();

void add_columns(UserQuery& query, const SourceColumn* columns, int count);
/// Adds each column of the unit.
void add_units(UserQuery& query, const UnitColumns& units);

}  // namespace anonkit::pg
