#pragma once

// The judge of transparent releases, straight from the definition: every assignment of sensitive
// values to the records and every seed is released. An adversary who knows the code takes those
// that give the observed release for equally likely.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace anonkit::reference {

/// The value, a code, of each record.
using Assignment = std::vector<int>;

/// The published rows, as the adversary sees them; and of each record its class there, or -1 if its
/// value is withheld.
struct SimulatedRelease {
  std::vector<std::vector<double>> rows;  ///< sorted
  std::vector<int> class_of;
};

struct Excess {
  /// The largest belief in a value beyond its frequency in the person's class, over all releases
  /// and persons whose value is published. In units of 1/1,000,000,000 where it is above 0.
  std::int64_t of_quasi_identifiers = 0;  ///< who knows quasi-identifiers only
  std::int64_t of_other_classes = 0;      ///< who knows the values of all other classes, too
  int releases = 0;                       ///< distinct ones
  int published = 0;                      ///< values published, over all releases
  /// Over all worlds: values published, of classes with several, and those that are certain.
  std::int64_t worlds_published = 0;
  std::int64_t determined = 0;
};

/// Each distinct order of the values.
inline std::vector<Assignment> all_assignments(Assignment values) {
  std::sort(values.begin(), values.end());
  std::vector<Assignment> all;
  do all.push_back(values);
  while (std::next_permutation(values.begin(), values.end()));
  return all;
}

/// The excess belief that some records, given by how often each is consistent with each value,
/// leave to one value. Exact: a belief equals a frequency, or it does not.
inline std::int64_t excess_of(std::int64_t consistent, std::int64_t of, std::int64_t alike,
                              std::int64_t size) {
  if (consistent * size <= alike * of) return 0;
  return std::max<std::int64_t>(
      1,
      static_cast<std::int64_t>(1e9 * (static_cast<double>(consistent) / static_cast<double>(of) -
                                       static_cast<double>(alike) / static_cast<double>(size))));
}

/// One adversary: `worlds` are assignments that are consistent with a release, each as often as
/// seeds lead to it. The knowledge from the persons of some classes.
inline std::int64_t worst_excess(const std::vector<const Assignment*>& worlds,
                                 const Assignment& truth, const std::vector<int>& class_of,
                                 int only_class) {
  std::int64_t worst = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (class_of[i] < 0 || (only_class >= 0 && class_of[i] != only_class)) continue;
    std::map<int, std::int64_t> alike, believed;
    std::int64_t size = 0;
    for (std::size_t j = 0; j < truth.size(); ++j)
      if (class_of[j] == class_of[i]) ++size, ++alike[truth[j]];
    for (const Assignment* world : worlds) ++believed[(*world)[i]];
    for (const auto& [value, times] : believed)
      worst = std::max(
          worst, excess_of(times, static_cast<std::int64_t>(worlds.size()), alike[value], size));
  }
  return worst;
}

/// Counts the persons whose class has several values, and of whom only one is consistent.
inline void count_determined(const std::vector<const Assignment*>& worlds,
                             const std::vector<int>& class_of, Excess& excess) {
  const Assignment& truth = *worlds.front();
  for (std::size_t i = 0; i < truth.size(); ++i) {
    bool alike = true;
    for (std::size_t j = 0; j < truth.size(); ++j)
      alike = alike && (class_of[j] != class_of[i] || truth[j] == truth[i]);
    if (class_of[i] < 0 || alike) continue;
    const auto times = static_cast<std::int64_t>(worlds.size());
    excess.worlds_published += times;
    if (std::all_of(worlds.begin(), worlds.end(),
                    [&](const Assignment* world) { return (*world)[i] == truth[i]; }))
      excess.determined += times;
  }
}

/// `release(assignment, seed)` is the published table; one without rows stands for a refusal.
inline Excess simulate(const Assignment& values, int seeds,
                       const std::function<SimulatedRelease(const Assignment&, int)>& release) {
  const std::vector<Assignment> all = all_assignments(values);
  struct Seen {
    std::vector<const Assignment*> worlds;
    std::vector<int> class_of;
  };
  std::map<std::vector<std::vector<double>>, Seen> seen;
  for (const Assignment& assignment : all)
    for (int seed = 0; seed < seeds; ++seed) {
      SimulatedRelease made = release(assignment, seed);
      if (made.rows.empty()) continue;
      Seen& here = seen[std::move(made.rows)];
      here.worlds.push_back(&assignment);
      here.class_of = std::move(made.class_of);
    }
  Excess excess;
  excess.releases = static_cast<int>(seen.size());
  for (const auto& [rows, here] : seen) {
    const Assignment& truth = *here.worlds.front();
    count_determined(here.worlds, here.class_of, excess);
    excess.of_quasi_identifiers =
        std::max(excess.of_quasi_identifiers, worst_excess(here.worlds, truth, here.class_of, -1));
    const int classes = 1 + *std::max_element(here.class_of.begin(), here.class_of.end());
    for (const int c : here.class_of) excess.published += c >= 0 ? 1 : 0;
    for (int c = 0; c < classes; ++c) {
      // An adversary who knows the others' values keeps the worlds that agree with them.
      std::map<Assignment, std::vector<const Assignment*>> by_others;
      for (const Assignment* world : here.worlds) {
        Assignment others = *world;
        for (std::size_t i = 0; i < others.size(); ++i)
          if (here.class_of[i] == c) others[i] = -1;
        by_others[others].push_back(world);
      }
      for (const auto& [others, worlds] : by_others)
        excess.of_other_classes = std::max(excess.of_other_classes,
                                           worst_excess(worlds, *worlds.front(), here.class_of, c));
    }
  }
  return excess;
}

}  // namespace anonkit::reference
