#pragma once

#include "pg/release/figures.hpp"

namespace anonkit::pg {

/// The figures of the release that this backend built last, for anon_publish and anon_refresh,
/// which build a release through a utility command that has no way to return anything. Null: none
/// since forget_latest_release.
const Figures* latest_release();
void forget_latest_release();

/// Does all that comes before writing: the next call of anon_release with this source and spec, in
/// the same transaction, writes what was computed here. So a refresh locks readers out for the time
/// of writing alone, and no error of the computation has a utility command as its context. The
/// result lives in the current memory context, and is forgotten with it.
const Run& prepare_release(Oid source, Jsonb* spec);

}  // namespace anonkit::pg
