#pragma once

#include "pg/read/row_runs.hpp"

namespace anonkit::pg {

/// Sends all rows of a person to one part: the one that most of them belong to, and the first among
/// several. Rows of a person must be adjacent. Plain data.
struct RowsOfPersons {
  AttrNumber first;  ///< of the columns that tell persons apart
  int columns;
  int32 parts;
  RowRuns runs;
  Tuplestorestate* rows;  ///< of the current person
  TupleTableSlot* slot;   ///< reads them
  int64* votes;           ///< by part, of the current person
  MemoryContext context;
};

/// Allocates in the current memory context.
RowsOfPersons begin_persons(AttrNumber first, int columns, int32 parts);

/// A query whose rows come person by person.
const char* ordered_by_person(const char* query, const RowsOfPersons& persons);

/// Takes the next row, which belongs to a part.
void add_row_of_person(RowsOfPersons& persons, TupleTableSlot* slot, int32 part,
                       Tuplestorestate** stores);

/// Sends the last person's rows.
void end_persons(RowsOfPersons& persons, Tuplestorestate** stores);

}  // namespace anonkit::pg
