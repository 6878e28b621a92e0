#pragma once

#include <cstdint>

namespace anonkit {

/// How an attribute takes part in distances and centroids (Domingo-Ferrer and Torra 2005):
///   numeric  squared difference of standardised values; centroid = mean
///   ordinal  squared difference of ranks over the number of categories; centroid = median
///   nominal  0 if equal, else 1; centroid = mode
enum class Kind : std::uint8_t { numeric, ordinal, nominal };

struct Attribute {
  Kind kind = Kind::numeric;
  double weight = 1;            ///< multiplies the attribute's squared distance; >= 0
  std::int32_t categories = 0;  ///< ordinal and nominal: the codes are 0 .. categories-1
};

}  // namespace anonkit
