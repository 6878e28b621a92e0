// In each class the truth is a perfect matching of places and published values, and the published
// rows show one such matching. Another value w of the class is possible for a place of value v if
// its edge lies on an alternating cycle: v's place takes w, w's place takes a third value, until
// somebody takes v. So let an arc lead from v to each value that a place of value v may have: w is
// possible if and only if v and w are strongly connected (J.-C. Régin: A filtering algorithm for
// constraints of difference in CSPs. AAAI 1994).
//
// The components are a partition of the class's values. A place with several classes may have the
// values that are with its own in one block of each of their partitions. So partitions, one number
// a value and class, hold all possible values of all places. Smaller sets of values mean fewer
// arcs, so looks at classes refine partitions until none changes.

#include "model/possible_values.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/at.hpp"
#include "model/nested_classes.hpp"
#include "model/number_lists.hpp"

namespace anonkit {
namespace {

using Numbers = std::vector<std::int32_t>;

constexpr std::int32_t kNone = -1;

/// The allocations for a class or a history, however small.
constexpr std::int64_t kWorkOfClass = 300;

/// A partition of the values of one class into blocks. Millions of classes are possible, so it is
/// one piece of memory: after a cancel they are freed one by one.
class Partition {
 public:
  /// Takes ascending values, which outlive it.
  explicit Partition(const NumberRange& values) : values_(values) {
    set(Numbers(values.size(), 0), 1);
  }

  /// The position of a value among those of the class; kNone if the class lacks it.
  std::int32_t place(std::int32_t value) const {
    const std::int32_t* const found = std::lower_bound(values_.begin(), values_.end(), value);
    return found != values_.end() && *found == value
               ? static_cast<std::int32_t>(found - values_.begin())
               : kNone;
  }
  std::int32_t value(std::int32_t place) const { return values_.begin()[place]; }
  std::size_t size() const { return values_.size(); }

  /// The block of a value, kNone if the class lacks it.
  std::int32_t block(std::int32_t value) const {
    const std::int32_t found = place(value);
    return found == kNone ? kNone : parts_[at(found)];
  }

  /// True if the class tells all it can tell: no two values share a block.
  bool is_settled() const { return blocks() == size(); }

  std::size_t blocks() const { return parts_.size() - 2 * size() - 1; }
  /// Values of a block: member() from first(block) to first(block + 1).
  std::size_t first(std::int32_t block) const { return at(parts_[2 * size() + at(block)]); }
  std::int32_t member(std::size_t i) const { return value(parts_[size() + i]); }
  std::size_t size_of(std::int32_t block) const { return first(block + 1) - first(block); }

  void set(const Numbers& block_of, std::size_t blocks) {
    const std::size_t values = block_of.size();
    parts_.assign(2 * values + blocks + 1, 0);
    std::copy(block_of.begin(), block_of.end(), parts_.begin());
    std::int32_t* const order = parts_.data() + values;
    std::int32_t* const first = order + values;
    for (const std::int32_t block : block_of) ++first[at(block) + 1];
    for (std::size_t b = 0; b < blocks; ++b) first[b + 1] += first[b];
    // Filling from the last place on moves the end of each block to its first place.
    for (std::size_t i = values; i-- > 0;)
      order[--first[at(block_of[i]) + 1]] = static_cast<std::int32_t>(i);
    for (std::size_t b = 0; b < blocks; ++b) first[b] = first[b + 1];
    first[blocks] = static_cast<std::int32_t>(values);
  }

 private:
  NumberRange values_;
  Numbers parts_;  ///< by place its block; places, block by block; the first of each block
};

/// Places of one history that may have the same values. Any of their values represents them.
struct Group {
  std::int32_t history;
  std::int32_t value;
  std::int32_t narrowest;  ///< the class of the history whose block of the value is smallest
};

/// The distinct values of each class, ascending.
NumberLists values_by_class(const std::vector<SharedHistory>& histories, const NumberLists& classes,
                            Ticker& ticker) {
  NumberLists distinct;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    ticker.step(16);
    for (const std::int32_t h : classes[c]) {
      const Numbers& values = histories[at(h)].values;
      ticker.step(8 + static_cast<std::int64_t>(values.size()));
      distinct.items.insert(distinct.items.end(), values.begin(), values.end());
    }
    const auto begin = distinct.items.begin() + static_cast<std::ptrdiff_t>(distinct.first.back());
    std::sort(begin, distinct.items.end(), [&](std::int32_t a, std::int32_t b) {
      ticker.step(8);
      return a < b;
    });
    distinct.items.erase(std::unique(begin, distinct.items.end()), distinct.items.end());
    distinct.close();
  }
  return distinct;
}

class PossibleValues {
 public:
  /// By class its histories, which are all in one.
  PossibleValues(const std::vector<SharedHistory>& histories, NumberLists classes, Ticker& ticker)
      : histories_(histories),
        classes_(std::move(classes)),
        classes_of_(transpose(classes_, histories.size(), ticker)),
        values_(values_by_class(histories, classes_, ticker)),
        ticker_(ticker) {
    partitions_.reserve(classes_.size());
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      ticker_.step(kWorkOfClass + 16 * static_cast<std::int64_t>(values_[c].size()));
      partitions_.emplace_back(values_[c]);
    }
  }

