#include "constraint/largest_share.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace anonkit {

LargestShare::LargestShare(std::vector<std::int32_t> ranks, double alpha)
    : SortedValues(std::move(ranks)), alpha_(alpha) {
  if (!(alpha > 0 && alpha <= 1))
    throw Error(ErrorKind::invalid_parameter, "alpha is out of range",
                "alpha must be above 0 and at most 1.");
}

bool LargestShare::holds(const Values& values, std::int32_t members) const {
  std::int32_t most = 0;
  for_each_value(values, [&](std::int32_t, std::int32_t count) { most = std::max(most, count); });
  return static_cast<double>(most) / members <= alpha_;
}

std::int32_t most_alike(double alpha, std::int32_t members) {
  auto most = static_cast<std::int32_t>(alpha * members);
  while (static_cast<double>(most + 1) / members <= alpha) ++most;
  while (most > 0 && static_cast<double>(most) / members > alpha) --most;
  return most;
}

}  // namespace anonkit
