// anon_capacity: the limits of sensitive columns under p-sensitive k-anonymity, before any
// anonymization.

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/tolerance.hpp"
#include "model/p_capacity.hpp"
#include "promise/promise.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/relation_reader.hpp"

namespace anonkit::pg {
namespace {

struct Capacities {
  std::vector<PCapacity> attributes;
  PCapacity joint;
};

/// The values that every class needs, and the largest share of its records with one of them.
struct Needed {
  std::int32_t values;
  double share;
};

bool exact_limits(const Promise& promise) {
  return promise.limits_are_exact;
}

/// A class whose values have at most a share each has as many values as fill it. A share of persons
/// says so, too, but nothing of a value's rows.
Needed needed_of(const Promises& promises, bool of_persons) {
  const ValueLimits limits = limits_of(promises, exact_limits);
  return {std::max({promises.p, limits.distinct, least_values(promises),
                    least_members(1 / limits.share)}),
          of_persons ? 1 : limits.share};
}

/// The largest share of a class's records is at least that of all records.
PCapacity capacity_within(const ClassHistogram& histogram, const Needed& needed, Ticker& ticker) {
  PCapacity capacity = p_capacity(histogram, needed.values, ticker);
  const auto most = static_cast<double>(capacity.frequencies.front());
  if (most > needed.share * histogram.size() * (1 + kTolerance)) capacity.max_clusters = 0;
  return capacity;
}

/// The mean risk is the number of classes divided by that of records, or more with persons.
std::int64_t classes_within_risk(const Promises& promises, int64 rows) {
  if (promises.risk_mean <= 0) return rows;
  return static_cast<std::int64_t>(
      std::floor(promises.risk_mean * static_cast<double>(rows) * (1 + kTolerance)));
}

/// The current memory context owns the result.
const Capacities& capacities_of(const RelationData& data, const Promises& promises) {
  BackendTicker ticker;
  const Needed needed = needed_of(promises, data.unit_of != nullptr);
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
        capacity_within(ClassHistogram(class_of, attribute, ticker), needed, ticker));
  }
  if (data.unit_of != nullptr) {
    // Every class needs as many units as values, and as many as fill it within the promised share.
    Needed of_units = {needed.values, 1};
    if (promises.dominance > 0) {
      of_units.share = promises.dominance;
      of_units.values = std::max(of_units.values, least_members(1 / promises.dominance));
    }
    PublishedAttribute units;
    units.code_of.assign(data.unit_of, data.unit_of + data.rows);
    capacities.attributes.push_back(
        capacity_within(ClassHistogram(class_of, units, ticker), of_units, ticker));
  }
  capacities.joint = joint_p_capacity(capacities.attributes, needed.values);
  for (const PCapacity& each : capacities.attributes)
    capacities.joint.max_clusters = std::min(capacities.joint.max_clusters, each.max_clusters);
  capacities.joint.max_clusters =
      std::min(capacities.joint.max_clusters, classes_within_risk(promises, data.rows));
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
  const Capacities& capacities = capacities_of(data, spec.options.promises);
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
