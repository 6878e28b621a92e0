#pragma once

#include "pg/over_time/joint_audit.hpp"
#include "pg/release/set_query.hpp"

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

/// Names the releases and sets of the same tables beside a set in NOTICEs; with Beside::refuse an
/// error (check_violation) if one of them is the publisher's own. They are not measured together:
/// pseudonyms of a set are not kept, so nothing but cells links its rows with another release's.
void judge_set_beside(const SetQuery& set, Beside beside);

}  // namespace anonkit::pg
