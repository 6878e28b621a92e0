#pragma once

#include <cstdint>
#include <vector>

#include "promise/constraint.hpp"

namespace anonkit {

/// The number of distinct values; sorts them.
std::int32_t count_distinct(std::vector<std::int32_t>* values);

/// At least p distinct values of each attribute in every class. State: one count per class and
/// attribute. A change costs O(1) while the class has more than p values, else O(class size).
class DistinctValues final : public Constraint {
 public:
  /// `codes`: for each attribute the code of every record, equal if and only if the values are
  /// equal; codes are 0 or more. Throws invalid_parameter if p < 1.
  DistinctValues(std::vector<std::vector<std::int32_t>> codes, std::int32_t p);

  void begin(ClassId capacity) override;
  bool allows(const RecordSpan& members) const override;
  bool allows(const Change& change) const override;
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

 private:
  std::int32_t distinct(std::size_t attribute, const RecordSpan& members) const;
  std::int32_t gain(std::size_t attribute, const Change& change) const;
  std::int32_t& count(ClassId id, std::size_t attribute) {
    return counts_[static_cast<std::size_t>(id) * codes_.size() + attribute];
  }
  std::int32_t count(ClassId id, std::size_t attribute) const {
    return counts_[static_cast<std::size_t>(id) * codes_.size() + attribute];
  }

  std::vector<std::vector<std::int32_t>> codes_;
  std::int32_t p_;
  std::vector<std::int32_t> counts_;  ///< distinct values, by class and attribute
  mutable std::vector<std::int32_t> scratch_;
};

}  // namespace anonkit
