#pragma once

#include "pipeline.hpp"

namespace anonkit {

struct ReplayOptions {
  int classes = 8;        ///< classes to attack, of those that hold several sensitive values
  int arrangements = 16;  ///< arrangements of a class's values to try, the true one among them
  std::uint64_t seed = 0;
};

/// The attack on one class. Beliefs are the mean over its persons of the probability that the
/// attacker gives to the true value.
struct ReplayedClass {
  Record first = 0;                ///< the first row of the class
  Record size = 0;                 ///< persons
  int tried = 0;                   ///< arrangements of their values that were tried
  int consistent = 0;              ///< arrangements that lead to the same release
  double belief_before = 0;        ///< by the frequencies of the values in the class
  double belief_after = 0;         ///< by the consistent arrangements
  Record undetermined_before = 0;  ///< persons whose value the frequencies leave open
  Record determined = 0;  ///< of these, persons whose value all consistent arrangements share
};

/// Replays a release against an adversary who knows the code, all quasi-identifiers and all
/// sensitive values but those of one class (R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei: Minimality
/// attack in privacy preserving data publishing, 2007). The adversary tries arrangements of the
/// class's values over its persons and keeps those that lead to the release.
///
/// Phases: anonymize the table; draw classes; for each class run anonymize again on the table with
/// the values of its persons arranged otherwise, and compare what is published. Where a class has
/// more arrangements than are to be tried, others are drawn at random, so belief_after and
/// determined are estimates that favour the truth by one arrangement.
///
/// Throws as anonymize does; an arrangement that cannot be released is not consistent.
/// O(classes * arrangements) runs of the method. Memory: two releases.
std::vector<ReplayedClass> replay(const Table& table, const Method& method, const Options& options,
                                  const ReplayOptions& how, Ticker& ticker);

}  // namespace anonkit
