#include "space/point_sample.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/random.hpp"

namespace anonkit {
namespace {

constexpr std::uint32_t kFree = UINT32_MAX;

std::size_t slots_for(std::size_t entries) {
  std::size_t slots = 4;
  while (slots < 2 * entries) slots *= 2;
  return slots;
}

}  // namespace

std::int64_t PointSample::bytes(std::size_t dimension, std::size_t size) {
  const std::size_t entries = 2 * size;
  return static_cast<std::int64_t>(
      entries * (dimension * sizeof(double) + sizeof(std::uint64_t) + sizeof(std::int64_t)) +
      (slots_for(entries) + entries) * sizeof(std::uint32_t));
}

PointSample::PointSample(std::size_t dimension, std::size_t size, std::uint64_t seed)
    : dimension_(dimension),
      size_(size),
      key_(mix(seed + 0x9e3779b97f4a7c15U)),
      arrived_(dimension),
      coordinates_(2 * size * dimension),
      hashes_(2 * size),
      counts_(2 * size),
      slots_(slots_for(2 * size), kFree),
      order_(2 * size) {}

std::uint64_t PointSample::hash_of(const double* point) const {
  std::uint64_t hash = key_;
  for (std::size_t j = 0; j < dimension_; ++j) {
    std::uint64_t bits;
    std::memcpy(&bits, point + j, sizeof bits);
    hash = mix(hash + mix(bits + 1));
  }
  return hash;
}

void PointSample::add(const double* point) noexcept {
  for (std::size_t j = 0; j < dimension_; ++j) arrived_[j] = point[j] + 0.0;
  ++records_;
  const std::uint64_t hash = hash_of(arrived_.data());
  if (hash > limit_) return;
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::uint32_t entry = slots_[slot];
    if (hashes_[entry] != hash) continue;
    if (!std::equal(arrived_.begin(), arrived_.end(), this->point(entry))) continue;
    ++counts_[entry];
    return;
  }
  slots_[slot] = static_cast<std::uint32_t>(used_);
  std::copy(arrived_.begin(), arrived_.end(), &coordinates_[used_ * dimension_]);
  hashes_[used_] = hash;
  counts_[used_] = 1;
  if (++used_ == 2 * size_) drop_half();
}

/// The order of preference: by hash, points of equal hashes by their coordinates.
bool PointSample::precedes(std::uint32_t a, std::uint32_t b) const {
  if (hashes_[a] != hashes_[b]) return hashes_[a] < hashes_[b];
  return std::lexicographical_compare(point(a), point(a) + dimension_, point(b),
                                      point(b) + dimension_);
}

void PointSample::place(std::uint32_t entry) noexcept {
  std::size_t slot = hashes_[entry] & (slots_.size() - 1);
  while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = entry;
}

/// Reduces the entries to the `size` preferred ones. A dropped point never becomes a member of the
/// sample again, since that many others precede it.
void PointSample::drop_half() noexcept {
  if (used_ <= size_) return;
  complete_ = false;
  const auto first = order_.begin(), kept = first + static_cast<std::ptrdiff_t>(size_);
  std::iota(first, first + static_cast<std::ptrdiff_t>(used_), 0U);
  std::nth_element(first, kept, first + static_cast<std::ptrdiff_t>(used_),
                   [this](std::uint32_t a, std::uint32_t b) { return precedes(a, b); });
  // Entries move to lower places only, so none is overwritten before its move.
  std::sort(first, kept);
  limit_ = 0;
  std::fill(slots_.begin(), slots_.end(), kFree);
  for (std::uint32_t to = 0; to < size_; ++to) {
    const std::uint32_t from = order_[to];
    std::copy(point(from), point(from) + dimension_, &coordinates_[to * dimension_]);
    hashes_[to] = hashes_[from];
    counts_[to] = counts_[from];
    limit_ = std::max(limit_, hashes_[to]);
    place(to);
  }
  used_ = size_;
}

CountedPoints PointSample::take() {
  drop_half();
  std::vector<std::uint32_t> ascending(used_);
  std::iota(ascending.begin(), ascending.end(), 0U);
  std::sort(ascending.begin(), ascending.end(), [this](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(point(a), point(a) + dimension_, point(b),
                                        point(b) + dimension_);
  });
  CountedPoints points;
  points.dimension = dimension_;
  points.coordinates.reserve(used_ * dimension_);
  points.counts.reserve(used_);
  for (const std::uint32_t entry : ascending) {
    points.coordinates.insert(points.coordinates.end(), point(entry), point(entry) + dimension_);
    points.counts.push_back(counts_[entry]);
  }
  used_ = 0;
  std::fill(slots_.begin(), slots_.end(), kFree);
  return points;
}

}  // namespace anonkit
