#include "base/aggregate_function.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"

namespace anonkit {
namespace {

struct Name {
  std::string_view name;
  Aggregate aggregate;
};

constexpr Name kNames[] = {
    {"sum", Aggregate::sum},
    {"avg", Aggregate::avg},
    {"min", Aggregate::min},
    {"max", Aggregate::max},
    {"weighted_sum", Aggregate::weighted_sum},
};

void check_weights(const std::vector<double>& weights, int attributes) {
  if (weights.size() != static_cast<std::size_t>(attributes))
    throw Error(ErrorKind::invalid_parameter,
                "a weighted sum needs one weight for each quasi-identifier",
                "There are " + std::to_string(weights.size()) + " weights for " +
                    std::to_string(attributes) + " quasi-identifiers.");
  for (const double weight : weights)
    if (!std::isfinite(weight))
      throw Error(ErrorKind::invalid_parameter, "a weight of a weighted sum is not finite");
}

}  // namespace

AggregateFunction aggregate_function(std::string_view name, int attributes,
                                     const std::vector<double>& weights) {
  std::string known;
  for (const Name& entry : kNames) {
    if (entry.name != name) {
      known += (known.empty() ? "" : ", ") + std::string(entry.name);
      continue;
    }
    if (entry.aggregate != Aggregate::weighted_sum) return {entry.aggregate, {}};
    check_weights(weights, attributes);
    return {entry.aggregate, weights};
  }
  throw Error(ErrorKind::invalid_parameter,
              "aggregate function \"" + std::string(name) + "\" does not exist", "",
              "The known functions are: " + known + ".");
}

}  // namespace anonkit
