#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// A row of a stored version of a release, linked to its person. Plain data.
struct StoredRow {
  std::int32_t version;
  std::int32_t person;    ///< 0 .. persons-1
  std::int32_t class_id;  ///< numbered through all versions
  std::int32_t value;     ///< what is published as it is, by number
};

/// What intersecting all versions gives away to somebody who knows who is in which class of which
/// version. A place is a person with one value: somebody whose value changes has several.
struct Intersection {
  std::int64_t places = 0;
  std::int64_t fewest_histories = 0;  ///< places with the same history of classes, at the least
  /// Values that a place may have if each class says 'these places have these values in some
  /// order': the fewest, and the places that have one.
  std::int64_t fewest_candidates = 0;
  std::int64_t certain = 0;
  /// Persons whose exact quasi-identifiers follow from the means of classes, were they published
  /// and no person's ever changed; below 0: not computed, there are more than kMostUnknowns.
  std::int64_t solved = 0;
  std::int64_t persons = 0;
  /// m-invariance (Xiao, Tao 2007): every class has m rows or more of different values, and the
  /// values of a person's class are the same in all versions; 0 if they are not.
  std::int64_t m_invariance = 0;
};

constexpr std::int64_t kMostUnknowns = 2000;

/// Measures the rows of all versions, in any order. Candidates are propagated to a fixpoint: a
/// value stays possible if it is on an edge of a perfect matching or on an alternating cycle.
Intersection intersect_versions(const std::vector<StoredRow>& rows, Ticker& ticker);

}  // namespace anonkit
