#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A text of the database as UTF-8, palloc'd unless it is the same; null if a character has no
/// equivalent there. The server's own conversion would put its bytes into an error message.
const char* to_utf8(const char* text);

}  // namespace anonkit::pg
