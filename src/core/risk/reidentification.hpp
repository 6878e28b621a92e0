#pragma once

#include <cstdint>
#include <vector>

namespace anonkit {

/// How likely somebody is right who picks a record of the right class by chance (K. El Emam,
/// F. K. Dankar: Protecting privacy using k-anonymity. JAMIA 15(5), 2008). The prosecutor knows
/// that the person is in the relation, so a record's risk is 1 / the size of its class. The
/// journalist does not: 1 / the size of the class in the population. The marketer wants as many
/// right matches as possible: the mean of these.
struct Reidentification {
  double largest = 0;
  double mean = 0;
  double above_threshold = 0;  ///< the share of the records whose risk is above the threshold
  std::int64_t uniques = 0;    ///< records whose class holds nobody else
};

/// `sizes` are those of the classes in the relation, `crowds` in what the attacker chooses from:
/// the same, or the population's, of which a class may hold nobody of the relation. O(c).
Reidentification reidentification(const std::vector<std::int64_t>& sizes,
                                  const std::vector<std::int64_t>& crowds, double threshold);

}  // namespace anonkit
