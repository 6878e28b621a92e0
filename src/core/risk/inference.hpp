#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "risk/published_points.hpp"

namespace anonkit {

/// A sensitive attribute before and after masking, in codes that both share.
struct SensitivePair {
  const std::int32_t* original;
  const std::int32_t* masked;
  std::int32_t values;
};

/// The share of the original records whose sensitive value somebody guesses right who knows their
/// quasi-identifiers and has the release. Of values that are equally good guesses, one is picked by
/// chance.
struct GuessedRight {
  double base = 0;        ///< the value that is most frequent in the release, for everybody
  double by_class = 0;    ///< the most frequent one of the nearest class, or of the nearest ones
  double by_nearest = 0;  ///< the most frequent one of the k nearest records, ties included
  double by_bayes = 0;    ///< a naive Bayes classifier that was trained on the release
};

/// Attacks the sensitive attribute. Naive Bayes takes numbers as normal within each sensitive value
/// and counts each category once more than it occurs. O(n (log n + d v)) for v sensitive values.
GuessedRight guess(const CellsPair& pair, const PublishedPoints& points,
                   const SensitivePair& sensitive, std::int32_t k, Ticker& ticker);

/// Codes of numbers by the tenth of the masked ones that they fall into, where there are more than
/// twenty distinct ones; else by value.
struct Tenths {
  std::vector<std::int32_t> original;
  std::vector<std::int32_t> masked;
  std::int32_t values;
};
Tenths tenths(const double* original, std::int32_t originals, const double* masked,
              std::int32_t maskeds);

}  // namespace anonkit
