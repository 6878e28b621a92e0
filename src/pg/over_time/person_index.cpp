#include "pg/over_time/person_index.hpp"

#include <algorithm>
#include <cstring>

#include "base/record.hpp"

#include "pg/backend/session.hpp"

namespace anonkit::pg {
namespace {

constexpr int64 kFirstPersons = 1024;
constexpr uint64 kSlotsPerPerson = 2;

/// The slot of a person, or the free one for them.
int32* slot_of(const PersonIndex& index, const uint8* hash) {
  uint64 at = holder_of(hash) & index.mask;
  for (;; at = (at + 1) & index.mask) {
    int32* slot = index.slots + at;
    if (*slot == kNone || std::memcmp(index.persons[*slot].hash, hash, kPersonBytes) == 0)
      return slot;
  }
}

void grow_index(PersonIndex& index) {
  CHECK_FOR_INTERRUPTS();
  if (index.count > INT_MAX / 2)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to anonymize")));
  index.capacity *= 2;
  resize(index.persons, index.capacity);
  const uint64 slots = kSlotsPerPerson * static_cast<uint64>(index.capacity);
  resize(index.slots, static_cast<int64>(slots));
  std::fill_n(index.slots, slots, kNone);
  index.mask = slots - 1;
  for (int64 i = 0; i < index.count; ++i)
    *slot_of(index, index.persons[i].hash) = static_cast<int32>(i);
}

}  // namespace

PersonIndex make_person_index() {
  PersonIndex index = {};
  index.capacity = kFirstPersons;
  index.persons = allocate<IndexedPerson>(index.capacity);
  const uint64 slots = kSlotsPerPerson * static_cast<uint64>(index.capacity);
  index.slots = allocate<int32>(static_cast<int64>(slots));
  std::fill_n(index.slots, slots, kNone);
  index.mask = slots - 1;
  return index;
}

int32 number_person(PersonIndex& index, const uint8* hash) {
  int32* slot = slot_of(index, hash);
  if (*slot != kNone) return *slot;
  if (index.count == index.capacity) {
    grow_index(index);
    slot = slot_of(index, hash);
  }
  IndexedPerson& person = index.persons[index.count];
  std::memcpy(person.hash, hash, kPersonBytes);
  person.ordinal = person.place = kNone;
  return *slot = static_cast<int32>(index.count++);
}

}  // namespace anonkit::pg
