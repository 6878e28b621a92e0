#include "method/mondrian/mondrian_method.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "constraint/promised.hpp"
#include "method/constrained.hpp"
#include "method/mdav.hpp"
#include "method/mondrian/mondrian.hpp"
#include "search/loss/ncp.hpp"
#include "search/refine.hpp"
#include "search/search.hpp"

namespace anonkit {
namespace {

// Up to this many records MDAV, or what else keeps the promises, is tried as a start, too; of more
// it takes longer than the search.
constexpr Record kSmall = 5000;

GeneralisationSpace space_of(const Problem& problem, Ticker& ticker) {
  return generalisation_space(problem.table, problem.rows, problem.columns, problem.options.recode,
                              ticker);
}

bool is(const char* algorithm, std::string_view name) {
  return algorithm != nullptr && algorithm == name;
}

bool all_records_allowed(const Problem& problem, const Constraints& constraints, Ticker& ticker) {
  std::vector<Record> all(static_cast<std::size_t>(problem.space.size()));
  std::iota(all.begin(), all.end(), 0);
  return std::all_of(constraints.begin(), constraints.end(), [&](const auto& constraint) {
    ticker.step(std::int64_t{100} * problem.space.size());
    return constraint->allows(RecordSpan(all));
  });
}

/// One of several starts that loses least.
Partition best_of(std::vector<Partition> starts, const Loss& loss, Ticker& ticker) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < starts.size(); ++i)
    if (total_loss(loss, starts[i], ticker) < total_loss(loss, starts[best], ticker)) best = i;
  return std::move(starts[best]);
}

/// Where a model that is not monotone forbids the class of all records, Mondrian cannot begin.
std::vector<Partition> starts_of(const Problem& problem, const GeneralisationSpace& space,
                                 const Constraints& constraints, Ticker& ticker) {
  if (!all_records_allowed(problem, constraints, ticker))
    return feasible_starts(problem, constraints, ticker);
  std::vector<Partition> starts;
  starts.push_back(
      mondrian(space, problem.options.k, pointers(constraints), MondrianCut::cheapest, ticker));
  if (problem.table_records <= kSmall) {
    if (constraints.empty())
      starts.push_back(on_points(problem, ticker, [&](const Space& points) {
        return mdav(points, problem.options.k, ticker);
      }));
    else
      for (Partition& start : feasible_starts(problem, constraints, ticker))
        starts.push_back(std::move(start));
  }
  return starts;
}

Classification search(const Problem& problem, const GeneralisationSpace& records,
                      const Partition& start, const Constraints& constraints, Effort effort,
                      Ticker& ticker) {
  const Points points = points_of_search(problem, start, ticker);
  const GeneralisationSpace space =
      points.fewer() ? records.of_rows(points.first, points.weights) : records;
  Ncp loss(space);
  RefineResult found = refine(euclidean(space, ticker), to_points(points, start), problem.options.k,
                              loss, pointers(constraints), search_options(problem, effort), ticker);
  return {to_records(points, found.partition), found.reproducible};
}

}  // namespace

void check_mondrian(const Options& options) {
  const char* algorithm = options.algorithm;
  if (algorithm == nullptr || is(algorithm, "strict") || is(algorithm, "relaxed") ||
      is(algorithm, "best"))
    return;
  throw Error(ErrorKind::invalid_parameter, "unknown algorithm of method \"mondrian\"", "",
              "Choose one of 'strict', 'relaxed' and 'best'.");
}

Classification form_mondrian(const Problem& problem, Ticker& ticker) {
  // The search of 'best' is thorough unless a fast one is asked for.
  if (is(problem.options.algorithm, "best"))
    return form_generalised(problem, problem.options.refine, ticker);
  check_feasible(problem, ticker);
  const Constraints constraints = promised_constraints(problem.sensitive, problem.options.promises);
  const MondrianCut cut =
      is(problem.options.algorithm, "relaxed") ? MondrianCut::relaxed : MondrianCut::strict;
  return {
      mondrian(space_of(problem, ticker), problem.options.k, pointers(constraints), cut, ticker)};
}

Classification form_generalised(const Problem& problem, Effort effort, Ticker& ticker) {
  check_feasible(problem, ticker);
  const Constraints constraints = promised_constraints(problem.sensitive, problem.options.promises);
  const GeneralisationSpace space = space_of(problem, ticker);
  const Ncp loss(space);
  std::vector<Partition> starts = starts_of(problem, space, constraints, ticker);
  // What a search makes of a start is not told by the start's loss.
  if (starts.size() > 1 && problem.table_records <= kSmall)
    for (Partition& start : starts)
      start = search(problem, space, start, constraints, Effort::fast, ticker).partition;
  const Partition start = best_of(std::move(starts), loss, ticker);
  return search(problem, space, start, constraints, effort, ticker);
}

Classification search_generalised(const Problem& problem, const Partition& start, Effort effort,
                                  Ticker& ticker) {
  const Constraints constraints = promised_constraints(problem.sensitive, problem.options.promises);
  const GeneralisationSpace space = space_of(problem, ticker);
  return search(problem, space, start, constraints, effort, ticker);
}

}  // namespace anonkit
