#pragma once

#include "replay.hpp"

namespace anonkit {

/// The refresh in which each row comes, and the conditions under which newcomers found classes.
struct Arrivals {
  std::vector<std::int32_t> night;  ///< by row, from 1
  std::int32_t max_wait = 14;       ///< refreshes after which a class may lose any amount
  double wait_loss = 5;             ///< times the first version's loss that a class may lose
  std::int32_t every = 1;           ///< classes are founded at every such refresh
};

/// Replays a release over time, from the first refresh to that of the last arrival. Nobody leaves:
/// presence does not depend on values. The adversary knows the code, the coins, all
/// quasi-identifiers and arrivals, and all sensitive values outside one class, and keeps the
/// arrangements of its values that yield all versions.
///
/// The first version is one release, of the rows of night 1; later ones settle the newcomers
/// (settling.hpp). The fingerprints of the table, which order equal rows, must not depend on
/// values.
///
/// Throws like anonymize if the first version fails, and out_of_memory. O(classes * arrangements)
/// runs of the nights from the arrival to the founding of a class. Memory: a table and its
/// releases (replay_nights_bytes), and the arrangements of a class.
std::vector<ReplayedClass> replay_nights(const Table& table, const Arrivals& arrivals,
                                         const Method& method, const Options& options,
                                         const ReplayOptions& how, Ticker& ticker);

/// The bytes that it needs in addition to one run of the pipeline, without arrangements.
std::int64_t replay_nights_bytes(const Table& table);

}  // namespace anonkit
