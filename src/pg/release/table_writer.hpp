#pragma once

// Writes rows into a new table, which no other session sees.
//
// Rows are frozen, as those of REFRESH MATERIALIZED VIEW are: readers with an older snapshot see
// them, too. They are written page by page, like those of COPY, with a WAL record for many rows.
// Memory: a thousand slots, and 64 kB of values or one row.
//
//   TableWriter* writer = begin_writing(table);  // under AccessExclusiveLock
//   write_row(*writer, values, nulls);           // for each row
//   const uint64 rows = end_writing(*writer);

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

struct TableWriter;

/// Opens the table, which this session has locked.
TableWriter* begin_writing(Oid table);

/// Writes a row with the types of the table's columns.
void write_row(TableWriter& writer, const Datum* values, const bool* nulls);

/// Closes the table. Returns the number of rows.
uint64 end_writing(TableWriter& writer);

}  // namespace anonkit::pg
