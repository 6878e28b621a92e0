#include <algorithm>
#include <numeric>

#include "base/at.hpp"
#include "base/logarithm.hpp"
#include "base/ratio.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

/// The largest relative gain of a value with share p of the table.
double largest_gain(double p, double beta) {
  return std::min(beta, -logarithm(p));
}

double largest_share_gained(double p, const SensitiveAttribute&, const Promises& promises) {
  return p * (1 + largest_gain(p, promises.beta));
}

ClassModel model_of_beta_likeness(const SensitiveAttribute& attribute, const Promises& promises) {
  const std::vector<std::int64_t> counts = counts_of_table(attribute);
  const std::int64_t records = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  std::vector<double> limits;
  for (const std::int64_t count : counts) {
    const double p = static_cast<double>(count) / static_cast<double>(records);
    limits.push_back(count == 0 ? 0 : largest_gain(p, promises.beta));
  }
  return [counts, records, limits](const Emd::Runs& runs, std::int32_t members) {
    return std::all_of(runs.begin(), runs.end(), [&](const Emd::Run& run) {
      const auto in_class = static_cast<Wide>(run.count) * static_cast<Wide>(records);
      const auto in_table = static_cast<Wide>(counts[at(run.rank)]) * static_cast<Wide>(members);
      return in_class <= in_table || ratio(in_class - in_table, in_table) <= limits[at(run.rank)];
    });
  };
}

/// Enhanced beta-likeness (J. Cao, P. Karras: Publishing microdata with a robust privacy guarantee.
/// PVLDB 5(11), 2012): a value with share p of the table has a share q of at most
/// p (1 + min(beta, -ln p)) of every class. It implies basic beta-likeness. The shares of a union
/// are between those of its parts, so it is monotone.
constexpr Promise row_of_beta_likeness() {
  Promise row;
  row.name = "enhanced beta-likeness";
  row.kind = kPromiseLikeness;
  row.parameters[0] = {"beta", ParameterDomain::positive, nullptr, &Promises::beta};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.beta; },
                   "enhanced %g-like"};
  row.is_made = [](const Promises& p) { return p.beta > 0; };
  row.relative = true;
  row.of_persons = false;
  row.not_transparent = "The limits depend on the shares of the whole table.";
  row.largest_share = largest_share_gained;
  row.model = model_of_beta_likeness;
  return row;
}

}  // namespace

constexpr Promise kBetaLikeness = row_of_beta_likeness();

}  // namespace anonkit
