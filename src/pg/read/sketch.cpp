#include "pg/read/sketch.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>
#include <string_view>

#include "base/byte_hash.hpp"

#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"

namespace anonkit::pg {
namespace {

// The points of a sample that tell where to divide a table, and the share of the allowed memory
// that they may take, and that the distinct values may take.
constexpr int64 kSampledPoints = 100000, kShareOfSample = 4, kShareOfValues = 4;
/// A category or number beside the bytes of its text: in the dictionary, and its hash.
constexpr int64 kBytesOfValue = 64;
constexpr int32 kFirstHashes = 64;

std::size_t sample_size(std::size_t columns) {
  const int64 allowed = int64{max_memory} * 1024 / kShareOfSample / PointSample::bytes(columns, 1);
  return static_cast<std::size_t>(std::clamp<int64>(allowed, 1, kSampledPoints));
}

/// Null if memory runs out: no exception may enter the executor.
template <class T, class... Arguments>
T* new_or_null(Arguments... arguments) noexcept {
  try {
    return new T(arguments...);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

template <class T>
void delete_owned(void* object) {
  delete static_cast<T*>(object);
}

/// An object that the current memory context owns. Called by the executor, so no C++ frame may be
/// between an error and the backend: the only allocation of the backend comes first.
template <class T, class... Arguments>
T* make_owned(Arguments... arguments) {
  auto* callback = static_cast<MemoryContextCallback*>(palloc(sizeof(MemoryContextCallback)));
  T* object = new_or_null<T>(arguments...);
  if (object == nullptr) ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
  *callback = {delete_owned<T>, object, nullptr};
  MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
  return object;
}

void count_value(Sketch& sketch, int64 bytes) {
  sketch.value_bytes += bytes + kBytesOfValue;
  if (sketch.value_bytes > int64{max_memory} * 1024 / kShareOfValues)
    refuse_memory("Categories, and numbers with a hierarchy, have too many distinct values.",
                  "Raise anonkit.max_memory, or make them coarser in a view.");
}

/// Takes a number of a column with a hierarchy. Negative zero is zero.
void add_number(Sketch& sketch, int j, double x) {
  if (x == 0) x = 0;
  Dictionary& numbers = *sketch.numbers[j];
  const int32 known = numbers.size();
  const std::string_view bytes(reinterpret_cast<const char*>(&x), sizeof x);
  if (category_code(numbers, bytes) == known) count_value(sketch, sizeof x);
}

/// The number in a dictionary of bytes.
double number_of_code(const Dictionary& numbers, int32 code) {
  double x;
  std::memcpy(&x, numbers.text(code).data(), sizeof x);
  return x;
}

/// A hash that a double represents.
double hash_of(const std::string& text) {
  constexpr int kUnusedBits = 11;
  return static_cast<double>(hash_of_bytes(text.data(), text.size(), 0) >> kUnusedBits);
}

/// False for a null.
bool take_number(Sketch& sketch, int j, double x) {
  if (is_null(x)) {
    ++sketch.nulls[j];
    return false;
  }
  sketch.low[j] = std::min(sketch.low[j], x);
  sketch.high[j] = std::max(sketch.high[j], x);
  if (sketch.numbers[j] != nullptr) add_number(sketch, j, x);
  return true;
}

/// Moves the nominal columns of a point to its begin, and returns how many they are.
int nominal_first(const Source& source, const NamedPoint& point) {
  int* const end = point.columns + point.count;
  int* const others = std::stable_partition(
      point.columns, end, [&](int j) { return source.columns[j].kind == Kind::nominal; });
  return static_cast<int>(others - point.columns);
}

}  // namespace

NamedPoint make_named_point(const Source& source) {
  const int count = source.quasi_identifiers;
  const NamedPoint point = {count, allocate<int>(count), allocate<double>(count)};
  std::iota(point.columns, point.columns + count, 0);
  std::sort(point.columns, point.columns + count, [&](int a, int b) {
    return std::strcmp(source.columns[a].name, source.columns[b].name) < 0;
  });
  return point;
}

Sketch* make_sketch(const Source& source, std::uint64_t seed) {
  const int d = source.quasi_identifiers;
  auto* sketch = allocate<Sketch>(1);
  const NamedPoint point = make_named_point(source);
  const int nominal = nominal_first(source, point);
  *sketch = {CurrentMemoryContext,
             point,
             nominal,
             nullptr,
             allocate<int64>(d),
             allocate<double>(d),
             allocate<double>(d),
             allocate<CategoryHashes>(d),
             allocate<Dictionary*>(d),
             0};
  sketch->sample = make_owned<PointSample>(static_cast<std::size_t>(d),
                                           sample_size(static_cast<std::size_t>(d)), seed);
  for (int j = 0; j < d; ++j) {
    const SourceColumn& column = source.columns[j];
    sketch->nulls[j] = 0;
    sketch->low[j] = std::numeric_limits<double>::infinity();
    sketch->high[j] = -sketch->low[j];
    sketch->hashes[j] = {allocate<double>(kFirstHashes), 0, kFirstHashes};
    const bool labelled = column.number_type != nullptr && column.hierarchy != nullptr;
    sketch->numbers[j] = labelled ? make_owned<Dictionary>() : nullptr;
  }
  return sketch;
}

double point_of_category(Sketch& sketch, const Block& block, int j, int32 code) {
  if (code < 0) return kNullPoint;
  CategoryHashes& known = sketch.hashes[j];
  for (; known.count <= code; ++known.count) {
    if (known.count == known.capacity) resize(known.hashes, known.capacity *= 2);
    const std::string& text = block.dictionaries[j]->text(known.count);
    known.hashes[known.count] = hash_of(text);
    count_value(sketch, static_cast<int64>(text.size()));
  }
  return known.hashes[code];
}

void sketch_row(Sketch& sketch, const Block& block, int64 row) {
  const NamedPoint& point = sketch.point;
  bool complete = true;
  for (int i = 0; i < point.count; ++i) {
    const int j = point.columns[i];
    const double x = block.value(row, j);
    if (block.dictionaries[j] == nullptr) {
      point.values[i] = x;
      complete = take_number(sketch, j, x) && complete;
      continue;
    }
    point.values[i] = point_of_category(sketch, block, j, static_cast<int32>(x));
    if (point.values[i] == kNullPoint) ++sketch.nulls[j];
  }
  if (complete) sketch.sample->add(point.values);
}

double* sketched_numbers(const Sketch& sketch, int j, int32* count) {
  const Dictionary& numbers = *sketch.numbers[j];
  *count = numbers.size();
  double* values = allocate<double>(*count);
  for (int32 code = 0; code < *count; ++code) values[code] = number_of_code(numbers, code);
  std::sort(values, values + *count);
  return values;
}

}  // namespace anonkit::pg
