#pragma once

// The searches of SpatialIndex as policies of one branch-and-bound descent.
//
// A search defines the better of two candidates, a bound per node and the set of candidates to
// keep. Phases: the descent calls bounds() for the children of a node and visits those that could
// improve the result. It calls offer() for records that improves() accepts. Ties go to the lower
// record. Memory: the candidates kept, in the caller's vector.
//
//   NearestSearch search(k, out, filter);
//   if (search.improves(candidate)) search.offer(candidate);  // once per record
//   search.finish();                                          // sorts `out`, nearest first

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "space/index/metric_kernels.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {

/// The objective of a descent of SpatialIndex: an order of candidates, a bound on those of a node,
/// and the candidates kept.

/// The record of a search without a candidate; comes after all others.
constexpr Record kAfterAll = std::numeric_limits<Record>::max();
constexpr double kFarAway = std::numeric_limits<double>::infinity();

/// The common part of nearest searches.
class TowardsNearest {
 public:
  static constexpr double kLoosest = 0;
  static bool better(const Neighbour& a, const Neighbour& b) { return nearer(a, b); }
  template <class Kernels>
  static void bounds(const Kernels& kernels, const double* x, const double* boxes, const double*,
                     double* out) {
    kernels.nearest_bounds(x, boxes, out);
  }
};

/// Keeps the k best candidates of a nearest search: a sorted list if k is small, else a heap with
/// the worst on top.
class NearestSearch : public TowardsNearest {
 public:
  NearestSearch(Record k, std::vector<Neighbour>& out, const SpatialIndex::Filter& filter)
      : k_(static_cast<std::size_t>(k)), out_(&out), filter_(&filter) {
    out.clear();
  }

  bool improves(const Neighbour& candidate) const { return nearer(candidate, worst_); }

  void offer(const Neighbour& candidate) {
    if (*filter_ && !(*filter_)(candidate.record)) return;
    if (k_ <= kShortList) {
      insert(candidate);
      return;
    }
    if (out_->size() == k_) {
      std::pop_heap(out_->begin(), out_->end(), nearer);
      out_->back() = candidate;
    } else {
      out_->push_back(candidate);
    }
    std::push_heap(out_->begin(), out_->end(), nearer);
    if (out_->size() == k_) worst_ = out_->front();
  }

  void finish() const {
    if (k_ > kShortList) std::sort_heap(out_->begin(), out_->end(), nearer);
  }

 private:
  /// Inserts into the sorted list.
  void insert(const Neighbour& candidate) {
    if (out_->size() < k_)
      out_->push_back(candidate);
    else
      out_->back() = candidate;
    for (auto at = out_->end() - 1; at != out_->begin() && nearer(candidate, at[-1]); --at)
      std::swap(at[0], at[-1]);
    if (out_->size() == k_) worst_ = out_->back();
  }

  static constexpr std::size_t kShortList = 16;

  std::size_t k_;
  std::vector<Neighbour>* out_;
  const SpatialIndex::Filter* filter_;
  Neighbour worst_{kFarAway, kAfterAll};
};

/// Keeps k candidates of which each is at most `stretch` times as far as the exact answer of its
/// rank, in squared distance: a node is skipped unless its bound is so much below the worst
/// candidate (Arya, Mount, Netanyahu, Silverman and Wu 1998, with (1 + epsilon)^2 = stretch).
class ApproximateNearestSearch : public NearestSearch {
 public:
  ApproximateNearestSearch(Record k, double stretch, std::vector<Neighbour>& out,
                           const SpatialIndex::Filter& filter)
      : NearestSearch(k, out, filter), stretch_(stretch) {}

  template <class Kernels>
  void bounds(const Kernels& kernels, const double* x, const double* boxes, const double* reach,
              double* out) const {
    NearestSearch::bounds(kernels, x, boxes, reach, out);
    for (int s = 0; s < kSiblings; ++s) out[s] *= stretch_;
  }

 private:
  double stretch_;
};

/// Keeps the nearest candidates whose total weight suffices, in a heap with the worst on top.
class NearestWeighingSearch : public TowardsNearest {
 public:
  NearestWeighingSearch(const Space& space, Record enough, std::vector<Neighbour>& out)
      : space_(&space), enough_(enough), out_(&out) {
    out.clear();
  }

