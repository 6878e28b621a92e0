#pragma once

#include <cstdint>
#include <vector>

#include "promise/constraint.hpp"
#include "sensitive/emd.hpp"

namespace anonkit {

/// t-closeness (Li et al. 2007; Soria-Comas et al. 2015, section 2.2): in every class the
/// distribution of a sensitive attribute is within t of that in the table, by the earth mover's
/// distance.
///
/// Exact, see Emd. State: the sorted values of each class and its cost, O(n) in all. A swap costs
/// O(log class size) and the values between the two; every other evaluation costs O(class size).
class TClosenessConstraint final : public Constraint {
 public:
  /// Throws invalid_parameter unless 0 <= t <= 1 and the taxonomy, if needed, is a tree.
  explicit TClosenessConstraint(SensitiveAttribute attribute);
  /// For ordered or nominal distances.
  TClosenessConstraint(std::vector<std::int32_t> ranks, GroundDistance distance, double t);

  void begin(ClassId capacity) override;
  bool allows(const RecordSpan& members) const override;
  bool allows(const Change& change) const override;
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

 private:
  struct State {
    Emd::Sorted values;
    Emd::Wide cost = 0;
  };

  void sort_values(const RecordSpan& members, Emd::Sorted* values) const;
  std::int32_t rank(Record i) const { return i == kNone ? -1 : emd_.rank(i); }

  Emd emd_;
  std::vector<State> states_;  ///< by class
  mutable Emd::Sorted scratch_;
};

}  // namespace anonkit
