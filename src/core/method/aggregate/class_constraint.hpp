#pragma once

// The guarantee of k^f- and k^(f,d)-anonymity within one class, decided from its own records alone.
//
// Phases: turn_to() selects a class; holds() decides for one masking of it. Invariant: a class that
// passes here passes in the release as well, since other classes only add candidates. Memory: 16
// bytes per record and function.
//
//   ClassConstraint constraint(records, options);
//   constraint.turn_to(first, last);
//   const bool kept = constraint.holds(low, high);  // intervals of f, functions x class size

#include <algorithm>
#include <cmath>
#include <vector>

#include "method/aggregate/sensitive_count.hpp"

namespace anonkit {

/// True if x <= y, and x and y (and so all numbers between) are within d of each other; equal if d
/// is 0.
inline bool alike(double x, double y, double d) {
  return y - x <= d * std::min(std::abs(x), std::abs(y));
}

/// Decides if one masked class satisfies the guarantee. Either at least k of its records are
/// candidates for every record t, with p sensitive values, or all intervals are identical within d.
class ClassConstraint {
 public:
  /// 16 bytes a record and function.
  ClassConstraint(const SortedRecords& records, const AggregateOptions& options);

  /// The least and the greatest value of f that the attacker's knowledge of the record allows.
  double least_known(Record place, std::size_t f) const { return least_known_[at(place, f)]; }
  double greatest_known(Record place, std::size_t f) const { return greatest_known_[at(place, f)]; }

  /// Selects the class of the places first .. last-1. O(size x functions).
  void turn_to(Record first, Record last);
  /// Selects a class whose extremes are known. By function, `most` is the greatest least_known and
  /// `fewest` the least greatest_known. O(functions).
  void turn_to(Record first, Record last, const std::vector<double>& most,
               const std::vector<double>& fewest);

  /// True if the guarantee holds when record u of the class has the interval [low[f * size + u],
  /// high[f * size + u]] of function f. O(size x functions), and O(size x functions x misses) if
  /// the records that miss some f(t) might be too many.
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
      fewest_;                       ///< by function: greatest of the former, least of the latter
  std::vector<std::size_t> misses_;  ///< records that are not candidates of some other record
  SensitiveCount sensitive_;
};

}  // namespace anonkit
