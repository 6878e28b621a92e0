#pragma once

#include <cstdint>
#include <vector>

#include "constraint/constraint.hpp"

namespace anonkit {

/// How far apart two values of a confidential attribute are.
enum class GroundDistance {
  ordered,  ///< difference of ranks among the m distinct values, over m-1
  nominal,  ///< 0 if equal, else 1
};

/// t-closeness (Li et al. 2007; Soria-Comas et al. 2015, section 2.2): in every class the earth
/// mover's distance between the distributions of a confidential attribute in the class and in the
/// table is at most t.
///
/// Exact: the distance is the ratio of two integers, computed in 128 bits, and compared with t as
/// their quotient rounded to double would be. State: the sorted values of each class, O(n) in all.
/// Each question costs O(class size): between two members of a class its distribution is constant,
/// so sums over the table's distribution come from prefix sums. A swap under the ordered distance
/// costs only as much as there are members between the two values.
class TCloseness final : public Constraint {
 public:
  /// `ranks`: of every record, the place of its value among the distinct values, 0 .. m-1; each
  /// occurs. For the nominal distance any numbering does. Throws invalid_parameter unless 0 <= t
  /// <= 1.
  TCloseness(std::vector<std::int32_t> ranks, GroundDistance distance, double t);

  void begin(ClassId capacity) override;
  bool allows(const Group& members) const override;
  bool allows(const Change& change) const override;
  void apply(const Change& change) override;
  void assign(ClassId id, const Group& members) override;

 private:
  __extension__ using Wide = __int128;
  using Sorted = std::vector<std::int32_t>;

  bool within(Wide emd, std::size_t size) const;
  Wide emd(const Sorted& values) const;
  Wide ordered_emd(const Sorted& values) const;
  Wide nominal_emd(const Sorted& values) const;
  Wide gap(std::int64_t seen, std::int64_t size, std::int32_t from, std::int32_t to) const;
  Wide ordered_swap(const Sorted& values, std::int32_t out, std::int32_t in) const;
  void sort_values(const Group& members, Sorted* values) const;
  static void exchange(Sorted* values, std::int32_t out, std::int32_t in);
  std::int32_t rank(Record i) const {
    return i == kNobody ? -1 : ranks_[static_cast<std::size_t>(i)];
  }

  std::vector<std::int32_t> ranks_;
  GroundDistance distance_;
  double t_;
  std::int64_t n_;
  std::int64_t unit_;                   ///< the distance is an integer over class size * unit_
  std::vector<std::int64_t> upto_;      ///< by rank: records with a lower rank; m+1 entries
  std::vector<std::int64_t> area_;      ///< by rank r: sum of upto_[1..r]
  std::vector<std::int32_t> quantile_;  ///< the ranks of all records in ascending order
  std::vector<Sorted> values_;          ///< by class
  std::vector<Wide> emds_;              ///< by class, times class size * unit_
  mutable Sorted scratch_;
};

}  // namespace anonkit
