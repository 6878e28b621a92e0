#pragma once

#include <cstdint>
#include <vector>

namespace anonkit {

/// The probability of a correct guess within the right class (K. El Emam, F. K. Dankar: Protecting
/// privacy using k-anonymity. JAMIA 15(5), 2008). A prosecutor knows that the person is in the
/// relation: the risk of a record is 1 / the size of its class. A journalist does not: the risk is
/// 1 / the size of the class in the population. A marketer maximises the number of correct matches:
/// the risk is the mean of these.
struct Reidentification {
  double largest = 0;
  double mean = 0;
  double above_threshold = 0;  ///< the share of records whose risk exceeds the threshold
  std::int64_t uniques = 0;    ///< records in classes of their own
};

/// `sizes` are the classes' sizes in the relation, `risks` those of their records; a record of risk
/// 1 is a unique. A class may have no record of the relation. O(c).
Reidentification summary_of_risks(const std::vector<std::int64_t>& sizes,
                                  const std::vector<double>& risks, double threshold);

/// `sizes` are the classes' sizes in the relation, `crowds` those in the attacker's choice: the
/// relation or the population. A class of the population may have no record of the relation. O(c).
Reidentification reidentification(const std::vector<std::int64_t>& sizes,
                                  const std::vector<std::int64_t>& crowds, double threshold);

}  // namespace anonkit
