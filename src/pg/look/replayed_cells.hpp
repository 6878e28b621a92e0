#pragma once

// The attack on quasi-identifiers (core/replay_cells.hpp) on a relation: of anon_replay_qi, and as
// two figures of anon_sweep.

#include <vector>

#include "replay_cells.hpp"

#include "pg/read/source.hpp"

namespace anonkit::pg {

/// The part of a spec with which its release cannot be replayed, or null. A secret seed is none:
/// an adversary does not know it.
const char* not_replayed(const Spec& spec);

/// The targets of the attack, in memory of the current context. `source` gets the relation's
/// columns. The spec must be one that can be replayed, without a secret seed.
const std::vector<ReplayedCells>& replayed_cells(Oid relation, Spec spec,
                                                 const CellReplayOptions& how, Source& source);

}  // namespace anonkit::pg
