#pragma once

#include "pg/audit/judging.hpp"
#include "pg/read/relation_reader.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// The measurements of a relation, or of its rows that satisfy a condition in SQL. The current
/// memory context owns them and the data.
const Measurements& measure_relation(Oid relation, const Spec& spec,
                                     const ModelParameters& parameters, RelationData& data,
                                     const AskedLevels* promised = nullptr,
                                     const char* condition = nullptr);

}  // namespace anonkit::pg
