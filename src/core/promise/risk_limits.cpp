#include "promise/risk_limits.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/tolerance.hpp"
#include "promise/promise.hpp"

namespace anonkit {

RiskLimits::RiskLimits(const Promises& promises) {
  if (promises.risk_mean > 0) mean = promises.risk_mean;
  if (promises.risk_above <= 0) return;
  above = promises.risk_above;
  threshold = promises.threshold_of_risk();
}

Record RiskLimits::least_members() const {
  // 1 / x may round down: the first number beside it that keeps both limits.
  const double limit = above < 1 && threshold < mean ? threshold : mean;
  constexpr Record kMost = std::numeric_limits<Record>::max();
  if (1 / limit >= kMost) return kMost;  // no table has so many
  auto least = static_cast<Record>(std::floor(1 / limit));
  while (least < 1 || 1.0 / least > mean || (above < 1 && at_risk(least))) ++least;
  return least;
}

void require_possible(const RiskLimits& limits, Record members) {
  const bool mean = 1.0 / members <= limits.mean;
  if (mean && (limits.above >= 1 || !limits.at_risk(members))) return;
  throw Error(
      ErrorKind::infeasible,
      std::string(mean ? kRecordsAtRisk.name : kMeanRisk.name) + " cannot be had",
      "Even in one class of all, the risk of each record is 1/" + std::to_string(members) + ".",
      "Allow more risk.");
}

void ReleaseRisk::count(Record records, Record members, int sign) {
  records_ += sign * records;
  if (limits_.at_risk(members)) at_risk_ += sign * records;
  if (records == members)
    whole_ += sign;
  else
    others_ += sign * (static_cast<double>(records) / members);
  drifted_ = drifted_ || (records != members && sign < 0);
}

bool ReleaseRisk::share_within() const {
  return static_cast<double>(at_risk_) / static_cast<double>(records_) <= limits_.above;
}

/// Half of the judge's tolerance, so that it never refuses such a release. Sums from which rounded
/// quotients were taken away again have a larger error, and stay below the limit by it.
bool ReleaseRisk::mean_within() const {
  constexpr double kDrift = 1e-9;
  const double sum = static_cast<double>(whole_) + others_;
  const double limit = limits_.mean * (drifted_ ? 1 - kDrift : 1 + kTolerance / 2);
  return sum / static_cast<double>(records_) <= limit;
}

}  // namespace anonkit
