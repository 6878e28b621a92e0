#pragma once

// The earth mover's distance where each person weighs 1, divided among the person's records. In a
// class these are the records of the class, in the table all. For the three ground distances see
// emd.hpp.
//
// Invariant: weights are integers. In the table, and in each class, a person weighs the least
// common multiple of the persons' numbers of records there, so the distance is exact. Only if that
// multiple exceeds what 128-bit products of weights can hold, a person weighs as much as fits, and
// the first j of the person's r records, in the order of their values, weigh floor(j*weight/r)
// together. Memory O(n + m).
//
//   const PersonEmd emd(attribute, units);  // units[i]: the person of record i
//   emd.within({{0, 3}, {0, 5}, {1, 4}});   // two persons; the first has two records

#include <cstdint>
#include <vector>

#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// The person (unit) of a record, and the rank of its value.
struct PersonFact {
  std::int32_t unit;
  std::int32_t rank;

  bool operator<(const PersonFact& other) const {
    return unit != other.unit ? unit < other.unit : rank < other.rank;
  }
  bool operator==(const PersonFact& other) const {
    return unit == other.unit && rank == other.rank;
  }
};
/// The records of a class or of a table, in ascending order.
using PersonFacts = std::vector<PersonFact>;

/// The weight of each of the values 0 .. values-1, where each person has the same weight and shares
/// it among their records. The facts may be in any order. O(n log n + values).
std::vector<std::int64_t> person_weights(PersonFacts facts, std::int32_t values);

/// The EMD of classes of persons to a table. A class of s records costs O(s log s + s depth), and
/// an ordered distance O(log m) more per value.
class PersonEmd {
 public:
  /// Weighs the table: record i has rank attribute.ranks[i] and belongs to person units[i]. If
  /// attribute.table_counts is not empty, it holds the table's person_weights. Throws
  /// invalid_parameter unless 0 <= t <= 1. O(n log n + m).
  PersonEmd(const SensitiveAttribute& attribute, const std::vector<std::int32_t>& units);

  struct Weight {
    std::int32_t rank;
    std::int64_t weight;
  };
  using Weights = std::vector<Weight>;  ///< by rank, ascending
  /// The weights of the values of some records, ascending as facts are; returns that of all, at
  /// most `most`, or 1 for each person.
  static std::int64_t share(const PersonFacts& facts, std::int64_t most, Weights* weights);

  /// True if the distance, as a fraction in lowest terms rounded once, is at most t.
  bool within(const PersonFacts& facts) const;

 private:
  __extension__ using Wide = __int128;
  Wide ordered(const Weights& weights, std::int64_t size) const;
  Wide nominal(const Weights& weights, std::int64_t size) const;
  Wide hierarchical(const Weights& weights, std::int64_t size) const;
  Wide gap(std::int64_t seen, std::int64_t size, std::int32_t from, std::int32_t to) const;
  std::int64_t length(std::int32_t node) const;
  void add_to_tree(const Weights& weights, std::vector<std::int64_t>* below) const;

  GroundDistance distance_;
  double t_;
  Taxonomy taxonomy_;
  std::int64_t n_;                   ///< the weight of the table
  std::int64_t most_ = 1;            ///< bounds the weight of a class
  std::int64_t scale_ = 1;           ///< m-1, 1 or twice the height of the taxonomy
  std::vector<std::int64_t> upto_;   ///< weight of the ranks before each; m+1
  std::vector<Wide> area_;           ///< ordered: sum of upto_ over the ranks from 1 to each
  std::vector<std::int64_t> below_;  ///< hierarchical: weight of the table below each node
  Wide all_edges_ = 0;               ///< hierarchical: sum of length times weight below
  mutable std::vector<std::int64_t> members_;  ///< of the current class; zero between calls
  mutable Weights scratch_;
};

}  // namespace anonkit
