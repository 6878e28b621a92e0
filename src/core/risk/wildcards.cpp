#include "risk/wildcards.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/at.hpp"

namespace anonkit {
namespace {

using Blanks = std::vector<bool>;  ///< by column: true if it is suppressed

/// Classes of one pattern, as places in the order of the classes.
struct PatternClasses {
  Blanks pattern;
  std::int32_t first;
  std::int32_t last;  ///< one past it
};

/// The classes in an order by pattern, those with the most suppressed cells first.
struct OrderedClasses {
  std::vector<std::int32_t> codes;     ///< by place: those of each column
  std::vector<std::int32_t> place_of;  ///< by class
  std::vector<PatternClasses> patterns;
};

OrderedClasses order_classes(const std::vector<WildcardColumn>& columns,
                             const std::vector<std::int32_t>& class_of, Ticker& ticker) {
  std::vector<std::int32_t> example;
  for (std::size_t row = 0; row < class_of.size(); ++row) {
    const std::size_t c = at(class_of[row]);
    if (c >= example.size()) example.resize(c + 1, -1);
    example[c] = static_cast<std::int32_t>(row);
  }
  // The key orders patterns by their suppressed cells, descending.
  std::map<std::pair<std::ptrdiff_t, Blanks>, std::vector<std::int32_t>> classes_of;
  Blanks pattern(columns.size());
  for (std::size_t c = 0; c < example.size(); ++c) {
    ticker.step(8 * static_cast<std::int64_t>(columns.size()) + 64);
    for (std::size_t j = 0; j < columns.size(); ++j)
      pattern[j] = columns[j].is_suppressed(example[c]);
    const std::ptrdiff_t suppressed = std::count(pattern.begin(), pattern.end(), true);
    classes_of[{-suppressed, pattern}].push_back(static_cast<std::int32_t>(c));
  }
  OrderedClasses ordered;
  ordered.place_of.resize(example.size());
  ordered.codes.reserve(example.size() * columns.size());
  std::int32_t place = 0;
  for (const auto& [key, classes] : classes_of) {
    const std::int32_t first = place;
    for (const std::int32_t c : classes) {
      ordered.place_of[at(c)] = place++;
      for (const WildcardColumn& column : columns)
        ordered.codes.push_back(column.codes[example[at(c)]]);
    }
    ordered.patterns.push_back({key.second, first, place});
  }
  return ordered;
}

/// The members of the classes, by place.
struct PlacedMembers {
  std::vector<std::int64_t> first;  ///< records, or persons whose first class it is
  /// Persons who have an earlier class, too: class by class, each as an index into `classes`.
  std::vector<std::int32_t> later;
  std::vector<std::int32_t> later_end;  ///< by place: the end of its members in `later`
  std::vector<std::int32_t> classes;    ///< the places of each person, ascending
  std::vector<std::int32_t> begin;      ///< by index into `classes`: that of the person's first

  const std::int32_t* later_begin(std::int32_t place) const {
    return later.data() + (place > 0 ? later_end[at(place - 1)] : 0);
  }
  const std::int32_t* later_last(std::int32_t place) const {
    return later.data() + later_end[at(place)];
  }
};

/// Lists the persons' classes, once each, and the persons of each class.
PlacedMembers members_of(const OrderedClasses& ordered, const std::vector<std::int32_t>& class_of,
                         const std::vector<std::int32_t>& unit_of, Ticker& ticker) {
  PlacedMembers members;
  members.first.assign(ordered.place_of.size(), 0);
  members.later_end.assign(ordered.place_of.size(), 0);
  if (unit_of.empty()) {
    for (const std::int32_t c : class_of) ++members.first[at(ordered.place_of[at(c)])];
    return members;
  }
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;  // of a person and a place
  pairs.reserve(class_of.size());
  for (std::size_t row = 0; row < class_of.size(); ++row)
    pairs.emplace_back(unit_of[row], ordered.place_of[at(class_of[row])]);
  std::sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    ticker.step(8);
    return a < b;
  });
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool is_first = i == 0 || pairs[i].first != pairs[i - 1].first;
    members.begin.push_back(is_first ? static_cast<std::int32_t>(i) : members.begin.back());
    members.classes.push_back(pairs[i].second);
    if (is_first)
      ++members.first[at(pairs[i].second)];
    else
      ++members.later_end[at(pairs[i].second)];
  }
  // A counting sort of the later members by place: ends become beginnings and move on to ends.
  std::int32_t begin = 0;
  for (std::int32_t& end : members.later_end) begin += std::exchange(end, begin);
  members.later.resize(at(begin));
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (at(members.begin[i]) < i)
      members.later[at(members.later_end[at(members.classes[i])]++)] = static_cast<std::int32_t>(i);
  return members;
}

