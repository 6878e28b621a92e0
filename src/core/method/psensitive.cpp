#include "method/psensitive.hpp"

#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "method/constrained.hpp"
#include "method/growing/psensitive_microaggregation.hpp"
#include "method/mondrian/mondrian_method.hpp"
#include "method/pkclustering/form.hpp"

namespace anonkit {
namespace {

Classification run_microaggregation(const Problem& problem, Ticker& ticker) {
  const Options& options = problem.options;
  check_feasible(problem, ticker);
  return {psensitive_microaggregation(problem.space, problem.sensitive, options.k,
                                      options.promises.p, options.seed, ticker)};
}

/// Thorough, unless the options demand a fast search.
Classification run_best(const Problem& problem, Ticker& ticker) {
  if (generalises(problem.options))
    return form_generalised(problem, problem.options.refine, ticker);
  return form_constrained(problem, problem.options.refine, ticker);
}

struct Algorithm {
  std::string_view name;
  Classification (*form)(const Problem& problem, Ticker& ticker);
};

/// The first one is the default.
constexpr Algorithm kAlgorithms[] = {
    {"auto", form_better_pk},   {"enhanced", form_enhanced_pk},
    {"greedy", form_greedy_pk}, {"microaggregation", run_microaggregation},
    {"best", run_best},
};

const Algorithm& algorithm_of(const Options& options) {
  if (options.algorithm == nullptr) return kAlgorithms[0];
  for (const Algorithm& algorithm : kAlgorithms)
    if (algorithm.name == options.algorithm) return algorithm;
  throw Error(ErrorKind::invalid_parameter, "unknown algorithm of method \"psensitive\"", "",
              "Choose one of 'auto', 'enhanced', 'greedy', 'microaggregation' and 'best'.");
}

}  // namespace

Classification form_psensitive(const Problem& problem, Ticker& ticker) {
  const Algorithm& algorithm = algorithm_of(problem.options);
  Classification formed = algorithm.form(problem, ticker);
  // All algorithms but 'best' count records.
  return problem.units.empty() || algorithm.form == run_best
             ? formed
             : united_for_persons(problem, std::move(formed), ticker);
}

void check_psensitive(const Options& options) {
  algorithm_of(options);
  if (options.promises.p < 1)
    throw Error(ErrorKind::invalid_parameter, "method \"psensitive\" needs p", "",
                "Give p, at least 1.");
}

}  // namespace anonkit
