#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "metric/bound/block_distances.hpp"

namespace anonkit {

/// What the triples (i, j, l) of a block cost, seen from an ordered pair (i, j): the sum of the
/// three squared distances, plus the triple's price where all three are near each other. Each of
/// the six orders of a near triple has a price of its own, and the six add up to 0.
///
/// A pair is listed, with its triples, if one is among the other's nearest, or once list() was
/// called for it. A listed pair's triples are its priced ones and, of the others, as many as a
/// class can hold, cheapest first: `rest`.
class NearTriples {
 public:
  using Place = std::uint32_t;

  struct Pair {
    std::int32_t partner;
    std::int32_t distance;
    Place begin, end;  ///< of the costs of its near triples
    Place rest;        ///< where the costs of the other triples begin
  };

  /// The triples of classes of up to `largest` records, where each record is near `near` others.
  NearTriples(const BlockDistances& distances, std::int32_t largest, std::int32_t near,
              Ticker& ticker);

  const std::vector<Pair>& pairs_of(std::int32_t i) const { return pairs_[at(i)]; }
  /// Lists the pair, which is not yet, from both sides.
  void list(std::int32_t i, std::int32_t j);

  /// The cheapest triples of a pair, `count` of them: their costs' sum. Fills `used` with the
  /// places of those that have prices. kNoSum if there are not as many.
  std::int64_t cheapest(const Pair& pair, std::int32_t count, std::vector<Place>* used) const;
  static constexpr std::int64_t kNoSum = INT64_MAX;

  std::size_t prices() const { return cost_.size(); }
  /// The six orders of each near triple.
  const std::vector<std::array<Place, 6>>& triples() const { return triples_; }
  void raise(Place place, std::int32_t price) { cost_[place] += price; }

 private:
  void find_neighbours(std::int32_t near, Ticker& ticker);
  void list_near(Ticker& ticker);
  void find_triples(Ticker& ticker);
  Place place_of(std::int32_t i, std::int32_t j, std::int32_t l) const;
  Place add_rest(std::int32_t i, std::int32_t j, const std::vector<std::int32_t>& common);

  const BlockDistances& distances_;
  std::size_t rest_size_;                              ///< triples that a pair can have in a class
  std::vector<std::vector<std::int32_t>> neighbours_;  ///< ascending
  std::vector<std::vector<Pair>> pairs_;               ///< near ones first, as neighbours_
  std::vector<std::int32_t> cost_, third_;             ///< by place
  std::vector<std::int32_t> rest_;                     ///< ascending, filled up with kNone
  std::vector<std::array<Place, 6>> triples_;
  mutable std::vector<std::pair<std::int32_t, Place>> offers_;
};

}  // namespace anonkit
