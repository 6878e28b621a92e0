// Classes A and B of two versions, B in A, publish multisets of values. Their difference is the
// multiset of A without B. The values that B and the rest leave possible are among those of A:
// alternating cycles of either are some of A. So B and the rest stand in for A.
//
// The parts of A are the largest classes in it. Parts of one version are disjoint; those of several
// versions may overlap. Layers of disjoint parts leave one rest each. The first rest stands in for
// A, and the further ones are worth having if there is room. Rests may be in other classes again,
// or have parts, so there are rounds.

#include "model/nested_classes.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Each round replaces the classes that have parts by smaller ones.
constexpr int kMostRounds = 8;
/// Rests of one class in a round: one bit of a byte each.
constexpr int kMostLayers = 8;
/// The smallest classes around one that are looked at. They bound the memory of many versions.
constexpr std::size_t kMostAround = 16;

/// The classes of one round, by class and by history.
class NestedClasses {
 public:
  NestedClasses(const NumberLists& classes, std::size_t histories, Ticker& ticker)
      : classes_(classes), classes_of_(transpose(classes, histories, ticker)), ticker_(ticker) {}

  /// The classes without those that are empty or equal to an earlier one.
  NumberLists distinct() {
    NumberLists kept;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].size() > 0 && !is_repeated(c)) copy(c, kept);
    return kept;
  }

  /// By class, the classes that are in it and in no smaller class in it, ascending. Classes differ.
  NumberLists parts() {
    std::vector<std::int32_t> order(classes_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      ticker_.step(16);
      return is_smaller(b, a);
    });
    place_of_.resize(order.size());
    NumberLists wholes;
    for (std::size_t place = 0; place < order.size(); ++place) {
      place_of_[at(order[place])] = place;
      find_around(at(order[place]));
      add_direct(wholes);
    }
    NumberLists parts = transpose(wholes, classes_.size(), ticker_);
    for (std::int32_t& part : parts.items) part = order[at(part)];
    for (std::size_t c = 0; c < parts.size(); ++c) {
      ticker_.step(16 + 32 * static_cast<std::int64_t>(parts[c].size()));
      std::sort(parts.items.data() + parts.first[c], parts.items.data() + parts.first[c + 1]);
    }
    return parts;
  }

  /// The classes without parts, and the rests of the others. Rests beyond the first of a class take
  /// the room that is left for histories.
  NumberLists split(const NumberLists& parts, std::size_t& room) {
    NumberLists next;
    std::vector<std::uint8_t> layers(classes_of_.size(), 0);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      ticker_.step(16);
      if (parts[c].size() == 0) {
        copy(c, next);
        continue;
      }
      const int count = lay(parts, c, layers);
      for (int layer = 0; layer < count; ++layer) {
        if (layer > 0 && room < classes_[c].size()) break;
        const std::size_t added = add_rest(c, layers, layer, next);
        if (layer > 0) room -= added;
      }
      for (const std::int32_t h : classes_[c]) layers[at(h)] = 0;
    }
    return next;
  }

 private:
  static bool has(const NumberRange& ascending, std::int32_t number) {
    return std::binary_search(ascending.begin(), ascending.end(), number);
  }

  bool is_smaller(std::int32_t a, std::int32_t b) const {
    const std::size_t of_a = classes_[at(a)].size();
    const std::size_t of_b = classes_[at(b)].size();
    return of_a != of_b ? of_a < of_b : a < b;
  }

  void copy(std::size_t c, NumberLists& lists) {
    ticker_.step(8 + static_cast<std::int64_t>(classes_[c].size()));
    lists.items.insert(lists.items.end(), classes_[c].begin(), classes_[c].end());
    lists.close();
  }

  bool is_repeated(std::size_t c) {
    const NumberRange own = classes_[c];
    for (const std::int32_t one : classes_of_[at(*own.begin())]) {
      const NumberRange other = classes_[at(one)];
      ticker_.step(8);
      if (at(one) == c) return false;
      if (other.size() != own.size()) continue;
      ticker_.step(static_cast<std::int64_t>(own.size()));
      if (std::equal(own.begin(), own.end(), other.begin())) return true;
    }
    return false;
  }

  /// Sets found_ to the smallest classes that all of a class is in, smaller ones first.
  void find_around(std::size_t c) {
    const NumberRange own = classes_[c];
    found_.clear();
    for (const std::int32_t one : classes_of_[at(*own.begin())]) {
      ticker_.step(8);
      if (classes_[at(one)].size() > own.size()) found_.push_back(one);
    }
    for (const std::int32_t history : own) {
      if (found_.empty()) break;
      const auto lacks_history = [&](std::int32_t one) {
        ticker_.step(16);
        return !has(classes_of_[at(history)], one);
      };
      found_.erase(std::remove_if(found_.begin(), found_.end(), lacks_history), found_.end());
    }
    ticker_.step(16 + 32 * static_cast<std::int64_t>(found_.size()));
    std::sort(found_.begin(), found_.end(),
              [&](std::int32_t a, std::int32_t b) { return is_smaller(a, b); });
    if (found_.size() > kMostAround) found_.resize(kMostAround);
  }

  /// Appends the classes found that have no smaller one between. Larger classes came before, so
  /// theirs are known.
  void add_direct(NumberLists& wholes) {
    const auto is_around = [&](std::int32_t inner, std::int32_t outer) {
      ticker_.step(16);
      return has(around_[place_of_[at(inner)]], outer);
    };
    for (const std::int32_t one : found_)
      if (std::none_of(wholes.items.begin() + static_cast<std::ptrdiff_t>(wholes.first.back()),
                       wholes.items.end(),
                       [&](std::int32_t inner) { return is_around(inner, one); }))
        wholes.items.push_back(one);
    wholes.close();
    std::sort(found_.begin(), found_.end());
    around_.items.insert(around_.items.end(), found_.begin(), found_.end());
    around_.close();
  }

  /// Gives each part of a class the first layer without a history of it: a bit in `layers` of its
  /// histories. Returns the number of layers.
  int lay(const NumberLists& parts, std::size_t c, std::vector<std::uint8_t>& layers) {
    int count = 0;
    for (const std::int32_t part : parts[c]) {
      unsigned taken = 0;
      ticker_.step(8 + 4 * static_cast<std::int64_t>(classes_[at(part)].size()));
      for (const std::int32_t h : classes_[at(part)]) taken |= layers[at(h)];
      int layer = 0;
      while (layer < kMostLayers && (taken >> layer & 1) != 0) ++layer;
      if (layer == kMostLayers) continue;
      for (const std::int32_t h : classes_[at(part)])
        layers[at(h)] = static_cast<std::uint8_t>(layers[at(h)] | 1U << layer);
      count = std::max(count, layer + 1);
    }
    return count;
  }

  /// Appends the histories of a class outside of a layer, if there are any; returns their number.
  std::size_t add_rest(std::size_t c, const std::vector<std::uint8_t>& layers, int layer,
                       NumberLists& next) {
    ticker_.step(4 * static_cast<std::int64_t>(classes_[c].size()));
    for (const std::int32_t h : classes_[c])
      if ((layers[at(h)] >> layer & 1) == 0) next.items.push_back(h);
    const std::size_t added = next.items.size() - next.first.back();
    if (added > 0) next.close();
    return added;
  }

  const NumberLists& classes_;
  NumberLists classes_of_;  ///< by history
  Ticker& ticker_;
  std::vector<std::int32_t> found_;
  std::vector<std::size_t> place_of_;  ///< by class: its place in the order of sizes
  NumberLists around_;                 ///< by place: the classes found around it, ascending
};

}  // namespace

NumberLists split_nested(const NumberLists& classes, std::size_t histories, Ticker& ticker) {
  NumberLists split = NestedClasses(classes, histories, ticker).distinct();
  std::size_t room = split.items.size();
  for (int round = 0; round < kMostRounds; ++round) {
    NestedClasses nested(split, histories, ticker);
    const NumberLists parts = nested.parts();
    if (parts.items.empty()) break;
    const NumberLists rests = nested.split(parts, room);
    split = NestedClasses(rests, histories, ticker).distinct();
  }
  return split;
}

}  // namespace anonkit
