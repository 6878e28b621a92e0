#include "recode/swapping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/at.hpp"
#include "base/keyed_random.hpp"
#include "table/canonical_order.hpp"

namespace anonkit {
namespace {

/// A key for one purpose, derived from another.
KeyedRandom derived_key(const KeyedRandom& key, const Words& first, const Words& second) {
  std::array<std::uint8_t, KeyedRandom::kKeyBytes> bytes{};
  const Words halves[] = {key.of(first), key.of(second)};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(halves[i / 16][i / 8 % 2] >> (8 * (i % 8)));
  return KeyedRandom(bytes.data());
}

/// CBC-MAC of the content, whose first block has all lengths.
Words tag_of(const KeyedRandom& key, const ClassContent& content) {
  Words tag = key.of({static_cast<std::uint64_t>(content.size),
                      2 * content.columns.size() + (content.records.empty() ? 0 : 1)});
  const auto add = [&](std::uint64_t first, std::uint64_t second) {
    tag = key.of({tag[0] ^ first, tag[1] ^ second});
  };
  for (const std::vector<double>& values : content.columns)
    for (std::size_t i = 0; i < values.size(); i += 2)
      add(bits_of_cell(values[i]), i + 1 < values.size() ? bits_of_cell(values[i + 1]) : 0);
  for (const Fingerprint& record : content.records) add(record[0], record[1]);
  return tag;
}

/// Numbers without bias from the stream of one list of a class.
class Draws {
 public:
  Draws(const KeyedRandom& key, std::uint64_t what) : key_(key), what_(what) {}

  /// Uniform in 0 .. bound - 1: numbers above the last multiple of the bound are drawn again.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t last = ~std::uint64_t{0} - (~std::uint64_t{0} % bound + 1) % bound;
    for (;;)
      if (const std::uint64_t drawn = next(); drawn <= last) return drawn % bound;
  }

 private:
  std::uint64_t next() {
    if (drawn_ % 2 == 0) block_ = key_.of({what_, drawn_ / 2});
    return block_[drawn_++ % 2];
  }

  const KeyedRandom& key_;
  std::uint64_t what_;
  std::uint64_t drawn_ = 0;
  Words block_{};
};

Permutation shuffled(Draws draws, Record size) {
  Permutation places(at(size));
  std::iota(places.begin(), places.end(), 0);
  for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[draws.below(i)]);
  return places;
}

/// Ascending, null last; zeros of either sign are equal, but not the same text.
bool precedes(double a, double b) {
  if (is_null(a) || is_null(b)) return is_null(b) && !is_null(a);
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

/// The content of a class, and its rows in the order of their fingerprints.
ClassContent content_of(const Table& table, const RecordSpan& rows,
                        const std::vector<std::size_t>& columns, std::vector<Record>& by_record) {
  ClassContent content;
  content.size = rows.size();
  for (const std::size_t j : columns) {
    std::vector<double>& values = content.columns.emplace_back();
    for (const Record i : rows) values.push_back(table.value(i, j));
    std::sort(values.begin(), values.end(), precedes);
  }
  by_record.assign(rows.begin(), rows.end());
  if (table.fingerprints == nullptr) return content;
  std::sort(by_record.begin(), by_record.end(), [&](Record a, Record b) {
    return std::tie(table.fingerprints[a], a) < std::tie(table.fingerprints[b], b);
  });
  for (const Record i : by_record) content.records.push_back(table.fingerprints[i]);
  return content;
}

/// By class its rank among all places, from 1 on. Classes of equal content are in their own
/// order, which quasi-identifiers decide.
std::vector<std::int32_t> ranks_of(const std::vector<Words>& places, Ticker& ticker) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    ticker.step(8);
    return std::tie(places[a], a) < std::tie(places[b], b);
  });
  std::vector<std::int32_t> ranks(places.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<std::int32_t>(i) + 1;
  return ranks;
}

}  // namespace

Swapped swap_records(const Table& table, const Members& members, const Masked& masked,
                     const DrawClass& draw, Ticker& ticker) {
  const std::size_t d = table.columns.size();
  const std::vector<std::size_t> columns = columns_by_name(table);
  Swapped swapped;
  swapped.cells.low.resize(members.records.size() * d);
  swapped.cells_of.assign(at(table.rows), kNone);
  std::vector<Record> by_record;
  std::vector<Words> places;
  for (std::size_t c = 0; c < members.classes(); ++c) {
    const RecordSpan rows = members.of(c);
    ticker.step(200 * (rows.size() + 1) * static_cast<std::int64_t>(d + 1));
    const ClassContent content = content_of(table, rows, columns, by_record);
    const ClassSecret drawn = draw(content);
    places.push_back(drawn.place);
    const std::size_t first = at(members.first_of[c]);
    for (std::size_t place = 0; place < d; ++place) {
      const std::size_t j = columns[place];
      const bool missing = is_null(masked.low[c * d + j]);
      const Permutation permutation = drawn.permute(place, rows.size());
      for (std::size_t p = 0; p < permutation.size(); ++p)
        swapped.cells.low[(first + p) * d + j] =
            missing ? kNull : content.columns[place][at(permutation[p])];
    }
    const Permutation permutation = drawn.permute(d, rows.size());
    for (std::size_t p = 0; p < permutation.size(); ++p)
      swapped.cells_of[at(by_record[at(permutation[p])])] = static_cast<std::int32_t>(first + p);
  }
  swapped.numbers = ranks_of(places, ticker);
  return swapped;
}

DrawClass keyed_choices(const std::uint8_t* secret) {
  const KeyedRandom key(secret);
  const KeyedRandom of_content = derived_key(key, {1, 0}, {1, 1});
  const KeyedRandom of_classes = derived_key(key, {2, 0}, {2, 1});
  return [of_content, of_classes](const ClassContent& content) -> ClassSecret {
    const Words tag = tag_of(of_content, content);
    const KeyedRandom of_class = derived_key(of_classes, tag, {~tag[0], tag[1]});
    // The lists draw from streams 0 .. columns.
    return {
        [of_class](std::size_t what, Record size) { return shuffled(Draws(of_class, what), size); },
        of_class.of({content.columns.size() + 1, 0})};
  };
}

}  // namespace anonkit
