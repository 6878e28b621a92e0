#pragma once

#include <cstdint>
#include <vector>

#include "space/space.hpp"
#include "space/tally.hpp"

namespace anonkit {

/// The centroid of a set of records that grows and shrinks: mean, median or mode by attribute. A
/// row of a weighted space counts as the records that it represents. The centroid is exact: it
/// depends on the set alone, and not on the history of additions and removals.
///
/// Ties: the median of an even number of records is the lower one; the mode is the lowest of
/// several codes. All operations cost O(d), and O(log categories) for an attribute that has them.
class Centroid {
 public:
  explicit Centroid(const Space& space);

  void add(Record i) { count(space_->row(i), space_->weight(i)); }
  void remove(Record i) { remove(i, space_->row(i)); }
  /// Removes record i, whose coordinates the caller has at hand.
  void remove(Record i, const double* row) { count(row, -space_->weight(i)); }
  /// The number of records, by weight.
  Record size() const { return size_; }

  /// Writes the d coordinates of the centroid; the set must not be empty.
  void point(double* out) const;

 private:
  __extension__ using Sum = __int128;

  void count(const double* row, Record records);
  double mean(int j) const;
  double median(int j) const;
  double mode(int j) const;

  const Space* space_;
  Record size_ = 0;
  std::vector<Sum> sums_;       ///< numeric attributes, in grid steps
  std::vector<Tally> tallies_;  ///< ordinal and nominal attributes, by code
};

}  // namespace anonkit
