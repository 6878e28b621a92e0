#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "method/aggregate/sensitive_count.hpp"

namespace anonkit {

/// Whether x <= y, and all numbers between them, are each within d of the other (equal if d is 0).
inline bool alike(double x, double y, double d) {
  return y - x <= d * std::min(std::abs(x), std::abs(y));
}

/// Decides whether one class, masked in some way, keeps the guarantee by its own records alone: for
/// every record t at least k of the class's records are candidates (and have p sensitive values),
/// or all intervals are alike.
class ClassGuarantee {
 public:
  /// 16 bytes a record and function.
  ClassGuarantee(const SortedRecords& records, const AggregateOptions& options);

  /// What attackers know of the record's f, at the least and at the most.
  double least_known(Record place, std::size_t f) const { return least_known_[at(place, f)]; }
  double greatest_known(Record place, std::size_t f) const { return greatest_known_[at(place, f)]; }

  /// Turns to the class of the places first .. last-1. O(size x functions).
  void turn_to(Record first, Record last);
  /// As above, where the extremes over the class are known: `most`, the greatest of what is known
  /// at the least, and `fewest`, the least of what is known at the most, per function.
  /// O(functions).
  void turn_to(Record first, Record last, const std::vector<double>& most,
               const std::vector<double>& fewest);

  /// True if the guarantee holds when record u of the class has the interval
  /// [low[f * size + u], high[f * size + u]] of function f. O(size x functions), and
  /// O(size x functions x misses) where the records that miss some f(t) may be too many.
  bool holds(const double* low, const double* high);

 private:
  std::size_t at(Record place, std::size_t f) const {
    return f * static_cast<std::size_t>(records_.size()) + static_cast<std::size_t>(place);
  }
  bool identical(const double* low, const double* high) const;
  bool few_miss(const double* low, const double* high) const;
  void find_misses(const double* low, const double* high);
  bool enough_for_each(const double* low, const double* high);
  bool meets(const double* low, const double* high, std::size_t u, Record t) const;

  const SortedRecords& records_;
  const AggregateOptions& options_;
  std::vector<double> least_known_, greatest_known_;  ///< functions x records
  Record first_ = 0;
  std::size_t size_ = 0;
  std::vector<double> most_,
      fewest_;                       ///< per function: greatest of the former, least of the latter
  std::vector<std::size_t> misses_;  ///< records that are no candidate of some other
  SensitiveCount sensitive_;
};

}  // namespace anonkit
