#pragma once

#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "method/pkclustering/clusters.hpp"

namespace anonkit {

/// What the best record of a pool would do to a cluster.
struct Match {
  Record record = -1;
  double diversity = 0;  ///< Definition 11
  CellLoss loss = 0;     ///< the cluster's loss per record with it
};

/// The records that are not yet in any cluster, and the exact BestMatch among them. Records of one
/// sensitive combination have the same diversity, and of those, records with the same
/// quasi-identifiers have the same loss: each such group is looked at once, however many it has.
class Pool {
 public:
  /// `by_diversity`: matches first by diversity, then by loss; else by loss alone. Starts empty.
  Pool(const Growth& growth, bool by_diversity, Ticker& ticker);

  bool empty() const { return size_ == 0; }
  std::int64_t size() const { return size_; }
  bool has(Record record) const { return in_[at(place_of_[at(record)])]; }
  void add(Record record);
  void remove(Record record);
  /// Takes all records out, ascending. O(size log size).
  std::vector<Record> take_all();

  /// BestMatch(pool, {cluster}): of the records of most diversity that of least loss, and of equal
  /// ones the first. O(combinations + groups of most diversity). The pool is not empty.
  Match best(const Cluster& cluster);
  /// The record of most loss together with the cluster; of equal ones the first. O(groups).
  Record farthest(const Cluster& cluster);

 private:
  using Id = std::int32_t;

  /// Records alike; their places are begin .. end-1.
  struct Group {
    Id combination;
    Id begin;
    Id head;  ///< no place before this one is in the pool
    Id count = 0;
    Id in_list = 0;  ///< its place among its combination's groups
  };
  /// The groups of one combination that have records.
  struct Combination {
    Record record;  ///< one that has the combination's values
    std::vector<Id> groups;
    std::vector<std::int32_t>
        codes;  ///< of those groups, one row each, as scans are what takes time
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
  std::vector<Id> live_;  ///< combinations that have records
  std::vector<Id> most_diverse_;
  std::vector<std::vector<std::int32_t>>
      mark_;  ///< by attribute and value: last cluster that has it
  std::int32_t marks_ = 0;
};

}  // namespace anonkit
