#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace anonkit {

/// What an attacker may know of a record beside its single values (O. Gkountouna, K. Lepenioti,
/// M. Terrovitis: Privacy against aggregate knowledge attacks. 2013, section II).
enum class Aggregate : std::uint8_t { sum, avg, min, max, weighted_sum };

struct AggregateFunction {
  Aggregate aggregate = Aggregate::sum;
  std::vector<double> weights;  ///< weighted_sum only: one per attribute, of either sign
};

/// The function of that name ("sum", "avg", "min", "max", "weighted_sum"). Throws invalid_parameter
/// if there is none (the hint lists the known ones), or if a weighted sum has not one finite weight
/// for each of the attributes.
AggregateFunction aggregate_function(std::string_view name, int attributes,
                                     const std::vector<double>& weights = {});

}  // namespace anonkit
