#pragma once

// The innermost loops of the spatial index. They compute distances from a point to a block of
// records, and bounds on the distance to the boxes of eight siblings.
//
// Invariants. Every kernel adds the attributes in the order of Space::squared_distance, so
// distances are bit-identical to it. Rounding is monotone, so a bound computed here holds for every
// computed distance. Blocks store records column by column. The boxes of eight siblings take 16
// numbers per attribute: the lows, then the highs. Kernels own no memory.
//
//   with_kernels(space, [&](const auto& kernels) {
//     kernels.distances(x, block, stride, count, out);  // out[p], p < count: squared distances
//     kernels.nearest_bounds(x, boxes, bounds); });     // bounds[s], s < kSiblings

#include <algorithm>
#include <cmath>

#include "base/lanes.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The children of an inner node.
constexpr int kSiblings = 8;

inline Lanes larger(Lanes a, Lanes b) {
  return a > b ? a : b;
}

/// An additional bound on the distance from x to the records p of a box. They lie within a reach R
/// of a centre c in the middle of the data.
///
/// In Euclidean spaces, for any m > 0, with the point a = c - (x-c)/m on the far side of the
/// centre:
///   |p-x|^2 = (1+m) |p-c|^2 - m |p-a|^2 + (1+1/m) |x-c|^2
///          <= (1+m) R^2 - m |box-a|^2 + (1+1/m) |x-c|^2.
/// With m = |x-c| / R of the root, a is the farthest possible position of a record, and the bound
/// is tight there. The corners of boxes lie well outside rounded clouds of records. This bound
/// therefore lets a farthest search skip several times as many boxes. In other spaces the triangle
/// inequality gives |p-x| <= R + |x-c|. Both bounds include a margin for rounding, so they cannot
/// resolve ties.
struct FarthestBound {
  /// No centre: the boxes alone bound distances.
  FarthestBound() = default;
  /// `reach`: the root's, squared.
  FarthestBound(const Space& space, const double* c, const double* x, double reach);

  bool known = false;
  double drift = 0;      ///< |x-c|
  double factor = 1;     ///< margin for the roundings
  double constant = 0;   ///< the last term, with a margin for all roundings
  double curvature = 0;  ///< m
  double antipode = 0;   ///< -1/m
  const double* centre = nullptr;
};

/// Kernels for spaces without nominal attributes. D is the dimension, or 0 if it is known at run
/// time only.
template <int D>
class EuclideanKernels {
 public:
  static constexpr bool kFewDimensions = 0 < D && D <= 4;

  explicit EuclideanKernels(const Space& space) : dimension_(space.dimension()) {}

  /// out[p] = squared distance from x to record p of the block, p < count; `stride` is the distance
  /// between columns.
  void distances(const double* x, const double* block, int stride, int count, double* out) const {
    if constexpr (D > 0) {
      for (int p = 0; p < count; ++p) {
        double sum = 0;
        for (int j = 0; j < D; ++j) {
          const double difference = x[j] - block[j * stride + p];
          sum += difference * difference;
        }
        out[p] = sum;
      }
    } else {
      for (int p = 0; p < count; ++p) out[p] = 0;
      for (int j = 0; j < dimension_; ++j, block += stride) {
        for (int p = 0; p < count; ++p) {
          const double difference = x[j] - block[p];
          out[p] += difference * difference;
        }
      }
    }
  }

  /// No record in box s is nearer to x than out[s].
  void nearest_bounds(const double* x, const double* boxes, double* out) const {
    Lanes gaps[kSiblings / 2] = {};
    add_gaps([&](int j) { return x[j]; }, boxes, gaps);
    for (int s = 0; s < kSiblings / 2; ++s) store_lanes(out + 2 * s, gaps[s]);
  }

  /// No record in box s is farther from x than out[s].
  void farthest_bounds(const double* x, const double* boxes, double* out) const {
    Lanes sum[kSiblings / 2] = {};
    for (int j = 0; j < dimension(); ++j, boxes += 2 * kSiblings)
      for (int s = 0; s < kSiblings / 2; ++s) {
        const Lanes above_low = x[j] - load_lanes(boxes + 2 * s);
        const Lanes below_high = load_lanes(boxes + kSiblings + 2 * s) - x[j];
        const Lanes difference = larger(above_low, below_high);
        sum[s] += difference * difference;
      }
    for (int s = 0; s < kSiblings / 2; ++s) store_lanes(out + 2 * s, sum[s]);
  }

  /// Farthest bounds from the boxes' squared reaches: no record in box s is farther from x than
  /// out[s].
  void reach_bounds(const FarthestBound& bound, const double* x, const double* boxes,
                    const double* reach, double* out) const {
    Lanes gaps[kSiblings / 2] = {};
    const auto antipode = [&](int j) {
      return bound.centre[j] + bound.antipode * (x[j] - bound.centre[j]);
    };
    add_gaps(antipode, boxes, gaps);
    for (int s = 0; s < kSiblings / 2; ++s)
      store_lanes(out + 2 * s, bound.constant + (1 + bound.curvature) * load_lanes(reach + 2 * s) -
                                   bound.curvature * gaps[s]);
  }

