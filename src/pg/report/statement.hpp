#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The call of anon_publish that makes the release `release`, a name as SQL writes it, from a spec
/// in its written form. Names and values are quoted.
const char* publishing_statement(const char* spec, const char* release, Oid source);

}  // namespace anonkit::pg
