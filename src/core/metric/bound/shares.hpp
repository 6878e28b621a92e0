#pragma once

#include <cstdint>
#include <vector>

#include "metric/bound/near_triples.hpp"
#include "metric/bound/pair_prices.hpp"

namespace anonkit {

/// The least share that each record of a block can have in the loss of its class, under the prices.
///
/// A class of s records loses 1/2s of the squared distances of all its ordered pairs. A record's
/// share is the sum over its s-1 partners of what these cost it, over 2s: of each partner the price
/// of the pair, and the mean cost over the s-2 triples with the pair, over 3. Prices cancel and
/// each distance is counted as often as it should be, so a class loses the sum of its members'
/// shares. Each record choosing the cheapest size, the cheapest partners and with each partner the
/// cheapest triples on its own, all of them together lose no more than in any partition.
class Shares {
 public:
  /// A record's choice of a partner: how often the pair's price is in the sum of the shares.
  struct Choice {
    std::int32_t record, partner;
    float weight;
  };

  /// Of classes of `smallest` to `largest` records.
  Shares(const BlockDistances& distances, std::int32_t smallest, std::int32_t largest,
         std::int32_t near, Ticker& ticker);

  /// The sum of the least shares, in units.
  double sum();

  /// What the last sum's records chose, within the block.
  const std::vector<Choice>& choices() const { return choices_; }
  /// How often each triple's price is in the sum.
  float use(NearTriples::Place place) const { return use_[place]; }

  NearTriples& triples() { return triples_; }
  PairPrices& pairs() { return pairs_; }
  std::int32_t size() const { return pairs_.size(); }
  std::int32_t smallest() const { return smallest_; }

 private:
  struct Offer {
    double cost;
    std::int32_t partner;  ///< kNone: outside of the block
  };

  double share_of(std::int32_t i);
  std::int32_t cheapest_size(std::int32_t i, double* share);
  double share_at(std::int32_t i, std::int32_t size);
  void collect(std::int32_t i, std::int32_t size);
  double cost(std::int32_t i, const NearTriples::Pair& pair, std::int32_t size) const;
  bool list_chosen(std::int32_t i, std::int32_t size);
  void record_choice(std::int32_t i, std::int32_t size);

  Ticker& ticker_;
  std::int32_t smallest_, largest_;
  PairPrices pairs_;
  NearTriples triples_;
  std::vector<Offer> offers_;
  std::vector<Choice> choices_;
  std::vector<float> use_;
  std::vector<NearTriples::Place> used_, places_;
};

}  // namespace anonkit
