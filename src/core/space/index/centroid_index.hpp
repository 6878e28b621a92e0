#pragma once

// Nearest searches among the centroids of classes that merge.
//
// Phases: the first search builds a k-d tree; later additions extend the boxes on their way to a
// leaf. After as many changes as half the tree's classes, the next search builds it again. Answers
// equal those of a full scan with Space::squared_distance, ties to the lower class. Memory about 2
// points per class.
//
//   CentroidIndex index(space, classes, ticker);
//   for (ClassId c = 0; c < classes; ++c) index.add(c, centroid_of(c));
//   const ClassId partner = index.nearest(index.point(0), 0);  // the class nearest to class 0

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// A set of points that loses and gains members, with exact nearest searches. In few dimensions a
/// change or a search costs O(log N), if merged classes stay near their parts. Space and ticker
/// must outlive the index.
class CentroidIndex {
 public:
  /// An empty index for the classes 0 .. classes-1.
  CentroidIndex(const Space& space, ClassId classes, Ticker& ticker);

  void add(ClassId c, const double* point);
  void remove(ClassId c);
  /// The centroid of a class in the index, d coordinates.
  const double* point(ClassId c) const { return points_.data() + at(c) * width_; }
  /// The class other than `except` with the nearest centroid to x; -1 if the index has none.
  ClassId nearest(const double* x, ClassId except);
  /// The `count` classes with the nearest centroids to x, nearest first; all of them if there are
  /// fewer.
  std::vector<ClassId> nearest(const double* x, std::size_t count, ClassId except);

 private:
  struct Node {
    std::size_t left = 0, right = 0;  ///< both 0: a leaf
    ClassId first = -1;               ///< a leaf's classes: linked by next_
  };
  /// The best candidates so far, nearest first.
  struct Best {
    std::size_t count;
    std::vector<std::pair<double, ClassId>> found;

    bool in_reach(double distance) const {
      return found.size() < count || distance <= found.back().first;
    }
  };

  /// A class's place in leaf_of_ that is not a leaf.
  enum : std::int32_t { kNowhere = -1, kWaiting = -2 };

  bool is_stale() const;
  void rebuild();
  void insert(ClassId c);
  void link(ClassId c, std::size_t leaf);
  std::size_t build(std::size_t first, std::size_t last);
  int widest(const double* box) const;
  double bound(std::size_t node, const double* x) const;
  void search_all(const double* x, std::size_t count, ClassId except);
  void search(std::size_t node, const double* x, ClassId except);
  void consider(ClassId c, const double* x, ClassId except);

  const Space& space_;
  Ticker& ticker_;
  std::size_t width_;
  std::vector<double> points_;         ///< by class
  std::vector<std::int32_t> leaf_of_;  ///< by class: its leaf, or where it is instead
  std::vector<ClassId> next_;          ///< by class: the next one of its leaf, or -1
  std::vector<ClassId> order_;         ///< during a construction
  Best best_;                          ///< of the current search
  std::vector<Node> nodes_;
  std::vector<double> boxes_;            ///< by node: lows, then highs
  std::size_t built_ = 0, changes_ = 0;  ///< classes of the tree, and changes since
};

}  // namespace anonkit
