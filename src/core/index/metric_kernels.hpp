#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "data/lanes.hpp"
#include "data/space.hpp"

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

/// A second bound on the distance from x to the records p of a box, known to lie within a reach of
/// an origin o in the middle of the data:
///   |p-x|^2 = |p-o|^2 + |x-o|^2 - 2 (x-o)(p-o) <= reach^2 + constant + max over the box of slope
///   p.
/// Corners of boxes lie well outside rounded clouds of records, and here they count only once, so
/// this bound lets a farthest search skip several times as many boxes as their corners do. It holds
/// a margin for rounding, so it cannot tell ties.
struct FarthestBound {
  /// `boxes`, `reach`: a family whose first sibling is the root.
  FarthestBound(const std::vector<double>& origin, const double* x, const double* boxes,
                const double* reach);

  std::vector<double> slope;
  std::vector<int> corner;  ///< where slope * p is largest: 0 low, kSiblings high
  double constant = 0;
};

/// Spaces without nominal attributes. D is the dimension, or 0 if it is known at run time only.
template <int D>
class EuclideanKernels {
 public:
  static constexpr bool kEuclidean = true;

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
    Lanes sum[kSiblings / 2] = {};
    for (int j = 0; j < dimension(); ++j, boxes += 2 * kSiblings)
      for (int s = 0; s < kSiblings / 2; ++s) {
        const Lanes below = load_lanes(boxes + 2 * s) - x[j];
        const Lanes above = x[j] - load_lanes(boxes + kSiblings + 2 * s);
        const Lanes difference = larger(larger(below, above), Lanes{0, 0});
        sum[s] += difference * difference;
      }
    for (int s = 0; s < kSiblings / 2; ++s) store_lanes(out + 2 * s, sum[s]);
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
  void reach_bounds(const FarthestBound& bound, const double* boxes, const double* reach,
                    double* out) const {
    Lanes sum[kSiblings / 2];
    for (int s = 0; s < kSiblings / 2; ++s) sum[s] = load_lanes(reach + 2 * s) + bound.constant;
    const double* slope = bound.slope.data();
    const int* corner = bound.corner.data();
    for (int j = 0; j < dimension(); ++j, boxes += 2 * kSiblings)
      for (int s = 0; s < kSiblings / 2; ++s)
        sum[s] += slope[j] * load_lanes(boxes + corner[j] + 2 * s);
    for (int s = 0; s < kSiblings / 2; ++s) store_lanes(out + 2 * s, sum[s]);
  }

 private:
  int dimension() const { return D > 0 ? D : dimension_; }

  int dimension_;
};

/// Spaces with nominal attributes, whose codes are coordinates to boxes and whose squared distance
/// is 0 or the attribute's weight.
class MixedKernels {
 public:
  static constexpr bool kEuclidean = false;

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
