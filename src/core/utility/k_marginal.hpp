#pragma once

// K-marginal (C. Task, K. Bhagat, G. S. Howarth: SDNist v2: Deidentified Data Report Tool. National
// Institute of Standards and Technology, 2023): how near the joint distributions of few columns
// are before and after masking.
//
// Phases: codes of the cells, where columns of more than 20 numbers are cut at the original's
// quantiles, as in SDNist; for each set of columns the total variation distance TV of both
// distributions of their codes; 1000 (1 - mean TV) of all sets. 1000: no set of columns tells the
// relations apart; 0: no cell of any set occurs in both. A pair of one column is the column itself.
//
// Invariant: more sets than kMostMarginals are drawn by the seed, so the result is a function of
// both relations as multisets, and of the seed. Memory: 4 bytes a row and column; in each thread 16
// a cell, and 40 a row if a set may have more cells than there are rows.
//
//   const auto found = k_marginal(pair.original, pair.masked, {2, 3}, seed, 1, ticker);

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// The sets of columns that are compared at most. Up to 32 columns have fewer pairs, and up to 15
/// fewer triples.
inline constexpr std::int64_t kMostMarginals = 500;

struct KMarginal {
  double score = 0;       ///< 0 .. 1000
  std::int64_t sets = 0;  ///< compared
  std::int64_t all = 0;   ///< that there are
};

/// By size: compares the sets of so many columns, or of all columns if these are fewer. Ranges
/// count as their middle, and records by their weights. O(sets x rows).
std::vector<KMarginal> k_marginal(const Cells& original, const Cells& masked,
                                  const std::vector<std::size_t>& sizes, std::uint64_t seed,
                                  int threads, Ticker& ticker);

}  // namespace anonkit