  void propagate() {
    std::vector<char> queued(partitions_.size(), 1);
    Numbers queue;
    for (std::size_t c = 0; c < queued.size(); ++c) queue.push_back(static_cast<std::int32_t>(c));
    while (!queue.empty()) {
      const std::int32_t c = queue.back();
      queue.pop_back();
      queued[at(c)] = 0;
      if (!look_at(c)) continue;
      for (const std::int32_t history : classes_[at(c)])
        for (const std::int32_t other : classes_of_[at(history)]) {
          ticker_.step(4);
          if (partitions_[at(other)].is_settled()) continue;
          if (!std::exchange(queued[at(other)], 1)) queue.push_back(other);
        }
    }
  }

  std::vector<std::int64_t> counts(std::int32_t history) {
    ticker_.step(kWorkOfClass);
    Numbers group_of;
    std::vector<std::int64_t> sizes;
    for (const Group& group : groups_of(history, group_of)) {
      sizes.push_back(0);
      for (std::size_t cursor = 0; next_value(group, cursor) != kNone;) ++sizes.back();
    }
    std::vector<std::int64_t> counts;
    for (const std::int32_t group : group_of) counts.push_back(sizes[at(group)]);
    return counts;
  }

 private:
  /// Orders values by their blocks in all classes of a history.
  int compare(std::int32_t history, std::int32_t a, std::int32_t b) {
    for (const std::int32_t c : classes_of_[at(history)]) {
      ticker_.step(32);
      const std::int32_t difference = partitions_[at(c)].block(a) - partitions_[at(c)].block(b);
      if (difference != 0) return difference;
    }
    return 0;
  }

