#include "model/linked_records.hpp"

#include <algorithm>
#include <utility>

#include "base/at.hpp"
#include "base/random.hpp"

namespace anonkit {
namespace {

/// The label of an ancestor whose existence alone is known.
constexpr std::uint64_t kAnyLabel = ~std::uint64_t{0};

PatternKey key_of_node(const RecordNode& node, bool labelled) {
  const PatternKey key = {0x243f6a8885a308d3U, 0x13198a2e03707344U};
  return combined(combined(key, static_cast<std::uint64_t>(node.table)),
                  labelled ? static_cast<std::uint64_t>(node.label) : kAnyLabel);
}

/// Adds a child's key to those of its siblings. Sums do not depend on their order, and mixed terms
/// are as good as random ones.
void add_child(PatternKey& sum, const PatternKey& child) {
  const PatternKey term = combined(child, 0x452821e638d01377U);
  sum.high += term.high;
  sum.low += term.low;
}

PatternKey key_of_tree(const PatternKey& node, const PatternKey& children) {
  return combined(combined(node, children.high), children.low);
}

}  // namespace

PatternKey combined(const PatternKey& key, std::uint64_t number) {
  return {mix(key.high + mix(number + 0x9e3779b97f4a7c15U)),
          mix(key.low ^ mix(number ^ 0xbe5466cf34e90c6cU))};
}

LinkedRecord::LinkedRecord(std::vector<RecordNode> nodes) : nodes_(std::move(nodes)) {
  form_keys();
}

void LinkedRecord::form_keys() {
  std::vector<PatternKey> children(nodes_.size());
  subtree_.resize(nodes_.size());
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    subtree_[i] = key_of_tree(key_of_node(nodes_[i], true), children[i]);
    if (i > 0) add_child(children[at(nodes_[i].parent)], subtree_[i]);
  }
  whole_ = subtree_.front();
}

PatternKey LinkedRecord::counts() const {
  PatternKey sum;
  for (std::size_t i = 1; i < nodes_.size(); ++i)
    add_child(sum, key_of_node({nodes_[i].table, 0, 0}, false));
  return key_of_tree(key_of_node(nodes_.front(), true), sum);
}

LinkedRecord LinkedRecord::without_repetitions(int most) const {
  std::vector<std::int32_t> order(nodes_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
  std::sort(order.begin() + 1, order.end(), [&](std::int32_t a, std::int32_t b) {
    if (node(a).parent != node(b).parent) return node(a).parent < node(b).parent;
    if (!(subtree_[at(a)] == subtree_[at(b)])) return subtree_[at(a)] < subtree_[at(b)];
    return a < b;
  });
  std::vector<bool> stays(nodes_.size(), true);
  int equals = 0;
  for (std::size_t i = 2; i < order.size(); ++i) {
    const bool repeats = node(order[i]).parent == node(order[i - 1]).parent &&
                         subtree_[at(order[i])] == subtree_[at(order[i - 1])];
    equals = repeats ? equals + 1 : 0;
    if (equals >= most) stays[at(order[i])] = false;
  }
  std::vector<RecordNode> left;
  std::vector<std::int32_t> number(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i > 0 && !stays[at(nodes_[i].parent)]) stays[i] = false;
    if (!stays[i]) continue;
    number[i] = static_cast<std::int32_t>(left.size());
    left.push_back(nodes_[i]);
    if (i > 0) left.back().parent = number[at(nodes_[i].parent)];
  }
  return LinkedRecord(std::move(left));
}

PatternKey LinkedRecord::pattern(const std::int32_t* rows, int count, Links links) const {
  PatternKey below_root;
  if (links == Links::unknown) {
    for (int i = 0; i < count; ++i) add_child(below_root, key_of_node(node(rows[i]), true));
    return key_of_tree(key_of_node(nodes_.front(), true), below_root);
  }
  // The rows and their ancestors, in descending order of their numbers: children come before their
  // parents. Few rows make insertion the fastest way.
  struct Known {
    std::int32_t number;
    bool labelled;
    PatternKey children;
  };
  std::vector<Known> known;
  known.reserve(16);
  const auto find = [&](std::int32_t number) -> Known& {
    auto place = known.begin();
    while (place != known.end() && place->number > number) ++place;
    if (place == known.end() || place->number != number)
      place = known.insert(place, Known{number, false, {}});
    return *place;
  };
  for (int i = 0; i < count; ++i) find(rows[i]).labelled = true;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const Known one = known[i];
    const RecordNode& from = node(one.number);
    const PatternKey key = key_of_tree(key_of_node(from, one.labelled), one.children);
    add_child(from.parent == 0 ? below_root : find(from.parent).children, key);
  }
  return key_of_tree(key_of_node(nodes_.front(), true), below_root);
}

RecordsOfPersons::RecordsOfPersons(const std::vector<JudgedTable>& tables, Ticker& ticker)
    : tables_(tables), first_(at(tables.front().rows) + 1, 0) {
  for (std::size_t t = 1; t < tables.size(); ++t)
    for (std::int32_t row = 0; row < tables[t].rows; ++row) {
      ticker.step(2);
      ++first_[at(tables[t].person_row[row]) + 1];
    }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  places_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t t = 1; t < tables.size(); ++t)
    for (std::int32_t row = 0; row < tables[t].rows; ++row) {
      ticker.step(4);
      places_[next[at(tables[t].person_row[row])]++] = {static_cast<std::int32_t>(t), row};
    }
  for (const JudgedTable& table : tables) number_of_.emplace_back(at(table.rows), 0);
}

LinkedRecord RecordsOfPersons::record(std::int32_t person) {
  const auto label = [&](std::size_t table, std::int32_t row) {
    const std::int32_t* const labels = tables_[table].label;
    return labels != nullptr ? labels[row] : 0;
  };
  std::vector<RecordNode> nodes = {{0, label(0, person), -1}};
  for (std::size_t i = first_[at(person)]; i < first_[at(person) + 1]; ++i) {
    const auto [table, row] = places_[i];
    const JudgedTable& of = tables_[at(table)];
    const std::int32_t above = of.parent > 0 ? of.parent_row[row] : -1;
    number_of_[at(table)][at(row)] = static_cast<std::int32_t>(nodes.size());
    nodes.push_back(
        {table, label(at(table), row), above >= 0 ? number_of_[at(of.parent)][at(above)] : 0});
  }
  return LinkedRecord(std::move(nodes));
}

const std::vector<std::array<std::int32_t, 2>>& RecordsOfPersons::rows_of(std::int32_t person) {
  rows_of_one_ = {{0, person}};
  rows_of_one_.insert(rows_of_one_.end(),
                      places_.begin() + static_cast<std::ptrdiff_t>(first_[at(person)]),
                      places_.begin() + static_cast<std::ptrdiff_t>(first_[at(person) + 1]));
  return rows_of_one_;
}

}  // namespace anonkit
