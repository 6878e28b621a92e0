#pragma once

#include "pg/over_time/joint_audit.hpp"
#include "pg/over_time/nearby_releases.hpp"

namespace anonkit::pg {

/// The answer to other releases of the same persons.
enum class Beside : uint8 { notice, refuse, ignore };

/// Argument `beside` of anon_publish.
Beside beside_argument(FunctionCallInfo fcinfo);

/// Looks for releases whose sources share a table with a new release's, and tells the publisher by
/// NOTICEs what they tell together. With Beside::refuse, an error (check_violation) if the joint
/// classes break a promise of one of them, or cannot be measured. Releases of other roles are named
/// in a NOTICE and never read, not even for a superuser or with Beside::refuse: nobody named them,
/// and they would run their owners' code. Requires an SPI session.
void judge_beside(Oid release, Beside beside);

/// Names a release or a set that is not measured with the one of this name. With Beside::refuse an
/// error (check_violation) if it is an own one.
void tell_unmeasured(const char* made, const Neighbour& other, Beside beside);

}  // namespace anonkit::pg
