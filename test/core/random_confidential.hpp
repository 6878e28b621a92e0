#pragma once

// Random confidential attributes of the three distances, and random taxonomies.

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "constraint/confidential.hpp"

namespace anonkit {

class RandomConfidential {
 public:
  explicit RandomConfidential(std::uint64_t seed) : random_(seed) {}

  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  /// Values from all alike to all different.
  Confidential make(GroundDistance distance, int n, double t) {
    Confidential attribute;
    attribute.distance = distance;
    attribute.t = t;
    const int most = between(0, 3) == 0 ? n : between(1, n);
    std::map<std::int32_t, std::int32_t> place;
    for (int i = 0; i < n; ++i) {
      // Every value once when as many as records are wanted.
      attribute.ranks.push_back(most == n ? (i * 7 + 3) % n : between(0, most - 1));
      place[attribute.ranks.back()] = 0;
    }
    std::int32_t m = 0;
    for (auto& entry : place) entry.second = m++;
    for (std::int32_t& r : attribute.ranks) r = place[r];
    if (distance == GroundDistance::hierarchical) attribute.taxonomy = taxonomy(m);
    return attribute;
  }

  /// The same of some of the records only: their distances are relative to the values of all.
  Confidential part_of(Confidential attribute) {
    attribute.values = 1 + *std::max_element(attribute.ranks.begin(), attribute.ranks.end());
    std::vector<std::int32_t> kept;
    for (const std::int32_t rank : attribute.ranks)
      if (kept.empty() || between(0, 2) == 0) kept.push_back(rank);
    attribute.ranks = std::move(kept);
    return attribute;
  }

  /// A random tree over m values: nodes without a parent are grouped until one is left.
  Taxonomy taxonomy(std::int32_t m) {
    Taxonomy tree;
    tree.parent.assign(static_cast<std::size_t>(m), -1);
    tree.height.assign(static_cast<std::size_t>(m), 0);
    std::vector<std::int32_t> tops;
    for (std::int32_t v = 0; v < m; ++v) tops.push_back(v);
    do {
      std::shuffle(tops.begin(), tops.end(), random_);
      const auto take =
          static_cast<std::size_t>(between(1, std::min<int>(4, static_cast<int>(tops.size()))));
      const auto node = static_cast<std::int32_t>(tree.parent.size());
      std::int32_t height = 0;
      for (std::size_t i = 0; i < take; ++i) {
        const auto child = static_cast<std::size_t>(tops.back());
        tops.pop_back();
        tree.parent[child] = node;
        height = std::max(height, tree.height[child]);
      }
      tree.parent.push_back(-1);
      tree.height.push_back(height + between(1, 2));
      tops.push_back(node);
    } while (tops.size() > 1);
    return tree;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace anonkit
