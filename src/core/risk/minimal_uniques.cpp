#include "risk/minimal_uniques.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/at.hpp"
#include "risk/refinement.hpp"

namespace anonkit {
namespace {

using Set = std::uint32_t;  ///< a set of attributes, one bit each

/// The rows whose classes have one person only.
std::vector<bool> uniques_of(const Grouping& grouping, const std::int32_t* unit_of) {
  constexpr std::int32_t kNobody = -1;
  constexpr std::int32_t kSeveral = -2;
  std::vector<std::int32_t> owner(at(grouping.classes), kNobody);
  for (std::size_t row = 0; row < grouping.class_of.size(); ++row) {
    const std::int32_t unit = unit_of != nullptr ? unit_of[row] : static_cast<std::int32_t>(row);
    std::int32_t& known = owner[at(grouping.class_of[row])];
    known = known == kNobody || known == unit ? unit : kSeveral;
  }
  std::vector<bool> unique(grouping.class_of.size());
  for (std::size_t row = 0; row < unique.size(); ++row)
    unique[row] = owner[at(grouping.class_of[row])] != kSeveral;
  return unique;
}

/// The depth-first search over attribute sets in the order of their attributes.
class Search {
 public:
  Search(const std::vector<CodedColumn>& columns, std::int64_t rows, int largest, Ticker& ticker,
         const std::int32_t* unit_of)
      : columns_(columns),
        rows_(static_cast<std::size_t>(rows)),
        largest_(static_cast<std::size_t>(largest)),
        ticker_(ticker),
        unit_of_(unit_of),
        refinement_(rows_) {}

  MinimalUniques run() {
    found_.scores.assign(rows_, 0);
    found_.sets_of_size.assign(largest_ + 1, 0);
    found_.records_of_size.assign(largest_ + 1, 0);
    found_.contributions.assign(columns_.size(), 0);
    smallest_.assign(rows_, 0);
    extend({std::vector<std::int32_t>(rows_, 0), 1}, 0, 0, 0);
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
  void extend(const Grouping& from, Set set, std::size_t size, std::size_t next) {
    if (size == largest_) return;
    for (std::size_t j = next; j < columns_.size(); ++j) {
      const Set larger = set | (Set{1} << j);
      const Grouping to = refinement_.refine(from, columns_[j], ticker_);
      unique_[larger] = uniques_of(to, unit_of_);
      sets_.push_back(larger);
      extend(to, larger, size + 1, j + 1);
    }
  }

  bool is_minimal(Set set, std::size_t row) const {
    if ((set & (set - 1)) == 0) return true;
    for (Set rest = set; rest != 0; rest &= rest - 1)
      if (unique_.at(set & ~(rest & -rest))[row]) return false;
    return true;
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
    const std::vector<bool>& unique = unique_.at(set);
    for (std::size_t row = 0; row < rows_; ++row) {
      ticker_.step(2);
      if (!unique[row] || !is_minimal(set, row)) continue;
      ++found_.sets_of_size[size];
      found_.scores[row] += score;
      if (smallest_[row] == 0) smallest_[row] = size;
      for (std::size_t j = 0; j < columns_.size(); ++j)
        if ((set >> j & 1u) != 0) found_.contributions[j] += score;
    }
  }

  const std::vector<CodedColumn>& columns_;
  std::size_t rows_;
  std::size_t largest_;
  Ticker& ticker_;
  const std::int32_t* unit_of_;
  Refinement refinement_;
  std::vector<Set> sets_;
  std::unordered_map<Set, std::vector<bool>> unique_;
  std::vector<std::size_t> smallest_;
  MinimalUniques found_;
};

}  // namespace

MinimalUniques minimal_uniques(const std::vector<CodedColumn>& columns, std::int64_t rows,
                               int largest, Ticker& ticker, const std::int32_t* unit_of) {
  return Search(columns, rows, largest, ticker, unit_of).run();
}

}  // namespace anonkit
