#pragma once

#include "pg/release/figures.hpp"

namespace anonkit::pg {

/// The figures of this backend's latest release. anon_publish and anon_refresh build a release by a
/// utility command, which cannot return them. Null if there is none since forget_latest_release.
const Figures* latest_release();
void forget_latest_release();

/// Computes a release before writing. The next call of anon_release with this source and spec, in
/// the same transaction, writes the result. So a refresh excludes readers only during writing, and
/// errors of the computation do not have a utility command as context. The result lives in the
/// current memory context.
const Run& prepare_release(Oid source, Jsonb* spec);

}  // namespace anonkit::pg
