#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A text of the database as UTF-8: itself if it is the same, else a palloc'd string; null if a
/// character has no equivalent there. The server's own conversion would put its bytes into an error
/// message.
const char* to_utf8(const char* text, std::size_t size);

}  // namespace anonkit::pg
