#include "method/full_domain/full_domain_search.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/at.hpp"
#include "base/error.hpp"
#include "metric/class_metrics.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

const FullDomainProblem& checked(const FullDomainProblem& problem) {
  if (problem.hierarchies.empty())
    throw Error(ErrorKind::invalid_parameter, "generalisation needs a quasi-identifier");
  if (problem.k < 1) throw Error(ErrorKind::invalid_parameter, "k must be at least 1");
  if (problem.k > problem.records)
    throw Error(ErrorKind::invalid_parameter, "k is larger than the number of rows",
                "k is " + std::to_string(problem.k) + ", but there are only " +
                    std::to_string(problem.records) + " rows.",
                "Choose a k of at most the number of rows.");
  if (const Promise* other = find_made(problem.promises, [](const Promise& promise) {
        return (promise.kind &
                (kPromiseClasswise | kPromisePersons | kPromiseRisk | kPromisePopulation)) == 0;
      }))
    throw Error(ErrorKind::invalid_parameter,
                std::string("generalisation does not keep ") + other->name);
  if (problem.promises.of_population() && problem.population == 0)
    throw Error(ErrorKind::invalid_parameter, "the promised models need a population");
  if (problem.promises.any() && problem.sensitive.empty())
    throw Error(ErrorKind::invalid_parameter, "the promised models need a sensitive attribute");
  if (!problem.identifying.empty() && problem.identifying.size() != problem.hierarchies.size())
    throw Error(ErrorKind::invalid_parameter,
                "every quasi-identifier must be said how identifying it is, or none");
  return problem;
}

}  // namespace

void no_generalisation(const FullDomainProblem& problem) {
  throw Error(ErrorKind::infeasible, "no generalisation of the table keeps the promises",
              "Not even with all quasi-identifiers suppressed would the " +
                  std::to_string(problem.records) + " records be such a class.",
              "Promise less, or allow more suppression.");
}

FullDomainSearch::FullDomainSearch(const FullDomainProblem& asked, Ticker& asked_ticker)
    : problem(checked(asked)),
      ticker(asked_ticker),
      grouped(problem, ticker),
      leaf_counts(leaf_counts_of(problem, ticker)),
      constraint(problem, grouped.leaves),
      cost(problem, grouped.layout, leaf_counts),
      regrouper_(ticker) {}

Lattice FullDomainSearch::lattice(Lattice::Node most, const char* hint) const {
  return Lattice(problem.hierarchies, all_attributes(problem), most, hint);
}

Frequencies FullDomainSearch::table_of(const std::vector<CellKey>& keys) {
  Frequencies table;
  regrouper_.regroup(
      grouped.leaves, [&](std::size_t c) { return keys[c]; }, &table);
  return table;
}

Frequencies FullDomainSearch::table_at(const Levels& levels) {
  std::vector<CellKey> keys(grouped.leaves.classes(), 0);
  for (std::size_t j = 0; j < levels.size(); ++j) {
    ticker.step(2 * static_cast<std::int64_t>(keys.size()));
    const std::vector<std::int32_t>& group = problem.hierarchies[j]->level(levels[j]);
    for (std::size_t c = 0; c < keys.size(); ++c)
      keys[c] |= grouped.layout.cell(j, group[at(grouped.layout.group(grouped.leaves.keys[c], j))]);
  }
  return table_of(keys);
}

FullDomainSearch::Cost FullDomainSearch::cost_at(const Levels& levels, const Frequencies& table,
                                                 const Outcome& outcome) const {
  RecodingCost::OfNode node(cost, levels, table);
  for (std::size_t c = 0; c < table.classes(); ++c)
    if (!outcome.kept[c]) node.suppress(c);
  return node.cost();
}

std::optional<FullDomainSearch::Local> FullDomainSearch::suppress_cells(const Levels& levels,
                                                                        const Frequencies& table,
                                                                        const Outcome& outcome) {
  if (!problem.local_suppression || outcome.suppressed == 0) return std::nullopt;
  Local local;
  LocalSuppression suppression(problem, grouped.layout, constraint, cost, ticker);
  local.keys = suppression.keys(levels, table, outcome.kept, false);
  Regrouper regrouper(ticker);
  regrouper.regroup(
      table, [&](std::size_t c) { return local.keys[c]; }, &local.table);
  constraint.judge(local.table, &local.outcome);
  if (!local.outcome.feasible) return std::nullopt;
  local.cost = cost_at(levels, local.table, local.outcome);
  for (std::size_t c = 0; c < table.classes() && cost.of_cells(); ++c)
    for (std::size_t j = 0; j < levels.size(); ++j)
      if (grouped.layout.starred(local.keys[c], j))
        local.cost += static_cast<Cost>(table.sizes[c]) *
                      cost.of_suppressing(j, levels[j], grouped.layout.group(table.keys[c], j));
  if (local.cost >= cost_at(levels, table, outcome)) return std::nullopt;
  return local;
}

std::optional<FullDomainSearch::Cost> FullDomainSearch::cost_of(const Levels& levels,
                                                                const Frequencies& table,
                                                                const Cost* limit) {
  Outcome outcome;
  RecodingCost::OfNode node(cost, levels, table);
  // The cost grows with the number of suppressed records, so the final number need not be known.
  constraint.judge(table, &outcome, [&](std::size_t c) {
    node.suppress(c);
    return limit != nullptr && !problem.local_suppression && node.cost() >= *limit;
  });
  if (!outcome.feasible) return std::nullopt;
  if (const auto local = suppress_cells(levels, table, outcome)) return local->cost;
  return node.cost();
}

