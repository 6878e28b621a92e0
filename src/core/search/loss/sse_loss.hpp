#pragma once

// The within-class sum of squares as a loss of the search: squared distances from the records to
// the centroid of their class, as in space/centroid.hpp.
//
// The centroid is that of the release. If numbers are published in steps (Space::published), a mean
// c rounds to the nearest step c'. That adds m |c'-c|^2 for a class of m records. No other
// published value loses less.
//
// State: a centroid per class, and the cost of its rounding; coded_error.hpp keeps the attributes
// that are not numeric. Invariant: means are updated by additions and recomputed at regular
// intervals, so rounding errors stay bounded. Memory O(n d).
//
//   SseLoss loss(space);
//   loss.begin(1);
//   loss.assign(0, members);  // then loss.delta(change) is the cost of a change of class 0

#include <cstdint>
#include <vector>

#include "search/loss/coded_error.hpp"
#include "search/loss/loss.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Exchange updates after Spaeth, Cluster Analysis Algorithms, 1980. With c the mean of a class of
/// m records, the sum falls by m/(m-1) |x-c|^2 when a record x leaves. It rises by m/(m+1) |x-c|^2
/// when a record x enters.
///
/// A row of a weighted space counts as the records that it represents. If weight a leaves at x and
/// weight b enters at y, the sum grows by
///   b |y-c|^2 - a |x-c|^2 - |b(y-c) - a(x-c)|^2 / (m-a+b).
///
/// delta costs O(d) on numeric attributes; see CodedError for the others.
class SseLoss final : public Loss {
 public:
  /// Steps finer than `least_step`, a share of the attribute's extent, count as any value.
  explicit SseLoss(const Space& space, double least_step = 0);

  void begin(ClassId capacity) override;
  double cost(const RecordSpan& members) const override;
  double delta(const Change& change) const override;
  double delta(const Change& from, const Change& to) const override;
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

 private:
  double* mean(ClassId c) { return means_.data() + static_cast<std::size_t>(c) * width_; }
  const double* mean(ClassId c) const {
    return means_.data() + static_cast<std::size_t>(c) * width_;
  }
  const double* point(Record i) const { return numbers_ + static_cast<std::size_t>(i) * width_; }

  void round_to_steps(const std::vector<int>& numeric, double least_step);
  double weighted_delta(const Change& change) const;
  /// The records of the class after the change, by weight.
  double mass_after(const Change& change) const;
  double move_delta(Record i, const Change& from, const Change& to) const;
  double swap_delta(const Change& from, const Change& to) const;
  double unrounded_delta(const Change& change) const;
  double unrounded_delta(const Change& from, const Change& to) const;
  double excess(const double* mean, double mass) const;
  double excess_delta(const Change& change) const;
  bool rounded() const { return !steps_.empty(); }
  void center(const Change& change, double* mean) const;
  void shift_mean(const Change& change, double after);

  const Space* space_;
  std::size_t width_;                 ///< number of numeric attributes
  const double* numbers_;             ///< n * width_
  std::vector<double> numbers_copy_;  ///< owns the numbers if the space has other attributes too
  CodedError coded_;                  ///< of the other attributes

  std::vector<PublishedSteps> steps_;  ///< by numeric attribute; empty if any value is published

  std::vector<double> excess_;   ///< by class: the cost of rounding
  std::vector<double> means_;    ///< by class
  std::vector<Record> updates_;  ///< by class: updates of the mean since its last recomputation
  std::vector<double> masses_;   ///< by class: its records, in a weighted space
};

}  // namespace anonkit
