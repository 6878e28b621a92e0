#pragma once

#include <vector>

#include "replay.hpp"

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// The classes and arrangements of a call of anon_replay. The method's seed draws them.
ReplayOptions replay_options_of(FunctionCallInfo fcinfo, const Options& options);

/// An error without a sensitive column, or for a release that cannot be replayed.
void require_replayable(const Spec& spec);

/// Writes the rows of anon_replay.
void write_replayed(const std::vector<ReplayedClass>& replayed, FunctionCallInfo fcinfo);

/// The body of anon_replay for a release without a key.
Datum replay_release(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
