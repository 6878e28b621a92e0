#pragma once

#include "pg/audit/judging.hpp"
#include "pg/read/relation_reader.hpp"

namespace anonkit::pg {

/// Measures k-anonymity with wildcards: the class with the fewest compatible members, and those
/// that fall short of an asked level. `class_sizes` are in persons, with a unit.
Measured measure_wildcards(const RelationData& data, const AskedLevels& asked,
                           const std::vector<std::int32_t>& class_sizes);

}  // namespace anonkit::pg
