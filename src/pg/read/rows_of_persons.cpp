#include "pg/read/rows_of_persons.hpp"

#include <algorithm>

#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"

namespace anonkit::pg {
namespace {

void prepare_persons(RowsOfPersons& persons, TupleDesc rows) {
  persons.runs = begin_runs(persons.context, rows, persons.first, persons.columns);
  MemoryContext old = MemoryContextSwitchTo(persons.context);
  persons.rows = tuplestore_begin_heap(false, false, work_mem);
  persons.slot = MakeSingleTupleTableSlot(CreateTupleDescCopy(rows), &TTSOpsMinimalTuple);
  MemoryContextSwitchTo(old);
}

void send_person(RowsOfPersons& persons, Tuplestorestate** stores) {
  const auto part = std::max_element(persons.votes, persons.votes + persons.parts) - persons.votes;
  while (tuplestore_gettupleslot(persons.rows, true, false, persons.slot)) {
    CHECK_FOR_INTERRUPTS();
    tuplestore_puttupleslot(stores[part], persons.slot);
  }
  tuplestore_clear(persons.rows);
  std::fill_n(persons.votes, persons.parts, 0);
}

}  // namespace

RowsOfPersons begin_persons(AttrNumber first, int columns, int32 parts) {
  RowsOfPersons persons = {first,   columns, parts,   {},
                           nullptr, nullptr, nullptr, CurrentMemoryContext};
  persons.votes = allocate<int64>(parts);
  std::fill_n(persons.votes, parts, 0);
  return persons;
}

const char* ordered_by_person(const char* query, const RowsOfPersons& persons) {
  return psprintf("%s ORDER BY %s", query, column_places(persons.first, persons.columns));
}

void add_row_of_person(RowsOfPersons& persons, TupleTableSlot* slot, int32 part,
                       Tuplestorestate** stores) {
  if (persons.rows == nullptr) prepare_persons(persons, slot->tts_tupleDescriptor);
  if (starts_run(persons.runs, slot)) send_person(persons, stores);
  MemoryContext old = MemoryContextSwitchTo(persons.context);
  tuplestore_puttupleslot(persons.rows, slot);
  MemoryContextSwitchTo(old);
  ++persons.votes[part];
}

void end_persons(RowsOfPersons& persons, Tuplestorestate** stores) {
  if (persons.rows == nullptr) return;
  send_person(persons, stores);
  tuplestore_end(persons.rows);
  ExecDropSingleTupleTableSlot(persons.slot);
}

}  // namespace anonkit::pg
