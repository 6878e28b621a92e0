#pragma once

// Access lists of a relation and of its columns, read and written as GRANT does, but by OIDs of
// roles, grantors included.
//
//   foreach (cell, open_lists(relation)) {
//     auto& list = *static_cast<AccessList*>(lfirst(cell));
//     for (int i = 0; i < entries(list); ++i) ACL_DAT(list.acl)[i] ...  // changed in place
//     write_list(list); }

#include "pg/backend/boundary.hpp"

extern "C" {
#include "utils/acl.h"
}

namespace anonkit::pg {

/// The right to read, and the right to grant it.
constexpr AclMode kReading = ACL_SELECT | ACL_GRANT_OPTION_FOR(ACL_SELECT);

/// A copy of a list. Plain data, palloc'd.
struct AccessList {
  Oid relation;
  int16 column;          ///< 0: the relation itself
  HeapTuple row;         ///< the catalog row that holds it
  TransactionId writer;  ///< the transaction that wrote the row
  Acl* acl;              ///< null: nobody but the owner has a right
};

/// The relation's own list, and those of its columns that are not null. The relation's is locked
/// until the transaction ends, because VACUUM changes its row in place.
List* open_lists(Oid relation);

int entries(const AccessList& list);

/// The entry of a grantee by a grantor; null without one.
AclItem* entry_of(const AccessList& list, Oid grantee, Oid grantor);

void remove_entry(AccessList& list, AclItem* entry);

/// Writes the list. An error if another session has changed it since.
void write_list(const AccessList& list);

}  // namespace anonkit::pg
