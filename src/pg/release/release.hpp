#pragma once

#include "pg/release/figures.hpp"

namespace anonkit::pg {

/// The figures of the release that this backend built last, for anon_publish and anon_refresh,
/// which build a release through a utility command that has no way to return anything. Null: none
/// since forget_latest_release.
const Figures* latest_release();
void forget_latest_release();

}  // namespace anonkit::pg
