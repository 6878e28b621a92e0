#include "index/farthest_from_centroid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace anonkit {

namespace {

/// Records of a ring on average.
constexpr std::size_t kRing = 32;

}  // namespace

FarthestFromCentroid::FarthestFromCentroid(const Space& space, const SpatialIndex& index,
                                           Ticker& ticker)
    : space_(&space), index_(&index), ticker_(&ticker) {}

Neighbour FarthestFromCentroid::find(const double* centroid) {
  if (list_.empty() || scanned_ >= 2 * static_cast<std::size_t>(index_->size())) renew(centroid);
  return scan(centroid);
}

Neighbour FarthestFromCentroid::scan(const double* centroid) {
  Neighbour best{-1, -1};
  while (!index_->contains(list_[head_].record)) sort_up_to(++head_);
  const double drift = space_->squared_distance(centroid, origin_.data());
  std::size_t at = head_;
  for (; at < list_.size(); ++at) {
    sort_up_to(at);
    const Record record = list_[at].record;
    if (out_of_reach(list_[at].distance, drift, best.distance)) break;
    if (!index_->contains(record)) continue;
    const Neighbour candidate{space_->squared_distance(space_->row(record), centroid), record};
    if (farther(candidate, best)) best = candidate;
  }
  scanned_ += at - head_;
  ticker_->step(static_cast<std::int64_t>(at - head_) * (space_->dimension() + 4));
  return best;
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

/// Makes the list anew: rings around the centroid, from the outermost to the innermost, each to be
/// sorted when a search gets there.
void FarthestFromCentroid::renew(const double* centroid) {
  origin_.assign(centroid, centroid + space_->dimension());
  std::vector<Neighbour> unsorted;
  index_->distances(centroid, unsorted);
  double farthest = 0;
  for (const Neighbour& neighbour : unsorted) farthest = std::max(farthest, neighbour.distance);
  const std::size_t rings = unsorted.size() / kRing + 1;
  const double scale = static_cast<double>(rings) / farthest;
  const bool one_ring = !std::isfinite(scale) || !std::isfinite(farthest);
  // Rounding is monotone, so that no record of a ring is farther than one of a ring before.
  const auto ring_of = [&](const Neighbour& neighbour) -> std::size_t {
    if (one_ring) return 0;
    return std::min(static_cast<std::size_t>((farthest - neighbour.distance) * scale), rings - 1);
  };
  // Counted one place late, the rings' begins become their ends as they are filled.
  ring_end_.assign(rings + 1, 0);
  for (const Neighbour& neighbour : unsorted) ++ring_end_[ring_of(neighbour) + 1];
  std::partial_sum(ring_end_.begin(), ring_end_.end(), ring_end_.begin());
  list_.resize(unsorted.size());
  for (const Neighbour& neighbour : unsorted) list_[ring_end_[ring_of(neighbour)]++] = neighbour;
  ring_end_.pop_back();
  ticker_->step(static_cast<std::int64_t>(list_.size()) * (space_->dimension() + 10));
  head_ = scanned_ = sorted_ = ring_ = 0;
  sort_up_to(0);
}

/// Sorts the rings up to the one that holds the place.
void FarthestFromCentroid::sort_up_to(std::size_t place) {
  for (; sorted_ <= place && ring_ < ring_end_.size(); ++ring_) {
    const auto begin = list_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    sorted_ = ring_end_[ring_];
    std::sort(begin, list_.begin() + static_cast<std::ptrdiff_t>(sorted_), farther);
  }
}

}  // namespace anonkit
