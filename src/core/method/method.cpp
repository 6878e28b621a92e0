#include "method/method.hpp"

#include <iterator>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "method/aggregate/aggregate_method.hpp"
#include "method/constrained.hpp"
#include "method/full_domain_method.hpp"
#include "method/growing/mdav.hpp"
#include "method/growing/units_mdav.hpp"
#include "method/growing/vmdav.hpp"
#include "method/kpqr.hpp"
#include "method/mondrian/grid_method.hpp"
#include "method/mondrian/mondrian_method.hpp"
#include "method/psensitive.hpp"
#include "method/repair/merging.hpp"
#include "method/repair/published_classes.hpp"
#include "method/tcloseness/tcloseness.hpp"
#include "method/univariate.hpp"
#include "promise/distinct_values.hpp"
#include "promise/promised.hpp"
#include "recode/recoding.hpp"
#include "search/starts.hpp"

namespace anonkit {
namespace {

/// Classes of k units: no class divides equal records, unless the options do.
template <class Algorithm>
Partition on_units(const Problem& problem, Ticker& ticker, const Algorithm& algorithm) {
  if (problem.options.duplicates != Duplicates::divide) {
    const Points points = points_of(problem.space, {}, ticker);
    if (points.fewer())
      return to_records(points, algorithm(space_of(problem.space, points),
                                          RecordUnits::of_points(points, problem.units)));
  }
  return algorithm(problem.space, RecordUnits::one_each(problem.units));
}

}  // namespace

Record count_members(const Problem& problem, const RecordSpan& records) {
  if (problem.units.empty()) return records.size();
  std::vector<std::int32_t> units;
  for (const Record i : records) units.push_back(problem.units[at(i)]);
  return count_distinct(&units);
}

bool is_best(const Options& options) {
  return options.algorithm != nullptr && std::string_view(options.algorithm) == "best";
}

std::vector<Record> all_records(const Problem& problem) {
  std::vector<Record> all(at(problem.space.size()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Partition mdav_classes(const Problem& problem, Ticker& ticker, double stretch) {
  const Record k = problem.options.k;
  if (!problem.units.empty())
    return on_units(problem, ticker, [&](const Space& space, const RecordUnits& units) {
      return mdav_of_units(space, units, k, ticker);
    });
  return on_points(problem, ticker,
                   [&](const Space& space) { return mdav(space, k, ticker, stretch); });
}

namespace {

/// Classes of k persons, united where one person has too large a share of them.
Partition shared_by_persons(const Problem& problem, Partition partition, Ticker& ticker) {
  if (find_made(problem.options.promises, rows_of_persons) == nullptr) return partition;
  return united_for_persons(problem, {std::move(partition)}, ticker).partition;
}

Classification run_mdav(const Problem& problem, Ticker& ticker) {
  return {shared_by_persons(problem, mdav_classes(problem, ticker), ticker)};
}

Partition vmdav_classes(const Problem& problem, double gamma, Ticker& ticker) {
  if (!problem.units.empty())
    return on_units(problem, ticker, [&](const Space& space, const RecordUnits& units) {
      return vmdav_of_units(space, units, problem.options.k, gamma, ticker);
    });
  return on_points(problem, ticker, [&](const Space& space) {
    return vmdav(space, problem.options.k, gamma, ticker);
  });
}

Classification run_vmdav(const Problem& problem, Ticker& ticker) {
  const double gamma = problem.options.gamma;
  return {shared_by_persons(
      problem, vmdav_classes(problem, gamma < 0 ? kUsualGamma : gamma, ticker), ticker)};
}

bool is_univariate(const Space& space) {
  return space.dimension() == 1 && space.numeric();
}

Partition univariate_classes(const Problem& problem, Ticker& ticker) {
  return on_points(problem, ticker, [&](const Space& space) {
    return univariate(space, problem.options.k, ticker);
  });
}

Classification run_univariate(const Problem& problem, Ticker& ticker) {
  if (!is_univariate(problem.space))
    throw Error(ErrorKind::invalid_parameter,
                "method \"univariate\" takes exactly one numeric quasi-identifier", "",
                "Use method 'microaggregate' or 'mdav' for several.");
  return {univariate_classes(problem, ticker)};
}

TClosenessAlgorithm tcloseness_algorithm(const Options& options) {
  if (options.algorithm == nullptr) return TClosenessAlgorithm::t_first;
  const TClosenessAlgorithm* algorithm = find_tcloseness_algorithm(options.algorithm);
  if (algorithm == nullptr)
    throw Error(ErrorKind::invalid_parameter, "unknown algorithm of method \"tclose\"", "",
                "Choose one of 't_first', 'k_first', 'merge', 'sabre' and 'best'.");
  return *algorithm;
}

void check_tclose(const Options& options) {
  const TClosenessAlgorithm algorithm = tcloseness_algorithm(options);
  if (options.gamma >= 0 && algorithm != TClosenessAlgorithm::merge)
    throw Error(ErrorKind::invalid_parameter, "gamma of method \"tclose\" needs algorithm 'merge'",
                "", "V-MDAV makes the classes that it merges.");
  if (!options.promises.t_close())
    throw Error(ErrorKind::invalid_parameter, "method \"tclose\" needs t", "",
                "Give t, above 0 and at most 1.");
}

Classification form_t_close(const Problem& problem, TClosenessAlgorithm algorithm, Effort effort,
                            Ticker& ticker) {
  TClosenessOptions how;
  how.algorithm = algorithm;
  how.k = problem.options.k;
  how.gamma = problem.options.gamma;
  how.search = search_options(problem, effort);
  TClosenessClasses classes = tcloseness(problem.space, problem.sensitive, how, ticker);
  return {std::move(classes.partition), classes.reproducible};
}

/// The search of 'best' is thorough unless the options demand a fast one. Only the search counts
/// persons; the other algorithms count records, so their classes are united where necessary.
Classification run_tclose(const Problem& problem, Ticker& ticker) {
  const TClosenessAlgorithm algorithm = tcloseness_algorithm(problem.options);
  const Effort effort = problem.options.refine;
  if (problem.units.empty()) return form_t_close(problem, algorithm, effort, ticker);
  if (algorithm == TClosenessAlgorithm::best) return form_constrained(problem, effort, ticker);
  return united_for_persons(problem, form_t_close(problem, algorithm, effort, ticker), ticker);
}

/// True if t-closeness is the only promise.
bool only_t_close(const Promises& promises) {
  return promises.t_close() && !promises.without_t().any();
}

/// Continues from each of several feasible partitions towards less SSE.
Classification search_from(const Problem& problem, std::vector<Partition> starts,
                           const RefineOptions& how, Ticker& ticker) {
  const Constraints constraints = constraints_of(problem);
  SearchedStarts found = refine_starts(
      {problem.space, problem.options.k, pointers(constraints), alike_in(problem),
       as_published(problem, ticker), problem.options.duplicates == Duplicates::divide},
      std::move(starts), how, ticker);
  return {std::move(found.partition), found.reproducible};
}

/// Both microaggregations of k records; in a fast search of many records, only the faster one.
std::vector<Partition> plain_starts(const Problem& problem, Ticker& ticker) {
  std::vector<Partition> starts = {
      mdav_classes(problem, ticker, stretch_of_start(problem.table_records))};
  if (search_options(problem, problem.options.effort).every_start)
    starts.push_back(vmdav_classes(problem, kUsualGamma, ticker));
  for (Partition& start : starts) start = shared_by_persons(problem, std::move(start), ticker);
  return starts;
}

/// The project's own method. It returns classes of low NCP if ranges or groups are published. If t
/// is promised, it returns the best of the t-closeness algorithms, and the best of many starts for
/// other models. Without models it returns optimal classes if there is one attribute, else MDAV and
/// V-MDAV, improved by the search.
Classification run_microaggregate(const Problem& problem, Ticker& ticker) {
  const Options& options = problem.options;
  if (generalises(options)) return form_generalised(problem, options.effort, ticker);
  if (only_t_close(options.promises) && problem.units.empty())
    return form_t_close(problem, TClosenessAlgorithm::best, options.effort, ticker);
  if (options.promises.any()) return form_constrained(problem, options.effort, ticker);
  if (is_univariate(problem.space) && problem.units.empty())
    return {univariate_classes(problem, ticker)};
  return search_from(problem, plain_starts(problem, ticker),
                     search_options(problem, options.effort), ticker);
}

void check_kpqr(const Options& options) {
  if (options.algorithm != nullptr && !is_best(options) &&
      std::string_view(options.algorithm) != "heuristic")
    throw Error(ErrorKind::invalid_parameter, "unknown algorithm of method \"kpqr\"", "",
                "Choose 'heuristic' or 'best'.");
  const Promises& promises = options.promises;
  if (promises.p < 1 || !(promises.q > 0))
    throw Error(ErrorKind::invalid_parameter, "method \"kpqr\" needs p and q", "",
                "Give p, at least 1, and q, above 0 and at most 1.");
}

/// The heuristic. If its repairs end in one class that violates the model, the search starts
/// elsewhere.
Classification run_kpqr(const Problem& problem, Ticker& ticker) {
  const Options& options = problem.options;
  if (is_best(options)) return form_constrained(problem, options.refine, ticker);
  const Constraints constraints = constraints_of(problem);
  Partition found =
      kpqr(problem.space, problem.sensitive, options.k, options.promises, options.seed, ticker);
  if (all_allow(constraints, found, ticker)) return {std::move(found)};
  return {feasible_starts(problem, constraints, Effort::fast, ticker).front()};
}

// The promises of searches that generalise every record of a population alike.
constexpr unsigned kPromiseLattice =
    kPromiseClasswise | kPromisePersons | kPromiseRisk | kPromisePopulation;

constexpr Method kMethods[] = {
    {"mdav", run_mdav, kPromisePersons | kPromiseHistories | kPromiseTransparent | kPromiseRisk,
     nullptr, Recode::centroid, false, true},
    {"vmdav", run_vmdav, kPromisePersons | kPromiseTransparent | kPromiseRisk, nullptr,
     Recode::centroid, false, true},
    {"univariate", run_univariate, kPromiseNone, nullptr},
    {"tclose", run_tclose, kPromiseT | kPromiseNt | kPromisePersons | kPromiseRisk, check_tclose,
     Recode::centroid, false, true},
    {"kpqr", run_kpqr, kPromiseKpqr | kPromiseRisk, check_kpqr},
    {"psensitive", form_psensitive, kPromiseP | kPromisePersons | kPromiseRisk, check_psensitive,
     Recode::range},
    {"aggregate", form_aggregate, kPromiseP, check_aggregate, Recode::range, true},
    {"mondrian", form_mondrian, kPromiseAll, check_mondrian, Recode::range},
    {"incognito", form_incognito, kPromiseLattice, check_full_domain, Recode::hierarchy},
    {"mingen", form_mingen, kPromiseLattice, check_full_domain, Recode::hierarchy},
    {"datafly", form_datafly, kPromiseLattice, check_full_domain, Recode::hierarchy},
    {"argus", form_argus, kPromiseClasswise | kPromisePersons, check_full_domain,
     Recode::hierarchy},
    {"topdown", form_topdown, kPromiseLattice, check_full_domain, Recode::hierarchy},
    {"microaggregate", run_microaggregate, kPromiseAll, nullptr, Recode::centroid, false, true,
     true},
};

}  // namespace

std::optional<Marks> alike_in(const Problem& problem) {
  if (!problem.units.empty()) return {};
  return marks_of(problem.sensitive);
}

RefineOptions search_options(const Problem& problem, Effort effort) {
  RefineOptions how;
  how.effort = effort == Effort::fast ? Effort::fast : Effort::thorough;
  how.seed = problem.options.seed;
  how.clock = problem.clock;
  how.table_records = problem.table_records;
  how.threads = problem.threads;
  how.every_start = how.effort == Effort::thorough || problem.table_records <= kEveryStart ||
                    is_best(problem.options);
  how.relays = !problem.options.promises.t_close();
  return how;
}

Classification search_on(const Problem& problem, const Partition& start, Effort effort,
                         Ticker& ticker, double scale) {
  RefineOptions how = search_options(problem, effort);
  how.scale = scale;
  if (generalises(problem.options)) return search_generalised(problem, start, how, ticker);
  return search_from(problem, {start}, how, ticker);
}

Constraints constraints_of(const Problem& problem) {
  return promised_constraints(problem.sensitive, problem.options.promises,
                              {problem.units, problem.options.k});
}

Methods methods() {
  return {std::begin(kMethods), std::end(kMethods)};
}

const Method* find_method(std::string_view name) {
  for (const Method& method : methods())
    if (name == method.name) return &method;
  return nullptr;
}

bool can_stratify(const Method& method, const Options& options) {
  return !method.of_aggregates && !recoding(method.recode).by_hierarchy && !cuts_by_grid(options);
}

}  // namespace anonkit
