#include "index/farthest_from_centroid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anonkit {

namespace {

constexpr std::size_t kShortestList = 256;

}  // namespace

FarthestFromCentroid::FarthestFromCentroid(const Space& space, const SpatialIndex& index,
                                           Ticker& ticker)
    : space_(&space), index_(&index), ticker_(&ticker) {}

Neighbour FarthestFromCentroid::find(const double* centroid) {
  Neighbour best{-1, -1};
  if (scanned_ < static_cast<std::size_t>(index_->size()) && scan(centroid, best)) return best;
  renew(centroid);
  return list_.front();
}

/// True if `best` is certainly the farthest of all, false if the list cannot tell.
bool FarthestFromCentroid::scan(const double* centroid, Neighbour& best) {
  if (list_.empty()) return false;
  while (head_ < list_.size() && !index_->contains(list_[head_].record)) ++head_;
  const double drift = space_->squared_distance(centroid, origin_.data());
  std::size_t at = head_;
  bool certain = false;
  for (; at < list_.size() && !certain; ++at) {
    const Record record = list_[at].record;
    if (out_of_reach(list_[at].distance, drift, best.distance)) {
      certain = true;
    } else if (index_->contains(record)) {
      const Neighbour candidate{space_->squared_distance(space_->row(record), centroid), record};
      if (farther(candidate, best)) best = candidate;
    }
  }
  scanned_ += at - head_;
  ticker_->step(static_cast<std::int64_t>(at - head_) * (space_->dimension() + 4));
  return certain;
}

/// True if a record at this squared distance from c0 is nearer to c than the best one for certain;
/// all numbers are squared distances with rounding errors of about d units in the last place.
bool FarthestFromCentroid::out_of_reach(double distance, double drift, double best) const {
  const double margin = 1 + 4 * (space_->dimension() + 8) * std::numeric_limits<double>::epsilon();
  // What may have been lost by squares too small to be represented.
  constexpr double kUnderflow = 1e-150;
  const double reach = (std::sqrt(distance) + std::sqrt(drift)) * margin + kUnderflow;
  return reach * reach * margin < best;
}

void FarthestFromCentroid::renew(const double* centroid) {
  origin_.assign(centroid, centroid + space_->dimension());
  index_->distances(centroid, list_);
  const std::size_t length = std::min(list_.size(), std::max(kShortestList, list_.size() / 8));
  const auto end = list_.begin() + static_cast<std::ptrdiff_t>(length);
  if (length < list_.size()) std::nth_element(list_.begin(), end, list_.end(), farther);
  ticker_->step(static_cast<std::int64_t>(list_.size()) * (space_->dimension() + 10));
  list_.erase(end, list_.end());
  list_.shrink_to_fit();
  std::sort(list_.begin(), list_.end(), farther);
  head_ = scanned_ = 0;
}

}  // namespace anonkit
