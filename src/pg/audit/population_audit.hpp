#pragma once

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// Writes k-map and delta-presence of a relation against its population as rows of anon_audit.
void write_population(Oid relation, Oid population, const Spec& spec, ReturnSetInfo* result);

}  // namespace anonkit::pg
