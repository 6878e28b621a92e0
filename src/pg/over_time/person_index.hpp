#pragma once

#include "pg/over_time/person.hpp"

namespace anonkit::pg {

/// A person with the row and a place, which a look-up needs next. Plain data.
struct IndexedPerson {
  uint8 hash[kPersonBytes];
  int32 ordinal;  ///< of the row of the source; kNone without one
  int32 place;    ///< one of the places; kNone without one
};

/// Numbers persons by their hashes, from 0: a table of open addresses, at most half full. The
/// hashes are uniform, so their first bytes are places in it. Memory access dominates: in a large
/// table a slot, a person and a place are one access each. Plain data.
struct PersonIndex {
  int64 count;
  int64 capacity;
  IndexedPerson* persons;
  int32* slots;  ///< numbers, or kNone; a power of two of them
  uint64 mask;
};

/// An empty index in the current memory context.
PersonIndex make_person_index();

/// The number of a person, who becomes the next one if the index has them not. O(1).
int32 number_person(PersonIndex& index, const uint8* hash);

/// Asks for the memory that number_person will need first.
inline void expect_person(const PersonIndex& index, const uint8* hash) {
  __builtin_prefetch(index.slots + (holder_of(hash) & index.mask));
}

}  // namespace anonkit::pg
