#include "method/pkclustering/form.hpp"

#include "method/constrained.hpp"
#include "method/pkclustering/pk_clustering.hpp"

namespace anonkit {
namespace {

template <class Algorithm>
auto run(const Problem& problem, Algorithm algorithm, Ticker& ticker) {
  check_feasible(problem, ticker);
  return algorithm(problem.table, problem.rows, problem.sensitive,
                   PkOptions{problem.options.k, problem.options.promises.p, {}}, ticker);
}

}  // namespace

Classification form_enhanced_pk(const Problem& problem, Ticker& ticker) {
  return {run(problem, enhanced_pk_clustering, ticker)};
}

Classification form_greedy_pk(const Problem& problem, Ticker& ticker) {
  return {run(problem, greedy_pk_clustering, ticker)};
}

Classification form_better_pk(const Problem& problem, Ticker& ticker) {
  return {run(problem, better_pk_clustering, ticker).partition};
}

}  // namespace anonkit
