#include "pg/audit/judged_rows.hpp"

#include <algorithm>

#include "base/error.hpp"

#include "pg/read/number_type.hpp"

namespace anonkit::pg {
namespace {

bool is_null_value(const AttributeData& attribute, int64 row) {
  return attribute.has_null && attribute.codes[row] == attribute.distinct - 1;
}

bool shows_a_value(const RelationData& data, int64 row) {
  return std::any_of(
      data.attributes, data.attributes + data.attribute_count,
      [&](const AttributeData& attribute) { return !is_null_value(attribute, row); });
}

}  // namespace

JudgedRows judged_rows(const RelationData& data, std::int32_t classes, bool withheld) {
  std::vector<bool> shown(static_cast<std::size_t>(classes), !withheld);
  for (int64 row = 0; withheld && row < data.rows; ++row)
    if (shows_a_value(data, row)) shown[static_cast<std::size_t>(data.class_of[row])] = true;
  JudgedRows judged;
  std::vector<std::int32_t> number(shown.size());
  for (std::int32_t c = 0; c < classes; ++c) {
    if (!shown[static_cast<std::size_t>(c)]) continue;
    number[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(judged.classes.size());
    judged.classes.push_back(c);
  }
  for (int64 row = 0; row < data.rows; ++row) {
    const auto c = static_cast<std::size_t>(data.class_of[row]);
    if (!shown[c]) continue;
    judged.rows.push_back(row);
    judged.class_of.push_back(number[c]);
    if (data.unit_of != nullptr) judged.unit_of.push_back(data.unit_of[row]);
  }
  if (judged.rows.empty())
    throw Error(ErrorKind::invalid_data, "all sensitive values are withheld");
  return judged;
}

PublishedAttribute attribute_of(const JudgedRows& judged, const AttributeData& from) {
  PublishedAttribute attribute;
  if (from.hierarchy != nullptr) attribute.levels = levels_of(*from.hierarchy);
  if (from.protected_values != nullptr)
    attribute.is_protected = protected_groups(*from.hierarchy, *from.protected_values);
  attribute.code_of.reserve(judged.rows.size());
  for (const int64 row : judged.rows) attribute.code_of.push_back(from.codes[row]);
  if (from.has_numbers) {
    attribute.scale = AttributeScale::numeric;
    attribute.numbers.assign(from.numbers, from.numbers + from.distinct - (from.has_null ? 1 : 0));
  } else if (number_type(from.type) != nullptr || type_is_enum(from.type)) {
    attribute.scale = AttributeScale::ordinal;
  }
  return attribute;
}

}  // namespace anonkit::pg
