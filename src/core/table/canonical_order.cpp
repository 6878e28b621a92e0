#include "table/canonical_order.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/random.hpp"
#include "base/threaded_sort.hpp"

namespace anonkit {
namespace {

/// Compares records by some of their quasi-identifiers, one after the other.
class Comparison {
 public:
  Comparison(const Table& table, std::vector<std::size_t> columns)
      : table_(table), columns_(std::move(columns)) {
    if (columns_.empty()) {
      columns_.resize(table.columns.size());
      std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    }
  }

  double first(Record i) const { return table_.value(i, columns_.front()); }
  /// Compares from quasi-identifier `from` on.
  int operator()(Record a, Record b, std::size_t from = 0) const {
    for (std::size_t at = from; at < columns_.size(); ++at)
      if (const int order =
              compare_numbers(table_.value(a, columns_[at]), table_.value(b, columns_[at])))
        return order;
    return 0;
  }

 private:
  const Table& table_;
  std::vector<std::size_t> columns_;
};

/// The first quasi-identifier beside the row, so that most comparisons stay in the cache.
struct Key {
  double first;
  Record row;
};

/// Orders records of equal quasi-identifiers. Promises distinguish records by their sensitive
/// values and by their units. The hash covers these and a number that distinguishes copies. So no
/// other value, and no choice of columns to keep, affects the position of a record. A hash of all
/// published values numbers the copies.
class Copies {
 public:
  Copies(const Table& table, std::uint64_t seed, Ticker& ticker)
      : table_(table), key_(mix(seed + 0x9e3779b97f4a7c15U)), ticker_(ticker) {}

  void arrange(Record* begin, Record* end) {
    if (end - begin < 2) return;
    run_.clear();
    for (const Record* at = begin; at != end; ++at)
      run_.push_back({values_of(*at), published(*at), *at});
    std::sort(run_.begin(), run_.end());
    std::uint64_t copy = 0, values = 0;
    for (std::size_t i = 0; i < run_.size(); ++i) {
      copy = i > 0 && run_[i].first == values ? copy + 1 : 0;
      values = run_[i].first;
      run_[i].first = mix(mix(key_ ^ values) + copy);
      ticker_.step(32);
    }
    std::sort(run_.begin(), run_.end());
    for (const Keyed& one : run_) *begin++ = one.row;
  }

 private:
  struct Keyed {
    std::uint64_t first, second;
    Record row;
    bool operator<(const Keyed& other) const {
      return std::tie(first, second, row) < std::tie(other.first, other.second, other.row);
    }
  };

  std::uint64_t values_of(Record row) const {
    std::uint64_t hash = 0;
    for (const SensitiveColumn& column : table_.sensitive)
      hash = mix(hash + static_cast<std::uint64_t>(column.ranks[row]) + 1);
    if (table_.units != nullptr)
      hash = mix(hash + static_cast<std::uint64_t>(table_.units[row]) + 1);
    return hash;
  }
  std::uint64_t published(Record row) const {
    if (table_.fingerprints == nullptr) return 0;
    const Fingerprint& fingerprint = table_.fingerprints[row];
    return mix(mix(key_ ^ fingerprint[0]) + fingerprint[1]);
  }

  const Table& table_;
  std::uint64_t key_;
  Ticker& ticker_;
  std::vector<Keyed> run_;
};

}  // namespace

std::vector<std::size_t> columns_by_name(const Table& table) {
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  std::stable_sort(columns.begin(), columns.end(), [&](std::size_t a, std::size_t b) {
    return table.columns[a].name < table.columns[b].name;
  });
  return columns;
}

std::vector<Record> canonical_order(const Table& table, std::uint64_t seed, Ticker& ticker,
                                    std::vector<std::size_t> columns, int threads) {
  const Comparison comparison(table, std::move(columns));
  const auto compare_keys = [&](const Key& a, const Key& b) {
    const int order = compare_numbers(a.first, b.first);
    return order != 0 ? order : comparison(a.row, b.row, 1);
  };
  std::vector<Key> keys(static_cast<std::size_t>(table.rows));
  for (Record i = 0; i < table.rows; ++i)
    keys[static_cast<std::size_t>(i)] = {comparison.first(i), i};
  sort_in_threads(keys, threads, ticker, [&](const Key& a, const Key& b, Ticker& own) {
    own.step(8);
    const int order = compare_keys(a, b);
    return order != 0 ? order < 0 : a.row < b.row;
  });

  std::vector<Record> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& key) { return key.row; });
  Copies copies(table, seed, ticker);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    ++end;
    while (end < order.size() && compare_keys(keys[begin], keys[end]) == 0) ++end;
    copies.arrange(order.data() + begin, order.data() + end);
  }
  return order;
}

}  // namespace anonkit
