#pragma once

// The earth mover's distance (EMD) between the distributions of a sensitive attribute in a class
// and in the table: Li et al. 2007 for the three ground distances; Soria-Comas et al. 2015, section
// 2.2, for the ordered one. With p and q the two distributions,
//   ordered       1/(m-1) * sum over i < m of |p_1 + .. + p_i - q_1 - .. - q_i|
//   nominal       1/2 * sum of |p_i - q_i|
//   hierarchical  sum over inner nodes of height/H * min(surplus, deficit) of its children
//
// Phases: construction counts the table once; cost() evaluates a class; exchanged() updates a cost.
// Invariant: a cost is an exact integer, the distance times s * unit() for a class of s records.
// Memory O(n + m); only the ranks if all values are distinct.
//
//   const Emd emd(attribute);                    // with the t that classes must satisfy
//   const Emd::Wide cost = emd.cost({2, 5, 9});  // the sorted ranks of three members
//   emd.within(cost, 3);                         // true if the class is t-close

#include <cstdint>
#include <vector>

#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// The EMD of classes to a table. Classes are given by the sorted ranks of their members.
///
/// A cost takes O(s), or O(s * depth) in a taxonomy. Between two members of the class its
/// cumulative distribution is constant, so prefix sums cover the table's distribution. The cost
/// after an exchange takes O(log s) and the values between the two; all exchanges for one value
/// take O(s) together.
class Emd {
 public:
  __extension__ using Wide = __int128;
  using Sorted = std::vector<std::int32_t>;
  /// A value and the number of records of a class that have it.
  struct Run {
    std::int32_t rank;
    std::int32_t count;
  };
  /// A class as a histogram: its distinct values, ascending.
  struct Runs {
    const Run* first;
    const Run* last;
    const Run* begin() const { return first; }
    const Run* end() const { return last; }
  };

  /// Counts the table. Throws invalid_parameter unless 0 <= t <= 1 and the taxonomy, if the
  /// distance needs one, is a tree over all values. O(n + m).
  explicit Emd(SensitiveAttribute attribute);
  /// Distances within a table that is given by the number of records of each rank; the attribute's
  /// own ranks are ignored. Memory O(m).
  Emd(SensitiveAttribute attribute, const std::vector<std::int64_t>& records);

  std::int32_t rank(Record i) const { return attribute_.ranks[static_cast<std::size_t>(i)]; }
  double t() const { return attribute_.t; }
  std::int64_t unit() const { return unit_; }

  /// The cost of a class, which must not be empty.
  Wide cost(const Sorted& values) const { return cost_of(values, size_of(values)); }
  /// The cost of a histogram, in O(distinct values), times log m if the attribute is ordered and
  /// the table was given by records per rank.
  Wide cost(const Runs& runs) const { return cost_of(runs, size_of(runs)); }
  /// The cost of the class after `in` replaces `out`, one of its values.
  Wide exchanged(const Sorted& values, Wide cost, std::int32_t out, std::int32_t in) const;
  /// Sets costs[j] to the cost of the class after `in` replaces its j-th value.
  void exchanges(const Sorted& values, Wide cost, std::int32_t in, std::vector<Wide>* costs) const;

  /// The distance of a cost, within two roundings.
  double distance(Wide cost, std::int64_t size) const {
    return static_cast<double>(cost) / static_cast<double>(static_cast<Wide>(unit_) * size);
  }
  /// True if the distance, as a fraction in lowest terms rounded once, is at most t. A distance of
  /// 3/20 is within a t of 0.15 for any size of the table.
  bool within(Wide cost, std::int64_t size) const;

 private:
  static std::int64_t size_of(const Sorted& values) {
    return static_cast<std::int64_t>(values.size());
  }
  static std::int64_t size_of(const Runs& runs);
  template <class Values>
  Wide cost_of(const Values& values, std::int64_t size) const;
  template <class Values>
  Wide ordered_cost(const Values& values, std::int64_t size) const;
  template <class Values>
  Wide nominal_cost(const Values& values, std::int64_t size) const;
  template <class Values>
  Wide hierarchical_cost(const Values& values, std::int64_t size) const;
  void prepare(const std::vector<std::int64_t>& records);
  void add_up(const std::vector<std::int64_t>& records);
  Wide ordered_exchanged(const Sorted& values, Wide cost, std::int32_t out, std::int32_t in) const;
  Wide gap(std::int64_t seen, std::int64_t size, std::int32_t from, std::int32_t to) const;
  Wide surplus(std::int64_t count, std::int64_t size, std::int32_t value) const;
  std::int32_t last_at_most(std::int64_t level, std::int64_t size) const;
  void plant();

  SensitiveAttribute attribute_;
  std::int64_t n_;
  std::int64_t unit_ = 1;
  /// Both sums of a rank share a cache line, because the values of a class lie at random in the
  /// table.
  struct Prefix {
    std::int64_t upto = 0;  ///< records with a lower rank
    std::int64_t area = 0;  ///< sum of upto over the ranks from 1 to this; ordered only
  };
  std::int64_t upto(std::int32_t rank) const {
    return all_distinct_ ? rank : prefixes_[static_cast<std::size_t>(rank)].upto;
  }
  std::int64_t area(std::int32_t rank) const {
    return all_distinct_ ? std::int64_t{rank} * (rank + 1) / 2
                         : prefixes_[static_cast<std::size_t>(rank)].area;
  }
  /// The number of records of the table with the value.
  std::int64_t records_of(std::int32_t value) const { return upto(value + 1) - upto(value); }

  std::int64_t values_;                 ///< m
  bool all_distinct_ = false;           ///< no value occurs twice
  std::vector<Prefix> prefixes_;        ///< by rank, m+1 entries; empty if all are distinct
  std::vector<std::int32_t> quantile_;  ///< the ranks of all records, ascending; may be empty

  /// Hierarchical only, by node: records of the table below it, and the tallies of the current
  /// class, which are zero between calls.
  struct Tally {
    std::int64_t table = 0;
    std::int64_t members = 0;
    Wide surplus = 0;  ///< sum over the children with a surplus
  };
  mutable std::vector<Tally> tallies_;
  mutable std::vector<std::int32_t> touched_;
};

/// Replaces one occurrence of `out` by `in` in a sorted list; a negative value stands for no value.
void exchange(Emd::Sorted* values, std::int32_t out, std::int32_t in);

}  // namespace anonkit
