#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/options.hpp"
#include "partition/partition.hpp"
#include "recode/masked.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "table/hierarchy.hpp"

namespace anonkit {

/// A table that is to be generalised: the records are known by the leaves of their
/// quasi-identifiers, in canonical order.
struct FullDomainProblem {
  std::vector<const Hierarchy*> hierarchies;  ///< one an attribute
  std::vector<const std::int32_t*> leaves;    ///< one an attribute: the value of every record
  Record records = 0;
  std::vector<SensitiveAttribute> sensitive;
  /// Whose each record is; empty if each is somebody else's. With units k, p and l count persons,
  /// and nothing else can be promised.
  std::vector<std::int32_t> units = {};
  Promises promises;
  std::int32_t k = 1;
  /// The largest share of the records that may be suppressed; none is 0, or k records for Datafly.
  std::optional<double> max_suppression;
  RecodingMetric metric = RecodingMetric::ncp;
  /// Whether outliers lose single cells where that lets them stay in the release.
  bool local_suppression = false;
  /// mu-Argus only, one an attribute; empty if nothing is known of them.
  std::vector<Identifying> identifying;
  /// mu-Argus only: whether cells and records are suppressed until the promises are kept.
  bool complete = false;
  /// Top-down specialisation only: the class label of every record, or null.
  const std::int32_t* labels = nullptr;
};

/// A node of the lattice: the level of every attribute.
using Levels = std::vector<std::int32_t>;

/// What becomes of a table at a node, once the classes that break a promise are suppressed.
struct NodeFigures {
  Levels levels;
  bool minimal = false;    ///< feasible, while no specialisation is
  bool feasible = false;   ///< no more is suppressed than may be, and something is published
  Record smallest = 0;     ///< smallest class before anything is suppressed: the k reached
  Record classes = 0;      ///< published
  Record suppressed = 0;   ///< records
  std::int64_t cells = 0;  ///< suppressed cells of published records
  double prec = 0;
  double ncp = 0;
  std::int64_t dm = 0;
  double avg = 0;
  double entropy = 0;
};

/// What a generalisation publishes.
struct Recoded {
  /// The level of every attribute; empty where the cells of a column differ in level.
  Levels levels;
  Partition partition;
  /// One row a class: levels and groups (see Masked).
  Masked masked;
  /// The k-minimal generalisations, in lexicographic order; only by searches that find them all.
  std::vector<Levels> minimal;
  NodeFigures figures;
};

}  // namespace anonkit
