#pragma once

#include "model/linked_levels.hpp"

#include "pg/set/set_promises.hpp"
#include "pg/set/set_reader.hpp"

namespace anonkit::pg {

/// An error for alpha or l without a sensitive column.
void require_sensitive(const SetTables& set, const SetPromises& promises);
/// The levels of the tables; the current memory context owns them.
const LinkedLevels& measure_levels(const SetRows& rows, LinkedQuestion question);

/// The level against the knowledge that is promised about.
const LinkedLevel& promised_level(const LinkedLevels& levels, const SetPromises& promises);

/// An error (check_violation) unless levels keep the promises; `subject` is "the tables violate",
/// for example.
void require_kept(const SetRows& rows, const LinkedLevels& levels, const SetPromises& promises,
                  const char* subject);

/// An error (check_violation) unless the tables keep the promises.
void require_levels(const SetRows& rows, const SetPromises& promises);

}  // namespace anonkit::pg
