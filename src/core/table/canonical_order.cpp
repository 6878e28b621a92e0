#include "table/canonical_order.hpp"

#include <algorithm>

namespace anonkit {
namespace {

/// Three-way comparison of numbers with null (NaN) last.
int compare(double a, double b) {
  if (is_null(a) || is_null(b)) return static_cast<int>(is_null(a)) - static_cast<int>(is_null(b));
  return static_cast<int>(a > b) - static_cast<int>(a < b);
}

/// The first quasi-identifier beside the row, so that most comparisons stay in the cache.
struct Key {
  double first;
  Record row;
};

}  // namespace

std::vector<Record> canonical_order(const Table& table, Ticker& ticker) {
  const std::size_t d = table.columns.size();
  std::vector<Key> keys(static_cast<std::size_t>(table.rows));
  for (Record i = 0; i < table.rows; ++i)
    keys[static_cast<std::size_t>(i)] = {table.value(i, 0), i};

  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    ticker.step(8);
    if (const int order = compare(a.first, b.first)) return order < 0;
    for (std::size_t j = 1; j < d; ++j)
      if (const int order = compare(table.value(a.row, j), table.value(b.row, j))) return order < 0;
    if (table.fingerprints == nullptr) return a.row < b.row;
    const Fingerprint& p = table.fingerprints[a.row];
    const Fingerprint& q = table.fingerprints[b.row];
    return p != q ? p < q : a.row < b.row;
  });

  std::vector<Record> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& key) { return key.row; });
  return order;
}

}  // namespace anonkit
