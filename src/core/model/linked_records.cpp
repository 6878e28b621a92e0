#include "model/linked_records.hpp"

#include <algorithm>
#include <utility>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// The label of an ancestor whose existence alone is known.
constexpr std::uint64_t kAnyLabel = ~std::uint64_t{0};

PatternKey key_of_table(std::int32_t table) {
  return combined({0x243f6a8885a308d3U, 0x13198a2e03707344U}, static_cast<std::uint64_t>(table));
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

LinkedRecord::LinkedRecord(std::vector<RecordNode> nodes) : nodes_(std::move(nodes)) {
  form_keys();
}

void LinkedRecord::form_keys() {
  std::vector<PatternKey> children(nodes_.size());
  own_.resize(nodes_.size());
  any_.resize(nodes_.size());
  subtree_.resize(nodes_.size());
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const PatternKey of_table = key_of_table(nodes_[i].table);
    own_[i] = combined(of_table, static_cast<std::uint64_t>(nodes_[i].label));
    any_[i] = combined(of_table, kAnyLabel);
    subtree_[i] = key_of_tree(own_[i], children[i]);
    if (i > 0) add_child(children[at(nodes_[i].parent)], subtree_[i]);
  }
  whole_ = subtree_.front();
}

PatternKey LinkedRecord::counts() const {
  PatternKey sum;
  for (std::size_t i = 1; i < nodes_.size(); ++i) add_child(sum, any_[i]);
  return key_of_tree(own_.front(), sum);
}

LinkedRecord LinkedRecord::without_repetitions(int most) const {
  if (rows() <= most) return *this;
  std::vector<std::int32_t> order(nodes_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
  std::stable_sort(order.begin() + 1, order.end(), [&](std::int32_t a, std::int32_t b) {
    if (node(a).parent != node(b).parent) return node(a).parent < node(b).parent;
    return subtree_[at(a)] < subtree_[at(b)];
  });
  std::vector<bool> stays(nodes_.size(), true);
  bool is_whole = true;
  int equals = 0;
  for (std::size_t i = 2; i < order.size(); ++i) {
    const bool repeats = node(order[i]).parent == node(order[i - 1]).parent &&
                         subtree_[at(order[i])] == subtree_[at(order[i - 1])];
    equals = repeats ? equals + 1 : 0;
    if (equals >= most) stays[at(order[i])] = false, is_whole = false;
  }
  if (is_whole) return *this;
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
    for (int i = 0; i < count; ++i) add_child(below_root, own_[at(rows[i])]);
    return key_of_tree(own_.front(), below_root);
  }
  // From the bottom up: the branches that still end below different nodes. The next node is that
  // with the greatest number, since children come after their parents.
  struct Branch {
    std::int32_t node;
    PatternKey key;
    PatternKey children;
  };
  std::array<Branch, kMostRows> branches;
  for (int i = 0; i < count; ++i) branches[at(i)] = {rows[i], own_[at(rows[i])], {}};
  for (int left = count; left > 0;) {
    // Ascending, so the last one is next.
    Branch& last = branches[at(left - 1)];
    const PatternKey key = key_of_tree(last.key, last.children);
    const std::int32_t parent = node(last.node).parent;
    if (parent == 0) {
      add_child(below_root, key);
      --left;
      continue;
    }
    int place = left - 1;
    while (place > 0 && branches[at(place - 1)].node >= parent) --place;
    if (place < left - 1 && branches[at(place)].node == parent) {
      add_child(branches[at(place)].children, key);
      --left;
      continue;
    }
    for (int i = left - 1; i > place; --i) branches[at(i)] = branches[at(i - 1)];
    branches[at(place)] = {parent, any_[at(parent)], {}};
    add_child(branches[at(place)].children, key);
  }
  return key_of_tree(own_.front(), below_root);
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
  std::vector<RecordNode> nodes;
  nodes.reserve(first_[at(person) + 1] - first_[at(person)] + 1);
  nodes.push_back({0, label(0, person), -1});
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

const std::array<std::int32_t, 2>* RecordsOfPersons::begin(std::int32_t person) const {
  return places_.data() + first_[at(person)];
}

}  // namespace anonkit
