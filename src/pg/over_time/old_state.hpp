#pragma once

#include "pg/over_time/state.hpp"

namespace anonkit::pg {

// Version 0.2.0 kept the state in three tables: the places, who waits, and one row with the secret.

/// Moves such a state to the companion, drops the two tables, and names them no more in the view.
/// The release is locked in AccessExclusiveLock. Errors (object_not_in_prerequisite_state): a table
/// is not as the last refresh left it; a key of texts in an encoding other than UTF-8, whose hashes
/// that version made of other bytes.
void convert_old_state(OverTimeQuery& release, const Spec& spec);

/// An error for a release that was not converted yet.
void refuse_old_state(const OverTimeQuery& release);

}  // namespace anonkit::pg
