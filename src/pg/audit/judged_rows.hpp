#pragma once

#include <vector>

#include "model/class_histogram.hpp"

#include "pg/read/relation_reader.hpp"

namespace anonkit::pg {

/// The rows whose sensitive values are judged.
struct JudgedRows {
  std::vector<int64> rows;
  std::vector<std::int32_t> class_of;  ///< of each its class, numbered without gaps
  std::vector<std::int32_t> unit_of;   ///< of each whose it is; empty if each is somebody else's
  std::vector<std::int32_t> classes;   ///< of each such class its number in the relation
};

/// All rows, or with `withheld` those of classes that have a sensitive value.
JudgedRows judged_rows(const RelationData& data, std::int32_t classes, bool withheld);

/// The values of these rows, as a model sees them.
PublishedAttribute attribute_of(const JudgedRows& judged, const AttributeData& from);

}  // namespace anonkit::pg
