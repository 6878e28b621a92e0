#pragma once

// Exact nearest and farthest searches in a set of records that shrinks: a balanced k-d tree
// (Friedman, Bentley and Finkel 1977). Each node stores the tight box and the least record of its
// subtree.
//
// Phases: build orders the records by leaves (leaf_order.hpp). Searches descend by bounds
// (metric_kernels.hpp, searches.hpp). Removals shrink boxes bottom-up; the tree is rebuilt once
// most of its records are gone. Invariant: answers equal those of a full scan with
// Space::squared_distance, ties included. Memory about 1.3 times the indexed rows. The first
// removal of a record that the index did not just find adds one number per record of the space.
//
//   SpatialIndex index(space, ticker);
//   const Neighbour far = index.farthest(space.row(0));
//   index.remove(far);  // cheaper than index.remove(far.record)

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
  std::int32_t place = -1;  ///< its position in the index that found it; saves a later lookup
};

/// The order of nearest searches: ascending distance, ties to the lower record.
inline constexpr auto nearer = [](const Neighbour& a, const Neighbour& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.record < b.record);
};

/// The order of farthest searches: descending distance, ties to the lower record.
inline constexpr auto farther = [](const Neighbour& a, const Neighbour& b) {
  return a.distance > b.distance || (a.distance == b.distance && a.record < b.record);
};

/// A shrinking set of records with exact searches. Query points have d coordinates and need not be
/// records; distances are squared.
///
/// Construction costs O(n log n), a search about O(log n) in few (effective) dimensions and at most
/// O(n d), a removal O(log n). The space and the ticker must outlive the index. Every call may
/// throw the ticker's exception; afterwards the index may only be destroyed.
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
  /// Those records by leaf. Searches for near records one after another read the same nodes, which
  /// the processor then has at hand.
  std::vector<Record> records_by_leaf() const;

  /// Writes the min(k, size) nearest records to x into `out`, nearest first; with a filter, the
  /// nearest records that it accepts.
  void nearest(const double* x, Record k, std::vector<Neighbour>& out,
               const Filter& filter = {}) const;
  /// Writes min(k, size) near records to x into `out`, nearest first. Each is at most `stretch`
  /// times as far, in squared distance, as the exact answer of its rank; `stretch` is at least 1.
  /// For threads that share the index: each steps its own ticker.
  void near(const double* x, Record k, double stretch, std::vector<Neighbour>& out,
            Ticker& ticker) const;
  /// Writes the nearest rows to x into `out`, nearest first, until their weights add up to
  /// `records`. No row at the end is superfluous. Returns all rows if their weights do not suffice.
  void nearest_weighing(const double* x, Record records, std::vector<Neighbour>& out) const;
  /// Writes all rows to `out`, in no order, up to the least distance at which their weights add up
  /// to `records`; all rows if they do not suffice. Distances that differ from it in the last bits
  /// only count as equal to it. Rows within the squared distance `within` are known to suffice;
  /// infinity if nothing is known. For threads that share the index, too.
  void nearest_tied(const double* x, Record records, double within, std::vector<Neighbour>& out,
                    Ticker& ticker) const;
  /// The nearest record to x; record -1 if the index is empty or the filter rejects all.
  Neighbour nearest(const double* x, const Filter& filter = {}) const;
  /// The farthest record from x, or `than` if no record is farther; record -1 if there is neither.
  /// With a stretch above 1, no record is farther by more than that factor, in squared distance.
  Neighbour farthest(const double* x, const Neighbour& than = {-1, -1}, double stretch = 1) const;
  /// The farthest record from a point in the midst of the records that moves little between calls,
  /// such as the centroid of the indexed records. Measures the reach of each node from such a
  /// point, which gives tight bounds. Measures again, O(n d), once the searches since then have
  /// cost as much.
  Neighbour farthest_from_centre(const double* x, const Neighbour& than = {-1, -1},
                                 double stretch = 1);

  /// Writes the d coordinates of a record in the index. O(d) if the index just found it.
  void read(const Neighbour& record, double* out) const;

  /// Removes records of the index; one call for many is cheaper than many calls.
  void remove(const std::vector<Neighbour>& records);
  void remove(const Neighbour& record);
  void remove(Record i) { remove(Neighbour{0, i}); }

 private:
  /// Level 0 holds the leaves. Eight neighbours on a level form a family, below one node of the
  /// next level. The top level holds the root alone.
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
  std::int64_t descend(const Kernels& kernels, const double* x, Search& search,
                       Ticker& ticker) const;
  template <class Kernels, class Search>
  void scan_leaf(const Kernels& kernels, const double* x, std::size_t leaf, Search& search,
                 Ticker& ticker) const;
  template <class Search>
  std::int64_t search_with(Search& search, const double* x, Ticker& ticker) const;
  template <class Search>
  void collect(Search search, const double* x, Record wanted, Ticker& ticker) const;
  std::int64_t search_farthest(const double* x, double stretch, Neighbour& best) const;

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
  /// A living record's position, by record of the space; empty until needed.
  std::vector<std::int32_t> place_of_;
  std::vector<std::size_t> families_;  ///< the first family, by level
  std::vector<double> boxes_;          ///< by family, see metric_kernels.hpp
  std::vector<Record> first_;          ///< the least living record, by family and position in it
  std::vector<double> centre_;         ///< empty until the first farthest_from_centre
  std::vector<double> reach_;          ///< the largest squared distance from centre_, ordered as
                                       ///< first_
  std::int64_t spent_ = 0;             ///< on searches from the centre since reach_ was measured
  std::vector<std::int32_t> leaving_;  ///< positions of a removal in progress
  std::vector<std::size_t> touched_;   ///< nodes to shrink on a level, during a removal
};

}  // namespace anonkit
