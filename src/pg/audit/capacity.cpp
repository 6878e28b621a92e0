// anon_capacity: the limits of sensitive columns under p-sensitive k-anonymity, before any
// anonymization.

#include <memory>
#include <utility>
#include <vector>

#include "model/p_capacity.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/relation_reader.hpp"

namespace anonkit::pg {
namespace {

struct Capacities {
  std::vector<PCapacity> attributes;
  PCapacity joint;
};

/// The current memory context owns the result.
const Capacities& capacities_of(const RelationData& data, std::int32_t p) {
  BackendTicker ticker;
  auto owned = std::make_unique<Capacities>();
  Capacities& capacities = *owned;
  const std::vector<std::int32_t> class_of(data.class_of, data.class_of + data.rows);
  for (int a = 0; a < data.attribute_count; ++a) {
    PublishedAttribute attribute;
    attribute.code_of.assign(data.attributes[a].codes, data.attributes[a].codes + data.rows);
    if (data.attributes[a].protected_values != nullptr)
      for (std::int32_t& code : attribute.code_of)
        code = data.attributes[a].protected_values->lifted[static_cast<std::size_t>(code)];
    capacities.attributes.push_back(
        p_capacity(ClassHistogram(class_of, attribute, ticker), p, ticker));
  }
  if (data.unit_of != nullptr) {
    // Every class needs p units, as it needs p values.
    PublishedAttribute units;
    units.code_of.assign(data.unit_of, data.unit_of + data.rows);
    capacities.attributes.push_back(p_capacity(ClassHistogram(class_of, units, ticker), p, ticker));
  }
  capacities.joint = joint_p_capacity(capacities.attributes, p);
  return own_in_context(std::move(owned));
}

Datum bigint_array(const std::vector<std::int64_t>& numbers) {
  const auto count = static_cast<int>(numbers.size());
  Datum* elements = allocate<Datum>(count);
  for (int i = 0; i < count; ++i) elements[i] = Int64GetDatum(numbers[static_cast<std::size_t>(i)]);
  return PointerGetDatum(
      construct_array(elements, count, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/// Names separated by commas.
const char* list_of(const Names& names) {
  StringInfoData list;
  initStringInfo(&list);
  for (int i = 0; i < names.count; ++i)
    appendStringInfo(&list, "%s%s", i > 0 ? ", " : "", names.names[i]);
  return list.data;
}

/// Writes one attribute's row; the row of all attributes together (null) has no frequencies.
void write_capacity(const char* attribute, const PCapacity& capacity, ReturnSetInfo* result) {
  Datum values[5] = {0, 0, bigint_array(capacity.cumulated), Int32GetDatum(capacity.distinct),
                     Int64GetDatum(capacity.max_clusters)};
  bool nulls[5] = {attribute == nullptr, attribute == nullptr, false, false, false};
  if (attribute != nullptr) {
    values[0] = CStringGetTextDatum(attribute);
    values[1] = bigint_array(capacity.frequencies);
  }
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

Datum capacity(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Session session = open_session();
  const Spec spec = read_capacity_spec(spec_of_audit(fcinfo));
  const RelationData data = read_relation(
      relation, {{}, spec.sensitive, spec.unit, {}, spec.hierarchies, spec.protected_values});
  const Capacities& capacities = capacities_of(data, spec.options.promises.p);
  for (int a = 0; a < data.attribute_count; ++a)
    write_capacity(data.attributes[a].name, capacities.attributes[static_cast<std::size_t>(a)],
                   result);
  if (data.unit_of != nullptr)
    write_capacity(list_of(spec.unit), capacities.attributes.back(), result);
  write_capacity(nullptr, capacities.joint, result);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_capacity) {
  return anonkit::pg::capacity(fcinfo);
}
