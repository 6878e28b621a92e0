#include "risk/minimal_uniques.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/at.hpp"
#include "risk/refinement.hpp"
#include "risk/sole_person.hpp"

namespace anonkit {
namespace {

using Set = std::uint32_t;  ///< a set of attributes, one bit each

/// A bit for each row.
using RowBits = std::vector<std::uint64_t>;
constexpr std::size_t kWord = 64;

/// The depth-first search over attribute sets in the order of their attributes.
///
/// Rows that are unique on a set are so on each larger one. They are nobody else's company there,
/// so the search goes on without them.
class Search {
 public:
  Search(const std::vector<CodedColumn>& columns, std::int64_t rows, int largest, Ticker& ticker,
         const std::int32_t* unit_of)
      : columns_(columns),
        rows_(static_cast<std::size_t>(rows)),
        largest_(static_cast<std::size_t>(largest)),
        ticker_(ticker),
        unit_of_(unit_of) {}

  MinimalUniques run() {
    found_.scores.assign(rows_, 0);
    found_.sets_of_size.assign(largest_ + 1, 0);
    found_.records_of_size.assign(largest_ + 1, 0);
    found_.contributions.assign(columns_.size(), 0);
    smallest_.assign(rows_, 0);
    levels_.resize(largest_);
    std::vector<std::int32_t> all(rows_);
    std::iota(all.begin(), all.end(), 0);
    const Grouping one_class = {std::vector<std::int32_t>(rows_, 0), 1};
    if (largest_ > 0) extend({all, one_class, RowBits((rows_ + kWord - 1) / kWord)}, 0, 0, 0);
    // All sets of a size precede those of the next, so earlier sets decide minimality.
    std::sort(sets_.begin(), sets_.end(), [](Set a, Set b) {
      const int x = __builtin_popcount(a);
      const int y = __builtin_popcount(b);
      return x != y ? x < y : a < b;
    });
    for (const Set set : sets_) tally(set);
    for (const std::size_t size : smallest_)
      if (size > 0) ++found_.records_of_size[size];
    return std::move(found_);
  }

 private:
  /// A set's rows: those that are not unique on it, their classes by it, and the others.
  struct Division {
    const std::vector<std::int32_t>& rows;
    const Grouping& grouping;
    const RowBits& unique;
  };

  /// Memory of a division by one attribute more, used again and again.
  struct Level {
    std::vector<std::int32_t> rows;
    Grouping grouping;
  };

  void extend(const Division& from, Set set, std::size_t size, std::size_t next) {
    Level& level = levels_[size];
    for (std::size_t j = next; j < columns_.size(); ++j) {
      const Set larger = set | (Set{1} << j);
      refinement_.refine(
          from.grouping, columns_[j], ticker_, [&](std::size_t i) { return from.rows[i]; },
          level.grouping);
      sets_.push_back(larger);
      RowBits& unique = unique_[larger] = from.unique;
      const bool fewer = mark(from.rows, level.grouping, unique);
      if (size + 1 == largest_) continue;
      if (fewer) leave_out(from.rows, level);
      extend({fewer ? level.rows : from.rows, level.grouping, unique}, larger, size + 1, j + 1);
    }
  }

  /// Marks the rows whose classes have one person only; false if there are none.
  bool mark(const std::vector<std::int32_t>& rows, const Grouping& grouping, RowBits& unique) {
    owner_.assign(at(grouping.classes), kNobody);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ticker_.step(2);
      const std::int32_t unit = unit_of_ != nullptr ? unit_of_[rows[i]] : rows[i];
      std::int32_t& known = owner_[at(grouping.class_of[i])];
      known = sole_person(known, unit);
    }
    if (std::all_of(owner_.begin(), owner_.end(),
                    [](std::int32_t owner) { return owner == kSeveral; }))
      return false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ticker_.step(2);
      if (owner_[at(grouping.class_of[i])] != kSeveral)
        unique[at(rows[i]) / kWord] |= std::uint64_t{1} << at(rows[i]) % kWord;
    }
    return true;
  }

  /// Keeps the rows whose classes have several persons.
  void leave_out(const std::vector<std::int32_t>& rows, Level& level) {
    std::int32_t classes = 0;
    for (std::int32_t& owner : owner_) owner = owner == kSeveral ? classes++ : kNobody;
    level.rows.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ticker_.step(2);
      const std::int32_t number = owner_[at(level.grouping.class_of[i])];
      if (number == kNobody) continue;
      level.grouping.class_of[level.rows.size()] = number;
      level.rows.push_back(rows[i]);
    }
    level.grouping.class_of.resize(level.rows.size());
    level.grouping.classes = classes;
  }

  /// The rows that are unique on each set of one attribute less.
  std::vector<const RowBits*> smaller_sets(Set set) const {
    std::vector<const RowBits*> sets;
    for (Set rest = set; (set & (set - 1)) != 0 && rest != 0; rest &= rest - 1)
      sets.push_back(&unique_.at(set & ~(rest & -rest)));
    return sets;
  }

  double score_of(std::size_t size) const {
    double score = 1;
    for (std::size_t i = size; i <= largest_ && i < columns_.size(); ++i)
      score *= static_cast<double>(columns_.size() - i);
    return score;
  }

  void tally(Set set) {
    const auto size = static_cast<std::size_t>(__builtin_popcount(set));
    const double score = score_of(size);
    const RowBits& unique = unique_.at(set);
    const std::vector<const RowBits*> smaller = smaller_sets(set);
    std::int64_t count = 0;
    for (std::size_t word = 0; word < unique.size(); ++word) {
      ticker_.step(2);
      std::uint64_t minimal = unique[word];
      for (const RowBits* rows : smaller) minimal &= ~(*rows)[word];
      for (std::uint64_t left = minimal; left != 0; left &= left - 1) {
        ticker_.step(8);
        const std::size_t row = word * kWord + static_cast<std::size_t>(__builtin_ctzll(left));
        ++count;
        found_.scores[row] += score;
        if (smallest_[row] == 0) smallest_[row] = size;
      }
    }
    found_.sets_of_size[size] += count;
    for (std::size_t j = 0; j < columns_.size(); ++j)
      if ((set >> j & 1u) != 0) found_.contributions[j] += static_cast<double>(count) * score;
  }

  const std::vector<CodedColumn>& columns_;
  std::size_t rows_;
  std::size_t largest_;
  Ticker& ticker_;
  const std::int32_t* unit_of_;
  Refinement refinement_;
  std::vector<Level> levels_;        ///< by the size of the smaller set
  std::vector<std::int32_t> owner_;  ///< by class: its person, kSeveral or kNobody
  std::vector<Set> sets_;
  std::unordered_map<Set, RowBits> unique_;
  std::vector<std::size_t> smallest_;
  MinimalUniques found_;
};

}  // namespace

MinimalUniques minimal_uniques(const std::vector<CodedColumn>& columns, std::int64_t rows,
                               int largest, Ticker& ticker, const std::int32_t* unit_of) {
  return Search(columns, rows, largest, ticker, unit_of).run();
}

}  // namespace anonkit
