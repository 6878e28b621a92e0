#pragma once

#include <cstdint>

#include "base/options.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// The promised limits on the risk of all records of a release. Both figures are means over
/// records, so a release keeps them if each of its parts does. Both fall, or stay, when classes
/// unite: a union has at least as many members as each of its parts, and the records of both.
struct RiskLimits {
  double mean = 1;       ///< of the records' risks, at most
  double above = 1;      ///< the share of records whose risk exceeds the threshold, at most
  double threshold = 1;  ///< of a record's risk

  RiskLimits() = default;
  explicit RiskLimits(const Promises& promises);

  bool any() const { return mean < 1 || above < 1; }
  /// True if the records of a class of so many members count as at risk.
  bool at_risk(Record members) const { return 1.0 / members > threshold; }
  /// The fewest members of classes which keep the limits in any number.
  Record least_members() const;
};

/// Throws infeasible if even one class of so many members exceeds a limit, and so every release.
void require_possible(const RiskLimits& limits, Record members);

/// The risk of a release: that of each record is 1 / the members of its class.
class ReleaseRisk {
 public:
  explicit ReleaseRisk(const RiskLimits& limits) : limits_(limits) {}

  void add(Record records, Record members) { count(records, members, 1); }
  void remove(Record records, Record members) { count(records, members, -1); }

  /// True if the share of records at risk is within its limit.
  bool share_within() const;
  /// True if both figures are within their limits. There is a record.
  bool within() const { return share_within() && mean_within(); }

 private:
  bool mean_within() const;
  void count(Record records, Record members, int sign);

  RiskLimits limits_;
  std::int64_t records_ = 0, at_risk_ = 0;
  std::int64_t whole_ = 0;  ///< classes of as many members as records: each adds 1 to the sum
  double others_ = 0;       ///< the sum of the risks of all other classes' records
  bool drifted_ = false;    ///< quotients were taken away
};

}  // namespace anonkit
