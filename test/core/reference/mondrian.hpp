#pragma once

// Mondrian straight from the paper (LeFevre, DeWitt, Ramakrishnan 2006, section 4). It is
// recursive, copies and sorts lists of records, and counts every penalty from the members. It cuts
// the attribute whose cut leaves the least penalty; see method/mondrian/mondrian.hpp.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "method/mondrian/mondrian.hpp"

namespace anonkit {

class ReferenceMondrian {
 public:
  using Records = std::vector<Record>;
  using Parts = std::vector<Records>;
  using Allowed = std::function<bool(const Records&)>;

  ReferenceMondrian(const GeneralisationSpace& space, Record k, MondrianCut how, Allowed allowed)
      : space_(space), k_(static_cast<std::size_t>(k)), how_(how), allowed_(std::move(allowed)) {}

  Partition run() {
    Records all;
    for (Record i = 0; i < space_.size(); ++i) all.push_back(i);
    partition_.class_of.resize(all.size());
    anonymize(all);
    number_by_first_record(partition_);
    return partition_;
  }

 private:
  double x(Record i, int j) const { return space_.row(i)[j]; }

  /// Searches the levels of a hierarchy from below for one group with all members.
  std::int32_t common_level(const Records& members, int j) const {
    const Domain& domain = space_.domain(j);
    for (std::int32_t level = 0;; ++level) {
      std::set<std::int32_t> groups;
      for (const Record i : members) groups.insert(group(i, j, level));
      if (groups.size() == 1 || level == domain.hierarchy->height()) return level;
    }
  }
  std::int32_t group(Record i, int j, std::int32_t level) const {
    const Domain& domain = space_.domain(j);
    return domain.hierarchy->group(level, domain.leaf.at(static_cast<std::size_t>(x(i, j))));
  }

  double penalty(const Parts& parts) const {
    double sum = 0;
    for (const Records& members : parts) {
      double here = 0;
      for (int j = 0; j < space_.dimension(); ++j) {
        const Domain& domain = space_.domain(j);
        if (domain.by == Generalise::hierarchy) {
          const std::int32_t level = common_level(members, j);
          here += domain.weight * domain.hierarchy->ncp(level, group(members.front(), j, level));
          continue;
        }
        double low = x(members.front(), j), high = low;
        for (const Record i : members) {
          low = std::min(low, x(i, j));
          high = std::max(high, x(i, j));
        }
        const double unit = domain.by == Generalise::range ? 1
                            : domain.values > 1            ? domain.values - 1
                                                           : 1;
        here += domain.weight * (high - low) / unit;
      }
      sum += here * static_cast<double>(members.size());
    }
    return sum;
  }

  bool enough(const Parts& parts) const {
    return parts.size() > 1 && std::all_of(parts.begin(), parts.end(),
                                           [&](const Records& part) { return part.size() >= k_; });
  }

  Parts split(const Records& members, const std::function<int(Record)>& side) const {
    std::map<int, Records> parts;
    for (const Record i : members) parts[side(i)].push_back(i);
    Parts result;
    for (auto& part : parts) result.push_back(part.second);
    return result;
  }

  void add_ranges(const Records& members, int j, std::vector<Parts>& cuts) const {
    Records sorted = members;
    std::sort(sorted.begin(), sorted.end(), [&](Record a, Record b) {
      return std::make_pair(x(a, j), a) < std::make_pair(x(b, j), b);
    });
    if (x(sorted.front(), j) == x(sorted.back(), j)) return;
    const std::size_t n = sorted.size();
    const auto cut_at = [&](std::size_t at) {
      return Parts{{sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(at)},
                   {sorted.begin() + static_cast<std::ptrdiff_t>(at), sorted.end()}};
    };
    if (how_ == MondrianCut::relaxed) {
      cuts.push_back(cut_at(n / 2));
      return;
    }
    // All places between unequal values that leave k records.
    std::vector<std::size_t> places;
    for (std::size_t at = k_; at + k_ <= n; ++at)
      if (x(sorted[at - 1], j) < x(sorted[at], j)) places.push_back(at);
    if (how_ == MondrianCut::cheapest) {
      Parts best;
      double least = 0;
      for (auto at = places.rbegin(); at != places.rend(); ++at) {
        const double cost = penalty(cut_at(*at));
        if (!best.empty() && cost >= least) continue;
        least = cost;
        best = cut_at(*at);
      }
      if (!best.empty()) cuts.push_back(best);
    }
    // The nearest places around the median's equal values.
    const double median = x(sorted[(n - 1) / 2], j);
    Parts even;
    std::size_t least = 0;
    for (const std::size_t at : places) {
      if (x(sorted[at - 1], j) != median && x(sorted[at], j) != median) continue;
      const std::size_t smaller = std::min(at, n - at);
      if (smaller < least) continue;
      least = smaller;
      even = cut_at(at);
    }
    if (!even.empty()) cuts.push_back(even);
  }

  void add_hierarchy(const Records& members, int j, std::vector<Parts>& cuts) const {
    const std::int32_t level = common_level(members, j);
    if (level == 0) return;
    if (how_ == MondrianCut::strict) {
      const Parts parts = split(members, [&](Record i) { return group(i, j, level - 1); });
      if (enough(parts)) cuts.push_back(parts);
      return;
    }
    Parts best;
    double least = 0;
    // Children in the order of their positions.
    std::vector<std::pair<double, std::int32_t>> children;
    for (const Record i : members) children.emplace_back(x(i, j), group(i, j, level - 1));
    std::sort(children.begin(), children.end());
    for (std::size_t at = 0; at < children.size(); ++at) {
      if (at > 0 && children[at].second == children[at - 1].second) continue;
      const Parts parts = split(
          members, [&](Record i) { return group(i, j, level - 1) == children[at].second ? 0 : 1; });
      if (!enough(parts)) continue;
      const double cost = penalty(parts);
      if (!best.empty() && cost >= least) continue;
      least = cost;
      best = parts;
    }
    if (!best.empty()) cuts.push_back(best);
  }

  void anonymize(const Records& members) {
    std::vector<Parts> cuts;
    if (members.size() >= 2 * k_) {
      for (int j = 0; j < space_.dimension(); ++j) {
        if (space_.domain(j).by == Generalise::hierarchy)
          add_hierarchy(members, j, cuts);
        else
          add_ranges(members, j, cuts);
      }
    }
    std::stable_sort(cuts.begin(), cuts.end(),
                     [&](const Parts& a, const Parts& b) { return penalty(a) < penalty(b); });
    for (const Parts& parts : cuts) {
      if (!std::all_of(parts.begin(), parts.end(), allowed_)) continue;
      for (const Records& part : parts) anonymize(part);
      return;
    }
    for (const Record i : members)
      partition_.class_of[static_cast<std::size_t>(i)] = partition_.classes;
    ++partition_.classes;
  }

  const GeneralisationSpace& space_;
  std::size_t k_;
  MondrianCut how_;
  Allowed allowed_;
  Partition partition_;
};

}  // namespace anonkit
