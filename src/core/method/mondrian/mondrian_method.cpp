#include "method/mondrian/mondrian_method.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "method/constrained.hpp"
#include "method/mondrian/grid_method.hpp"
#include "method/mondrian/mondrian.hpp"
#include "method/peeling/peeling.hpp"
#include "method/repair/published_classes.hpp"
#include "promise/promised.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/search.hpp"
#include "search/starts.hpp"

namespace anonkit {
namespace {

// Up to this many records MDAV, or the feasible starts, are tried as well; above, they take longer
// than the search. For p-sensitivity they are published algorithms, and 'best' tries them.
constexpr Record kSmall = 5000;
// A search of many records does not begin with a start that loses so many times the least.
constexpr double kPoor = 1.1;

GeneralisationSpace space_of(const Problem& problem, Ticker& ticker) {
  return generalisation_space(problem.table, problem.rows, problem.columns, problem.options.recode,
                              ticker);
}

bool is(const char* algorithm, std::string_view name) {
  return algorithm != nullptr && algorithm == name;
}

bool all_records_allowed(const Problem& problem, const Constraints& constraints, Ticker& ticker) {
  const std::vector<Record> all = all_records(problem);
  return std::all_of(constraints.begin(), constraints.end(), [&](const auto& constraint) {
    ticker.step(std::int64_t{100} * problem.space.size());
    return constraint->allows(RecordSpan(all));
  });
}

/// True if no class divides records that are equal in all quasi-identifiers.
bool leaves_points_whole(const Problem& problem, const Partition& classes, Ticker& ticker) {
  const Points points = points_of(problem.space, {}, ticker);
  return !points.fewer() ||
         to_records(points, to_points(points, classes)).class_of == classes.class_of;
}

/// True if classes may divide records that are equal: under promises on values they may have to,
/// and 'best' competes with 'relaxed', which halves them.
bool may_divide(const Problem& problem, const Constraints& constraints) {
  const Options& options = problem.options;
  return !constraints.empty() || options.duplicates == Duplicates::divide ||
         (is_best(options) && !options.transparency.wanted);
}

/// Leaves out starts that lose so much more than the least that a search of many records from them
/// would hardly win.
void leave_out_poor(const GeneralisationSpace& space, std::vector<Partition>& starts,
                    Ticker& ticker) {
  const NcpLoss loss(space);
  std::vector<double> losses;
  for (const Partition& start : starts) losses.push_back(total_loss(loss, start, ticker));
  const double most = kPoor * *std::min_element(losses.begin(), losses.end());
  std::vector<Partition> kept;
  for (std::size_t at = 0; at < starts.size(); ++at)
    if (losses[at] <= most) kept.push_back(std::move(starts[at]));
  starts = std::move(kept);
}

/// Mondrian cannot start if a model that is not monotone rejects the class of all records.
std::vector<Partition> starts_of(const Problem& problem, const GeneralisationSpace& space,
                                 const Constraints& constraints, Effort effort, Ticker& ticker) {
  if (!all_records_allowed(problem, constraints, ticker))
    return feasible_starts(problem, constraints, effort, ticker);
  std::vector<Partition> starts;
  const bool every = search_options(problem, effort).every_start || !constraints.empty();
  for (const MondrianCut cut : {MondrianCut::cheapest, MondrianCut::strict, MondrianCut::relaxed}) {
    if (!every && cut != MondrianCut::cheapest) continue;
    Partition start = mondrian(space, problem.options.k, pointers(constraints), cut, ticker);
    if (may_divide(problem, constraints) || leaves_points_whole(problem, start, ticker))
      starts.push_back(std::move(start));
  }
  if (std::optional<Partition> start =
          peel(space, problem.options.k, pointers(constraints), ticker))
    starts.push_back(std::move(*start));
  if (!every && starts.size() > 1) leave_out_poor(space, starts, ticker);
  const bool few = problem.table_records <= kSmall;
  if (few && constraints.empty()) starts.push_back(mdav_classes(problem, ticker));
  const bool sensitive =
      problem.options.promises.p > 0 && search_options(problem, effort).every_start;
  if (!constraints.empty() && (few || sensitive))
    for (Partition& start : feasible_starts(problem, constraints, effort, ticker))
      starts.push_back(std::move(start));
  return starts;
}

Classification search(const Problem& problem, std::vector<Partition> starts,
                      const GeneralisationSpace& records, const Constraints& constraints,
                      const RefineOptions& options, Ticker& ticker) {
  const NcpLoss loss(records);
  const auto of_class = [&](const RecordSpan& members) {
    ticker.step(std::int64_t{30} * members.size());
    return loss.cost(members);
  };
  const auto refine_start = [&](const Partition& start, const RefineOptions& how) {
    const SearchedPoints searched(problem.space, start, alike_in(problem), pointers(constraints),
                                  how.effort, ticker);
    const Points& points = searched.points();
    const GeneralisationSpace space =
        points.fewer() ? records.of_rows(points.first, points.weights) : records;
    NcpLoss of_points(space);
    RefineResult found = refine(euclidean(space, ticker), to_points(points, start),
                                problem.options.k, of_points, searched.constraints(), how, ticker);
    found.partition = to_records(points, found.partition);
    return found;
  };
  SearchedStarts found = refine_starts(
      std::move(starts), {of_class, refine_start, as_published(problem, ticker)}, options);
  return {std::move(found.partition), found.reproducible};
}

}  // namespace

void check_mondrian(const Options& options) {
  const char* algorithm = options.algorithm;
  if (cuts_by_grid(options)) return check_grid(options);
  if (options.grid.coins >= 0)
    throw Error(ErrorKind::invalid_parameter, "only algorithm 'grid' has coins");
  if (options.transparency.wanted && is(algorithm, "relaxed"))
    throw Error(ErrorKind::invalid_parameter,
                "algorithm 'relaxed' of method \"mondrian\" cannot be transparent",
                "It divides records that are equal in all quasi-identifiers.",
                "Choose 'strict' or 'best'.");
  if (algorithm == nullptr || is(algorithm, "strict") || is(algorithm, "relaxed") ||
      is(algorithm, "best"))
    return;
  throw Error(ErrorKind::invalid_parameter, "unknown algorithm of method \"mondrian\"", "",
              "Choose one of 'strict', 'relaxed', 'best' and 'grid'.");
}

Classification form_mondrian(const Problem& problem, Ticker& ticker) {
  if (cuts_by_grid(problem.options)) return form_grid(problem, ticker);
  // The search of 'best' is thorough unless the options demand a fast one.
  if (is_best(problem.options)) return form_generalised(problem, problem.options.refine, ticker);
  check_feasible(problem, ticker);
  const Constraints constraints = constraints_of(problem);
  const MondrianCut cut =
      is(problem.options.algorithm, "relaxed") ? MondrianCut::relaxed : MondrianCut::strict;
  return {
      mondrian(space_of(problem, ticker), problem.options.k, pointers(constraints), cut, ticker)};
}

Classification form_generalised(const Problem& problem, Effort effort, Ticker& ticker) {
  check_feasible(problem, ticker);
  const Constraints constraints = constraints_of(problem);
  const GeneralisationSpace space = space_of(problem, ticker);
  return search(problem, starts_of(problem, space, constraints, effort, ticker), space, constraints,
                search_options(problem, effort), ticker);
}

Classification search_generalised(const Problem& problem, const Partition& start,
                                  const RefineOptions& how, Ticker& ticker) {
  const Constraints constraints = constraints_of(problem);
  return search(problem, {start}, space_of(problem, ticker), constraints, how, ticker);
}

}  // namespace anonkit
