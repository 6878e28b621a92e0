#pragma once

#include <cstdint>
#include <vector>

#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// The earth mover's distance between the distributions of a sensitive attribute in a class and
/// in the table (Li et al. 2007 for the three ground distances; Soria-Comas et al. 2015, section
/// 2.2, for the ordered one). With p and q the two distributions,
///   ordered       1/(m-1) * sum over i < m of |p_1 + .. + p_i - q_1 - .. - q_i|
///   nominal       1/2 * sum of |p_i - q_i|
///   hierarchical  sum over inner nodes of height/H * min(surplus, deficit) of its children
///
/// Exact: for a class of s records the distance is an integer, its cost, over s * unit(). A class
/// is given by the sorted ranks of its members. A cost takes O(s), O(s * depth) in a taxonomy:
/// between two members of the class its distribution is constant, so that sums over the table's
/// distribution come from prefix sums. The cost after an exchange takes O(log s) and what lies
/// between the two values, all exchanges for one value O(s) together. Memory O(n + m), of
/// which there is none but the ranks if no value occurs twice.
class Emd {
 public:
  __extension__ using Wide = __int128;
  using Sorted = std::vector<std::int32_t>;
  /// A value and how many records of a class have it.
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

  /// Throws invalid_parameter unless 0 <= t <= 1 and the taxonomy, if one is needed, is a tree over
  /// all values.
  explicit Emd(SensitiveAttribute attribute);
  /// The distances within a table that is known by the records of each rank; the attribute's own
  /// ranks are not looked at. Memory O(m).
  Emd(SensitiveAttribute attribute, const std::vector<std::int64_t>& records);

  std::int32_t rank(Record i) const { return attribute_.ranks[static_cast<std::size_t>(i)]; }
  double t() const { return attribute_.t; }
  std::int64_t unit() const { return unit_; }

  /// The cost of a class that is not empty.
  Wide cost(const Sorted& values) const { return cost_of(values, size_of(values)); }
  /// The EMD of a histogram, in O(distinct values), times log m if the attribute is ordered and
  /// the table was given as one.
  Wide cost(const Runs& runs) const { return cost_of(runs, size_of(runs)); }
  /// The cost of the class when `in` replaces `out`, one of its values.
  Wide exchanged(const Sorted& values, Wide cost, std::int32_t out, std::int32_t in) const;
  /// costs[j] is the cost of the class when `in` replaces its j-th value.
  void exchanges(const Sorted& values, Wide cost, std::int32_t in, std::vector<Wide>* costs) const;

  /// The distance that a cost stands for, within two roundings.
  double distance(Wide cost, std::int64_t size) const {
    return static_cast<double>(cost) / static_cast<double>(static_cast<Wide>(unit_) * size);
  }
  /// True if the distance, as a fraction in lowest terms rounded once, is at most t: a distance of
  /// 3/20 is within a t of 0.15, whatever the size of the table.
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
  std::int64_t n_ = 0;
  std::int64_t unit_ = 1;
  /// Side by side, for where a class's values lie in the table nobody can foresee.
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
  /// Records that have the value.
  std::int64_t records_of(std::int32_t value) const { return upto(value + 1) - upto(value); }

  std::int64_t values_ = 0;             ///< m
  bool all_distinct_ = false;           ///< no value occurs twice
  std::vector<Prefix> prefixes_;        ///< by rank, m+1 entries; empty if all are distinct
  std::vector<std::int32_t> quantile_;  ///< the ranks of all records, ascending; may be empty

  /// Hierarchical only, by node: records of the table below it, and the class's tallies, which are
  /// zero between calls.
  struct Tally {
    std::int64_t table = 0;
    std::int64_t members = 0;
    Wide surplus = 0;  ///< of the children that have one
  };
  mutable std::vector<Tally> tallies_;
  mutable std::vector<std::int32_t> touched_;
};

/// Replaces one occurrence of `out` by `in` in a sorted list; a negative value stands for none.
void exchange(Emd::Sorted* values, std::int32_t out, std::int32_t in);

}  // namespace anonkit
