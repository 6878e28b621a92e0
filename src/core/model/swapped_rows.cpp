#include "model/swapped_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/keyed_random.hpp"
#include "base/random.hpp"

namespace anonkit {
namespace {

constexpr std::uint64_t kNullWord = ~std::uint64_t{0};

std::uint64_t word_of(double value) {
  if (std::isnan(value)) return kNullWord;
  const double number = value == 0 ? 0 : value;  // without the sign of zero
  std::uint64_t word;
  std::memcpy(&word, &number, sizeof word);
  return word;
}

/// Rows as words: those of the columns, then two of the record, and the number of the class.
class WordRows {
 public:
  WordRows(std::size_t columns, std::int64_t rows)
      : width_(columns + 3), words_(static_cast<std::size_t>(rows) * width_) {}

  std::uint64_t* row(std::size_t i) { return words_.data() + i * width_; }
  const std::uint64_t* row(std::size_t i) const { return words_.data() + i * width_; }
  std::size_t rows() const { return words_.size() / width_; }
  std::size_t width() const { return width_; }

 private:
  std::size_t width_;
  std::vector<std::uint64_t> words_;
};

WordRows seen_words(const RowsSeen& seen, std::size_t columns, Ticker& ticker) {
  WordRows rows(columns, seen.rows);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    ticker.step(static_cast<std::int64_t>(rows.width()));
    for (std::size_t j = 0; j < columns; ++j)
      rows.row(i)[j] = word_of(seen.values[i * columns + j]);
    for (std::size_t half = 0; half < 2 && seen.records != nullptr; ++half)
      rows.row(i)[columns + half] = seen.records[i][half];
    if (seen.numbers != nullptr)
      rows.row(i)[columns + 2] = static_cast<std::uint64_t>(std::int64_t{seen.numbers[i]});
  }
  return rows;
}

/// The key that another one makes of two inputs.
KeyedRandom key_from(const KeyedRandom& key, const Words& low, const Words& high) {
  const Words parts[] = {key.of(low), key.of(high)};
  std::uint8_t bytes[KeyedRandom::kKeyBytes];
  std::size_t at = 0;
  for (const Words& part : parts)
    for (const std::uint64_t word : part)
      for (int shift = 0; shift < 64; shift += 8)
        bytes[at++] = static_cast<std::uint8_t>(word >> shift);
  return KeyedRandom(bytes);
}

/// Shuffles a list by the numbers of its own stream: from the end, each place exchanges its entry
/// with that of a place not behind it.
template <class Entry>
void shuffle_list(std::vector<Entry>& list, const KeyedRandom& key, std::uint64_t stream) {
  std::uint64_t used = 0;
  const auto draw = [&] {
    const std::uint64_t word = key.of({stream, used / 2})[used % 2];
    ++used;
    return word;
  };
  for (std::uint64_t left = list.size(); left > 1; --left) {
    // 2^64 modulo `left` numbers would be likelier than the others.
    const std::uint64_t surplus = (0 - left) % left;
    std::uint64_t word = draw();
    while (word > kNullWord - surplus) word = draw();
    std::swap(list[left - 1], list[word % left]);
  }
}

/// A record in the order of its whole image, and as readers see it.
struct Attached {
  RecordImage whole;
  RecordImage seen;
  bool operator<(const Attached& other) const {
    return whole != other.whole ? whole < other.whole : seen < other.seen;
  }
};

/// The rows that the definition makes of the members of one class.
class ClassAgain {
 public:
  ClassAgain(const SwapSource& source, const SwapClaim& claim)
      : source_(source),
        claim_(claim),
        content_key_(key_from(KeyedRandom(claim.secret), {1, 0}, {1, 1})),
        class_key_(key_from(KeyedRandom(claim.secret), {2, 0}, {2, 1})) {}

  /// Writes them from row `first` on. Returns the words that decide the class's number.
  Words write(const std::vector<std::size_t>& members, WordRows& rows, std::size_t first) {
    take(members);
    const Words tag = tag_of_lists();
    const KeyedRandom key = key_from(class_key_, tag, {~tag[0], tag[1]});
    const std::size_t columns = claim_.by_name.size();
    for (std::size_t place = 0; place < columns; ++place) {
      const std::size_t j = claim_.by_name[place];
      std::vector<double>& values = lists_[place];
      // Nulls are last.
      const bool blank = claim_.is_number[j] && std::isnan(values.back());
      shuffle_list(values, key, place);
      for (std::size_t i = 0; i < values.size(); ++i)
        rows.row(first + i)[j] = blank ? kNullWord : word_of(values[i]);
    }
    shuffle_list(attached_, key, columns);
    for (std::size_t i = 0; i < attached_.size(); ++i)
      std::copy_n(attached_[i].seen.data(), 2, rows.row(first + i) + columns);
    return key.of({columns + 1, 0});
  }

 private:
  /// Lists of the class: each column's values ascending, and the records.
  void take(const std::vector<std::size_t>& members) {
    const std::size_t columns = claim_.by_name.size();
    lists_.assign(columns, {});
    attached_.clear();
    for (std::size_t place = 0; place < columns; ++place) {
      for (const std::size_t i : members)
        lists_[place].push_back(source_.seen.values[i * columns + claim_.by_name[place]]);
      std::sort(lists_[place].begin(), lists_[place].end(),
                [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); });
    }
    if (source_.seen.records == nullptr) return;
    for (const std::size_t i : members)
      attached_.push_back({source_.whole[i], source_.seen.records[i]});
    std::sort(attached_.begin(), attached_.end());
  }

