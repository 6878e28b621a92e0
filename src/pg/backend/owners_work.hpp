#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The state to restore after a call's own settings. Plain data; after an error the end of the
/// transaction or subtransaction restores it.
struct OwnSettings {
  int nest_level;
};

/// Pins the settings of a call, so that no user's search_path decides the meaning of a name.
OwnSettings begin_own_settings();
void end_own_settings(const OwnSettings& settings);

/// The state to restore after work as an owner. Plain data; an error restores it, too.
struct OwnersWork {
  Oid user;
  int security;
  OwnSettings settings;
};

/// Runs the following code as the owner of the relation, in a security-restricted operation with
/// pinned settings, like REFRESH MATERIALIZED VIEW. A source is often a view with functions of its
/// owner. They run with the owner's rights, for any caller, and cannot change role or settings.
///
///   const OwnersWork work = begin_owners_work(release);
///   ...
///   end_owners_work(work);
OwnersWork begin_owners_work(Oid relation);
/// Starts such work as a role: the future owner of a relation.
OwnersWork begin_work_as(Oid role);
void end_owners_work(const OwnersWork& work);

/// The owner of a relation; an error (undefined_table) if it does not exist.
Oid owner_of(Oid relation);

/// The owner of an object by its system cache, RELOID say, and the column of that catalog which
/// holds the owner; InvalidOid if the object was dropped.
Oid owner_in(int cache, AttrNumber owner, Oid object);

/// An error (insufficient_privilege) unless the current role owns the relation.
void require_owner(Oid relation);

/// An error (insufficient_privilege) unless the owner of the relation owns the table, too.
void require_same_owner(Oid relation, Oid table);

/// An error (insufficient_privilege) unless the current role may read all of the relation.
void require_select(Oid relation);

/// An error (insufficient_privilege) unless the current role may refresh the materialized view.
/// That is its owner, and from PostgreSQL 17 on any role with MAINTAIN.
void require_maintainer(Oid relation);

}  // namespace anonkit::pg
