#include "pg/audit/measuring.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.hpp"

#include "pg/audit/wildcard_audit.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/exact_numbers.hpp"

namespace anonkit::pg {
namespace {

/// By coarser partition and class: the coarser class that contains it.
std::vector<std::vector<std::int32_t>> supersets_of(const RelationData& data, std::size_t classes) {
  std::vector<std::vector<std::int32_t>> supersets;
  for (int j = 0; j < data.coarser_count; ++j) {
    supersets.emplace_back(classes);
    for (int64 row = 0; row < data.rows; ++row)
      supersets.back()[static_cast<std::size_t>(data.class_of[row])] = data.coarser[j][row];
  }
  return supersets;
}

bool shows_a_value(const RelationData& data, int64 row) {
  return std::any_of(data.attributes, data.attributes + data.attribute_count,
                     [&](const AttributeData& attribute) {
                       return !attribute.has_null || attribute.codes[row] < attribute.distinct - 1;
                     });
}

/// The classes that have a sensitive value.
std::vector<bool> showing_classes(const RelationData& data, std::size_t classes) {
  std::vector<bool> shows(classes, false);
  for (int64 row = 0; row < data.rows; ++row)
    if (shows_a_value(data, row)) shows[static_cast<std::size_t>(data.class_of[row])] = true;
  if (std::find(shows.begin(), shows.end(), true) == shows.end())
    throw Error(ErrorKind::invalid_data, "all sensitive values are withheld");
  return shows;
}

JudgedColumn judged_column(const AttributeData& data) {
  const AttributeScale scale = data.has_numbers  ? AttributeScale::numeric
                               : data.is_ordered ? AttributeScale::ordinal
                                                 : AttributeScale::nominal;
  return {data.codes,     scale,
          data.numbers,   data.distinct - (data.has_null ? 1 : 0),
          data.hierarchy, data.protected_values};
}

/// By class its value of a quasi-identifier, as a code.
std::vector<std::int32_t> parts_by(const RelationData& data, const char* column,
                                   std::size_t classes) {
  BackendTicker ticker;
  std::vector<std::int32_t> part(classes);
  for (int j = 0; j < data.qi_count; ++j)
    for (int64 row = 0; std::strcmp(data.qi[j].name, column) == 0 && row < data.rows; ++row) {
      ticker.step(1);
      part[static_cast<std::size_t>(data.class_of[row])] = data.qi[j].ranks.codes[row];
    }
  return part;
}

/// With `withheld`, classes without any sensitive value withhold theirs. With `part`, distributions
/// are compared with those of the rows of the same value of that quasi-identifier.
Evidence evidence_of(const RelationData& data, bool withheld, const char* part) {
  const auto class_of = [&](int64 row) { return data.class_of[row]; };
  const auto classes =
      1 + static_cast<std::size_t>(*std::max_element(data.class_of, data.class_of + data.rows));
  Evidence evidence;
  evidence.all =
      rows_of_classes(data.rows, class_of, data.unit_of, std::vector<bool>(classes, true));
  if (withheld && data.attribute_count > 0)
    evidence.shown =
        rows_of_classes(data.rows, class_of, data.unit_of, showing_classes(data, classes));
  for (int a = 0; a < data.attribute_count; ++a)
    evidence.columns.push_back(judged_column(data.attributes[a]));
  if (part != nullptr) evidence.part_of = parts_by(data, part, classes);
  evidence.supersets = supersets_of(data, classes);
  return evidence;
}

/// An error if doubles cannot tell a spread that is asked for.
void require_spreads(const RelationData& data, const AskedLevels& asked) {
  const Model* spread = find_model("(k,e)-anonymity");
  for (int i = 0; i < asked.count; ++i)
    for (int a = 0; asked.list[i].model == spread && a < data.attribute_count; ++a)
      require_spread(data.attributes[a].name, data.attributes[a].type, data.attributes[a].loss,
                     asked.list[i].level);
}

}  // namespace

const Measurements& measure_relation(Oid relation, const Spec& spec,
                                     const ModelParameters& parameters, RelationData& data,
                                     const AskedLevels* promised, const char* condition) {
  data = read_relation(relation, {spec.qi, spec.sensitive, spec.unit, spec.categories,
                                  spec.hierarchies, spec.protected_values, parameters.n > 0,
                                  condition, nullptr, spec.suppressed, spec.wildcards});
  for (const AskedLevels* asked : {promised, &spec.asked})
    if (asked != nullptr) require_spreads(data, *asked);
  auto measured = std::make_unique<Measurements>(
      judge(evidence_of(data, spec.withheld, spec.part), {promised, spec.asked, parameters}));
  if (spec.wildcards)
    measured->list.push_back(measure_wildcards(data, spec.asked, measured->class_sizes));
  return own_in_context(std::move(measured));
}

}  // namespace anonkit::pg
