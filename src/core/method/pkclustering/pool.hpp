#pragma once

// The pool of unclustered records, with the exact BestMatch of EnhancedPKClustering and
// GreedyPKClustering.
//
// Records of one sensitive combination have the same diversity. Among them, records with the same
// quasi-identifiers have the same loss. Invariant: each such group is evaluated once, regardless of
// its number of records. Phases: construction groups the records; add() and remove() move single
// records; best() and farthest() scan the groups in use. Memory: a few numbers per record.
//
//   Pool pool(growth, true, ticker);
//   for (Record i = 0; i < records; ++i) pool.add(i);
//   const Match match = pool.best(cluster);  // add match.record to the cluster

#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "method/pkclustering/clusters.hpp"

namespace anonkit {

/// The effect of the pool's best record on a cluster.
struct Match {
  Record record = -1;
  double diversity = 0;  ///< Definition 11
  CellLoss loss = 0;     ///< the cluster's loss per record with it
};

/// The unclustered records, grouped by sensitive combination and quasi-identifiers.
class Pool {
 public:
  /// `by_diversity`: matches first by diversity, then by loss; else by loss alone. Starts empty.
  Pool(const Growth& growth, bool by_diversity, Ticker& ticker);

  bool empty() const { return size_ == 0; }
  std::int64_t size() const { return size_; }
  bool has(Record record) const { return in_[at(place_of_[at(record)])]; }
  void add(Record record);
  void remove(Record record);
  /// Removes and returns all records, ascending. O(size log size).
  std::vector<Record> take_all();

  /// BestMatch(pool, {cluster}): the record of most diversity, then of least loss, then the first
  /// one. O(combinations + groups of most diversity). The pool must not be empty.
  Match best(const Cluster& cluster);
  /// The record of most loss together with the cluster, ties to the first. O(groups).
  Record farthest(const Cluster& cluster);

 private:
  using Id = std::int32_t;

  /// Equal records; their places are begin .. end-1.
  struct Group {
    Id combination;
    Id begin;
    Id head;  ///< no earlier place is in the pool
    Id count = 0;
    Id in_list = 0;  ///< its index among its combination's groups
  };
  /// The groups of one combination with records in the pool.
  struct Combination {
    Record record;  ///< any record of the combination
    std::vector<Id> groups;
    std::vector<std::int32_t>
        codes;  ///< codes of those groups, one row each; contiguous, since scans dominate
    Id in_list = 0;
  };

  void form_groups(Ticker& ticker);
  void mark_values(const Cluster& cluster);
  void most_diverse(const Cluster& cluster, Match& match);
  void list(Id group);
  void unlist(Id group);
  Record head_of(Group& group);
  template <class Better>
  void scan(const Combination& combination, Match& match, Better better);

  const Growth& growth_;
  Ticker& ticker_;
  Pricer pricer_;
  bool by_diversity_;
  std::int64_t size_ = 0;
  std::vector<Record> sorted_;  ///< by place: records by group, ascending in each
  std::vector<Id> place_of_;    ///< by record
  std::vector<Id> group_of_;    ///< by place
  std::vector<bool> in_;        ///< by place
  std::vector<Group> groups_;
  std::vector<Combination> combinations_;
  std::vector<Id> live_;  ///< combinations with records in the pool
  std::vector<Id> most_diverse_;
  std::vector<std::vector<std::int32_t>>
      mark_;  ///< by attribute and value: the last cluster that has it
  std::int32_t marks_ = 0;
};

}  // namespace anonkit