 private:
  /// Adds the squared distances from a point to the boxes.
  template <class Coordinate>
  void add_gaps(const Coordinate& coordinate, const double* boxes, Lanes* gaps) const {
    for (int j = 0; j < dimension(); ++j, boxes += 2 * kSiblings) {
      const double x = coordinate(j);
      for (int s = 0; s < kSiblings / 2; ++s) {
        const Lanes below = load_lanes(boxes + 2 * s) - x;
        const Lanes above = x - load_lanes(boxes + kSiblings + 2 * s);
        const Lanes gap = larger(larger(below, above), Lanes{0, 0});
        gaps[s] += gap * gap;
      }
    }
  }

  int dimension() const { return D > 0 ? D : dimension_; }

  int dimension_;
};

/// Kernels for spaces with nominal attributes. Boxes treat codes as coordinates; the squared
/// distance between codes is 0 or the attribute's weight.
class MixedKernels {
 public:
  static constexpr bool kFewDimensions = false;

  explicit MixedKernels(const Space& space) : space_(&space) {}

  void distances(const double* x, const double* block, int stride, int count, double* out) const {
    for (int p = 0; p < count; ++p) out[p] = 0;
    for (int j = 0; j < space_->dimension(); ++j, block += stride) {
      if (nominal(j)) {
        const double mismatch = space_->mismatch(j);
        for (int p = 0; p < count; ++p) out[p] += x[j] == block[p] ? 0 : mismatch;
      } else {
        for (int p = 0; p < count; ++p) {
          const double difference = x[j] - block[p];
          out[p] += difference * difference;
        }
      }
    }
  }

  void nearest_bounds(const double* x, const double* boxes, double* out) const {
    Lanes sum[kSiblings / 2] = {};
    for (int j = 0; j < space_->dimension(); ++j, boxes += 2 * kSiblings) {
      const double mismatch = space_->mismatch(j);
      const bool is_nominal = nominal(j);
      for (int s = 0; s < kSiblings / 2; ++s) {
        const Lanes below = load_lanes(boxes + 2 * s) - x[j];
        const Lanes above = x[j] - load_lanes(boxes + kSiblings + 2 * s);
        const Lanes gap = larger(larger(below, above), Lanes{0, 0});
        sum[s] += is_nominal ? where(gap > 0, mismatch) : gap * gap;
      }
    }
    for (int s = 0; s < kSiblings / 2; ++s) store_lanes(out + 2 * s, sum[s]);
  }

  void farthest_bounds(const double* x, const double* boxes, double* out) const {
    Lanes sum[kSiblings / 2] = {};
    for (int j = 0; j < space_->dimension(); ++j, boxes += 2 * kSiblings) {
      const double mismatch = space_->mismatch(j);
      const bool is_nominal = nominal(j);
      for (int s = 0; s < kSiblings / 2; ++s) {
        const Lanes above_low = x[j] - load_lanes(boxes + 2 * s);
        const Lanes below_high = load_lanes(boxes + kSiblings + 2 * s) - x[j];
        const Lanes difference = larger(above_low, below_high);
        sum[s] += is_nominal ? where((above_low != 0) | (below_high != 0), mismatch)
                             : difference * difference;
      }
    }
    for (int s = 0; s < kSiblings / 2; ++s) store_lanes(out + 2 * s, sum[s]);
  }

  void reach_bounds(const FarthestBound& bound, const double*, const double*, const double* reach,
                    double* out) const {
    for (int s = 0; s < kSiblings; ++s) {
      const double distance = (std::sqrt(std::max(reach[s], 0.0)) + bound.drift) * bound.factor;
      out[s] = distance * distance * bound.factor;
    }
  }

 private:
  bool nominal(int j) const { return space_->attribute(j).kind == Kind::nominal; }

  const Space* space_;
};

/// Calls `work` with the kernels for the space and returns its result.
template <class Work>
decltype(auto) with_kernels(const Space& space, const Work& work) {
  if (!space.euclidean()) return work(MixedKernels(space));
  switch (space.dimension()) {
    case 1:
      return work(EuclideanKernels<1>(space));
    case 2:
      return work(EuclideanKernels<2>(space));
    case 3:
      return work(EuclideanKernels<3>(space));
    case 4:
      return work(EuclideanKernels<4>(space));
    case 5:
      return work(EuclideanKernels<5>(space));
    case 6:
      return work(EuclideanKernels<6>(space));
    case 7:
      return work(EuclideanKernels<7>(space));
    case 8:
      return work(EuclideanKernels<8>(space));
    default:
      return work(EuclideanKernels<0>(space));
  }
}

}  // namespace anonkit
