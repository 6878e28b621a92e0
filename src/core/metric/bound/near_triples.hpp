#pragma once

// Prices of the triples of a block, for the Lagrangian bound (shares.hpp).
//
// Phases: construction finds the near records, pairs and triples. Then list() adds a pair on
// demand, cheapest() sums the cheapest triples of a pair, and raise() moves a price. Invariant: the
// six ordered versions of a near triple have prices that sum to 0. Memory: a few numbers per near
// triple and per listed pair, and `rest` per listed pair.
//
//   NearTriples triples(distances, largest, near, ticker);
//   const NearTriples::Pair& pair = triples.pairs_of(0).front();
//   const std::int64_t sum = triples.cheapest(pair, 3, &used);  // kNoSum if there are fewer than 3

#include <array>
#include <cstdint>
#include <vector>

#include "metric/bound/block_distances.hpp"

namespace anonkit {

/// The cost of the triples (i, j, l) of a block, seen from an ordered pair (i, j). It is the sum of
/// the three squared distances, plus the triple's price if all three records are near each other.
///
/// A pair is listed, with its triples, if one record is among the other's nearest, or after list().
/// A listed pair has its priced triples and the cheapest other ones in ascending order, as many as
/// a class can hold: `rest`.
class NearTriples {
 public:
  using Place = std::uint32_t;

  struct Pair {
    std::int32_t partner;
    std::int32_t distance;
    Place begin, end;  ///< places of the costs of its near triples
    Place rest;        ///< first place of the costs of its other triples
  };

  /// Lists the triples of classes of up to `largest` records, with `near` near records each.
  NearTriples(const BlockDistances& distances, std::int32_t largest, std::int32_t near,
              Ticker& ticker);

  const std::vector<Pair>& pairs_of(std::int32_t i) const { return pairs_[at(i)]; }
  /// Lists an unlisted pair, from both sides.
  void list(std::int32_t i, std::int32_t j);

  /// The sum of the costs of the `count` cheapest triples of a pair; kNoSum if it has fewer. Fills
  /// `used` with the places of those that have prices.
  std::int64_t cheapest(const Pair& pair, std::int32_t count, std::vector<Place>* used) const;
  static constexpr std::int64_t kNoSum = INT64_MAX;

  std::size_t prices() const { return cost_.size(); }
  /// By near triple: the places of its six ordered versions.
  const std::vector<std::array<Place, 6>>& triples() const { return triples_; }
  void raise(Place place, std::int32_t price) { cost_[place] += price; }

 private:
  void find_neighbours(std::int32_t near, Ticker& ticker);
  void list_near(Ticker& ticker);
  void find_triples(Ticker& ticker);
  Place place_of(std::int32_t i, std::int32_t j, std::int32_t l) const;
  Place add_rest(std::int32_t i, std::int32_t j, const std::vector<std::int32_t>& common);

  const BlockDistances& distances_;
  std::size_t rest_size_;                              ///< the largest number of triples of a pair
                                                       ///< in a class
  std::vector<std::vector<std::int32_t>> neighbours_;  ///< ascending
  std::vector<std::vector<Pair>> pairs_;               ///< near ones first, as neighbours_
  std::vector<std::int32_t> cost_, third_;             ///< near pairs first, ordered as neighbours_
  std::vector<std::int32_t> rest_;                     ///< ascending, filled up with kNone
  std::vector<std::array<Place, 6>> triples_;
  mutable std::vector<std::pair<std::int32_t, Place>> offers_;
};

}  // namespace anonkit
