#include "pg/read/value_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/read/hierarchy/value_text.hpp"
#include "pg/read/source.hpp"

extern "C" {
#include "catalog/pg_collation.h"
#include "common/hashfn.h"
#include "utils/date.h"
#include "utils/datum.h"
#include "utils/sortsupport.h"
}

namespace anonkit::pg {
namespace {

constexpr int32 kNullCode = -1;
constexpr uint32 kFirstSlots = 1024;

/// The bytes that distinguish a value from others of its column, if it is passed by reference.
struct Image {
  const char* bytes;
  std::size_t size;
};

Image image_of(const ValueRanks& ranks, Datum value) {
  char* pointer = DatumGetPointer(value);
  if (ranks.length == -1) return {VARDATA_ANY(pointer), VARSIZE_ANY_EXHDR(pointer)};
  return {pointer, datumGetSize(value, false, ranks.length)};
}

int compare_images(const ValueRanks& ranks, Datum a, Datum b) {
  if (ranks.by_value) return (a > b) - (a < b);
  const Image x = image_of(ranks, a);
  const Image y = image_of(ranks, b);
  const int order = std::memcmp(x.bytes, y.bytes, std::min(x.size, y.size));
  return order != 0 ? order : (x.size > y.size) - (x.size < y.size);
}

/// Spreads every bit of the value to the low bits: those of an integral float8 are all zero.
uint32 mixed(uint64 bits) {
  bits = (bits ^ (bits >> 32)) * UINT64CONST(0x9e3779b97f4a7c15);
  bits = (bits ^ (bits >> 29)) * UINT64CONST(0xbf58476d1ce4e5b9);
  return static_cast<uint32>(bits >> 32);
}

uint32 hash_of(const ValueRanks& ranks, Datum value) {
  if (ranks.by_value) return mixed(value);
  const Image image = image_of(ranks, value);
  return hash_bytes(reinterpret_cast<const unsigned char*>(image.bytes),
                    static_cast<int>(image.size));
}

/// The slot of an image, or the free slot for it.
ValueRanks::Slot& slot_of(const ValueRanks& ranks, uint32 hash, Datum value) {
  for (uint32 at = hash & (ranks.slot_count - 1);; at = (at + 1) & (ranks.slot_count - 1)) {
    ValueRanks::Slot& slot = ranks.slots[at];
    if (slot.image < 0) return slot;
    if (slot.hash == hash && compare_images(ranks, ranks.values[slot.image], value) == 0)
      return slot;
  }
}

/// A row has its code; a slot, with the half of a place for a value that belongs to it.
constexpr int64 kBytesPerCode = sizeof(int32);
constexpr int64 kBytesPerSlot = sizeof(ValueRanks::Slot) + sizeof(Datum) / 2;
/// A value's share of the sort, and the header of its copy.
constexpr int64 kBytesPerValue = 48;

void count(const ValueRanks& ranks, int64 bytes) {
  if (ranks.memory != nullptr) count_memory(*ranks.memory, bytes);
}

ValueRanks::Slot* free_slots(uint32 count) {
  auto* slots = allocate<ValueRanks::Slot>(count);
  for (uint32 i = 0; i < count; ++i) slots[i] = {0, -1};
  return slots;
}

void double_slots(ValueRanks& ranks) {
  const ValueRanks::Slot* old = ranks.slots;
  const uint32 old_count = ranks.slot_count;
  count(ranks, ranks.slot_count * kBytesPerSlot);
  ranks.slot_count *= 2;
  ranks.slots = free_slots(ranks.slot_count);
  resize(ranks.values, ranks.slot_count / 2);
  for (uint32 i = 0; i < old_count; ++i) {
    if (old[i].image < 0) continue;
    uint32 at = old[i].hash & (ranks.slot_count - 1);
    while (ranks.slots[at].image >= 0) at = (at + 1) & (ranks.slot_count - 1);
    ranks.slots[at] = old[i];
  }
  pfree(const_cast<ValueRanks::Slot*>(old));
}

/// A permanent copy. Full headers save the type's functions a copy at each comparison.
Datum copy_value(const ValueRanks& ranks, Datum value) {
  const std::size_t size = ranks.by_value ? 0 : image_of(ranks, value).size;
  count(ranks, kBytesPerValue + static_cast<int64>(size));
  if (ranks.by_value) return value;
  if (ranks.length != -1) return datumCopy(value, false, ranks.length);
  return PointerGetDatum(PG_DETOAST_DATUM_COPY(value));
}

/// One image during the sort.
struct Sortable {
  uint64 key;  ///< of order_key; 0 for other types
  Datum value;
  int32 image;
};

struct Order {
  const ValueRanks* ranks;
  SortSupportData* support;
  MemoryContext scratch;
  uint32 compared;
  bool has_keys;
};

uint64 key_of_integer(int64 number) {
  return static_cast<uint64>(number) ^ (UINT64CONST(1) << 63);
}

/// The order of PostgreSQL: -0 equals 0, and every NaN is the same last value.
uint64 key_of_float(double number) {
  if (std::isnan(number)) return PG_UINT64_MAX;
  number += 0.0;
  uint64 bits;
  std::memcpy(&bits, &number, sizeof bits);
  return (bits >> 63) != 0 ? ~bits : bits | UINT64CONST(1) << 63;
}

/// The type's own order; its functions may leave memory behind.
int compare_values(Order& order, const Sortable& a, const Sortable& b) {
  if ((++order.compared & 0xfff) == 0) {
    CHECK_FOR_INTERRUPTS();
    MemoryContextReset(order.scratch);
  }
  if (order.has_keys) return (a.key > b.key) - (a.key < b.key);
  return ApplySortComparator(a.value, false, b.value, false, order.support);
}

int compare_sortables(const void* a, const void* b, void* state) {
  auto& order = *static_cast<Order*>(state);
  const auto& x = *static_cast<const Sortable*>(a);
  const auto& y = *static_cast<const Sortable*>(b);
  const int by_type = compare_values(order, x, y);
  if (by_type != 0) return by_type;
  return compare_images(*order.ranks, x.value, y.value);
}

/// All images by the order of their type and then by their bytes. Only qsort survives an order of a
/// user's type that contradicts itself.
Sortable* sort_images(Order& order) {
  const ValueRanks& ranks = *order.ranks;
  const Oid base_type = getBaseType(ranks.type);
  auto* sorted = allocate<Sortable>(ranks.distinct);
  for (int32 i = 0; i < ranks.distinct; ++i) {
    sorted[i] = {0, ranks.values[i], i};
    order.has_keys = order_key(base_type, ranks.values[i], &sorted[i].key);
  }
  MemoryContext old = MemoryContextSwitchTo(order.scratch);
  if (order.has_keys)
    std::sort(sorted, sorted + ranks.distinct, [&](const Sortable& a, const Sortable& b) {
      if ((++order.compared & 0xfff) == 0) CHECK_FOR_INTERRUPTS();
      return a.key != b.key ? a.key < b.key : compare_images(ranks, a.value, b.value) < 0;
    });
  else
    qsort_arg(sorted, static_cast<std::size_t>(ranks.distinct), sizeof(Sortable), compare_sortables,
              &order);
  MemoryContextSwitchTo(old);
  return sorted;
}

/// The rank of each image; moves the values of the ranks to the front of `values`.
int32* rank_images(ValueRanks& ranks, Order& order) {
  Sortable* sorted = sort_images(order);
  int32* rank_of = allocate<int32>(ranks.distinct);
  MemoryContext old = MemoryContextSwitchTo(order.scratch);
  int32 rank = -1;
  for (int32 i = 0; i < ranks.distinct; ++i) {
    if (i == 0 || compare_values(order, sorted[i - 1], sorted[i]) != 0)
      ranks.values[++rank] = sorted[i].value;
    rank_of[sorted[i].image] = rank;
  }
  MemoryContextSwitchTo(old);
  pfree(sorted);
  ranks.distinct = rank + 1;
  return rank_of;
}

/// The number of the value's image, which is added if it is new. Most rows of a release repeat the
/// image before: its classes are adjacent.
int32 image_number(ValueRanks& ranks, Datum value) {
  if (ranks.distinct > 0 && compare_images(ranks, ranks.values[ranks.latest], value) == 0)
    return ranks.latest;
  const uint32 hash = hash_of(ranks, value);
  ValueRanks::Slot& slot = slot_of(ranks, hash, value);
  if (slot.image >= 0) return slot.image;
  MemoryContext old = MemoryContextSwitchTo(ranks.context);
  const int32 image = ranks.distinct++;
  slot = {hash, image};
  ranks.values[image] = copy_value(ranks, value);
  if (static_cast<uint32>(ranks.distinct) >= ranks.slot_count / 2) double_slots(ranks);
  MemoryContextSwitchTo(old);
  return image;
}

}  // namespace

bool order_key(Oid base_type, Datum value, uint64* key) {
  switch (base_type) {
    case INT2OID:
      *key = key_of_integer(DatumGetInt16(value));
      return true;
    case INT4OID:
    case DATEOID:
      *key = key_of_integer(DatumGetInt32(value));
      return true;
    case INT8OID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      *key = key_of_integer(DatumGetInt64(value));
      return true;
    case FLOAT4OID:
      *key = key_of_float(DatumGetFloat4(value));
      return true;
    case FLOAT8OID:
      *key = key_of_float(DatumGetFloat8(value));
      return true;
    default:
      return false;
  }
}

FormData_pg_attribute text_attribute(const FormData_pg_attribute* from) {
  FormData_pg_attribute attribute;
  std::memcpy(&attribute, from, ATTRIBUTE_FIXED_PART_SIZE);
  attribute.atttypid = TEXTOID;
  attribute.attcollation = C_COLLATION_OID;
  attribute.attlen = -1;
  attribute.attbyval = false;
  return attribute;
}

ValueRanks make_value_ranks(const FormData_pg_attribute* attribute, int64 capacity,
                            MemoryCount* memory) {
  require_order(NameStr(attribute->attname), attribute->atttypid);
  ValueRanks ranks = {};
  ranks.type = attribute->atttypid;
  ranks.collation = attribute->attcollation;
  ranks.length = attribute->attlen;
  ranks.by_value = attribute->attbyval;
  ranks.context = CurrentMemoryContext;
  ranks.memory = memory;
  count(ranks, capacity * kBytesPerCode + kFirstSlots * kBytesPerSlot);
  ranks.codes = allocate<int32>(capacity);
  ranks.slot_count = kFirstSlots;
  ranks.slots = free_slots(kFirstSlots);
  ranks.values = allocate<Datum>(kFirstSlots / 2);
  ranks.capacity = capacity;
  return ranks;
}

void grow_ranks(ValueRanks& ranks, int64 capacity) {
  count(ranks, (capacity - ranks.capacity) * kBytesPerCode);
  ranks.capacity = capacity;
  resize(ranks.codes, capacity);
}

void add_value(ValueRanks& ranks, int64 row, Datum value, bool is_null) {
  if (is_null) {
    ranks.has_null = true;
    ranks.codes[row] = kNullCode;
    return;
  }
  if (ranks.length == -1) value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
  ranks.codes[row] = ranks.latest = image_number(ranks, value);
}

void make_null(ValueRanks& ranks, int64 rows, const char* text) {
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit texts", ALLOCSET_DEFAULT_SIZES);
  auto* is_meant = allocate<bool>(ranks.distinct);
  const Oid type = getBaseType(ranks.type);
  for (int32 image = 0; image < ranks.distinct; ++image) {
    if ((image & 0xfff) == 0) {
      CHECK_FOR_INTERRUPTS();
      MemoryContextReset(scratch);
    }
    MemoryContext old = MemoryContextSwitchTo(scratch);
    is_meant[image] = std::strcmp(value_text(type, ranks.values[image]), text) == 0;
    MemoryContextSwitchTo(old);
  }
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    int32& code = ranks.codes[row];
    if (code == kNullCode || !is_meant[code]) continue;
    code = kNullCode;
    ranks.has_null = true;
  }
  pfree(is_meant);
  MemoryContextDelete(scratch);
}

bool is_null_before(const ValueRanks& ranks, int64 row) {
  return ranks.codes[row] == kNullCode;
}

void move_value(ValueRanks& ranks, int64 from, int64 to) {
  ranks.codes[to] = ranks.codes[from];
}

void settle_ranks(ValueRanks& ranks, int64 rows) {
  SortSupportData support = {};
  support.ssup_cxt = CurrentMemoryContext;
  support.ssup_collation = ranks.collation;
  PrepareSortSupportFromOrderingOp(lookup_type_cache(ranks.type, TYPECACHE_LT_OPR)->lt_opr,
                                   &support);
  Order order = {
      &ranks, &support,
      AllocSetContextCreate(CurrentMemoryContext, "anonkit order", ALLOCSET_DEFAULT_SIZES), 0,
      false};
  int32* rank_of = rank_images(ranks, order);
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    int32& code = ranks.codes[row];
    code = code == kNullCode ? ranks.distinct : rank_of[code];
  }
  if (ranks.has_null) ++ranks.distinct;
  pfree(rank_of);
  pfree(ranks.slots);
  MemoryContextDelete(order.scratch);
}

}  // namespace anonkit::pg
