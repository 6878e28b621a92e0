#include "risk/population_classes.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "base/error.hpp"
#include "risk/agreement.hpp"
#include "risk/refinement.hpp"

namespace anonkit {

PopulationClasses population_classes(const CellsPair& pair, Ticker& ticker) {
  const std::size_t n = at(pair.original.rows);
  Grouping grouping = {std::vector<std::int32_t>(n + at(pair.masked.rows), 0), 1};
  Refinement refinement(grouping.class_of.size());
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j) {
    const AgreementCodes agreement = agreement_codes(pair, j);
    grouping = refinement.refine(grouping, {agreement.codes.data(), agreement.distinct}, ticker);
  }
  PopulationClasses classes;
  classes.sizes.assign(at(grouping.classes), 0);
  classes.crowds.assign(at(grouping.classes), 0);
  for (std::size_t row = 0; row < grouping.class_of.size(); ++row)
    ++(row < n ? classes.crowds : classes.sizes)[at(grouping.class_of[row])];
  return classes;
}

Presence presence_of(const PopulationClasses& classes) {
  Presence presence = {1, 0, 0};
  for (std::size_t c = 0; c < classes.sizes.size(); ++c) {
    if (classes.crowds[c] < classes.sizes[c])
      throw Error(ErrorKind::invalid_data, "the population lacks records of the relation",
                  "A class has more records in the relation than in the population.",
                  "The population's columns must be masked as the relation's are.");
    const double delta =
        static_cast<double>(classes.sizes[c]) / static_cast<double>(classes.crowds[c]);
    presence.least = std::min(presence.least, delta);
    presence.largest = std::max(presence.largest, delta);
    if (classes.sizes[c] > 0 && (presence.k_map == 0 || classes.crowds[c] < presence.k_map))
      presence.k_map = classes.crowds[c];
  }
  return presence;
}

}  // namespace anonkit
