#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/at.hpp"
#include "base/logarithm.hpp"
#include "base/ratio.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

std::int32_t values_in(const std::vector<std::int64_t>& counts) {
  return static_cast<std::int32_t>(counts.size()) -
         static_cast<std::int32_t>(std::count(counts.begin(), counts.end(), 0));
}

/// A class without a value of the table has a ratio of shares of 0.
ImpliedByTable all_values_of(const SensitiveAttribute& attribute) {
  const std::int32_t values = values_in(counts_of_table(attribute));
  return {values, values};
}

ClassModel model_of_delta_disclosure(const SensitiveAttribute& attribute,
                                     const Promises& promises) {
  const std::vector<std::int64_t> counts = counts_of_table(attribute);
  const std::int64_t records = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  const std::int32_t values = values_in(counts);
  return [counts, records, values, delta = promises.delta](const Emd::Runs& runs,
                                                           std::int32_t members) {
    return distinct(runs) == values &&
           std::all_of(runs.begin(), runs.end(), [&](const Emd::Run& run) {
             const double times =
                 ratio(static_cast<Wide>(run.count) * static_cast<Wide>(records),
                       static_cast<Wide>(counts[at(run.rank)]) * static_cast<Wide>(members));
             return std::fabs(logarithm(times)) < delta;
           });
  };
}

/// delta-disclosure privacy (J. Brickell, V. Shmatikov: The cost of privacy: destruction of
/// data-mining utility in anonymized data publishing. KDD 2008): every value of the
/// table, with share p, has a share q with |ln (q / p)| < delta in every class. The shares of a
/// union are between those of its parts, so it is monotone.
constexpr Promise row_of_delta_disclosure() {
  Promise row;
  row.name = "delta-disclosure";
  row.kind = kPromiseLikeness;
  row.parameters[0] = {"delta", ParameterDomain::positive, nullptr, &Promises::delta};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.delta; },
                   "delta-disclosure private with delta = %g"};
  row.is_made = [](const Promises& p) { return p.delta > 0; };
  row.relative = true;
  row.of_persons = false;
  row.not_transparent = "Almost all values would be withheld.";
  row.implied_by_table = all_values_of;
  row.model = model_of_delta_disclosure;
  return row;
}

}  // namespace

constexpr Promise kDeltaDisclosure = row_of_delta_disclosure();

}  // namespace anonkit
