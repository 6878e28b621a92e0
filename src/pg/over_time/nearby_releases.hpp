#pragma once

// Releases of the same tables: found by the tables that sources share, from the catalogs alone.

#include "pg/over_time/view_query.hpp"
#include "pg/release/set_query.hpp"

namespace anonkit::pg {

/// A release or a set beside a new one. A set is one for each of its sources. Plain data.
struct Neighbour {
  Oid relation;
  const char* name;
  Oid owner;
  Oid source;
  bool is_set;
};

struct Neighbours {
  Neighbour* list;
  int count;
};

/// attempt, but for a cancel, which ends the statement.
ErrorData* attempt_beside(void (*work)(void* state), void* state);

/// All other releases and sets of this database. Others may drop theirs in the meantime, or make
/// views with calls that anonkit would not write: none of these fails a publication. An own release
/// whose catalog rows cannot be read does.
Neighbours all_others(Oid release);

/// Only own releases are read without being named, or refused: a release runs the code of its
/// source's views, by which a stranger would stall or fail the publication of a superuser.
bool is_own(const Neighbour& other);

/// The releases whose sources share a table with this source; the others follow them in the list.
Neighbours sharing(Oid source, const Neighbours& others);

bool relation_exists(Oid relation);

/// The columns of a primary key of a table that all sources read.
Names shared_primary_key(const Oid* sources, int count);

}  // namespace anonkit::pg
