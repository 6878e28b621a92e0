#pragma once

#include <vector>

#include "data/centroid.hpp"
#include "index/spatial_index.hpp"

namespace anonkit {

/// The records that an algorithm in the manner of MDAV has not yet put into a class: their index
/// and their centroid.
class Remaining {
 public:
  /// All records of the space, or some, given in ascending order. Space and ticker must outlive the
  /// object.
  Remaining(const Space& space, Ticker& ticker);
  Remaining(const Space& space, const std::vector<Record>& records, Ticker& ticker);

  Record size() const { return index_.size(); }
  const SpatialIndex& index() const { return index_; }

  /// Both need a record.
  Record farthest_from_centroid();
  Record farthest_from(Record i) const { return index_.farthest(space_->row(i)).record; }

  /// Takes the records out and puts them into a new class.
  void form_class(const std::vector<Neighbour>& members, Partition& partition);

 private:
  Remaining(const Space& space, SpatialIndex index);
  void add(Record i, Ticker& ticker);

  const Space* space_;
  SpatialIndex index_;
  Centroid of_all_;
  std::vector<double> point_;
};

}  // namespace anonkit
