#include "risk/population_classes.hpp"

#include <limits>

#include "base/at.hpp"
#include "base/error.hpp"
#include "risk/agreement.hpp"
#include "risk/refinement.hpp"

namespace anonkit {

PopulationClasses population_classes(const CellsPair& pair, Ticker& ticker) {
  const std::size_t n = at(pair.original.rows);
  Grouping grouping = {std::vector<std::int32_t>(n + at(pair.masked.rows), 0), 1};
  Refinement refinement;
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j) {
    const CellCodes agreement = agreement_codes(pair, j);
    grouping = refinement.refine(grouping, {agreement.codes.data(), agreement.distinct}, ticker);
  }
  PopulationClasses classes;
  classes.sizes.assign(at(grouping.classes), 0);
  classes.crowds.assign(at(grouping.classes), 0);
  classes.example.assign(at(grouping.classes), -1);
  for (std::size_t row = 0; row < grouping.class_of.size(); ++row)
    ++(row < n ? classes.crowds : classes.sizes)[at(grouping.class_of[row])];
  for (std::size_t row = grouping.class_of.size(); row-- > n;)
    classes.example[at(grouping.class_of[row])] = static_cast<std::int32_t>(row - n);
  return classes;
}

PresenceLevel presence_level(const PopulationClasses& classes, PresenceModel model, double asked) {
  // Larger is worse for the largest probability alone.
  const double sign = model == PresenceModel::largest ? -1 : 1;
  PresenceLevel found;
  bool first = true;
  for (std::size_t c = 0; c < classes.sizes.size(); ++c) {
    const auto size = static_cast<double>(classes.sizes[c]);
    const auto crowd = static_cast<double>(classes.crowds[c]);
    if (crowd < size)
      throw Error(ErrorKind::invalid_data, "the population lacks records of the relation",
                  "A class has more records in the relation than in the population.",
                  "The population's columns must be masked as the relation's are.");
    if (model == PresenceModel::k_map && size == 0) continue;
    const double level = model == PresenceModel::k_map ? crowd : size / crowd;
    if (first || sign * level < sign * found.level) {
      found.level = level;
      found.worst_class = static_cast<std::int32_t>(c);
    }
    first = false;
    if (!(sign * level < sign * asked)) continue;
    ++found.classes_short;
    found.records_short += model == PresenceModel::k_map ? classes.sizes[c] : classes.crowds[c];
  }
  return found;
}

Presence presence_of(const PopulationClasses& classes) {
  const auto level = [&](PresenceModel model) {
    return presence_level(classes, model, std::numeric_limits<double>::quiet_NaN()).level;
  };
  return {level(PresenceModel::least), level(PresenceModel::largest),
          static_cast<std::int64_t>(level(PresenceModel::k_map))};
}

}  // namespace anonkit
