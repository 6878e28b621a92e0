#pragma once

// Full-domain generalisation by its definition: every node evaluates every record afresh.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "method/full_domain/full_domain.hpp"
#include "reference/models.hpp"
#include "reference/persons.hpp"
#include "reference/presence.hpp"
#include "reference/risk.hpp"

namespace anonkit::reference {

using Classes = std::map<std::vector<std::int32_t>, std::vector<std::size_t>>;  // cells -> records

inline Classes classes_at(const FullDomainProblem& problem, const Levels& levels) {
  Classes classes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(problem.records); ++i) {
    std::vector<std::int32_t> cells;
    for (std::size_t j = 0; j < levels.size(); ++j)
      cells.push_back(problem.hierarchies[j]->group(levels[j], problem.leaves[j][i]));
    classes[cells].push_back(i);
  }
  return classes;
}

inline Codes codes_of(const SensitiveAttribute& attribute,
                      const std::vector<std::size_t>& records) {
  Codes codes;
  for (const std::size_t i : records) codes.push_back(attribute.ranks[i]);
  return codes;
}

/// Sum over inner nodes of height/H * min(surplus, deficit) of their children (Li et al. 2007).
inline double hierarchical_emd(const Codes& members, const Codes& all, const Taxonomy& taxonomy) {
  std::vector<double> extra(taxonomy.parent.size(), 0);
  const auto lift = [&](const Codes& codes, double sign) {
    for (std::int32_t v : codes)
      for (; v >= 0; v = taxonomy.parent[static_cast<std::size_t>(v)])
        extra[static_cast<std::size_t>(v)] += sign / static_cast<double>(codes.size());
  };
  lift(members, 1);
  lift(all, -1);
  double sum = 0, top = 1;
  for (const std::int32_t height : taxonomy.height) top = std::max<double>(top, height);
  for (std::size_t v = 0; v < extra.size(); ++v) {
    double surplus = 0, deficit = 0;
    for (std::size_t child = 0; child < extra.size(); ++child) {
      if (taxonomy.parent[child] != static_cast<std::int32_t>(v)) continue;
      surplus += std::max(0.0, extra[child]);
      deficit += std::max(0.0, -extra[child]);
    }
    sum += taxonomy.height[v] / top * std::min(surplus, deficit);
  }
  return sum;
}

inline double distance(const SensitiveAttribute& attribute, const Codes& members,
                       const Codes& all) {
  switch (attribute.distance) {
    case GroundDistance::ordered:
      return ordered_emd(members, all);
    case GroundDistance::nominal:
      return nominal_emd(members, all);
    case GroundDistance::hierarchical:
      return hierarchical_emd(members, all, attribute.taxonomy);
  }
  return 0;
}

/// k, dominance, p and l of persons.
inline bool keeps_for_persons(const FullDomainProblem& problem,
                              const std::vector<std::size_t>& records) {
  PersonRecords known;
  for (const std::size_t i : records) known.push_back({problem.units[i], 0});
  if (persons_k(known) < problem.k) return false;
  if (problem.promises.dominance > 0 && persons_dominance(known) > problem.promises.dominance)
    return false;
  for (const SensitiveAttribute& attribute : problem.sensitive) {
    const Codes codes = codes_of(attribute, records);
    for (std::size_t m = 0; m < records.size(); ++m) known[m].value = codes[m];
    if (persons_distinct(known) < problem.promises.l) return false;
    if (!attribute.lifted.empty())
      for (PersonRecord& one : known)
        one.value = attribute.lifted[static_cast<std::size_t>(one.value)];
    if (persons_distinct(known) < problem.promises.p) return false;
  }
  return true;
}

inline bool keeps(const FullDomainProblem& problem, const std::vector<std::size_t>& records) {
  if (!problem.units.empty()) return keeps_for_persons(problem, records);
  const Promises& promised = problem.promises;
  if (records.size() < static_cast<std::size_t>(problem.k)) return false;
  for (const SensitiveAttribute& attribute : problem.sensitive) {
    const Codes codes = codes_of(attribute, records);
    Codes lifted = codes;
    if (!attribute.lifted.empty())
      for (std::int32_t& code : lifted) code = attribute.lifted[static_cast<std::size_t>(code)];
    if (distinct(lifted) < promised.p || distinct(codes) < promised.l) return false;
    if (entropy_l(codes) < promised.entropy_l - 1e-9) return false;
    if (promised.c > 0 && recursive_c(codes, promised.l) >= promised.c) return false;
    if (promised.alpha > 0 && largest_share(codes) > promised.alpha) return false;
    if (promised.e > 0 && range(codes, attribute.numbers) < promised.e) return false;
  }
  return true;
}

/// The published classes of a node. Classes too far from the distribution of the published records
/// are dropped until all are close.
inline Classes published(const FullDomainProblem& problem, Classes classes,
                         const Crowds& crowds = {}) {
  for (auto c = classes.begin(); c != classes.end();) {
    const bool kept = keeps(problem, c->second) &&
                      (problem.population == 0 ||
                       may_be_present(problem.promises, c->second.size(), crowds.at(c->first)));
    c = kept ? std::next(c) : classes.erase(c);
  }
  for (bool changed = problem.promises.t_close(); changed;) {
    changed = false;
    std::vector<std::size_t> all;
    for (const auto& c : classes) all.insert(all.end(), c.second.begin(), c.second.end());
    for (auto c = classes.begin(); c != classes.end();) {
      const bool close = std::all_of(problem.sensitive.begin(), problem.sensitive.end(),
                                     [&](const SensitiveAttribute& attribute) {
                                       return distance(attribute, codes_of(attribute, c->second),
                                                       codes_of(attribute, all)) <= attribute.t;
                                     });
      changed = changed || !close;
      c = close ? std::next(c) : classes.erase(c);
    }
  }
  return classes;
}

