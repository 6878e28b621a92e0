#pragma once

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// Measures a release that was written by the current command, as anybody who can read it could,
/// and raises check_violation if a model that its spec promises does not hold. The source is read
/// where only the original values can tell.
void assert_release(Oid release, const Spec& spec, Oid source);

}  // namespace anonkit::pg
