#pragma once

// The working state of MDAV and its relatives: the records without a class, their centroid and
// index, and the classes formed so far.
//
// Phases: farthest_from_centroid() or farthest_from() finds a seed; take() moves records into the
// class that grows; end_class() closes it; partition() returns the result. Records may come in
// parts (subsets, buckets), each with its own index. Invariant: the centroid is exact and covers
// all records left in all parts, unless it is kept. Memory: one spatial index per part, and two
// numbers per record.
//
//   UnassignedRecords left(space, ticker);
//   left.index().nearest(space.row(left.farthest_from_centroid()), k, members);
//   left.form_class(members);

#include <utility>
#include <vector>

#include "partition/change.hpp"
#include "space/centroid.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {

/// Records that are not yet in a class.
class UnassignedRecords {
 public:
  /// All records of the space, or some, given in ascending order. Space and ticker must outlive the
  /// object.
  UnassignedRecords(const Space& space, Ticker& ticker);
  UnassignedRecords(const Space& space, const std::vector<Record>& records, Ticker& ticker);
  /// Starts with some records in parts, each in ascending order.
  UnassignedRecords(const Space& space, const std::vector<std::vector<Record>>& parts,
                    Ticker& ticker);

  /// The number of records left, by weight.
  Record size() const { return size_; }
  std::size_t parts() const { return parts_.size(); }
  const SpatialIndex& part(std::size_t p) const { return parts_[p].index; }
  /// The index, if there is one part.
  const SpatialIndex& index() const { return part(0); }

  /// Seeds. Both require a record.
  Record farthest_from_centroid();
  Record farthest_from(Record i) const;
  /// From now on, no record left is farther than a seed by more than this factor, in squared
  /// distance.
  void stretch_seeds(double stretch) { stretch_ = stretch; }
  /// The centroid remains that of the records left now, which saves its updates.
  void keep_centroid() { updates_centroid_ = false; }

  /// Moves records of a part into the class that grows.
  void take(const std::vector<Neighbour>& members, std::size_t p = 0);
  /// The class that grows: its records in the order of their arrival, and their number by weight.
  RecordSpan members() const {
    return {taken_.data() + first(), static_cast<Record>(taken_.size() - first())};
  }
  Record class_size() const { return class_size_; }
  /// Closes the class that grows.
  void end_class() {
    ends_.push_back(taken_.size());
    class_size_ = 0;
  }
  void form_class(const std::vector<Neighbour>& members);

  ClassId classes() const { return static_cast<ClassId>(ends_.size()); }
  /// The classes in the order in which they were formed; records in none of them are suppressed.
  Partition formed() const;
  /// The classes, numbered by their first records.
  Partition partition() const;

 private:
  struct Subset {
    SpatialIndex index;
    /// An upper bound of the distance from the last centroid to the part's records. Records leave
    /// and the centroid moves little, so most parts need no search for the farthest record.
    double reach;
    std::vector<double> from;
  };

  explicit UnassignedRecords(const Space& space);
  void add_part(const std::vector<Record>& records, Ticker& ticker);
  void add_part(SpatialIndex index);
  void add(Record i, Ticker& ticker);
  double bound(const Subset& part) const;
  /// Where the class that grows begins.
  std::size_t first() const { return ends_.empty() ? 0 : ends_.back(); }

  const Space* space_;
  std::vector<Subset> parts_;
  Centroid of_all_;
  bool updates_centroid_ = true;
  double stretch_ = 1;
  Record size_ = 0;
  std::vector<double> point_;
  std::vector<std::pair<double, Subset*>> order_;  ///< the parts, the most promising first
  /// Class after class. Storing the class of each record at once would cost a random memory access
  /// per record.
  std::vector<Record> taken_;
  std::vector<std::size_t> ends_;
  Record class_size_ = 0;
};

}  // namespace anonkit
