#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// A row of a stored version of a release, linked to its person. Plain data.
struct StoredRow {
  std::int32_t version;
  std::int32_t person;    ///< 0 .. persons-1
  std::int32_t class_id;  ///< numbered across all versions
  std::int32_t value;     ///< number of the as-is value
};

/// The disclosure by intersection of all versions to an attacker who knows every person's class in
/// every version. A place is a person with one value; a person whose value changes has several
/// places.
struct Intersection {
  std::int64_t places = 0;
  std::int64_t fewest_histories = 0;  ///< fewest places with the same history of classes
  /// The fewest possible values of a place, if each class reveals its values in unknown order, and
  /// the number of places with one: at most and at least those of an attacker who excludes all that
  /// can be excluded.
  std::int64_t fewest_candidates = 0;
  std::int64_t certain = 0;
  /// Persons whose exact quasi-identifiers follow from the means of classes, assuming published
  /// means and constant quasi-identifiers. Below 0: not computed, because there are too many.
  std::int64_t solved = 0;
  std::int64_t persons = 0;
  /// m-invariance (Xiao, Tao 2007): every class has at least m rows of different values, and a
  /// person's class has the same values in all versions. 0 if the values differ.
  std::int64_t m_invariance = 0;
  std::vector<std::int32_t> invariance_of;  ///< by class: its m, or 0
  std::vector<std::int32_t> rows_of;        ///< by class: its rows
};

constexpr std::int64_t kMostUnknowns = 2000;

/// Measures the rows of all versions, in any order. possible_values.hpp defines possible values.
/// Solves for that many persons at most, in the cube of their number.
Intersection intersect_versions(const std::vector<StoredRow>& rows, Ticker& ticker,
                                std::int64_t most_unknowns = kMostUnknowns);

}  // namespace anonkit
