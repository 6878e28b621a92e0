#pragma once

// The part of a squared error that stems from ordinal and nominal attributes. It has distances to
// the lower median, and mismatches with the mode, as in space/centroid.hpp.
//
// State per class and attribute: a histogram of the values, ascending, and its cost. Invariant: a
// cost is a sum over the ascending values, so it depends on the class alone and not on its history.
// Memory O(distinct values of each class).
//
//   CodedError error(space);
//   error.begin(1);
//   error.assign(0, members);  // then error.delta(change) is the cost of a change of class 0

#include <cstdint>
#include <vector>

#include "partition/change.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Follows the protocol of Loss. delta costs O(distinct values of the class) for each attribute
/// that changes, and O(1) for the others.
class CodedError {
 public:
  explicit CodedError(const Space& space);

  /// True if all attributes are numeric.
  bool empty() const { return coded_.empty(); }

  void begin(ClassId capacity);
  double cost(const RecordSpan& members) const;
  double delta(const Change& change) const;
  void apply(const Change& change);
  void assign(ClassId id, const RecordSpan& members);

 private:
  /// A value and the number of its records.
  struct Weighed {
    double value;
    Record records;
  };
  using Values = std::vector<Weighed>;  ///< ascending
  struct Histogram {
    Values values;
    double cost = 0;
  };
  /// The values that leave and enter a histogram; of no records if none does.
  struct Exchange {
    Weighed out, in;
    bool changes() const { return out.value != in.value || out.records != in.records; }
  };

  Histogram& histogram(ClassId c, std::size_t a) {
    return histograms_[static_cast<std::size_t>(c) * coded_.size() + a];
  }
  const Histogram& histogram(ClassId c, std::size_t a) const {
    return histograms_[static_cast<std::size_t>(c) * coded_.size() + a];
  }
  Weighed weighed(Record i, std::size_t a) const;
  Exchange exchange(const Change& change, std::size_t a) const;
  void collect(const RecordSpan& members, std::size_t a, Values* values) const;
  double cost_after(const Values& values, const Exchange& exchange, std::size_t a) const;
  double cost_of(const Values& values, std::size_t a) const;
  static Record mismatches_after(const Values& values, const Exchange& exchange);

  const Space* space_;
  std::vector<int> coded_;             ///< the attributes that are not numeric
  std::vector<Histogram> histograms_;  ///< by class and attribute
  mutable Values after_;
};

}  // namespace anonkit
