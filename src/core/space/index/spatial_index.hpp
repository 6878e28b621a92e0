#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/ticker.hpp"
#include "space/space.hpp"

namespace anonkit {

struct FarthestBound;
class LeafOrder;

/// A record and its squared distance from the point of a query.
struct Neighbour {
  double distance;
  Record record;
  std::int32_t place = -1;  ///< where the index that found it keeps it, which saves a look-up later
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
/// Memory is about 1.3 times that of the indexed rows, and a number for each record of the space
/// once a record is removed that the index did not just find itself. The space and the ticker must
/// outlive the index; every call may throw what the ticker throws, after which the index may only
/// be destroyed.
class SpatialIndex {
 public:
  /// Decides whether a record may be an answer.
  using Filter = std::function<bool(Record)>;

  /// Indexes all records of the space.
  SpatialIndex(const Space& space, Ticker& ticker);
  /// Indexes some records, given in ascending order.
  SpatialIndex(const Space& space, const std::vector<Record>& records, Ticker& ticker);

  /// The number of records still in the index.
  Record size() const { return living_; }
  /// The records still in the index, in ascending order. O(n log n).
  std::vector<Record> records() const;

  /// The min(k, size) nearest records to x, nearest first, into `out`; with a filter, the nearest
  /// of those it accepts.
  void nearest(const double* x, Record k, std::vector<Neighbour>& out,
               const Filter& filter = {}) const;
  /// The nearest rows to x, nearest first, that together stand for `records` or more: none could be
  /// left out at the end. All if there are fewer.
  void nearest_weighing(const double* x, Record records, std::vector<Neighbour>& out) const;
  /// The nearest record to x; record -1 if there is none.
  Neighbour nearest(const double* x, const Filter& filter = {}) const;
  /// The farthest record from x, or `than` if none is farther than that; record -1 if there is
  /// none.
  Neighbour farthest(const double* x, const Neighbour& than = {-1, -1}) const;
  /// The same from a point in the midst of the records that moves little from one call to the next,
  /// such as the centroid of what the index holds. Measures how far each node reaches from such a
  /// point, which makes sharp bounds, and does so anew, O(n d), when the searches since have cost
  /// as much.
  Neighbour farthest_from_centre(const double* x, const Neighbour& than = {-1, -1});

  /// Writes the d coordinates of a record that is in the index: cheap if it was just found.
  void read(const Neighbour& record, double* out) const;

  /// Takes records that are in the index out of it; one call for many is cheaper than many calls.
  void remove(const std::vector<Neighbour>& records);
  void remove(const Neighbour& record);
  void remove(Record i) { remove(Neighbour{0, i}); }

 private:
  /// Level 0 holds the leaves; eight neighbours on a level are a family, below one node of the
  /// next. The top level holds the root alone.
  struct Node {
    std::size_t level, index;
  };

  void build(std::vector<Record> records);
  void rebuild();
  template <class Work>
  void bottom_up(const Work& work);
  std::size_t sparse() const;
  void plan_levels();
  void fill_leaf(std::size_t leaf, const LeafOrder& order, const Record* members,
                 std::size_t count);

  template <class Kernels, class Search>
  std::int64_t descend(const Kernels& kernels, const double* x, Search& search) const;
  template <class Kernels, class Search>
  void scan_leaf(const Kernels& kernels, const double* x, std::size_t leaf, Search& search) const;
  template <class Search>
  std::int64_t search_with(Search& search, const double* x) const;
  std::int64_t search_farthest(const double* x, Neighbour& best) const;

  FarthestBound bound_from(const double* x) const;
  void measure_reach(const double* centre);
  double reach_of(Node node) const;
  double reach_of_leaf(std::size_t leaf) const;
  double reach_of_inner(Node node) const;

  void leave(const Neighbour& record);
  bool is_at(const Neighbour& record) const;
  void look_up_places();
  void erase_leaving();
  void erase(std::int32_t place);
  void shrink_touched();
  bool shrink(Node node);
  bool shrink_leaf(std::size_t leaf);
  bool shrink_inner(Node node);

  static std::int32_t place_at(std::size_t leaf, std::int32_t slot) {
    return static_cast<std::int32_t>(leaf * kLeafCapacity) + slot;
  }
  static std::size_t leaf_of(std::int32_t place) {
    return static_cast<std::size_t>(place) / kLeafCapacity;
  }
  static std::size_t slot_of(std::int32_t place) {
    return static_cast<std::size_t>(place) % kLeafCapacity;
  }

  /// The family that the node belongs to, and the node's place in it.
  std::size_t family_of(Node node) const { return families_[node.level] + node.index / 8; }
  std::size_t position_of(Node node) const { return family_of(node) * 8 + node.index % 8; }
  /// The family below a node that is not a leaf.
  std::size_t family_below(Node node) const { return families_[node.level - 1] + node.index; }

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

  static constexpr std::size_t kLeafCapacity = 16;

  const Space* space_;
  Ticker* ticker_;
  Record living_ = 0;
  std::size_t built_ = 0;            ///< records when the tree was built
  std::size_t leaves_ = 1;           ///< a power of two
  std::size_t stride_ = 0;           ///< slots of a leaf
  std::vector<double> blocks_;       ///< by leaf, attribute, slot; living records come first
  std::vector<Record> record_at_;    ///< by leaf, slot
  std::vector<std::int32_t> count_;  ///< living records, by leaf
  /// A living record's place, by record of the space; empty until it is needed.
  std::vector<std::int32_t> place_of_;
  std::vector<std::size_t> families_;  ///< the first family, by level
  std::vector<double> boxes_;          ///< by family, see metric_kernels.hpp
  std::vector<Record> first_;          ///< the least living record, by family and place in it
  std::vector<double> centre_;         ///< empty until somebody asks what is farthest from it
  std::vector<double> reach_;          ///< the largest squared distance from it, as first_
  std::int64_t spent_ = 0;             ///< on searches from the centre, since reach_ was measured
  std::vector<std::int32_t> leaving_;  ///< places, in the course of a removal
  std::vector<std::size_t> touched_;   ///< what to shrink on a level, in the course of a removal
};

}  // namespace anonkit
