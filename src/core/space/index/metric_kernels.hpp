#pragma once

#include <algorithm>
#include <cmath>

#include "base/lanes.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The innermost loops of the spatial index: distances from a point to a block of records stored
/// column by column, and bounds on the distance to the boxes of eight siblings at once. All of them
/// add the attributes in the order of Space::squared_distance, so distances are bit-equal to it,
/// and as rounding is monotone a bound computed here is a true bound on every computed distance.
///
/// The boxes of a family of siblings take 16 numbers per attribute: their lows, then their highs.
constexpr int kSiblings = 8;

inline Lanes larger(Lanes a, Lanes b) {
  return a > b ? a : b;
}

/// A second bound on the distance from x to the records p of a box, known to lie within a reach R
/// of a centre c in the middle of the data.
///
/// In Euclidean spaces, for any m > 0, with the point a = c - (x-c)/m on the far side of the
/// centre:
///   |p-x|^2 = (1+m) |p-c|^2 - m |p-a|^2 + (1+1/m) |x-c|^2
///          <= (1+m) R^2 - m |box-a|^2 + (1+1/m) |x-c|^2.
/// With m = |x-c| / R of the root, a is where the farthest record would have to be, and the bound
/// is sharp there. The corners of boxes, at which a record farthest from x would lie if there were
/// one, lie well outside rounded clouds of records; this bound lets a farthest search skip several
/// times as many boxes. In other spaces, by the triangle inequality, |p-x| <= R + |x-c|. Both hold
/// a margin for rounding, so they cannot tell ties.
struct FarthestBound {
  /// Nothing is known but the boxes.
  FarthestBound() = default;
  /// `reach`: of the root, squared.
  FarthestBound(const Space& space, const double* c, const double* x, double reach);

  bool known = false;
  double drift = 0;      ///< |x-c|
  double factor = 1;     ///< for the roundings
  double constant = 0;   ///< the last term with a margin for all roundings
  double curvature = 0;  ///< m
  double antipode = 0;   ///< -1/m
  const double* centre = nullptr;
};

/// Spaces without nominal attributes. D is the dimension, or 0 if it is known at run time only.
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

  /// As farthest_bounds, by the boxes' reaches squared.
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
  /// Adds the squared distances of a point from the boxes.
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

/// Spaces with nominal attributes, whose codes are coordinates to boxes and whose squared distance
/// is 0 or the attribute's weight.
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
    std::fill(out, out + kSiblings, 0);
    for (int j = 0; j < space_->dimension(); ++j, boxes += 2 * kSiblings) {
      const double *low = boxes, *high = boxes + kSiblings;
      for (int s = 0; s < kSiblings; ++s) {
        if (nominal(j)) {
          out[s] += low[s] <= x[j] && x[j] <= high[s] ? 0 : space_->mismatch(j);
        } else {
          const double difference = std::max(std::max(low[s] - x[j], x[j] - high[s]), 0.0);
          out[s] += difference * difference;
        }
      }
    }
  }

  void farthest_bounds(const double* x, const double* boxes, double* out) const {
    std::fill(out, out + kSiblings, 0);
    for (int j = 0; j < space_->dimension(); ++j, boxes += 2 * kSiblings) {
      const double *low = boxes, *high = boxes + kSiblings;
      for (int s = 0; s < kSiblings; ++s) {
        if (nominal(j)) {
          out[s] += low[s] == x[j] && x[j] == high[s] ? 0 : space_->mismatch(j);
        } else {
          const double difference = std::max(x[j] - low[s], high[s] - x[j]);
          out[s] += difference * difference;
        }
      }
    }
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

/// Calls `work` with the kernels that fit the space.
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
