#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace anonkit {

/// An aggregate of a record's quasi-identifiers that an attacker may know (O. Gkountouna, K.
/// Lepenioti, M. Terrovitis: Privacy against aggregate knowledge attacks. 2013, section II).
enum class Aggregate : std::uint8_t { sum, avg, min, max, weighted_sum };

struct AggregateFunction {
  Aggregate aggregate = Aggregate::sum;
  std::vector<double> weights;  ///< weighted_sum only: one per attribute, of either sign
};

/// The two definitions of k^f-anonymity in the paper.
///   candidates  Definition 1: for every record t, at least k published records have an interval of
///               f that contains f(t). An attacker who knows f(t) cannot single out t's record.
///   identical   line 18 of Algorithm 1: all records of a class have the same interval of f, so
///               f cannot distinguish them.
/// With d > 0 (Definition 2, k^(f,d)) the attacker knows only that f(t) lies in [f - d|f|, f +
/// d|f|]. An interval then counts if it meets that range. Two intervals are identical if each end
/// is within d of the other's.
enum class AggregateGuarantee : std::uint8_t { candidates, identical };

/// The function of that name ("sum", "avg", "min", "max", "weighted_sum"). Throws invalid_parameter
/// if there is none (the hint lists the known ones), or unless a weighted sum has one finite weight
/// per attribute.
AggregateFunction aggregate_function(std::string_view name, int attributes,
                                     const std::vector<double>& weights = {});

}  // namespace anonkit
