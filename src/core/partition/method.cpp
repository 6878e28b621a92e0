#include "partition/method.hpp"

#include <iterator>

#include "error.hpp"
#include "partition/mdav.hpp"
#include "partition/univariate.hpp"
#include "partition/vmdav.hpp"

namespace anonkit {
namespace {

Partition run_mdav(const Space& space, const Options& options, Ticker& ticker) {
  return mdav(space, options.k, ticker);
}

Partition run_vmdav(const Space& space, const Options& options, Ticker& ticker) {
  return vmdav(space, options.k, options.gamma, ticker);
}

bool is_univariate(const Space& space) {
  return space.dimension() == 1 && space.numeric();
}

Partition run_univariate(const Space& space, const Options& options, Ticker& ticker) {
  if (!is_univariate(space))
    throw Error(ErrorKind::invalid_parameter,
                "method \"univariate\" takes exactly one numeric quasi-identifier", "",
                "Use method 'microaggregate' or 'mdav' for several.");
  return univariate(space, options.k, ticker);
}

/// The start of the project's own method: optimal where that can be had, else MDAV, which the
/// search then improves.
Partition run_microaggregate(const Space& space, const Options& options, Ticker& ticker) {
  return is_univariate(space) ? univariate(space, options.k, ticker)
                              : mdav(space, options.k, ticker);
}

constexpr Method kMethods[] = {
    {"mdav", run_mdav, Refine::none},
    {"vmdav", run_vmdav, Refine::none},
    {"univariate", run_univariate, Refine::none},
    {"microaggregate", run_microaggregate, Refine::fast},
};

}  // namespace

Methods methods() { return {std::begin(kMethods), std::end(kMethods)}; }

const Method* find_method(std::string_view name) {
  for (const Method& method : methods())
    if (name == method.name) return &method;
  return nullptr;
}

}  // namespace anonkit
