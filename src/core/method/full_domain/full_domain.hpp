#pragma once

// Full-domain generalisation: the problem and the result that Incognito, MinGen, Datafly, mu-Argus
// and top-down specialisation share.
//
// Phases: group records by their leaves (frequencies.hpp), search the lattice (lattice.hpp),
// publish (full_domain_search.hpp). Invariants: every published value of a column is a group of its
// hierarchy; records of suppressed classes are in no class. Memory: a few numbers per record, and
// per class of the leaves.
//
//   FullDomainProblem problem;  // fill in hierarchies, leaves, records and the promises
//   problem.k = 5, problem.max_suppression = 0.01;
//   const Recoded release = incognito(problem, ticker);

#include <cstdint>
#include <optional>
#include <vector>

#include "base/options.hpp"
#include "partition/partition.hpp"
#include "recode/masked.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "table/hierarchy.hpp"

namespace anonkit {

/// A table to generalise. Records are given by the leaves of their quasi-identifiers, in canonical
/// order.
struct FullDomainProblem {
  std::vector<const Hierarchy*> hierarchies;  ///< by attribute
  std::vector<const std::int32_t*> leaves;    ///< by attribute: the value of every record
  Record records = 0;
  /// By attribute: the value of every record of the population, of which the table is a part.
  std::vector<const std::int32_t*> population_leaves = {};
  Record population = 0;
  std::vector<SensitiveAttribute> sensitive;
  /// By record its person; empty if each record is a person of its own. With units k, p, l,
  /// dominance and the limits of risk count persons; other promises are refused.
  std::vector<std::int32_t> units = {};
  Promises promises;
  std::int32_t k = 1;
  /// The largest share of suppressed records. Default: 0, or k records for Datafly.
  std::optional<double> max_suppression;
  RecodingMetric metric = RecodingMetric::ncp;
  /// True if outliers may lose single cells to stay in the release.
  bool local_suppression = false;
  /// mu-Argus only, by attribute; empty without roles.
  std::vector<Identifying> identifying;
  /// mu-Argus only: suppress cells and records until all promises hold.
  bool complete = false;
  /// Top-down specialisation only: the class label of every record, or null.
  const std::int32_t* labels = nullptr;
};

/// A node of the lattice: the level of every attribute.
using Levels = std::vector<std::int32_t>;

/// The result at a node after the suppression of classes that break a promise.
struct NodeFigures {
  Levels levels;
  bool minimal = false;    ///< feasible, and no specialisation is
  bool feasible = false;   ///< suppression is within the limit, and a record is published
  Record smallest = 0;     ///< smallest class before suppression: the k reached
  Record classes = 0;      ///< published
  Record suppressed = 0;   ///< records
  std::int64_t cells = 0;  ///< suppressed cells of published records
  double prec = 0;
  double ncp = 0;
  std::int64_t dm = 0;
  double avg = 0;
  double entropy = 0;
};

/// A generalised release.
struct Recoded {
  /// The level of every attribute; empty if the cells of a column differ in level.
  Levels levels;
  Partition partition;
  /// One row per class: levels and groups (see Masked).
  Masked masked;
  /// The k-minimal generalisations, in lexicographic order, from searches that find them all.
  std::vector<Levels> minimal;
  NodeFigures figures;
};

}  // namespace anonkit
