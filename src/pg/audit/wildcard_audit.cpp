#include "pg/audit/wildcard_audit.hpp"

#include <algorithm>

#include "pg/backend/backend_ticker.hpp"
#include "pg/spec/needs.hpp"

namespace anonkit::pg {

Measured measure_wildcards(const RelationData& data, const AskedLevels& asked,
                           const std::vector<std::int32_t>& class_sizes) {
  BackendTicker ticker;
  const std::vector<std::int64_t> compatible =
      compatible_members(wildcard_columns(data), classes_of(data), units_of(data), ticker);
  const auto worst = std::min_element(compatible.begin(), compatible.end());
  Measured measured = {find_model(kWildcardModel), kAnyAttribute, {}, {}};
  measured.level.level = static_cast<double>(*worst);
  measured.level.worst_class = static_cast<std::int32_t>(worst - compatible.begin());
  for (int i = 0; i < asked.count; ++i)
    if (asked.list[i].model == measured.model) measured.shortfall.asked = &asked.list[i];
  measured.shortfall.by_class = measured.shortfall.asked != nullptr;
  if (!measured.shortfall.by_class) return measured;
  for (std::size_t c = 0; c < compatible.size(); ++c) {
    if (measured.model->keeps(measured.shortfall.asked->level, static_cast<double>(compatible[c])))
      continue;
    ++measured.shortfall.classes;
    measured.shortfall.members += class_sizes[c];
  }
  return measured;
}

}  // namespace anonkit::pg
