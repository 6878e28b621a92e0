#pragma once

// Mondrian on a public grid, with coins (the project's own). A release that lets every table stay
// possible which has the published number of records in each published box.
//
// From the box of all records down, cuts are tried in a public order: attributes by the relative
// width of their boxes, each in the middle, then at its quarters. A cut is admissible if each of
// its parts has k records, or none. A secret coin skips an admissible cut with probability q; the
// first cut that is not skipped is made. A box without one is published, as it is, not as the
// extent of its values.
//
// Theorem. If q > 0, each table of the same extent (grid_axis.hpp) with the published number of
// records in each published box has a positive probability of this release. Proof. A published box
// lies on one side of each cut above it, so the numbers of records that made a cut admissible are
// sums of published numbers, equal for all such tables. A cut that was not made was skipped, with
// probability q, or inadmissible, with probability 1, so with at least q. The product over all
// boxes is positive. So a cell is determined only where its box has one value. The odds of two such
// tables change by at most q^-m, m the cuts not made whose admissibility differs: at most three an
// attribute and box. Versions of a release have independent coins (coins_key), so the theorem holds
// for all of them together.
//
// Cuts at quarters are why skewed numbers lose little: where the upper half has fewer than k
// records, the upper three quarters may have them.
//
// Invariants: the order of records does not matter. Memory: eight bytes a record and attribute, and
// eight a record.
//
//   const SecretCoins coins(coins_key(secret, axes, records, ticker).data(), 0.05);
//   const GridClasses classes = cut_grid(axes, k, coins, ticker);

#include <array>
#include <vector>

#include "base/keyed_random.hpp"
#include "base/ticker.hpp"
#include "method/mondrian/grid_axis.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// One coin for each cut of each box.
class GridCoins {
 public:
  virtual ~GridCoins() = default;
  /// True if an admissible cut of the attribute is skipped. `box` is the path that leads to it.
  virtual bool skips(const Words& box, std::size_t attribute, int cut) const = 0;
  /// The path to a part of a box.
  virtual Words path(const Words& box, std::size_t attribute, std::size_t part) const = 0;
};

/// Coins that nobody can compute who lacks the key.
class SecretCoins final : public GridCoins {
 public:
  SecretCoins(const std::uint8_t* key, double skip) : random_(key), skip_(skip) {}
  bool skips(const Words& box, std::size_t attribute, int cut) const override;
  Words path(const Words& box, std::size_t attribute, std::size_t part) const override;

 private:
  KeyedRandom random_;
  double skip_;
};

/// The key of the coins of a table: other data have other coins, equal data the same in any order.
/// `secret` has KeyedRandom::kKeyBytes bytes.
std::array<std::uint8_t, KeyedRandom::kKeyBytes> coins_key(const std::uint8_t* secret,
                                                           const std::vector<GridAxis>& axes,
                                                           Record records, Ticker& ticker);

/// Classes, numbered by their first record, and their boxes: classes x axes.
struct GridClasses {
  Partition partition;
  std::vector<GridBox> boxes;
};

/// Cuts the records of the axes, of which there must be at least k. O(n d^2 log(width)), and for
/// each box the children of its labels.
GridClasses cut_grid(const std::vector<GridAxis>& axes, Record records, Record k,
                     const GridCoins& coins, Ticker& ticker);

}  // namespace anonkit
