#pragma once

#include "pg/audit/aggregate_audit.hpp"

namespace anonkit::pg {

/// Measures a release that was written by the current command, as anybody who can read it could,
/// and raises check_violation if a model that its spec promises does not hold. The source is read
/// where only the original values can tell. The spec names columns as the release does.
void assert_release(Oid release, const Spec& spec, const Originals& originals);

}  // namespace anonkit::pg
