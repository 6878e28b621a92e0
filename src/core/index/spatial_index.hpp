#pragma once

#include <functional>
#include <vector>

#include "data/space.hpp"
#include "ticker.hpp"

namespace anonkit {

class WidestAttribute;

/// A record and its squared distance from the point of a query.
struct Neighbour {
  double distance;
  Record record;
};

/// The order of all nearest searches: by distance, ties to the lower record.
inline constexpr auto nearer = [](const Neighbour& a, const Neighbour& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.record < b.record);
};

/// The order of all farthest searches: by distance downwards, ties to the lower record.
inline constexpr auto farther = [](const Neighbour& a, const Neighbour& b) {
  return a.distance > b.distance || (a.distance == b.distance && a.record < b.record);
};

/// A set of records of a space that shrinks, with exact nearest and farthest searches: a balanced
/// k-d tree (Friedman, Bentley and Finkel 1977) whose nodes know the tight box and the least record
/// of what lives below them. Answers equal those of a full scan with Space::squared_distance, ties
/// included. Points of queries have d coordinates and need not be records; distances are squared.
///
/// Building costs O(n log n), a search about O(log n) in few (effective) dimensions and at most
/// O(n d), a removal O(log n). The tree is built anew when most of its records have gone.
/// Memory is about 1.3 times that of the indexed rows. The space and the ticker must outlive the
/// index; every call may throw what the ticker throws, after which the index may only be destroyed.
class SpatialIndex {
 public:
  /// Decides whether a record may be an answer.
  using Filter = std::function<bool(Record)>;

  /// Indexes all records of the space.
  SpatialIndex(const Space& space, Ticker& ticker);
  /// Indexes some records, given in ascending order. Removals from such an index cost a binary
  /// search more.
  SpatialIndex(const Space& space, std::vector<Record> records, Ticker& ticker);

  /// Indexes some records, in any order, for take_nearest() and size() alone: without an account of
  /// where each record is, nothing is looked up in memory beside what a search sees anyway.
  static SpatialIndex for_taking(const Space& space, const std::vector<Record>& records,
                                 Ticker& ticker);

  /// The number of records still in the index.
  Record size() const { return living_; }
  bool contains(Record i) const;
  /// The records still in the index, in ascending order. O(n).
  std::vector<Record> records() const;

  /// The min(k, size) nearest records to x, nearest first, into `out`; with a filter, the nearest
  /// of those it accepts.
  void nearest(const double* x, Record k, std::vector<Neighbour>& out,
               const Filter& filter = {}) const;
  /// The nearest record to x; record -1 if there is none.
  Neighbour nearest(const double* x, const Filter& filter = {}) const;
  /// The farthest record from x; record -1 if there is none.
  Neighbour farthest(const double* x, const Filter& filter = {}) const;

  /// All records still in the index with their distances from x, in no particular order. O(n d).
  void distances(const double* x, std::vector<Neighbour>& out) const;

  /// Takes records that are in the index out of it; one call for many is cheaper than many calls.
  void remove(const std::vector<Neighbour>& records);
  void remove(Record i);

  /// Takes the nearest record to x out of the index, which must not be empty.
  Neighbour take_nearest(const double* x);

 private:
  SpatialIndex(const Space& space, Ticker& ticker, const std::vector<Record>& taken);

  /// Level 0 holds the leaves; eight neighbours on a level are a family, below one node of the
  /// next. The top level holds the root alone.
  struct Node {
    std::size_t level, index;
  };

  struct Keyed {
    double key;
    Record record;
  };

  void build(std::vector<Keyed>& items);
  void rebuild();
  std::size_t sparse() const;
  void place_origin(const std::vector<Keyed>& items);
  void plan_levels();
  void split(std::size_t first_leaf, std::size_t leaves, std::vector<Keyed>& items,
             WidestAttribute& widest);
  void fill_leaf(std::size_t leaf, const std::vector<Keyed>& items);
  std::size_t begin_of(std::size_t leaf) const { return built_ * leaf / leaves_; }
  std::size_t member_of(Record i) const;

  template <class Kernels, class Search>
  void descend(const Kernels& kernels, const double* x, Search& search) const;
  template <class Kernels, class Search>
  void scan_leaf(const Kernels& kernels, const double* x, std::size_t leaf, Search& search) const;

  void erase(Record i);
  void erase_at(std::size_t at);
  void shrink_touched();
  bool shrink(Node node);
  bool shrink_leaf(std::size_t leaf);
  bool shrink_inner(Node node);
  double reach_of_leaf(std::size_t leaf) const;
  std::int32_t measure_leaf(std::size_t leaf, const double* x, double* out) const;

  /// The family that the node belongs to, and the node's place in it.
  std::size_t family_of(Node node) const { return families_[node.level] + node.index / 8; }
  std::size_t place_of(Node node) const { return family_of(node) * 8 + node.index % 8; }
  /// The family below a node that is not a leaf.
  std::size_t family_below(Node node) const { return families_[node.level - 1] + node.index; }
  std::size_t top_family() const { return families_.back(); }

  const double* boxes_of(std::size_t family) const {
    return boxes_.data() + family * 16 * static_cast<std::size_t>(space_->dimension());
  }
  double* box_of(Node node) {
    return boxes_.data() + family_of(node) * 16 * static_cast<std::size_t>(space_->dimension()) +
           node.index % 8;
  }
  const double* block_of(std::size_t leaf) const {
    return blocks_.data() + leaf * stride_ * static_cast<std::size_t>(space_->dimension());
  }

  const Space* space_;
  Ticker* ticker_;
  std::vector<Record> members_;  ///< ascending, where only a subset of the space is indexed
  bool subset_ = false;
  bool for_taking_ = false;
  Record living_ = 0;
  std::size_t built_ = 0;            ///< records when the tree was built
  std::size_t leaves_ = 1;           ///< a power of two
  std::size_t stride_ = 0;           ///< slots of a leaf
  std::vector<double> blocks_;       ///< by leaf, attribute, slot; living records come first
  std::vector<Record> record_at_;    ///< by leaf, slot
  std::vector<std::int32_t> count_;  ///< living records, by leaf
  /// By member: leaf * stride + slot, or -1 once removed; empty in an index for taking.
  std::vector<std::int32_t> slot_;
  std::vector<std::size_t> families_;  ///< the first family, by level
  std::vector<double> boxes_;          ///< by family, see metric_kernels.hpp
  std::vector<Record> first_;          ///< the least living record, by family and place in it
  std::vector<double> reach_;          ///< the largest squared distance from origin_, likewise
  std::vector<double> origin_;         ///< a point in the middle
  std::vector<std::size_t> touched_;   ///< what to shrink on a level, during a removal
};

}  // namespace anonkit
