#pragma once

#include "pipeline.hpp"

namespace anonkit {

struct ReplayOptions {
  int classes = 8;        ///< classes to attack, among those with several sensitive values
  int arrangements = 16;  ///< arrangements of a class's values to try, with the true one
  std::uint64_t seed = 0;
  std::int64_t most_bytes = INT64_MAX;  ///< for the arrangements of a class
};

/// The attack on one class. Beliefs are means over its persons of the probability that the attacker
/// assigns to the true value.
struct ReplayedClass {
  Record first = 0;                ///< the first row of the class
  Record size = 0;                 ///< persons
  int tried = 0;                   ///< arrangements of their values tried
  int consistent = 0;              ///< arrangements that yield the same release
  double belief_before = 0;        ///< by the frequencies of the values in the class
  double belief_after = 0;         ///< by the consistent arrangements
  Record undetermined_before = 0;  ///< persons whose value the frequencies do not determine
  Record determined = 0;  ///< of these, persons with one value in all consistent arrangements
};

/// A release that an adversary tries to make of tables with other values.
class ReplayTarget {
 public:
  virtual ~ReplayTarget() = default;

  /// The rows of each class that shows its sensitive values.
  virtual std::vector<std::vector<Record>> shown_classes() const = 0;
  /// True if the table, with other values in some rows, exchanged between them, has this release.
  virtual bool is_released_from(const Table& table) = 0;
};

/// Attacks classes of the target that show several values. `table` has the true values. If it has
/// fingerprints, they cover the sensitive values, and are exchanged with them.
std::vector<ReplayedClass> attack(const Table& table, ReplayTarget& target,
                                  const ReplayOptions& how, Ticker& ticker);

/// Replays a release against an adversary who knows the code, all quasi-identifiers, and all
/// sensitive values outside one class (R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei: Minimality
/// attack in privacy preserving data publishing, 2007). The adversary tries arrangements of the
/// class's values over its persons and keeps those that yield the release.
///
/// Phases: anonymize the table; draw classes; for each class, anonymize the table again with the
/// values of its persons permuted, and compare the releases. If a class has more arrangements than
/// the limit, a random sample is tried. Then belief_after estimates the share of the true value
/// among all consistent arrangements, and determined is an upper estimate.
///
/// Throws like anonymize, and out_of_memory; an arrangement without a release is not consistent.
/// O(classes * arrangements) runs of the method. Memory: two releases (replay_bytes), and the
/// arrangements of a class.
std::vector<ReplayedClass> replay(const Table& table, const Method& method, const Options& options,
                                  const ReplayOptions& how, Ticker& ticker);

/// The bytes that a replay needs in addition to one run of the pipeline, without arrangements.
std::int64_t replay_bytes(const Table& table);

}  // namespace anonkit
