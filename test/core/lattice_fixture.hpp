#pragma once

// Random tables with hierarchies and sensitive attributes, and the slides' example.

#include <memory>
#include <vector>

#include "random_confidential.hpp"
#include "recode/lattice/full_domain.hpp"

namespace anonkit {

/// A problem together with what it points at.
struct OwnedProblem {
  FullDomainProblem problem;
  std::vector<std::unique_ptr<Hierarchy>> hierarchies;
  std::vector<std::vector<std::int32_t>> leaves;

  void add(Hierarchy hierarchy, std::vector<std::int32_t> column) {
    problem.records = static_cast<Record>(column.size());
    hierarchies.push_back(std::make_unique<Hierarchy>(std::move(hierarchy)));
    leaves.push_back(std::move(column));
    problem.hierarchies.push_back(hierarchies.back().get());
    problem.leaves.clear();
    for (const auto& one : leaves) problem.leaves.push_back(one.data());
  }
};

/// Groups are numbered by their first value.
inline std::vector<std::int32_t> renumbered(std::vector<std::int32_t> groups) {
  std::map<std::int32_t, std::int32_t> number;
  for (std::int32_t& g : groups)
    g = number.emplace(g, static_cast<std::int32_t>(number.size())).first->second;
  return groups;
}

class RandomProblem {
 public:
  explicit RandomProblem(std::uint64_t seed) : random_(seed) {}

  int between(int low, int high) { return random_.between(low, high); }

  Hierarchy hierarchy(int values, int height) {
    std::vector<std::vector<std::int32_t>> levels;
    std::vector<std::int32_t> below;
    for (int v = 0; v < values; ++v) below.push_back(v);
    for (int level = 1; level <= height; ++level) {
      std::vector<std::int32_t> parent;
      for (int v = 0; v < values; ++v)
        parent.push_back(level == height ? 0 : between(0, std::max(0, values / (level + 1))));
      std::vector<std::int32_t> groups;
      for (const std::int32_t g : below) groups.push_back(parent[static_cast<std::size_t>(g)]);
      levels.push_back(renumbered(groups));
      below = levels.back();
    }
    return Hierarchy(levels);
  }

  OwnedProblem make() {
    OwnedProblem owned;
    const int d = between(1, 4), n = between(4, 45);
    for (int j = 0; j < d; ++j) {
      const int values = between(1, 9), common = between(0, values - 1);
      std::vector<std::int32_t> column;
      for (int i = 0; i < n; ++i)
        column.push_back(between(0, 2) == 0 ? common : between(0, values - 1));
      owned.add(hierarchy(values, between(1, 3)), column);
    }
    owned.problem.k = between(1, std::min(n, 6));
    owned.problem.max_suppression = between(0, 1) == 0 ? 0 : between(0, 10) / 10.0;
    owned.problem.metric = static_cast<RecodingMetric>(between(0, 4));
    return owned;
  }

  /// Promises of up to two models on one or two sensitive attributes.
  void promise(FullDomainProblem* problem) {
    const int attributes = between(1, 2);
    for (int a = 0; a < attributes; ++a) {
      const auto distance = static_cast<GroundDistance>(between(0, 2));
      // No distance is such a number.
      const double t = between(10, 80) / 100.0 + 0.00123456789;
      Confidential attribute = random_.make(distance, problem->records, t);
      const auto m = *std::max_element(attribute.ranks.begin(), attribute.ranks.end()) + 1;
      for (std::int32_t r = 0; r < m; ++r) attribute.numbers.push_back(r * r);
      if (between(0, 1) == 0)
        for (std::int32_t r = 0; r < m; ++r) attribute.strong.push_back(r / 2);
      problem->sensitive.push_back(attribute);
    }
    Promises& promises = problem->promises;
    for (int models = between(1, 2); models > 0; --models) switch (between(0, 6)) {
        case 0:
          promises.p = between(1, 3);
          break;
        case 1:
          promises.l = between(1, 3);
          break;
        case 2:
          promises.entropy_l = between(10, 30) / 10.0;
          break;
        case 3:
          promises.l = between(2, 3);
          promises.c = between(5, 40) / 10.0;
          break;
        case 4:
          promises.alpha = between(3, 9) / 10.0;
          break;
        case 5:
          promises.e = between(1, 9);
          break;
        default:
          promises.t = problem->sensitive.front().t;
      }
  }

 private:
  RandomConfidential random_;
};

/// The slides' table PT: race x ZIP code, each combination once.
inline OwnedProblem race_and_zip() {
  OwnedProblem owned;
  owned.add(Hierarchy({{0, 0}}), {0, 0, 0, 0, 1, 1, 1, 1});
  owned.add(Hierarchy({{0, 0, 1, 1}, {0, 0, 0, 0}}), {0, 1, 2, 3, 0, 1, 2, 3});
  owned.problem.k = 2;
  owned.problem.metric = RecodingMetric::prec;
  return owned;
}

}  // namespace anonkit