/// Counts pair by pair of patterns.
class Counting {
 public:
  Counting(const std::vector<WildcardColumn>& columns, const OrderedClasses& ordered,
           const PlacedMembers& members, Ticker& ticker)
      : columns_(columns),
        ordered_(ordered),
        members_(members),
        ticker_(ticker),
        counts_(members.first),
        group_of_(ordered.place_of.size(), 0),
        next_(ordered.place_of.size(), -1) {}

  /// Counts the classes of each pattern for those of the other. Classes of one pattern are
  /// compatible with themselves alone among each other, whose first members are counted already.
  void count(const PatternClasses& a, const PatternClasses& b) {
    if (&a == &b) {
      for (std::int32_t place = a.first; place < a.last; ++place) count_later(place, place);
      return;
    }
    if (fewer_pairs(a, b)) {
      count_pairs(a, b);
      return;
    }
    group(a, b);
    add(a, b);
    add(b, a);
  }

  std::vector<std::int64_t> take() { return std::move(counts_); }

 private:
  /// True if comparing the classes pair by pair takes less than hashing them. Most pairs differ in
  /// one of the first columns, so this is so for patterns of a class or two: with many columns,
  /// most patterns are.
  static bool fewer_pairs(const PatternClasses& a, const PatternClasses& b) {
    const std::int64_t of_a = a.last - a.first;
    const std::int64_t of_b = b.last - b.first;
    return of_a * of_b <= 2 * (of_a + of_b);
  }

  void count_pairs(const PatternClasses& a, const PatternClasses& b) {
    for (std::int32_t x = a.first; x < a.last; ++x)
      for (std::int32_t y = b.first; y < b.last; ++y) {
        if (!are_compatible(x, y)) continue;
        counts_[at(x)] += members_.first[at(y)];
        counts_[at(y)] += members_.first[at(x)];
        count_later(x, y);
        count_later(y, x);
      }
  }

  /// Numbers the classes of both patterns by their cells in the common columns.
  void group(const PatternClasses& a, const PatternClasses& b) {
    common_.clear();
    for (std::size_t j = 0; j < columns_.size(); ++j)
      if (!a.pattern[j] && !b.pattern[j]) common_.push_back(j);
    std::size_t slots = 16;
    while (slots < 2 * at(a.last - a.first + b.last - b.first)) slots *= 2;
    slots_.assign(slots, -1);
    groups_ = 0;
    for (const PatternClasses* classes : {&a, &b})
      for (std::int32_t place = classes->first; place < classes->last; ++place) {
        ticker_.step(16 + 8 * static_cast<std::int64_t>(common_.size()));
        std::int32_t& slot = slot_of(place);
        if (slot < 0) {
          slot = place;
          group_of_[at(place)] = groups_++;
        }
        group_of_[at(place)] = group_of_[at(slot)];
      }
  }

  std::int32_t code(std::size_t j, std::int32_t place) const {
    return ordered_.codes[at(place) * columns_.size() + j];
  }

  /// The slot of a class with the same cells in the common columns, or a free one.
  std::int32_t& slot_of(std::int32_t place) {
    std::uint64_t hash = 0;
    for (const std::size_t j : common_)
      hash = (hash ^ static_cast<std::uint64_t>(code(j, place))) * 0x9e3779b97f4a7c15u;
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>(hash >> 24) & mask;
    const auto agrees = [&](std::int32_t other) {
      return std::all_of(common_.begin(), common_.end(),
                         [&](std::size_t j) { return code(j, place) == code(j, other); });
    };
    while (slots_[i] >= 0 && !agrees(slots_[i])) i = (i + 1) & mask;
    return slots_[i];
  }

