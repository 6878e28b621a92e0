#include "partition/method.hpp"

#include <iterator>

#include "error.hpp"
#include "partition/mdav.hpp"
#include "partition/tcloseness/tcloseness.hpp"
#include "partition/univariate.hpp"
#include "partition/vmdav.hpp"

namespace anonkit {
namespace {

Partition run_mdav(const Problem& problem, Ticker& ticker) {
  return mdav(problem.space, problem.options.k, ticker);
}

Partition run_vmdav(const Problem& problem, Ticker& ticker) {
  return vmdav(problem.space, problem.options.k, problem.options.gamma, ticker);
}

bool is_univariate(const Space& space) {
  return space.dimension() == 1 && space.numeric();
}

Partition run_univariate(const Problem& problem, Ticker& ticker) {
  if (!is_univariate(problem.space))
    throw Error(ErrorKind::invalid_parameter,
                "method \"univariate\" takes exactly one numeric quasi-identifier", "",
                "Use method 'microaggregate' or 'mdav' for several.");
  return univariate(problem.space, problem.options.k, ticker);
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
  if (!options.promises_t())
    throw Error(ErrorKind::invalid_parameter, "method \"tclose\" needs t", "",
                "Give t, above 0 and at most 1.");
}

Partition form_t_close(const Problem& problem, TClosenessAlgorithm algorithm, Ticker& ticker) {
  TClosenessOptions how;
  how.algorithm = algorithm;
  how.k = problem.options.k;
  how.search = problem.search;
  return tcloseness(problem.space, problem.confidential, how, ticker).partition;
}

Partition run_tclose(const Problem& problem, Ticker& ticker) {
  return form_t_close(problem, tcloseness_algorithm(problem.options), ticker);
}

/// The start of the project's own method: the t-closeness algorithms where t is promised, optimal
/// classes where they can be had, else MDAV; the search then improves it.
Partition run_microaggregate(const Problem& problem, Ticker& ticker) {
  if (!problem.confidential.empty())
    return form_t_close(problem, TClosenessAlgorithm::best, ticker);
  return is_univariate(problem.space) ? univariate(problem.space, problem.options.k, ticker)
                                      : mdav(problem.space, problem.options.k, ticker);
}

constexpr Method kMethods[] = {
    {"mdav", run_mdav, Refine::none, false, nullptr},
    {"vmdav", run_vmdav, Refine::none, false, nullptr},
    {"univariate", run_univariate, Refine::none, false, nullptr},
    {"tclose", run_tclose, Refine::none, true, check_tclose},
    {"microaggregate", run_microaggregate, Refine::fast, true, nullptr},
};

}  // namespace

Methods methods() {
  return {std::begin(kMethods), std::end(kMethods)};
}

const Method* find_method(std::string_view name) {
  for (const Method& method : methods())
    if (name == method.name) return &method;
  return nullptr;
}

}  // namespace anonkit
