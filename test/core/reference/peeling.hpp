#pragma once

// Peeling from its description: every node looks at all free records, and groups have labels.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fixture/random_generalisation.hpp"

namespace anonkit {

class ReferencePeeling {
 public:
  using Allowed = std::function<bool(const std::vector<Record>&)>;

  ReferencePeeling(const GeneralisationSpace& space, int k, Allowed allowed)
      : space_(space), k_(k), allowed_(std::move(allowed)) {
    for (int j = 0; j < space.dimension(); ++j) levels_.push_back(levels_of(j));
    for (Record i = 0; i < space.size(); ++i) free_.push_back(i);
  }

  std::optional<Partition> run() {
    std::vector<std::vector<std::size_t>> nodes = {{}};
    for (const auto& levels : levels_) {
      std::vector<std::vector<std::size_t>> longer;
      for (std::size_t l = 0; l < levels.size(); ++l)
        for (std::vector<std::size_t> node : nodes) {
          node.push_back(l);
          longer.push_back(node);
        }
      nodes = longer;
    }
    sort_by_loss(nodes, 0);
    std::size_t ordered = free_.size();
    for (std::size_t at = 0; at < nodes.size() && static_cast<int>(free_.size()) >= k_; ++at) {
      if (static_cast<double>(free_.size()) < 0.9 * static_cast<double>(ordered)) {
        ordered = free_.size();
        sort_by_loss(nodes, at);
      }
      peel(nodes[at]);
    }
    for (const Record i : free_)
      if (!join(i)) return {};
    Partition partition;
    partition.class_of.assign(static_cast<std::size_t>(space_.size()), kNone);
    for (const auto& members : classes_) {
      for (const Record i : members)
        partition.class_of[static_cast<std::size_t>(i)] = partition.classes;
      ++partition.classes;
    }
    number_by_first_record(partition);
    return partition;
  }

 private:
  /// One level: by record its group and its penalty.
  struct Labels {
    std::vector<int> group;
    std::vector<double> penalty;
  };

  double value(Record i, int j) const { return space_.row(i)[j]; }

  /// A level whose groups are given by a number for each value; the penalty is that of all values
  /// with that number that the function lists.
  std::vector<Labels> levels_of(int j) const {
    const Domain& domain = space_.domain(j);
    std::vector<Labels> levels;
    if (domain.by == Generalise::hierarchy) {
      for (std::int32_t l = 0; l <= domain.hierarchy->height(); ++l)
        levels.push_back(labels([&](Record i) {
          const std::int32_t leaf = domain.leaf.at(static_cast<std::size_t>(value(i, j)));
          const std::int32_t group = domain.hierarchy->group(l, leaf);
          return std::pair(static_cast<int>(group),
                           domain.weight * domain.hierarchy->ncp(l, group));
        }));
    } else if (domain.by == Generalise::set) {
      levels.push_back(
          labels([&](Record i) { return std::pair(static_cast<int>(value(i, j)), 0.0); }));
      levels.push_back(labels([&](Record) { return std::pair(0, domain.weight); }));
    } else {
      for (const auto& groups : nested_groups(j))
        levels.push_back(labels([&](Record i) {
          int g = 0;
          while (groups[static_cast<std::size_t>(g)].back() < value(i, j)) ++g;
          const auto& values = groups[static_cast<std::size_t>(g)];
          return std::pair(g, domain.weight * (values.back() - values.front()));
        }));
    }
    return levels;
  }

  template <class LabelOf>
  Labels labels(LabelOf label_of) const {
    Labels made;
    for (Record i = 0; i < space_.size(); ++i) {
      const auto [group, penalty] = label_of(i);
      made.group.push_back(group);
      made.penalty.push_back(penalty);
    }
    return made;
  }

  using Groups = std::vector<std::vector<double>>;  ///< ascending values of each group

  int records_in(int j, double low, double high) const {
    int count = 0;
    for (Record i = 0; i < space_.size(); ++i)
      count += low <= value(i, j) && value(i, j) <= high ? 1 : 0;
    return count;
  }

  /// From single values to one group.
  std::vector<Groups> nested_groups(int j) const {
    std::vector<double> values;
    for (Record i = 0; i < space_.size(); ++i) values.push_back(value(i, j));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<Groups> levels = {{values}};
    for (;;) {
      Groups finer;
      for (const auto& group : levels.front()) halve(j, group, finer);
      if (finer.size() == levels.front().size()) break;
      levels.insert(levels.begin(), finer);
    }
    Groups single;
    for (const double x : values) single.push_back({x});
    if (levels.front().size() < single.size()) levels.insert(levels.begin(), single);
    return levels;
  }

  /// The first half ends with the value that completes half of the group's records.
  void halve(int j, const std::vector<double>& group, Groups& finer) const {
    const int all = records_in(j, group.front(), group.back());
    for (std::size_t cut = 1; cut < group.size(); ++cut) {
      const int first = records_in(j, group.front(), group[cut - 1]);
      if (first < all / 2) continue;
      if (first < k_ || all - first < k_) break;
      const auto middle = group.begin() + static_cast<std::ptrdiff_t>(cut);
      finer.emplace_back(group.begin(), middle);
      finer.emplace_back(middle, group.end());
      return;
    }
    finer.push_back(group);
  }

  void sort_by_loss(std::vector<std::vector<std::size_t>>& nodes, std::size_t from) const {
    const auto loss = [&](const std::vector<std::size_t>& node) {
      double sum = 0;
      for (std::size_t j = 0; j < node.size(); ++j) {
        double level = 0;
        for (const Record i : free_)
          level += levels_[j][node[j]].penalty[static_cast<std::size_t>(i)];
        sum += level / static_cast<double>(free_.size());
      }
      return sum;
    };
    std::vector<std::tuple<double, std::vector<std::size_t>, std::vector<std::size_t>>> keyed;
    for (std::size_t at = from; at < nodes.size(); ++at)
      keyed.emplace_back(loss(nodes[at]),
                         std::vector<std::size_t>(nodes[at].rbegin(), nodes[at].rend()), nodes[at]);
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t at = from; at < nodes.size(); ++at) nodes[at] = std::get<2>(keyed[at - from]);
  }

  void peel(const std::vector<std::size_t>& node) {
    std::map<std::vector<int>, std::vector<Record>> groups;
    for (const Record i : free_) {
      std::vector<int> label;
      for (std::size_t j = 0; j < node.size(); ++j)
        label.push_back(levels_[j][node[j]].group[static_cast<std::size_t>(i)]);
      groups[label].push_back(i);
    }
    for (const auto& [label, members] : groups) {
      if (static_cast<int>(members.size()) < k_ || !allowed_(members)) continue;
      classes_.push_back(members);
      for (const Record i : members) free_.erase(std::find(free_.begin(), free_.end(), i));
    }
    std::sort(classes_.begin(), classes_.end());
  }

  bool join(Record i) {
    std::vector<std::pair<double, std::size_t>> costs;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      std::vector<Record> with = classes_[c];
      with.push_back(i);
      costs.emplace_back(plain_ncp(space_, with) - plain_ncp(space_, classes_[c]), c);
    }
    std::sort(costs.begin(), costs.end());
    for (const auto& [cost, c] : costs) {
      std::vector<Record> with = classes_[c];
      with.push_back(i);
      if (!allowed_(with)) continue;
      classes_[c] = with;
      return true;
    }
    return false;
  }

  const GeneralisationSpace& space_;
  int k_;
  Allowed allowed_;
  std::vector<std::vector<Labels>> levels_;
  std::vector<Record> free_;
  std::vector<std::vector<Record>> classes_;
};

}  // namespace anonkit