  Words tag_of_lists() const {
    std::vector<Words> blocks = {
        {lists_.front().size(), 2 * lists_.size() + (attached_.empty() ? 0U : 1U)}};
    for (const std::vector<double>& values : lists_)
      for (std::size_t i = 0; i < values.size(); i += 2)
        blocks.push_back({word_of(values[i]), i + 1 < values.size() ? word_of(values[i + 1]) : 0});
    for (const Attached& one : attached_) blocks.push_back(one.whole);
    Words tag{};
    for (const Words& block : blocks) tag = content_key_.of({tag[0] ^ block[0], tag[1] ^ block[1]});
    return tag;
  }

  const SwapSource& source_;
  const SwapClaim& claim_;
  KeyedRandom content_key_;
  KeyedRandom class_key_;
  std::vector<std::vector<double>> lists_;
  std::vector<Attached> attached_;
};

/// Rows by the hash of their words, and then by these.
struct HashedRow {
  std::uint64_t hash;
  std::size_t row;
};

std::vector<HashedRow> sorted_rows(const WordRows& rows, Ticker& ticker) {
  std::vector<HashedRow> sorted(rows.rows());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    ticker.step(4 * static_cast<std::int64_t>(rows.width()));
    std::uint64_t hash = 0;
    for (std::size_t j = 0; j < rows.width(); ++j) hash = mix(hash + mix(rows.row(i)[j] + j));
    sorted[i] = {hash, i};
  }
  std::sort(sorted.begin(), sorted.end(), [&](const HashedRow& a, const HashedRow& b) {
    ticker.step(8);
    if (a.hash != b.hash) return a.hash < b.hash;
    return std::lexicographical_compare(rows.row(a.row), rows.row(a.row) + rows.width(),
                                        rows.row(b.row), rows.row(b.row) + rows.width());
  });
  return sorted;
}

/// The rows of either multiset that the other one lacks.
std::int64_t differences(const WordRows& a, const WordRows& b, Ticker& ticker) {
  const std::vector<HashedRow> of_a = sorted_rows(a, ticker);
  const std::vector<HashedRow> of_b = sorted_rows(b, ticker);
  const auto order = [&](const HashedRow& x, const HashedRow& y) {
    if (x.hash != y.hash) return x.hash < y.hash ? -1 : 1;
    const auto [p, q] = std::mismatch(a.row(x.row), a.row(x.row) + a.width(), b.row(y.row));
    return p == a.row(x.row) + a.width() ? 0 : *p < *q ? -1 : 1;
  };
  std::int64_t different = 0;
  std::size_t i = 0, j = 0;
  while (i < of_a.size() && j < of_b.size()) {
    ticker.step(8);
    const int found = order(of_a[i], of_b[j]);
    if (found != 0) ++different;
    if (found <= 0) ++i;
    if (found >= 0) ++j;
  }
  return different + static_cast<std::int64_t>((of_a.size() - i) + (of_b.size() - j));
}

/// The rows of a class, and the words that decide its number.
struct NumberedClass {
  Words words;
  std::size_t first;
  std::size_t last;
};

/// Numbers the classes in the order of their words, from 1 on.
void number_rows(std::vector<NumberedClass>& classes, WordRows& rows) {
  std::stable_sort(
      classes.begin(), classes.end(),
      [](const NumberedClass& a, const NumberedClass& b) { return a.words < b.words; });
  std::uint64_t number = 0;
  for (const NumberedClass& one : classes) {
    ++number;
    for (std::size_t i = one.first; i < one.last; ++i) rows.row(i)[rows.width() - 1] = number;
  }
}

}  // namespace

SwapVerdict judge_swap(const SwapSource& source, const RowsSeen& published, const SwapClaim& claim,
                       Ticker& ticker) {
  const auto rows = static_cast<std::size_t>(source.seen.rows);
  std::vector<std::size_t> by_class(rows);
  std::iota(by_class.begin(), by_class.end(), std::size_t{0});
  const std::int64_t outside =
      std::count_if(source.class_of, source.class_of + rows, [](std::int32_t c) { return c < 0; });
  if (outside > 0) return {SwapFault::without_class, outside};
  std::stable_sort(by_class.begin(), by_class.end(), [&](std::size_t a, std::size_t b) {
    ticker.step(8);
    return source.class_of[a] < source.class_of[b];
  });
  WordRows again(claim.by_name.size(), source.seen.rows);
  ClassAgain maker(source, claim);
  std::int64_t in_small = 0;
  std::vector<std::size_t> members;
  std::vector<NumberedClass> classes;
  for (std::size_t first = 0, last = 0; first < rows; first = last) {
    while (last < rows && source.class_of[by_class[last]] == source.class_of[by_class[first]])
      ++last;
    members.assign(by_class.begin() + static_cast<std::ptrdiff_t>(first),
                   by_class.begin() + static_cast<std::ptrdiff_t>(last));
    if (static_cast<std::int64_t>(members.size()) < claim.k)
      in_small += static_cast<std::int64_t>(members.size());
    ticker.step(200 * static_cast<std::int64_t>(members.size() * (claim.by_name.size() + 1)));
    classes.push_back({maker.write(members, again, first), first, last});
  }
  if (in_small > 0) return {SwapFault::small_class, in_small};
  if (published.numbers != nullptr) number_rows(classes, again);
  const std::int64_t other =
      differences(again, seen_words(published, claim.by_name.size(), ticker), ticker);
  return other == 0 ? SwapVerdict{} : SwapVerdict{SwapFault::other_rows, other};
}

}  // namespace anonkit
