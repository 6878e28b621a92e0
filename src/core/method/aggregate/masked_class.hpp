#pragma once

#include <vector>

#include "method/aggregate/class_constraint.hpp"

namespace anonkit {

/// One class under any set of generalised attributes: its loss and its guarantee.
class MaskedClass {
 public:
  MaskedClass(const SortedRecords& records, const AggregateOptions& options);

  /// Selects the class of the places first .. last-1. O(size x attributes).
  void turn_to(Record first, Record last);

  Record first() const { return first_; }
  Record last() const { return last_; }
  /// The NCP of one record if the set is generalised, summed over the attributes. O(attributes).
  double ncp(AttributeSet set) const;
  /// True if the guarantee holds when the set is generalised. O(size x attributes x functions) and
  /// the cost of ClassConstraint::holds.
  bool holds(AttributeSet set);

 private:
  const SortedRecords& records_;
  ClassConstraint constraint_;
  Record first_ = 0, last_ = 0;
  std::vector<double> least_, greatest_;              ///< per attribute
  std::vector<double> interval_low_, interval_high_;  ///< functions x size
};

/// The class's loss in a sum over all records, bit-identical in every algorithm.
inline double class_loss(Record size, double ncp) {
  return static_cast<double>(size) * ncp;
}

inline bool contains(AttributeSet set, std::size_t j) {
  return (set >> j & 1) != 0;
}
/// The set of the first `count` attributes.
AttributeSet all_attributes(std::size_t count);

}  // namespace anonkit
