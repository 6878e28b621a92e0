#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "metric/bound/class_points.hpp"

namespace anonkit {

/// The gain by each point in a class of s records, before its distance from the record whose class
/// is sought: s times its price, less half of the distances from its s - 2 nearest records.
class Gains {
 public:
  Gains(const ClassPoints& points, const std::vector<double>& prices, Record smallest,
        Record largest);

  /// By place, see point_groups.hpp.
  const double* of_places(Record size) const { return &of_places_[at(size - smallest_)][0]; }
  /// By group: the greatest.
  const double* of_groups(Record size) const { return &of_groups_[at(size - smallest_)][0]; }

 private:
  Record smallest_;
  std::vector<std::vector<double>> of_places_, of_groups_;
};

/// Prices of the records of each point, and what is known about classes under them. All vectors are
/// by point.
struct PricedPoints {
  std::vector<double> prices;
  Gains gains;
  /// The least excess of known classes with a record of the point; or infinity. A class's excess is
  /// what it loses beyond the prices of its records, divided by its size.
  std::vector<double> known;
  /// No class with a record of the point has a smaller excess; or minus infinity.
  std::vector<double> proven;
};

/// The points that may join a record's cheapest class.
///
/// In a class of s records, a member pays its distance from the record, and half of its distances
/// from the others, which are no nearer than its nearest records; it receives s times its price. A
/// point is left out if the class, with it and the cheapest others, does not improve on the known
/// one, or if its own classes are proven not to.
class ClassCandidates {
 public:
  struct Candidate {
    std::int32_t point;
    double distance;
  };

  /// For classes of `smallest` to `largest` records. The points must outlive it.
  ClassCandidates(const ClassPoints& points, Record smallest, Record largest)
      : points_(points), smallest_(smallest), largest_(largest) {}

  /// Seeks the candidates for classes with a record of point i. O(groups) for each size, and for
  /// each dimension, and for the points of the groups that may have candidates.
  void seek(std::int32_t i, const PricedPoints& priced, Ticker& ticker);

  /// By ascending point; i itself is among them if it has further records.
  const std::vector<Candidate>& found() const { return found_; }
  /// No class with a point that is left out has a smaller excess, unless that is above the known
  /// one.
  double left_out() const { return left_out_; }
  /// The steps of the last search, as a ticker's.
  std::int64_t work() const { return work_; }

 private:
  struct Scored {
    double score;
    std::int32_t place;
  };
  struct Records {
    double score;
    Record records;
  };

  void approach(std::int32_t i, const PricedPoints& priced);
  void measure(std::int32_t group);
  void seek(Record size);
  double least_sum(Record size);
  void collect_below(double most, Record size);
  double bound(std::int32_t group, Record size) const {
    return nearest_[at(group)] - priced_->gains.of_groups(size)[at(group)];
  }

  const ClassPoints& points_;
  Record smallest_, largest_;
  std::int32_t i_ = 0;
  const PricedPoints* priced_ = nullptr;
  double enough_ = 0;                ///< points with so much proven are left out
  std::vector<double> nearest_;      ///< by group: no point of it is nearer
  std::vector<std::int32_t> order_;  ///< groups, the nearest first
  std::vector<bool> measured_;       ///< by group
  std::vector<double> distances_;    ///< by place, if measured; infinity if it is left out
  std::vector<bool> wanted_;         ///< by place
  std::vector<Scored> cheap_;
  std::vector<Records> least_;  ///< ascending
  std::vector<Candidate> found_;
  double left_out_ = 0;
  std::int64_t work_ = 0;
};

}  // namespace anonkit
