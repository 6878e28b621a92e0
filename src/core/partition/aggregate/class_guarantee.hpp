#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "partition/aggregate/sorted_records.hpp"

namespace anonkit {

/// What an attacker who knows f to within d takes for possible: [f - d|f|, f + d|f|].
inline double least_known(double f, double d) {
  return f - d * std::abs(f);
}
inline double greatest_known(double f, double d) {
  return f + d * std::abs(f);
}

/// Whether x <= y, and all numbers between them, are each within d of the other (equal if d is 0).
inline bool alike(double x, double y, double d) {
  return y - x <= d * std::min(std::abs(x), std::abs(y));
}

/// Decides whether one class, masked in some way, keeps the guarantee by its own records alone: for
/// every record t at least k of the class's records are candidates (and have p sensitive values),
/// or all intervals are alike.
class ClassGuarantee {
 public:
  ClassGuarantee(const SortedRecords& records, const AggregateOptions& options);

  /// Turns to the class of the places first .. last-1. O(size x functions).
  void turn_to(Record first, Record last);

  /// True if the guarantee holds when record u of the class has the interval
  /// [low[f * size + u], high[f * size + u]] of function f. O(size x functions), and
  /// O(size x functions x misses) where the records that miss some f(t) may be too many.
  bool holds(const double* low, const double* high);

 private:
  bool identical(const double* low, const double* high) const;
  bool candidates(const double* low, const double* high);
  bool few_miss(const double* low, const double* high);
  bool enough_for_each(const double* low, const double* high);
  bool meets(const double* low, const double* high, std::size_t u, std::size_t t) const;
  bool mark(std::size_t u);

  const SortedRecords& records_;
  const AggregateOptions& options_;
  Record first_ = 0;
  std::size_t size_ = 0;
  std::vector<double> least_known_, greatest_known_;  ///< functions x size
  std::vector<double> most_,
      fewest_;                       ///< per function: greatest of the former, least of the latter
  std::vector<std::size_t> misses_;  ///< records that are no candidate of some other
  std::vector<char> is_miss_;
  std::vector<std::uint64_t> seen_;  ///< per sensitive value: the mark that saw it last
  std::uint64_t mark_ = 0;
};

}  // namespace anonkit
