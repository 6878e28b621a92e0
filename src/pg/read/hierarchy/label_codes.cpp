#include "pg/read/hierarchy/label_codes.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/read/block.hpp"

namespace anonkit::pg {
namespace {

/// Covers the code here, and in the hierarchy made of it the group (temporarily twice), leaves and
/// parent.
constexpr int64 kBytesPerCode = 5 * sizeof(int32);
/// The memory of a text in a dictionary without its letters.
constexpr int64 kBytesPerText = 100;

void grow(LabelCodes& codes, int64 capacity) {
  count_memory(*codes.memory, (capacity - codes.capacity) * codes.levels * kBytesPerCode);
  resize(codes.codes, std::max<int64>(1, capacity * codes.levels));
  codes.capacity = capacity;
}

}  // namespace

LabelCodes make_label_codes(int levels, int64 values, MemoryCount& memory) {
  LabelCodes codes = {levels, 0, 0, allocate<Dictionary*>(levels), allocate<int32>(1), &memory};
  for (int level = 0; level < levels; ++level)
    codes.labels[level] = &own_in_context(std::make_unique<Dictionary>());
  grow(codes, values);
  codes.values = values;
  std::fill_n(codes.codes, values * levels, -1);
  return codes;
}

int64 add_value(LabelCodes& codes) {
  if (codes.values >= INT_MAX)
    ereport(ERROR,
            (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("a hierarchy has too many values")));
  if (codes.values == codes.capacity) grow(codes, codes.capacity + codes.capacity / 2 + 64);
  std::fill_n(&codes.code(codes.values, 0), codes.levels, -1);
  return codes.values++;
}

void set_label(LabelCodes& codes, int64 value, int level, const char* label) {
  Dictionary& labels = *codes.labels[level];
  const int32 known = labels.size();
  codes.code(value, level) = category_code(labels, label);
  if (labels.size() > known)
    count_memory(*codes.memory, kBytesPerText + static_cast<int64>(std::strlen(label)));
}

}  // namespace anonkit::pg
