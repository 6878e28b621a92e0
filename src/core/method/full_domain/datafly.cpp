#include "method/full_domain/datafly.hpp"

#include <utility>

namespace anonkit {
namespace {

std::int32_t distinct_values(const FullDomainSearch& search, const Frequencies& table,
                             std::size_t attribute) {
  std::vector<bool> seen(static_cast<std::size_t>(search.grouped.layout.star(attribute)) + 1);
  std::int32_t distinct = 0;
  for (std::size_t c = 0; c < table.classes(); ++c) {
    if (table.sizes[c] == 0) continue;
    const auto group =
        static_cast<std::size_t>(search.grouped.layout.group(table.keys[c], attribute));
    distinct += seen[group] ? 0 : 1;
    seen[group] = true;
  }
  return distinct;
}

}  // namespace

std::size_t most_distinct(FullDomainSearch& search, const Levels& levels,
                          const Frequencies& table) {
  std::size_t best = levels.size();
  std::int32_t most = 0;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (levels[j] == search.problem.hierarchies[j]->height()) continue;
    search.ticker.step(2 * static_cast<std::int64_t>(table.classes()));
    const std::int32_t distinct = distinct_values(search, table, j);
    if (distinct <= most) continue;
    most = distinct;
    best = j;
  }
  return best;
}

Recoded datafly(const FullDomainProblem& problem, Ticker& ticker) {
  FullDomainSearch search(problem, ticker);
  if (!problem.max_suppression) search.constraint.set_budget(problem.k);
  Levels levels(problem.hierarchies.size(), 0);
  Frequencies table = search.grouped.leaves, next;
  Regrouper regrouper(ticker);
  Outcome outcome;
  for (;;) {
    search.constraint.judge(table, &outcome);
    if (outcome.feasible) return search.publish(levels);
    const std::size_t j = most_distinct(search, levels, table);
    if (j == levels.size()) no_generalisation(problem);
    roll_up(search.grouped.layout, *problem.hierarchies[j], j, levels[j], levels[j] + 1, table,
            &regrouper, &next);
    std::swap(table, next);
    ++levels[j];
  }
}

}  // namespace anonkit
