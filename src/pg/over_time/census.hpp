#pragma once

#include "pg/over_time/person.hpp"

namespace anonkit::pg {

/// The source as one refresh sees it, read once: a tuplestore that the refresh's statements know as
/// the relation anon_present(ordinal, person, quasi, c0, c1, ...), the c being source.columns.
/// Plain data.
struct Census {
  Source source;
  Key key;
  int64 rows;
  int64 capacity;
  uint8* persons;  ///< rows x kPersonBytes, by ordinal
  Tuplestorestate* store;
  TupleDesc descriptor;

  const uint8* person(int64 ordinal) const { return persons + ordinal * kPersonBytes; }
};

/// Reads the source's key and named columns in one query, under the active snapshot. Errors: a key
/// that is null or not unique. To be called in an SPI session.
Census take_census(const Source& source, const Key& key, const uint8* secret);

/// Lets the session's statements read a tuplestore as a relation of that name.
void name_store(const char* name, Tuplestorestate* store, TupleDesc descriptor, int64 rows);

/// An empty tuplestore that can be named.
Tuplestorestate* new_store();

}  // namespace anonkit::pg