inline std::size_t records_in(const Classes& classes) {
  std::size_t records = 0;
  for (const auto& c : classes) records += c.second.size();
  return records;
}

/// True if the published records are within the promised risk.
inline bool within_risk(const FullDomainProblem& problem, const Classes& classes) {
  std::vector<std::int32_t> class_of, person_of;
  for (const auto& c : classes)
    for (const std::size_t i : c.second) {
      class_of.push_back(
          static_cast<std::int32_t>(std::distance(classes.begin(), classes.find(c.first))));
      if (!problem.units.empty()) person_of.push_back(problem.units[i]);
    }
  const std::vector<double> all = risks(class_of, person_of);
  const Promises& promised = problem.promises;
  return (promised.risk_mean == 0 || mean_risk(all) <= promised.risk_mean * (1 + 1e-12)) &&
         (promised.risk_above == 0 ||
          share_above(all, promised.threshold_of_risk()) <= promised.risk_above);
}

/// The loss of cells published as (level, group); the cells of a suppressed record are at the top.
inline double loss(const FullDomainProblem& problem, const Levels& levels, const Classes& classes) {
  const auto n = static_cast<std::size_t>(problem.records);
  const auto in_classes = static_cast<double>(records_in(classes));
  const double suppressed = static_cast<double>(n) - in_classes;
  if (problem.metric == RecodingMetric::dm) {
    double sum = suppressed * static_cast<double>(n);
    for (const auto& c : classes) sum += std::pow(static_cast<double>(c.second.size()), 2);
    return sum;
  }
  if (problem.metric == RecodingMetric::avg)
    return static_cast<double>(n) / (static_cast<double>(classes.size()) * problem.k);
  double sum = 0, bits = 0;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    const Hierarchy& hierarchy = *problem.hierarchies[j];
    const auto records_of = [&](std::int32_t level, std::int32_t group) {
      double records = 0;
      for (std::size_t i = 0; i < n; ++i)
        records += hierarchy.group(level, problem.leaves[j][i]) == group ? 1 : 0;
      return records;
    };
    const auto cell = [&](std::size_t i, std::int32_t level) {
      const std::int32_t leaf = problem.leaves[j][i];
      const std::int32_t group = hierarchy.group(level, leaf);
      if (problem.metric == RecodingMetric::prec)
        return static_cast<double>(level) / hierarchy.height();
      if (problem.metric == RecodingMetric::ncp) return hierarchy.ncp(level, group);
      return std::log2(records_of(level, group) / records_of(0, leaf));
    };
    std::vector<bool> kept(n, false);
    for (const auto& c : classes)
      for (const std::size_t i : c.second) kept[i] = true;
    for (std::size_t i = 0; i < n; ++i) {
      sum += cell(i, kept[i] ? levels[j] : hierarchy.height());
      bits += cell(i, hierarchy.height());
    }
  }
  if (problem.metric == RecodingMetric::entropy) return bits > 0 ? sum / bits : 0;
  return sum / static_cast<double>(n * levels.size());
}

struct Search {
  std::vector<Levels> minimal;
  std::vector<std::pair<Levels, double>> feasible;  ///< with the loss of each
};

inline bool generalises(const Levels& above, const Levels& below) {
  for (std::size_t j = 0; j < above.size(); ++j)
    if (above[j] < below[j]) return false;
  return above != below;
}

/// All nodes in lexicographic order.
inline std::vector<Levels> nodes_of(const FullDomainProblem& problem) {
  std::vector<Levels> nodes = {{}};
  for (const Hierarchy* hierarchy : problem.hierarchies) {
    std::vector<Levels> longer;
    for (const Levels& node : nodes)
      for (std::int32_t level = 0; level <= hierarchy->height(); ++level) {
        longer.push_back(node);
        longer.back().push_back(level);
      }
    nodes = std::move(longer);
  }
  return nodes;
}

inline Search exhaustive(const FullDomainProblem& problem) {
  Search search;
  for (const Levels& levels : nodes_of(problem)) {
    const Crowds crowds = crowds_at(problem, levels);
    const Classes classes = published(problem, classes_at(problem, levels), crowds);
    const double suppressed =
        static_cast<double>(problem.records) - static_cast<double>(records_in(classes));
    if (classes.empty() ||
        suppressed > problem.max_suppression.value_or(0) * problem.records + 1e-9 ||
        !within_risk(problem, classes) ||
        (!may_be_absent(problem.promises) && classes.size() < crowds.size()))
      continue;
    search.feasible.emplace_back(levels, loss(problem, levels, classes));
  }
  for (const auto& node : search.feasible) {
    const bool minimal =
        std::none_of(search.feasible.begin(), search.feasible.end(),
                     [&](const auto& other) { return generalises(node.first, other.first); });
    if (minimal) search.minimal.push_back(node.first);
  }
  return search;
}

}  // namespace anonkit::reference
