#pragma once

#include <utility>
#include <vector>

#include "partition/partition.hpp"
#include "space/centroid.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {

/// The records that an algorithm in the manner of MDAV has not yet put into a class: their centroid
/// and their index, or several if the records come in parts (subsets, buckets) that are searched
/// one by one. And the classes that it has formed.
class UnassignedRecords {
 public:
  /// All records of the space, or some, given in ascending order. Space and ticker must outlive the
  /// object.
  UnassignedRecords(const Space& space, Ticker& ticker);
  UnassignedRecords(const Space& space, const std::vector<Record>& records, Ticker& ticker);
  /// Some records in parts, each in ascending order.
  UnassignedRecords(const Space& space, const std::vector<std::vector<Record>>& parts,
                    Ticker& ticker);

  /// The number of records left, by weight.
  Record size() const { return of_all_.size(); }
  std::size_t parts() const { return parts_.size(); }
  const SpatialIndex& part(std::size_t p) const { return parts_[p].index; }
  /// Of what is not in parts.
  const SpatialIndex& index() const { return part(0); }

  /// Both need a record.
  Record farthest_from_centroid();
  Record farthest_from(Record i) const;

  /// Takes records of a part out and puts them into the class that is being formed.
  void take(const std::vector<Neighbour>& members, std::size_t p = 0);
  /// What was taken since the last one is a class.
  void end_class() { ends_.push_back(taken_.size()); }
  void form_class(const std::vector<Neighbour>& members);

  ClassId classes() const { return static_cast<ClassId>(ends_.size()); }
  /// The classes; who is in none of them is suppressed.
  Partition partition() const;

 private:
  struct Subset {
    SpatialIndex index;
    /// No record is farther than this from where the centroid was. Records leave and the centroid
    /// moves little, so that most parts need not be searched for the farthest record of all.
    double reach;
    std::vector<double> from;
  };

  explicit UnassignedRecords(const Space& space);
  void add_part(const std::vector<Record>& records, Ticker& ticker);
  void add_part(SpatialIndex index);
  void add(Record i, Ticker& ticker);
  double bound(const Subset& part) const;

  const Space* space_;
  std::vector<Subset> parts_;
  Centroid of_all_;
  std::vector<double> point_;
  std::vector<std::pair<double, Subset*>> order_;  ///< of the parts, the most promising first
  /// Class after class. To write down at once which class each has would be to jump about in memory
  /// with every record.
  std::vector<Record> taken_;
  std::vector<std::size_t> ends_;
};

}  // namespace anonkit
