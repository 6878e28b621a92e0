#pragma once

// The Lagrangian bound of a block: the least share of each record in the loss of its class, under
// prices of pairs and triples.
//
// Phases: construction lists the near pairs; sum() lets each record choose; the ascent (ascent.hpp)
// reads the choices and moves the prices. Invariant: sum() is a lower bound for any prices. Memory:
// the prices of pairs (quadratic in the block) and of near triples.
//
//   Shares shares(distances, k, 2 * k - 1, near, ticker);
//   const double bound = shares.sum();  // in units; at first under prices of 0
//   for (const Shares::Choice& choice : shares.choices()) adjust(choice);

#include <cstdint>
#include <vector>

#include "metric/bound/diverse_choice.hpp"
#include "metric/bound/near_triples.hpp"
#include "metric/bound/pair_prices.hpp"

namespace anonkit {

/// The least share of each record of a block in the loss of its class, under the prices.
///
/// A class of s records loses 1/2s of the squared distances of all its ordered pairs. A record's
/// share is a sum over its s-1 partners, divided by 2s. Each partner adds the price of the pair,
/// and a third of the mean cost over the s-2 triples with the pair. Prices cancel and each distance
/// counts once per ordered pair, so the shares of a class sum to its loss. Each record here chooses
/// the cheapest size, partners and triples on its own. The sum of these shares is therefore at most
/// the loss of any partition.
///
/// With constraints on values, a record chooses among the partners that satisfy them
/// (diverse_choice.hpp). A large class may then be impossible to cut, so classes have any size.
/// Beyond `largest`, partners cost as much as in a class of `largest`, which is a lower bound.
/// Records join in ascending order of cost while that lowers the share.
class Shares {
 public:
  /// A record's choice of a partner; `weight` is the factor of the pair's price in the sum.
  struct Choice {
    std::int32_t record, partner;
    float weight;
  };

  /// Shares for classes of `smallest` to `largest` records, with triples of `near` near records
  /// each. Under constraints on values, none of which needs more values than `smallest`, classes
  /// have any size from `smallest`.
  Shares(const BlockDistances& distances, std::int32_t smallest, std::int32_t largest,
         std::int32_t near, DiverseChoice constraints, Ticker& ticker);

  /// The sum of the least shares, in units.
  double sum();
  /// The least shares of the last sum(), by record.
  const std::vector<double>& least() const { return least_; }

  /// The choices of records within the block in the last sum().
  const std::vector<Choice>& choices() const { return choices_; }
  /// The factor of each triple's price in the sum.
  float use(NearTriples::Place place) const { return use_[place]; }

  NearTriples& triples() { return triples_; }
  PairPrices& pairs() { return pairs_; }
  std::int32_t size() const { return pairs_.size(); }
  std::int32_t smallest() const { return smallest_; }

 private:
  double share_of(std::int32_t i);
  std::int32_t cheapest_size(std::int32_t i, double* share);
  double share_at(std::int32_t i, std::int32_t size);
  double choose(std::int32_t i, std::int32_t partners);
  std::int32_t grow(std::int32_t i, double* share);
  bool may_grow(double share) const;
  void collect(std::int32_t i, std::int32_t size, double wanted);
  double cost(std::int32_t i, const NearTriples::Pair& pair, std::int32_t size) const;
  bool list_chosen(std::int32_t i, std::int32_t size);
  void record_choice(std::int32_t i, std::int32_t size);

  Ticker& ticker_;
  std::int32_t smallest_, largest_;
  PairPrices pairs_;
  NearTriples triples_;
  DiverseChoice constraints_;
  std::vector<Offer> offers_;
  double collected_ = 0;  ///< all offers below this cost are among them
  std::vector<double> least_;
  std::vector<Choice> choices_;
  std::vector<float> use_;
  std::vector<NearTriples::Place> used_, places_;
};

}  // namespace anonkit