  /// Adds the members of the classes `from` to the compatible classes `to`.
  void add(const PatternClasses& to, const PatternClasses& from) {
    sums_.assign(at(groups_), 0);
    bool has_later = false;
    for (std::int32_t place = from.first; place < from.last; ++place) {
      sums_[at(group_of_[at(place)])] += members_.first[at(place)];
      has_later = has_later || members_.later_begin(place) != members_.later_last(place);
    }
    for (std::int32_t place = to.first; place < to.last; ++place)
      counts_[at(place)] += sums_[at(group_of_[at(place)])];
    if (has_later) add_later(to, from);
  }

  void add_later(const PatternClasses& to, const PatternClasses& from) {
    head_.assign(at(groups_), -1);
    for (std::int32_t place = from.first; place < from.last; ++place) {
      if (members_.later_begin(place) == members_.later_last(place)) continue;
      std::int32_t& head = head_[at(group_of_[at(place)])];
      next_[at(place)] = std::exchange(head, place);
    }
    for (std::int32_t place = to.first; place < to.last; ++place)
      for (std::int32_t other = head_[at(group_of_[at(place)])]; other >= 0;
           other = next_[at(other)])
        count_later(place, other);
  }

  /// Adds the persons of a compatible class who have an earlier class, unless it is compatible.
  void count_later(std::int32_t place, std::int32_t other) {
    for (const std::int32_t* i = members_.later_begin(other); i != members_.later_last(other);
         ++i) {
      const auto* first = members_.classes.data() + members_.begin[at(*i)];
      const auto* last = members_.classes.data() + *i;
      const bool counted = std::any_of(
          first, last, [&](std::int32_t earlier) { return are_compatible(place, earlier); });
      if (!counted) ++counts_[at(place)];
    }
  }

  bool are_compatible(std::int32_t a, std::int32_t b) {
    std::size_t j = 0;
    while (j < columns_.size() && agree(j, code(j, a), code(j, b))) ++j;
    ticker_.step(8 + 8 * static_cast<std::int64_t>(j));
    return j == columns_.size();
  }

  bool agree(std::size_t j, std::int32_t x, std::int32_t y) const {
    return x == y || x == columns_[j].wildcard || y == columns_[j].wildcard;
  }

  const std::vector<WildcardColumn>& columns_;
  const OrderedClasses& ordered_;
  const PlacedMembers& members_;
  Ticker& ticker_;
  std::vector<std::int64_t> counts_;    ///< by place
  std::vector<std::int32_t> group_of_;  ///< by place, of the two patterns at hand
  std::int32_t groups_ = 0;
  std::vector<std::size_t> common_;
  std::vector<std::int32_t> slots_;  ///< places, -1: free
  std::vector<std::int64_t> sums_;   ///< by group
  std::vector<std::int32_t> head_;   ///< by group: its last class with later members, or -1
  std::vector<std::int32_t> next_;   ///< by place: the class before it in its group, or -1
};

}  // namespace

// compatible(x, y) holds if and only if x and y are equal on the columns that neither pattern
// suppresses. Hence the sum over patterns B of the members in B that project to the projection of
// x. Of a person with several classes it counts the first compatible one: their first class of all
// needs no comparison, and the most suppressed, which most classes are compatible with, is first.
std::vector<std::int64_t> compatible_members(const std::vector<WildcardColumn>& columns,
                                             const std::vector<std::int32_t>& class_of,
                                             const std::vector<std::int32_t>& unit_of,
                                             Ticker& ticker) {
  const OrderedClasses ordered = order_classes(columns, class_of, ticker);
  const PlacedMembers members = members_of(ordered, class_of, unit_of, ticker);
  Counting counting(columns, ordered, members, ticker);
  for (std::size_t a = 0; a < ordered.patterns.size(); ++a)
    for (std::size_t b = a; b < ordered.patterns.size(); ++b)
      counting.count(ordered.patterns[a], ordered.patterns[b]);
  const std::vector<std::int64_t> by_place = counting.take();
  std::vector<std::int64_t> members_of_class;
  members_of_class.reserve(by_place.size());
  for (const std::int32_t place : ordered.place_of) members_of_class.push_back(by_place[at(place)]);
  return members_of_class;
}

}  // namespace anonkit
