#pragma once

#include "risk/population_classes.hpp"

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// Writes k-map and delta-presence of a relation against the spec's population as rows of
/// anon_audit.
void write_population(Oid relation, const Spec& spec, ReturnSetInfo* result);

/// The classes of a relation and of the spec's population, in the current memory context.
/// Quasi-identifiers with hierarchies are labels of the population's values; the others are values
/// or ranges. An error with a unit.
const PopulationClasses& classes_against_population(Oid relation, const Spec& spec);

}  // namespace anonkit::pg
