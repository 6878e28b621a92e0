#include "method/full_domain_method.hpp"

#include <string>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "method/full_domain/argus.hpp"
#include "method/full_domain/datafly.hpp"
#include "method/full_domain/incognito.hpp"
#include "method/full_domain/mingen.hpp"
#include "method/full_domain/topdown.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

/// The problem in the form of the searches, and the memory that it refers to.
struct Asked {
  FullDomainProblem problem;
  std::vector<std::vector<std::int32_t>> leaves;  ///< by attribute, in canonical order
  std::vector<std::int32_t> labels;
};

std::vector<std::int32_t> in_canonical_order(const Problem& from, const std::int32_t* of_rows,
                                             Ticker& ticker) {
  std::vector<std::int32_t> values;
  values.reserve(from.rows.size());
  ticker.step(static_cast<std::int64_t>(from.rows.size()));
  for (const Record row : from.rows) values.push_back(of_rows[at(row)]);
  return values;
}

const Column& require_hierarchy(const Column& column) {
  if (column.hierarchy == nullptr)
    throw Error(ErrorKind::invalid_parameter, "column \"" + column.name + "\" has no hierarchy", "",
                "Give it one in hierarchies, for instance by anon_hierarchy_range or "
                "anon_hierarchy_auto.");
  return column;
}

Asked asked_by(const Problem& from, Ticker& ticker) {
  const FullDomainOptions& how = from.options.generalisation;
  Asked asked;
  FullDomainProblem& problem = asked.problem;
  for (const std::size_t j : from.columns) {
    const Column& column = require_hierarchy(from.table.columns[j]);
    problem.hierarchies.push_back(column.hierarchy);
    asked.leaves.push_back(in_canonical_order(from, column.leaves, ticker));
    if (from.table.population > 0) problem.population_leaves.push_back(column.population);
    if (how.identifying != nullptr) problem.identifying.push_back(how.identifying[j]);
  }
  for (const auto& leaves : asked.leaves) problem.leaves.push_back(leaves.data());
  if (from.table.labels != nullptr) {
    asked.labels = in_canonical_order(from, from.table.labels, ticker);
    problem.labels = asked.labels.data();
  }
  problem.records = static_cast<Record>(from.rows.size());
  problem.population = from.table.population;
  problem.sensitive = from.sensitive;
  problem.units = from.units;
  problem.promises = from.options.promises;
  problem.k = from.options.k;
  if (how.max_suppression >= 0) problem.max_suppression = how.max_suppression;
  problem.metric = how.metric;
  problem.local_suppression = how.local_suppression;
  problem.complete = how.complete;
  return asked;
}

/// The number of cells at the top of a column that is not.
std::int64_t cells_suppressed(const FullDomainProblem& problem, const Recoded& recoded,
                              Ticker& ticker) {
  if (recoded.levels.empty()) return 0;
  const std::size_t d = problem.hierarchies.size();
  std::int64_t cells = 0;
  ticker.step(static_cast<std::int64_t>(recoded.partition.class_of.size() * d));
  for (const ClassId c : recoded.partition.class_of)
    for (std::size_t j = 0; c != kNone && j < d; ++j)
      cells += recoded.masked.levels[at(c) * d + j] > recoded.levels[j] ? 1 : 0;
  return cells;
}

Classification formed_by(Recoded (*search)(const FullDomainProblem&, Ticker&),
                         const Problem& problem, Ticker& ticker) {
  const Asked asked = asked_by(problem, ticker);
  Recoded recoded = search(asked.problem, ticker);
  Classification formed;
  formed.suppressed_cells = cells_suppressed(asked.problem, recoded, ticker);
  formed.partition = std::move(recoded.partition);
  formed.masked = std::move(recoded.masked);
  return formed;
}

}  // namespace

Classification form_incognito(const Problem& problem, Ticker& ticker) {
  return formed_by(incognito, problem, ticker);
}

Classification form_mingen(const Problem& problem, Ticker& ticker) {
  return formed_by(mingen, problem, ticker);
}

Classification form_datafly(const Problem& problem, Ticker& ticker) {
  return formed_by(datafly, problem, ticker);
}

Classification form_argus(const Problem& problem, Ticker& ticker) {
  return formed_by(argus, problem, ticker);
}

Classification form_topdown(const Problem& problem, Ticker& ticker) {
  return formed_by(topdown, problem, ticker);
}

void check_full_domain(const Options& options) {
  if (!recoding(options.recode).by_hierarchy)
    throw Error(ErrorKind::invalid_parameter,
                "full-domain generalisation publishes levels of hierarchies and nothing else");
  if (!options.generalisation.complete && options.promises.any())
    throw Error(ErrorKind::invalid_parameter,
                "mu-Argus as it was published promises no model beside k", "",
                "Leave complete at true.");
  if (options.promises.of_population() && options.generalisation.local_suppression)
    throw Error(ErrorKind::invalid_parameter,
                std::string(find_made(options.promises, rows_of_population)->name) +
                    " cannot be combined with local_suppression",
                "A suppressed cell matches records of the population in other classes, too.");
  const auto by_value = [](const Promise& promise) {
    return promise.measured_by != MeasuredBy::distinct_values && !rows_without_values(promise);
  };
  if (options.counts_units && find_made(options.promises, by_value) != nullptr)
    throw Error(ErrorKind::invalid_parameter,
                "full-domain generalisation promises persons k, p, l, dominance and limits of risk "
                "alone",
                "Its frequency sets count the persons of a class, not of each value.",
                "Use method 'mondrian' or 'microaggregate', or leave the unit out.");
  if (options.counts_units && !options.generalisation.complete)
    throw Error(ErrorKind::invalid_parameter, "mu-Argus as it was published counts records", "",
                "Leave complete at true.");
}

std::vector<NodeFigures> list_generalisations(const Problem& problem, bool minimal_only,
                                              Ticker& ticker) {
  const Asked asked = asked_by(problem, ticker);
  return list_nodes(asked.problem, minimal_only, ticker);
}

}  // namespace anonkit
