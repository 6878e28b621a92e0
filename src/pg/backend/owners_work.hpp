#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// What to go back to when settings of one's own end. Plain data; an error ends them with the
/// transaction or subtransaction.
struct OwnSettings {
  int nest_level;
};

/// Settings that a call makes for itself: nobody's search_path decides what a name means.
OwnSettings begin_own_settings();
void end_own_settings(const OwnSettings& settings);

/// What to go back to when work for an owner ends. Plain data, undone by an error likewise.
struct OwnersWork {
  Oid user;
  int security;
  OwnSettings settings;
};

/// Runs what follows as the owner of the relation, in a security-restricted operation with settings
/// of its own, as REFRESH MATERIALIZED VIEW does. A source is often a view whose functions its
/// owner wrote: they get the owner's rights, whoever calls, and cannot change role or settings.
///
///   const OwnersWork work = begin_owners_work(release);
///   ...
///   end_owners_work(work);
OwnersWork begin_owners_work(Oid relation);
/// Likewise as a role: the one that is to own a relation.
OwnersWork begin_work_as(Oid role);
void end_owners_work(const OwnersWork& work);

/// The role that owns a relation, which exists.
Oid owner_of(Oid relation);

/// An error (insufficient_privilege) unless the current role owns the relation.
void require_owner(Oid relation);

/// An error (insufficient_privilege) unless the current role may refresh the materialized view: its
/// owner, and from PostgreSQL 17 on who has MAINTAIN on it.
void require_maintainer(Oid relation);

}  // namespace anonkit::pg
