#pragma once

#include <cstdint>
#include <vector>

#include "metric/bound/block_distances.hpp"

namespace anonkit {

/// What each ordered pair of a block's records costs beside its triples: a price that record i pays
/// for having j in its class, and that j is paid (so the two add up to 0), and, for a pair whose
/// triples are not listed, a lower bound on what those cost.
class PairPrices {
 public:
  /// Of classes of `smallest` records or more.
  PairPrices(const BlockDistances& distances, std::int32_t smallest, Ticker& ticker);

  std::int32_t size() const { return size_; }
  /// What partners cost record i, by partner.
  const std::int32_t* row(std::int32_t i) const { return cost_.data() + at(i) * at(size_); }
  /// What partners outside of the block cost at least, cheapest first.
  const std::vector<std::int32_t>& outside(std::int32_t i) const { return outside_[at(i)]; }
  bool is_listed(std::int32_t i, std::int32_t j) const { return base_[place(i, j)] == kNone; }
  /// From now on the pair's cost is its price alone.
  void list(std::int32_t i, std::int32_t j);

  /// The direction in which prices move, antisymmetric.
  double direction(std::int32_t i, std::int32_t j) const { return direction_[place(i, j)]; }
  void turn(std::int32_t i, std::int32_t j, float by);
  /// Fades the direction.
  void fade(float share);
  /// Moves all prices by so many times the direction, and so many times the records' own. False,
  /// and nothing is moved, if numbers would become too large.
  bool move(float step, const std::vector<float>& of_records, Ticker& ticker);

 private:
  std::size_t place(std::int32_t i, std::int32_t j) const { return at(i) * at(size_) + at(j); }

  std::int32_t size_;
  std::vector<std::int32_t> cost_, base_;
  std::vector<std::vector<std::int32_t>> outside_;
  std::vector<float> direction_;
  double moved_ = 0;  ///< no price is larger
};

}  // namespace anonkit
