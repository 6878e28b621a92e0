#pragma once

// The persons of a set that grows. Its companion has a secret and the keyed hashes of all persons
// whom the set has taken, published or withheld. So a refresh finds the new ones, nobody joins a
// second batch, and without the secret nobody can look anybody up.
//
//   const KnownPersons known = read_known_persons(set);
//   const SetWork work = prepare_set(tables, promises, &known);  // of the other persons
//   append_rows(...);
//   note_set(set, work, promises);
//   note_persons(set, work);

#include "pg/over_time/person.hpp"
#include "pg/release/run.hpp"
#include "pg/set/set_description.hpp"
#include "pg/set/set_keys.hpp"

namespace anonkit::pg {

/// Those of a set that has taken nobody yet, with a new secret. `key` names the root's column that
/// identifies persons.
KnownPersons no_known_persons(const Names& key);

/// The persons in the companion of a set, and their rows. A notice if another database added the
/// last of them. An error (object_not_in_prerequisite_state) if it has none, or those of another
/// version.
KnownPersons read_known_persons(const SetQuery& set);

/// The key of persons in the root. An error that names the table unless it is one column of keys
/// that identifies persons, of a type whose values have one text each.
Key key_of_persons(const SetTable& root, const KeyColumns& keys, const Names& names);

/// By person the hash of the key in the root's spool. An error that names the table for a null.
PersonHash* hashes_of_persons(const KnownPersons& known, const Key& key, const Run& root,
                              const SetRows& rows);

bool is_known(const KnownPersons& known, const PersonHash& person);

/// An error (datatype_mismatch) if the key has another type than at the last refresh and the source
/// lacks some of the persons, of whom it has `found`: they may have come under other keys.
void require_same_key(const SetTable& root, const KnownPersons& known, const Key& key, int64 found);

/// Notes the persons who took part in this transaction, and their rows, beside those known before,
/// after note_set.
void note_persons(const SetQuery& set, const SetWork& work);

}  // namespace anonkit::pg
