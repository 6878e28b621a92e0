#pragma once

#include <vector>

#include "index/spatial_index.hpp"

namespace anonkit {

/// Exact search for the record of a shrinking index that is farthest from a point which moves
/// little from one search to the next, such as the centroid of what the index holds.
///
/// Keeps the records by their distance from an old point c0, farthest first. By the triangle
/// inequality no record is farther from c than |x-c0| + |c-c0|, so a search may stop as soon as
/// that (plus a margin for rounding) falls below the best distance found. The list is made anew,
/// O(n d), when the searches since have cost as much; it is sorted ring by ring, as far as searches
/// get. Ties go to the lower record. Memory is 2 numbers for each record, twice that while a list
/// is made.
class FarthestFromCentroid {
 public:
  /// All three must outlive the object.
  FarthestFromCentroid(const Space& space, const SpatialIndex& index, Ticker& ticker);

  /// The record of the index (which must not be empty) farthest from `centroid`, and its squared
  /// distance.
  Neighbour find(const double* centroid);

 private:
  Neighbour scan(const double* centroid);
  void renew(const double* centroid);
  void sort_up_to(std::size_t place);
  bool out_of_reach(double distance, double drift, double best) const;

  const Space* space_;
  const SpatialIndex* index_;
  Ticker* ticker_;
  std::vector<double> origin_;   ///< c0
  std::vector<Neighbour> list_;  ///< by rings around c0, the outermost first
  std::vector<std::size_t> ring_end_;
  std::size_t ring_ = 0;     ///< the first that is not sorted
  std::size_t sorted_ = 0;   ///< records before it: by squared distance, farthest first
  std::size_t head_ = 0;     ///< what lies before has left the index
  std::size_t scanned_ = 0;  ///< since the list was made
};

}  // namespace anonkit
