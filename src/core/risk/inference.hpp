#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "risk/nearest_attack.hpp"

namespace anonkit {

/// The share of original records whose sensitive value an attacker guesses right from the
/// quasi-identifiers and the release. Ties among best guesses are broken at random, and the
/// expected share counts.
struct GuessedRight {
  double base = 0;        ///< always guesses the most frequent value of the release
  double by_class = 0;    ///< the most frequent value of the nearest class or classes
  double by_nearest = 0;  ///< the most frequent value of the k nearest records, ties included
  double by_bayes = 0;    ///< a naive Bayes classifier trained on the release
};

/// Attacks each sensitive attribute. Naive Bayes models numbers as normal within each sensitive
/// value, nulls by an indicator, and adds one to the count of each category. O(n (log n + d v)) for
/// v sensitive values, in memory O(d (n + v)). The result does not depend on the number of threads.
/// `by_class` is the attack by the nearest point or points; it is not read without sensitive
/// attributes.
std::vector<GuessedRight> guess(const CellsPair& pair, const PublishedPoints& points,
                                const std::vector<SensitivePair>& sensitive, std::int32_t k,
                                const NearestAttack& by_class, int threads, Ticker& ticker);

/// Codes of numbers: by decile of the masked numbers if there are more than twenty distinct ones,
/// else by value. Null, which is kNullLow, has the last one.
struct Tenths {
  std::vector<std::int32_t> original;
  std::vector<std::int32_t> masked;
  std::int32_t values;
};
/// Codes both lists of numbers by common bounds. O(n log n).
Tenths tenths(const double* original, std::int32_t originals, const double* masked,
              std::int32_t maskeds);

/// Codes of a sensitive column of numbers. At most twenty published ranges that do not overlap are
/// codes of the numbers in them, and the last code is of numbers in none. Else as `tenths`, a range
/// by its middle.
Tenths grades(const CellsPair& pair, std::size_t j, Ticker& ticker);

}  // namespace anonkit
