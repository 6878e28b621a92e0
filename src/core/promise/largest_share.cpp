#include "promise/largest_share.hpp"

#include <algorithm>

#include "promise/promise.hpp"

namespace anonkit {
namespace {

ClassModel model_of_alpha_anonymity(const SensitiveAttribute&, const Promises& promises) {
  return largest_share_within(promises.alpha);
}

/// (alpha,k)-anonymity (Wong et al. 2006): in every class the share of each value of a sensitive
/// attribute is at most alpha.
constexpr Promise row_of_alpha_anonymity() {
  Promise row;
  row.name = "(alpha,k)-anonymity";
  row.parameters[0] = {"alpha", ParameterDomain::above_0_to_1, nullptr, &Promises::alpha};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.alpha; },
                   "(alpha,k)-anonymous with alpha = %g"};
  row.is_made = [](const Promises& p) { return p.alpha > 0; };
  row.limits_are_exact = true;
  row.implied_values = [](const Promises& p) { return 1 / p.alpha; };
  row.limits = [](const Promises& p) { return ValueLimits{p.alpha}; };
  row.model = model_of_alpha_anonymity;
  return row;
}

}  // namespace

constexpr Promise kAlphaKAnonymity = row_of_alpha_anonymity();

ClassModel largest_share_within(double most) {
  return [most](const Emd::Runs& runs, std::int32_t members) {
    std::int32_t count = 0;
    for (const Emd::Run& run : runs) count = std::max(count, run.count);
    return static_cast<double>(count) / members <= most;
  };
}

std::int32_t most_alike(double alpha, std::int32_t members) {
  auto most = static_cast<std::int32_t>(alpha * members);
  while (static_cast<double>(most + 1) / members <= alpha) ++most;
  while (most > 0 && static_cast<double>(most) / members > alpha) --most;
  return most;
}

}  // namespace anonkit
