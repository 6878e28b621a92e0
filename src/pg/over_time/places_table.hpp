#pragma once

// The table NAME_places: every place ever published, a row each; the release is a view of the
// current ones. Columns:
//
//   anon_class    number of the class, from 1
//   anon_person   hash of the key
//   anon_quasi    hashes of the quasi-identifiers at the founding
//   anon_met      classes whose means include quasi-identifiers of this row
//   anon_unit     hash of the unit, in releases that count persons
//   ...           the released columns, in the order of the source
//   anon_since    the version that founded the class
//   anon_until    the version that retired the class; null: it is published
//   anon_weight   share of the class that was in the source at the last version

#include "pg/over_time/person.hpp"
#include "pg/over_time/view_query.hpp"

namespace anonkit::pg {

/// Columns of the table beside the published ones. A source must not have a published column of
/// these names.
constexpr const char* kPlaceColumns[] = {"anon_class", "anon_person", "anon_unit",  "anon_quasi",
                                         "anon_met",   "anon_since",  "anon_until", "anon_weight"};
/// The hash of the unit.
constexpr const char* kUnitColumn = kPlaceColumns[2];
/// The first version of a place.
constexpr const char* kSinceColumn = kPlaceColumns[5];

/// Makes the table beside a future release of this name, with its final privileges.
Oid create_places(const char* schema, const char* name, const Source& source, const Key& key);

/// Gives the table its primary key, after the places of the first version: to sort all keys once
/// takes much less than to insert each. The key is also the table's replica identity: without one,
/// a publication of all tables would refuse the updates of a refresh.
void index_places(Oid places);

/// Locks the table, and raises object_not_in_prerequisite_state unless it has exactly the columns
/// of this source, belongs to the release's owner, and runs nobody's code: so statements on it may
/// be built.
void require_places(const OverTimeQuery& release, const Source& source, const Key& key,
                    LOCKMODE mode);

/// require_places() of the locked table and of the release, before a statement that writes: code of
/// the source can alter both after the first check, whatever locks this session holds.
void require_unaltered(const OverTimeQuery& release, const Source& source, const Key& key);

}  // namespace anonkit::pg
