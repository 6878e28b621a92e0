#pragma once

#include <cstdint>
#include <vector>

#include "metric/bound/block_distances.hpp"

namespace anonkit {

/// Prices stay below this, so that costs do not overflow.
constexpr double kLargestPrice = 1 << 29;

/// The cost of each ordered pair (i, j) of a block beside its triples. Record i pays this price and
/// record j receives it for sharing a class, so the two add up to 0. A pair with unlisted triples
/// also has a lower bound on their costs.
class PairPrices {
 public:
  /// Prices for classes of `smallest` records or more.
  PairPrices(const BlockDistances& distances, std::int32_t smallest, Ticker& ticker);

  std::int32_t size() const { return size_; }
  /// The costs of record i's partners, by partner.
  const std::int32_t* row(std::int32_t i) const { return cost_.data() + at(i) * at(size_); }
  /// Lower bounds on the costs of partners outside the block, cheapest first.
  const std::vector<std::int32_t>& outside(std::int32_t i) const { return outside_[at(i)]; }
  bool is_listed(std::int32_t i, std::int32_t j) const { return base_[place(i, j)] == kNone; }
  /// Reduces the pair's cost to its price.
  void list(std::int32_t i, std::int32_t j);

  /// The direction of the prices' next move, antisymmetric.
  double direction(std::int32_t i, std::int32_t j) const { return direction_[place(i, j)]; }
  void turn(std::int32_t i, std::int32_t j, float by);
  /// Multiplies the direction by `share`.
  void fade(float share);
  /// Moves all prices by `step` times the direction and the records' own factors. Returns false,
  /// and moves no price, if numbers would become too large.
  bool move(float step, const std::vector<float>& of_records, Ticker& ticker);

 private:
  std::size_t place(std::int32_t i, std::int32_t j) const { return at(i) * at(size_) + at(j); }

  std::int32_t size_;
  std::vector<std::int32_t> cost_, base_;
  std::vector<std::vector<std::int32_t>> outside_;
  std::vector<float> direction_;
  double moved_ = 0;  ///< upper limit of all prices so far
};

}  // namespace anonkit