Masked FullDomainSearch::cells_of(const Levels& levels, const std::vector<CellKey>& keys) const {
  Masked cells;
  for (const CellKey key : keys)
    for (std::size_t j = 0; j < levels.size(); ++j) {
      const bool starred = grouped.layout.starred(key, j);
      cells.levels.push_back(starred ? problem.hierarchies[j]->height() : levels[j]);
      cells.low.push_back(starred ? 0 : grouped.layout.group(key, j));
    }
  return cells;
}

Recoded FullDomainSearch::publish(const Levels& levels) {
  const Frequencies table = table_at(levels);
  std::vector<std::int32_t> class_of = class_of_leaves();
  Outcome outcome;
  constraint.judge(table, &outcome);
  if (!outcome.feasible) no_generalisation(problem);
  auto local = suppress_cells(levels, table, outcome);
  if (!local) {
    Recoded recoded = publish_classes(class_of, cells_of(levels, table.keys), outcome.kept);
    recoded.levels = levels;
    return recoded;
  }
  KeyIndex index;
  index.begin(local->table.classes());
  for (const CellKey key : local->table.keys) index.number(key);
  for (std::int32_t& c : class_of) c = index.find(local->keys[at(c)]);
  Recoded recoded =
      publish_classes(class_of, cells_of(levels, local->table.keys), local->outcome.kept);
  recoded.levels = levels;
  return recoded;
}

Recoded FullDomainSearch::publish_keys(const Levels& levels, const std::vector<CellKey>& keys,
                                       bool suppressing) {
  const Frequencies table = table_of(keys);
  Outcome outcome;
  if (suppressing) {
    constraint.judge(table, &outcome);
    if (!outcome.feasible) no_generalisation(problem);
  } else {
    outcome.kept.assign(table.classes(), 1);
  }
  Recoded recoded = publish_classes(class_of_leaves(), cells_of(levels, table.keys), outcome.kept);
  recoded.levels = levels;
  return recoded;
}

Recoded FullDomainSearch::publish_classes(const std::vector<std::int32_t>& class_of_leaves,
                                          const Masked& cells, const std::vector<char>& kept) {
  const std::size_t d = problem.hierarchies.size();
  Recoded recoded;
  std::vector<ClassId> number(kept.size(), kNone);
  std::vector<std::int32_t> sizes;
  for (const std::int32_t leaf : grouped.class_of) {
    ticker.step(4);
    const std::size_t c = at(class_of_leaves[at(leaf)]);
    if (kept[c] && number[c] == kNone) {
      number[c] = recoded.partition.classes++;
      sizes.push_back(0);
      for (std::size_t j = 0; j < d; ++j) {
        recoded.masked.levels.push_back(cells.levels[c * d + j]);
        recoded.masked.low.push_back(cells.low[c * d + j]);
      }
    }
    recoded.partition.class_of.push_back(number[c]);
    if (kept[c]) ++sizes[at(number[c])];
  }
  recoded.figures = measure(recoded.masked, sizes);
  recoded.figures.feasible = true;
  return recoded;
}

NodeFigures FullDomainSearch::measure(const Masked& cells, const std::vector<std::int32_t>& sizes) {
  NodeFigures figures;
  std::int64_t published = 0;
  for (const std::int32_t size : sizes) published += size;
  figures.suppressed = problem.records - static_cast<Record>(published);
  if (!sizes.empty()) {
    const ClassMetrics metrics = class_metrics(sizes, problem.k, figures.suppressed, ticker);
    figures.classes = metrics.classes;
    figures.smallest = metrics.smallest;
    figures.dm = metrics.discernibility;
    figures.avg =
        static_cast<double>(problem.records) / (static_cast<double>(metrics.classes) * problem.k);
  } else {
    figures.dm = static_cast<std::int64_t>(problem.records) * problem.records;
    figures.avg = std::numeric_limits<double>::infinity();
  }
  const GeneralisationLoss loss =
      generalisation_loss(problem.hierarchies, leaf_counts, cells, sizes, ticker);
  figures.cells = loss.suppressed_cells;
  figures.prec = loss.prec;
  figures.ncp = loss.ncp;
  figures.entropy = loss.entropy;
  return figures;
}

NodeFigures FullDomainSearch::figures_at(const Levels& levels, const Frequencies& table) {
  Outcome outcome;
  constraint.judge_all(table, &outcome);
  std::vector<CellKey> keys;
  std::vector<std::int32_t> sizes;
  for (std::size_t c = 0; c < table.classes(); ++c) {
    if (!outcome.kept[c]) continue;
    keys.push_back(table.keys[c]);
    sizes.push_back(table.sizes[c]);
  }
  NodeFigures figures = measure(cells_of(levels, keys), sizes);
  figures.levels = levels;
  figures.feasible = outcome.feasible && figures.suppressed <= constraint.budget();
  figures.smallest = problem.records;
  for (std::size_t c = 0; c < table.classes(); ++c)
    if (table.sizes[c] > 0)
      figures.smallest = std::min(figures.smallest, NodeConstraint::members(table, c));
  return figures;
}

}  // namespace anonkit
