#pragma once

#include "base/options.hpp"
#include "base/record.hpp"

namespace anonkit {

/// The promised limits on the records of a class in the release and in its population, of which the
/// release is a part.
///
/// k-map (L. Sweeney: k-anonymity. IJUFKS 10(5), 2002): every published class has k records of the
/// population. delta-presence (M. E. Nergiz, M. Atzori, C. Clifton: Hiding the presence of
/// individuals from shared databases. SIGMOD 2007): of every class of the population the published
/// share, the probability that one of its persons is in the release, is between two bounds.
///
/// The union of two classes has the records of both, and its share is between theirs. So both
/// models are monotone on a lattice without suppression, the observation of SPALM (section 4
/// there).
struct PopulationLimits {
  Record k_map = 0;
  double least = 0;
  double largest = 1;

  PopulationLimits() = default;
  explicit PopulationLimits(const Promises& promises) : k_map(promises.k_map) {
    if (promises.presence_largest <= 0) return;
    least = promises.presence_least;
    largest = promises.presence_largest;
  }

  bool any() const { return k_map > 0 || bound_share(); }
  /// True if shares are bounded above or below.
  bool bound_share() const { return least > 0 || largest < 1; }
  /// True if even a class of the population without published records breaks the promise.
  bool all_classes() const { return least > 0; }
  /// True if a published class with so many records, of so many of the population, may be.
  bool keeps(Record records, Record of_population) const {
    if (of_population < k_map) return false;
    if (!bound_share()) return true;
    const double share = static_cast<double>(records) / of_population;
    return share >= least && share <= largest;
  }
};

}  // namespace anonkit
