#pragma once

#include <vector>

#include "index/spatial_index.hpp"

namespace anonkit {

/// Exact search for the record of a shrinking index that is farthest from a point which moves
/// little from one search to the next, such as the centroid of what the index holds.
///
/// Keeps the records that were farthest from an old point c0, farthest first. By the triangle
/// inequality no record is farther from c than |x-c0| + |c-c0|, so a search may stop as soon as
/// that (plus a margin for rounding) falls below the best distance found. The list is made anew,
/// O(n d), when the searches since have cost as much. Ties go to the lower record. Memory is 2
/// numbers for each eighth record, and while a list is made for each record.
class FarthestFromCentroid {
 public:
  /// All three must outlive the object.
  FarthestFromCentroid(const Space& space, const SpatialIndex& index, Ticker& ticker);

  /// The record of the index (which must not be empty) farthest from `centroid`, and its squared
  /// distance.
  Neighbour find(const double* centroid);

 private:
  bool scan(const double* centroid, Neighbour& best);
  void renew(const double* centroid);
  bool out_of_reach(double distance, double drift, double best) const;

  const Space* space_;
  const SpatialIndex* index_;
  Ticker* ticker_;
  std::vector<double> origin_;   ///< c0
  std::vector<Neighbour> list_;  ///< by squared distance from c0, farthest first
  std::size_t head_ = 0;         ///< what lies before has left the index
  std::size_t scanned_ = 0;      ///< since the list was made
};

}  // namespace anonkit
