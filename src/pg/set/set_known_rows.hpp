#pragma once

// The rows that came into a set with their persons. A row whose person changes in the source, from
// one whom the set has to a new one, would come again with the new one: kept and sensitive values
// that two rows of different batches share link two persons. So its second coming is left out, with
// all that hangs on it.
//
// Rows are recognised by a key of their own: one that others refer to, or the primary key. Tables
// without such a key, or with one whose values have no single text, are not followed.

#include "pg/set/set_hashes.hpp"

namespace anonkit::pg {

/// The rows in the companion of a set, by place of its sources. Errors are those of read_hashes.
const KnownRows* read_known_rows(const SetQuery& set);

/// Hashes the keys of rows of a set that grows, and marks known rows of persons who take part.
/// Persons who have no other row in the root take no part. An error (datatype_mismatch) if a key
/// has another type than at the last refresh and no row of the list is found.
void find_known_rows(SetWork& work);

/// Notes the rows of persons who took part beside those known before, after note_set.
void note_rows(const SetQuery& set, const SetWork& work);

}  // namespace anonkit::pg