  bool improves(const Neighbour& candidate) const { return nearer(candidate, worst_); }

  void offer(const Neighbour& candidate) {
    out_->push_back(candidate);
    std::push_heap(out_->begin(), out_->end(), nearer);
    weight_ += space_->weight(candidate.record);
    while (weight_ - space_->weight(out_->front().record) >= enough_) {
      weight_ -= space_->weight(out_->front().record);
      std::pop_heap(out_->begin(), out_->end(), nearer);
      out_->pop_back();
    }
    if (weight_ >= enough_) worst_ = out_->front();
  }

  void finish() const { std::sort_heap(out_->begin(), out_->end(), nearer); }

  /// The distance beyond which no candidate improves the result.
  double limit() const { return worst_.distance; }

 private:
  const Space* space_;
  Record enough_;
  Record weight_ = 0;
  std::vector<Neighbour>* out_;
  Neighbour worst_{kFarAway, kAfterAll};
};

/// Keeps the candidates up to the least distance at which they weigh enough, which is known to be
/// `within` at most. Distances that differ from it in the last bits only count as equal to it.
class NearestTiedSearch : public TowardsNearest {
 public:
  NearestTiedSearch(const Space& space, Record enough, double within, std::vector<Neighbour>& out)
      : closest_(space, enough, weighed_), out_(&out), limit_(last_tie(within)) {
    out.clear();
  }

  bool improves(const Neighbour& candidate) const { return candidate.distance <= limit_; }

  void offer(const Neighbour& candidate) {
    out_->push_back(candidate);
    if (!closest_.improves(candidate)) return;
    closest_.offer(candidate);
    limit_ = std::min(limit_, last_tie(closest_.limit()));
  }

  /// Without an order.
  void finish() const {
    const auto beyond = [&](const Neighbour& candidate) { return !improves(candidate); };
    out_->erase(std::remove_if(out_->begin(), out_->end(), beyond), out_->end());
  }

 private:
  /// Coordinates are rounded, so equal distances may differ in the last bits.
  static double last_tie(double distance) { return distance + 1e-9 * distance + 1e-18; }

  std::vector<Neighbour> weighed_;
  NearestWeighingSearch closest_;
  std::vector<Neighbour>* out_;
  double limit_;
};

/// Keeps the best candidate of a nearest search.
class NearestOneSearch : public TowardsNearest {
 public:
  explicit NearestOneSearch(const SpatialIndex::Filter& filter) : filter_(&filter) {}

  bool improves(const Neighbour& candidate) const { return nearer(candidate, best_); }
  void offer(const Neighbour& candidate) {
    if (!*filter_ || (*filter_)(candidate.record)) best_ = candidate;
  }
  const Neighbour& best() const { return best_; }

 private:
  const SpatialIndex::Filter* filter_;
  Neighbour best_{kFarAway, kAfterAll};
};

/// Keeps the best candidate of a farthest search, starting from `than`. No other is farther by more
/// than the factor `stretch`, in squared distance.
class FarthestSearch {
 public:
  FarthestSearch(const FarthestBound& bound, const Neighbour& than, double stretch)
      : bound_(&bound), best_(than), share_(1 / stretch) {}

  static constexpr double kLoosest = kFarAway;
  static bool better(const Neighbour& a, const Neighbour& b) { return farther(a, b); }
  template <class Kernels>
  void bounds(const Kernels& kernels, const double* x, const double* boxes, const double* reach,
              double* out) const {
    kernels.farthest_bounds(x, boxes, out);
    if (bound_->known) {
      double by_reach[kSiblings];
      kernels.reach_bounds(*bound_, x, boxes, reach, by_reach);
      for (int s = 0; s < kSiblings; ++s) out[s] = std::min(out[s], by_reach[s]);
    }
    for (int s = 0; s < kSiblings; ++s) out[s] *= share_;
  }
  bool improves(const Neighbour& candidate) const { return farther(candidate, best_); }
  void offer(const Neighbour& candidate) { best_ = candidate; }
  const Neighbour& best() const { return best_; }

 private:
  const FarthestBound* bound_;
  Neighbour best_;
  double share_;  ///< of a bound that counts; a division of each bound would take longer
};

}  // namespace anonkit
