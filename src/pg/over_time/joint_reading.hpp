#pragma once

// The rows of several releases' sources, each with its class and its values as every release shows
// them, linked by a key of the sources.
//
// A release with a key knows the place of each row. The classes of any other are formed again from
// the present rows of its source: they are those of the release if the source has not changed since
// its last refresh. Both happen on behalf of the release's owner.
//
//   JointRows rows = make_joint_rows(releases, count, link);
//   for (int r = 0; r < count; ++r) read_joint_rows(rows, releases[r], r);

#include "model/class_histogram.hpp"

#include "pg/over_time/view_query.hpp"
#include "pg/read/value_ranks.hpp"

namespace anonkit::pg {

/// A release among others of the same persons. Plain data.
struct JoinedRelease {
  Oid relation;
  Oid source;
  OverTimeQuery over_time;  ///< of a release with a key; else the relation is InvalidOid
  Spec spec;
  Source columns;
};

/// Any release; an error (wrong_object_type) for other relations, and (insufficient_privilege)
/// unless the current role owns it.
JoinedRelease joined_release(Oid relation);
/// False for relations that are no release.
bool read_joined_release(Oid relation, JoinedRelease& release);

/// The columns that identify a row in all sources, and those of its person. Plain data.
struct Link {
  Names key;
  Names unit;   ///< empty: each row is a person of its own
  bool by_tid;  ///< all releases have one table: its rows identify themselves
};

/// A column of all rows. Plain data.
struct JointColumn {
  const char* name;
  Oid type;
  ValueRanks ranks;
  bool* shown;           ///< by row: the release shows its value; attributes only
  AttributeScale scale;  ///< attributes only, after the last row
  double* numbers;       ///< by rank, of a numeric scale; else null
};

/// One release after another. Plain data.
struct JointRows {
  int64 count;
  int64 capacity;
  int32* release;
  int32* class_of;  ///< in the release; kNone: in none
  bool* gone;       ///< a place whose row has left the source: nothing links it
  uint64* holder;   ///< of places: their person, by the unit of the release
  JointColumn* link;
  int key_count;
  int link_count;           ///< with the unit's columns, which follow the key's
  JointColumn* attributes;  ///< the sensitive columns of all releases
  int attribute_count;
  bool by_tid;
  MemoryCount* memory;
};

/// Errors: a column of the link or a sensitive one that a source lacks, or has in another type.
JointRows make_joint_rows(const JoinedRelease* releases, int count, const Link& link);

/// Adds the rows of release r. Errors: those of a refresh of the release; nulls in the link.
void read_joint_rows(JointRows& rows, const JoinedRelease& release, int r);

/// Adds the rows of a spool as those of release r, each in a class of its own: that of its number.
/// The columns of the link are at these places in the spool.
void read_spooled_rows(JointRows& rows, Tuplestorestate* spool, TupleDesc descriptor,
                       const int* places, int r);

}  // namespace anonkit::pg
