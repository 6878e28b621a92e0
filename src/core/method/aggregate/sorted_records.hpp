#pragma once

#include <vector>

#include "method/aggregate/terms.hpp"

namespace anonkit {

/// The records in the order of their functions' values, scaled to integers (lines 1 to 3 of
/// Algorithm 1). Ties in the first function fall to the next one, and at last to the canonical
/// index. A place is an index into that order. Throws invalid_data if a value is not finite. 8 (m +
/// functions) + 8 bytes per record; O(n log n).
class SortedRecords {
 public:
  /// With classes: class by class, and within each class in that order.
  SortedRecords(const AggregateRecords& records, const AggregateOptions& options, Ticker& ticker,
                const Partition* classes = nullptr);

  Record size() const { return static_cast<Record>(order_.size()); }
  std::size_t attributes() const { return attributes_; }
  std::size_t functions() const { return terms_.size(); }
  const Terms& terms(std::size_t f) const { return terms_[f]; }

  Record record(Record place) const { return order_[static_cast<std::size_t>(place)]; }
  const double* row(Record place) const {
    return rows_.data() + static_cast<std::size_t>(place) * attributes_;
  }
  double value(Record place, std::size_t f) const {
    return values_[static_cast<std::size_t>(place) * terms_.size() + f];
  }
  bool has_sensitive() const { return !sensitive_.empty(); }
  std::int32_t sensitive(Record place) const { return sensitive_[static_cast<std::size_t>(place)]; }

  /// The cost of a unit of the attribute's range: 1 over its domain's range; 0 if it is constant.
  double penalty(std::size_t j) const { return penalty_[j]; }

 private:
  void sort(const std::vector<double>& unsorted, const Partition* classes, Ticker& ticker);
  void set_penalties(NcpDomain domain);

  std::size_t attributes_;
  std::vector<Terms> terms_;
  std::vector<Record> order_;
  std::vector<double> rows_;
  std::vector<double> values_;
  std::vector<std::int32_t> sensitive_;
  std::vector<double> penalty_;
};

}  // namespace anonkit
