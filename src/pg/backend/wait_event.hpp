#pragma once

#include "pg/backend/pg.hpp"

namespace anonkit::pg {

/// Shows the stage of the running call as the backend's wait event, until the next one or the end
/// of the transaction. It is "Extension" in PostgreSQL 14 to 16, "AnonkitFindingNeighbours" and the
/// like from 17 on. May raise errors.
void show_wait_event(const char* stage);

/// Ends it.
void hide_wait_event();

}  // namespace anonkit::pg
