#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The centroids of classes that are merged: a set of points of a space that loses and gains
/// points, with exact nearest searches. A balanced k-d tree, a short list of the points that came
/// after it was built, scanned in full, and a new tree when a search finds the list grown or half
/// the tree gone. Answers equal those of a full scan with Space::squared_distance, ties to the
/// lower class.
///
/// N additions between searches cost O(N sqrt(N) log N) at worst, with a small factor; a search
/// O(log N + sqrt(N)) in few dimensions. Memory about 2 points for each class. Space and ticker
/// must outlive the index.
class CentroidIndex {
 public:
  /// For the classes 0 .. classes-1, none of them in the index yet.
  CentroidIndex(const Space& space, ClassId classes, Ticker& ticker);

  void add(ClassId c, const double* point);
  void remove(ClassId c);
  /// The centroid of a class that is in the index.
  const double* point(ClassId c) const { return points_.data() + at(c) * width_; }
  /// The class whose centroid is nearest to x, other than `except`; -1 if there is none.
  ClassId nearest(const double* x, ClassId except);
  /// The `count` classes (or all there are) whose centroids are nearest to x, nearest first.
  std::vector<ClassId> nearest(const double* x, std::size_t count, ClassId except);

 private:
  struct Node {
    std::size_t first, last;  ///< of order_
    std::size_t left = 0, right = 0;
  };
  /// The nearest so far, nearest first.
  struct Best {
    std::size_t count;
    std::vector<std::pair<double, ClassId>> found;

    bool in_reach(double distance) const {
      return found.size() < count || distance <= found.back().first;
    }
  };

  void rebuild();
  std::size_t build(std::size_t first, std::size_t last);
  int widest(const double* box) const;
  double bound(std::size_t node, const double* x) const;
  void search_all(const double* x, std::size_t count, ClassId except);
  void search(std::size_t node, const double* x, ClassId except);
  void consider(ClassId c, const double* x, ClassId except);

  const Space& space_;
  Ticker& ticker_;
  std::size_t width_;
  std::vector<double> points_;  ///< by class
  enum class Where : std::uint8_t { nowhere, tree, list };
  std::vector<Where> where_;  ///< by class
  std::vector<ClassId> order_, list_;
  Best best_;  ///< of the search
  std::vector<Node> nodes_;
  std::vector<double> boxes_;  ///< by node: lows, then highs
  std::size_t living_ = 0, gone_ = 0;
};

}  // namespace anonkit
