#include "table/canonical_order.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"

namespace anonkit {
namespace {

/// Three-way comparison of numbers with null (NaN) last.
int compare(double a, double b) {
  if (is_null(a) || is_null(b)) return static_cast<int>(is_null(a)) - static_cast<int>(is_null(b));
  return static_cast<int>(a > b) - static_cast<int>(a < b);
}

int compare_quasi_identifiers(const Table& table, Record a, Record b, std::size_t first) {
  for (std::size_t j = first; j < table.columns.size(); ++j)
    if (const int order = compare(table.value(a, j), table.value(b, j))) return order;
  return 0;
}

/// The first quasi-identifier beside the row, so that most comparisons stay in the cache.
struct Key {
  double first;
  Record row;
};

Fingerprint keyed_hash(const Fingerprint& values, std::uint64_t copy, std::uint64_t seed) {
  const std::uint64_t key = mix(seed + 0x9e3779b97f4a7c15U);
  const std::uint64_t first = mix(mix(mix(key ^ values[0]) + values[1]) + copy);
  return {first, mix(mix(mix(~key ^ values[1]) + values[0]) + copy)};
}

/// Puts runs of equal quasi-identifiers, in which equal fingerprints follow one another, into the
/// order of the keyed hash.
void hash_copies(const Table& table, std::uint64_t seed, std::vector<Record>& order,
                 Ticker& ticker) {
  std::vector<std::pair<Fingerprint, Record>> run;
  for (std::size_t begin = 0; begin < order.size(); begin += run.size()) {
    run.clear();
    std::uint64_t copy = 0;
    for (std::size_t i = begin;
         i < order.size() && compare_quasi_identifiers(table, order[begin], order[i], 0) == 0;
         ++i) {
      const Fingerprint& values = table.fingerprints[order[i]];
      copy = i > begin && values == table.fingerprints[order[i - 1]] ? copy + 1 : 0;
      run.emplace_back(keyed_hash(values, copy, seed), order[i]);
      ticker.step(16);
    }
    if (run.size() > 1) std::sort(run.begin(), run.end());
    for (std::size_t i = 0; i < run.size(); ++i) order[begin + i] = run[i].second;
  }
}

}  // namespace

std::vector<Record> canonical_order(const Table& table, std::uint64_t seed, Ticker& ticker) {
  std::vector<Key> keys(static_cast<std::size_t>(table.rows));
  for (Record i = 0; i < table.rows; ++i)
    keys[static_cast<std::size_t>(i)] = {table.value(i, 0), i};

  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    ticker.step(8);
    if (const int order = compare(a.first, b.first)) return order < 0;
    if (const int order = compare_quasi_identifiers(table, a.row, b.row, 1)) return order < 0;
    if (table.fingerprints == nullptr) return a.row < b.row;
    const Fingerprint& p = table.fingerprints[a.row];
    const Fingerprint& q = table.fingerprints[b.row];
    return p != q ? p < q : a.row < b.row;
  });

  std::vector<Record> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& key) { return key.row; });
  if (table.fingerprints != nullptr) hash_copies(table, seed, order, ticker);
  return order;
}

}  // namespace anonkit
