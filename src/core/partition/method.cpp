#include "partition/method.hpp"

#include <iterator>
#include <memory>

#include "constraint/t_closeness.hpp"
#include "error.hpp"
#include "partition/aggregate/aggregate_method.hpp"
#include "partition/mdav.hpp"
#include "partition/tcloseness/tcloseness.hpp"
#include "partition/univariate.hpp"
#include "partition/vmdav.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

Formed run_mdav(const Problem& problem, Ticker& ticker) {
  return {mdav(problem.space, problem.options.k, ticker)};
}

Formed run_vmdav(const Problem& problem, Ticker& ticker) {
  return {vmdav(problem.space, problem.options.k, problem.options.gamma, ticker)};
}

bool is_univariate(const Space& space) {
  return space.dimension() == 1 && space.numeric();
}

Formed run_univariate(const Problem& problem, Ticker& ticker) {
  if (!is_univariate(problem.space))
    throw Error(ErrorKind::invalid_parameter,
                "method \"univariate\" takes exactly one numeric quasi-identifier", "",
                "Use method 'microaggregate' or 'mdav' for several.");
  return {univariate(problem.space, problem.options.k, ticker)};
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
  tcloseness_algorithm(options);
  if (!options.promises.t_close())
    throw Error(ErrorKind::invalid_parameter, "method \"tclose\" needs t", "",
                "Give t, above 0 and at most 1.");
}

RefineOptions search_options(const Problem& problem, Refine effort) {
  RefineOptions how;
  how.effort = effort == Refine::fast ? Effort::fast : Effort::thorough;
  how.seed = problem.options.seed;
  how.clock = problem.clock;
  return how;
}

Formed form_t_close(const Problem& problem, TClosenessAlgorithm algorithm, Refine effort,
                    Ticker& ticker) {
  TClosenessOptions how;
  how.algorithm = algorithm;
  how.k = problem.options.k;
  how.search = search_options(problem, effort);
  TClosenessClasses classes = tcloseness(problem.space, problem.confidential, how, ticker);
  return {std::move(classes.partition), classes.reproducible};
}

/// The search of 'best' is thorough unless a fast one is asked for.
Formed run_tclose(const Problem& problem, Ticker& ticker) {
  return form_t_close(problem, tcloseness_algorithm(problem.options), problem.options.refine,
                      ticker);
}

/// The project's own method: where t is promised the best of the t-closeness algorithms; optimal
/// classes where they can be had; else MDAV, improved by the search.
Formed run_microaggregate(const Problem& problem, Ticker& ticker) {
  const Options& options = problem.options;
  if (!problem.confidential.empty())
    return form_t_close(problem, TClosenessAlgorithm::best, options.effort, ticker);
  if (is_univariate(problem.space)) return {univariate(problem.space, options.k, ticker)};
  return search_on(problem, mdav(problem.space, options.k, ticker), options.effort, ticker);
}

constexpr Method kMethods[] = {
    {"mdav", run_mdav, kKeepsNone, nullptr},
    {"vmdav", run_vmdav, kKeepsNone, nullptr},
    {"univariate", run_univariate, kKeepsNone, nullptr},
    {"tclose", run_tclose, kKeepsT, check_tclose},
    {"aggregate", form_aggregate, kKeepsP, check_aggregate, Recode::range, true},
    {"microaggregate", run_microaggregate, kKeepsT, nullptr},
};

}  // namespace

Formed search_on(const Problem& problem, const Partition& start, Refine effort, Ticker& ticker) {
  std::vector<std::unique_ptr<TCloseness>> models;
  std::vector<Constraint*> constraints;
  for (const Confidential& attribute : problem.confidential) {
    models.push_back(std::make_unique<TCloseness>(attribute));
    constraints.push_back(models.back().get());
  }
  RefineResult found = refine(problem.space, start, problem.options.k, constraints,
                              search_options(problem, effort), ticker);
  return {std::move(found.partition), found.reproducible};
}

Methods methods() {
  return {std::begin(kMethods), std::end(kMethods)};
}

const Method* find_method(std::string_view name) {
  for (const Method& method : methods())
    if (name == method.name) return &method;
  return nullptr;
}

}  // namespace anonkit
