#include "index/split_direction.hpp"

#include <algorithm>
#include <cmath>

namespace anonkit {

namespace {

// Boxes are parallel to the axes, so an oblique cut pays only if it is clearly longer.
constexpr double kObliqueGain = 1.5;
constexpr int kPowerIterations = 5;

}  // namespace

SplitDirection::SplitDirection(const Space& space)
    : space_(&space),
      mean_(static_cast<std::size_t>(space.dimension())),
      axis_(mean_.size()),
      product_(mean_.size()) {}

double SplitDirection::coordinate(const double* row) const {
  if (!oblique_) return row[attribute_];
  double sum = 0;
  for (std::size_t j = 0; j < axis_.size(); ++j) sum += axis_[j] * row[j];
  return sum;
}

bool SplitDirection::choose_from_sample() {
  oblique_ = false;
  attribute_ = 0;
  double widest = 0;
  for (int j = 0; j < space_->dimension(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    mean_[at] = 0;
    for (const double* row : sample_) mean_[at] += row[j];
    mean_[at] /= static_cast<double>(sample_.size());
    const bool nominal = space_->attribute(j).kind == Kind::nominal;
    const double variance = nominal ? nominal_variance(j) : numeric_variance(j);
    if (variance > widest) {
      widest = variance;
      attribute_ = at;
    }
  }
  if (widest > 0 && space_->dimension() > 1 && space_->euclidean())
    oblique_ = principal_axis(attribute_) > kObliqueGain * widest;
  return widest > 0;
}

bool SplitDirection::differs_from_sample(const double* row) {
  for (attribute_ = 0; attribute_ < mean_.size(); ++attribute_)
    if (row[attribute_] != sample_.front()[attribute_]) return true;
  attribute_ = 0;
  return false;
}

double SplitDirection::numeric_variance(int j) const {
  double sum = 0;
  for (const double* row : sample_) {
    const double difference = row[j] - mean_[static_cast<std::size_t>(j)];
    sum += difference * difference;
  }
  return sum / static_cast<double>(sample_.size());
}

/// Half the mean squared distance of two sampled records, which is what a variance is.
double SplitDirection::nominal_variance(int j) {
  codes_.clear();
  for (const double* row : sample_) codes_.push_back(row[j]);
  std::sort(codes_.begin(), codes_.end());
  const auto total = static_cast<double>(codes_.size());
  double alike = 0;
  for (auto from = codes_.begin(); from != codes_.end();) {
    const auto to = std::upper_bound(from, codes_.end(), *from);
    const double share = static_cast<double>(to - from) / total;
    alike += share * share;
    from = to;
  }
  return space_->mismatch(j) * (1 - alike) / 2;
}

/// Power iteration on the sample's covariance, from the axis of attribute `start`; leaves the
/// direction in axis_ and returns the variance along it, or 0 if there is none.
double SplitDirection::principal_axis(std::size_t start) {
  std::fill(axis_.begin(), axis_.end(), 0);
  axis_[start] = 1;
  double length = 0;
  for (int iteration = 0; iteration < kPowerIterations; ++iteration) {
    std::fill(product_.begin(), product_.end(), 0);
    for (const double* row : sample_) {
      double along = 0;
      for (std::size_t j = 0; j < axis_.size(); ++j) along += (row[j] - mean_[j]) * axis_[j];
      for (std::size_t j = 0; j < axis_.size(); ++j) product_[j] += (row[j] - mean_[j]) * along;
    }
    double squares = 0;
    for (const double value : product_) squares += value * value;
    length = std::sqrt(squares);
    if (!(length > 0) || !std::isfinite(length)) return 0;
    for (std::size_t j = 0; j < axis_.size(); ++j) axis_[j] = product_[j] / length;
  }
  return length / static_cast<double>(sample_.size());
}

}  // namespace anonkit