  /// The groups of a history, and by value of it its group.
  std::vector<Group> groups_of(std::int32_t history, Numbers& group_of) {
    const Numbers& values = histories_[at(history)].values;
    Numbers order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    const auto value = [&](std::int32_t i) { return values[at(i)]; };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      return compare(history, value(a), value(b)) < 0;
    });
    std::vector<Group> groups;
    group_of.assign(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || compare(history, value(order[i - 1]), value(order[i])) != 0)
        groups.push_back({history, value(order[i]), narrowest(history, value(order[i]))});
      group_of[at(order[i])] = static_cast<std::int32_t>(groups.size()) - 1;
    }
    return groups;
  }

  std::int32_t narrowest(std::int32_t history, std::int32_t value) const {
    std::int32_t best = kNone;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const std::int32_t c : classes_of_[at(history)]) {
      const Partition& partition = partitions_[at(c)];
      const std::size_t size = partition.size_of(partition.block(value));
      if (size < fewest) best = c;
      fewest = std::min(fewest, size);
    }
    return best;
  }

  /// The next value that the places of a group may have, kNone after the last one.
  std::int32_t next_value(const Group& group, std::size_t& cursor) {
    const Partition& narrow = partitions_[at(group.narrowest)];
    const std::int32_t block = narrow.block(group.value);
    while (cursor < narrow.size_of(block)) {
      const std::int32_t value = narrow.member(narrow.first(block) + cursor++);
      if (is_possible(group, value)) return value;
    }
    return kNone;
  }

  bool is_possible(const Group& group, std::int32_t value) {
    ticker_.step(16);
    for (const std::int32_t c : classes_of_[at(group.history)]) {
      if (c == group.narrowest) continue;
      ticker_.step(32);
      const Partition& partition = partitions_[at(c)];
      if (partition.block(value) != partition.block(group.value)) return false;
    }
    return true;
  }

  /// Refines a class's partition to its strong components; false if it is as before.
  bool look_at(std::int32_t c) {
    Partition& partition = partitions_[at(c)];
    std::vector<Group> groups;
    std::vector<Numbers> groups_of_value(partition.size());
    ticker_.step(kWorkOfClass);
    for (const std::int32_t history : classes_[at(c)]) {
      Numbers group_of;
      const std::size_t before = groups.size();
      const std::vector<Group> found = groups_of(history, group_of);
      groups.insert(groups.end(), found.begin(), found.end());
      for (std::size_t v = 0; v < group_of.size(); ++v)
        groups_of_value[at(partition.place(histories_[at(history)].values[v]))].push_back(
            static_cast<std::int32_t>(before) + group_of[v]);
    }
    Numbers component(partition.size(), kNone);
    const std::size_t components = connect(partition, groups, groups_of_value, component);
    const bool refined = components > partition.blocks();
    if (refined) partition.set(component, components);
    return refined;
  }

  /// Tarjan's strong components, without recursion. Nodes are the class's values and, from their
  /// number on, the groups, which stand between a value and the values that it leads to.
  std::size_t connect(const Partition& partition, const std::vector<Group>& groups,
                      const std::vector<Numbers>& groups_of_value, Numbers& component) {
    const std::size_t values = partition.size();
    const std::size_t nodes = values + groups.size();
    struct Frame {
      std::size_t node;
      std::size_t cursor;
    };
    const auto next_node = [&](Frame& frame) -> std::int32_t {
      if (frame.node >= values) {
        const std::int32_t value = next_value(groups[frame.node - values], frame.cursor);
        return value == kNone ? kNone : partition.place(value);
      }
      ticker_.step(8);
      const Numbers& own = groups_of_value[frame.node];
      return frame.cursor < own.size() ? static_cast<std::int32_t>(values) + own[frame.cursor++]
                                       : kNone;
    };
    Numbers number(nodes, kNone);
    Numbers lowest(nodes, 0);
    std::vector<char> waits(nodes, 0);
    std::vector<std::size_t> waiting;
    std::vector<Frame> path;
    std::int32_t numbered = 0;
    std::int32_t components = 0;
    const auto enter = [&](std::size_t node) {
      number[node] = lowest[node] = numbered++;
      waiting.push_back(node);
      waits[node] = 1;
      path.push_back({node, 0});
    };
    const auto close = [&](std::size_t root) {
      for (std::size_t node = nodes; node != root;) {
        node = waiting.back();
        waiting.pop_back();
        waits[node] = 0;
        if (node < values) component[node] = components;
      }
      ++components;
    };
    for (std::size_t start = 0; start < values; ++start) {
      if (number[start] != kNone) continue;
      enter(start);
      while (!path.empty()) {
        const std::int32_t next = next_node(path.back());
        const std::size_t node = path.back().node;
        if (next == kNone) {
          if (lowest[node] == number[node]) close(node);
          path.pop_back();
          if (!path.empty())
            lowest[path.back().node] = std::min(lowest[path.back().node], lowest[node]);
        } else if (number[at(next)] == kNone) {
          enter(at(next));
        } else if (waits[at(next)] != 0) {
          lowest[node] = std::min(lowest[node], number[at(next)]);
        }
      }
    }
    return static_cast<std::size_t>(components);
  }

  const std::vector<SharedHistory>& histories_;
  NumberLists classes_;     ///< by class, its histories
  NumberLists classes_of_;  ///< by history
  NumberLists values_;      ///< by class
  Ticker& ticker_;
  std::vector<Partition> partitions_;  ///< by class
};

/// By class, its histories.
NumberLists histories_by_class(const std::vector<SharedHistory>& histories, Ticker& ticker) {
  NumberLists classes_of;
  std::int32_t last = kNone;
  for (const SharedHistory& history : histories) {
    ticker.step(8 + 4 * static_cast<std::int64_t>(history.classes.size()));
    classes_of.items.insert(classes_of.items.end(), history.classes.begin(), history.classes.end());
    classes_of.close();
    last = std::max(last, history.classes.back());
  }
  return transpose(classes_of, at(last + 1), ticker);
}

}  // namespace

std::vector<std::vector<std::int64_t>> count_possible_values(
    const std::vector<SharedHistory>& histories, Ticker& ticker) {
  NumberLists classes =
      split_nested(histories_by_class(histories, ticker), histories.size(), ticker);
  PossibleValues possible(histories, std::move(classes), ticker);
  possible.propagate();
  std::vector<std::vector<std::int64_t>> counts;
  for (std::size_t h = 0; h < histories.size(); ++h)
    counts.push_back(possible.counts(static_cast<std::int32_t>(h)));
  return counts;
}

}  // namespace anonkit
