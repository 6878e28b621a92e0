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
#include "promise/table_needs.hpp"

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
/// says so, too, but nothing of a value's rows. Values below a protected label count as one for
/// some promises only.
Needed needed_of(const Promises& promises, RowChoice rows, bool of_persons) {
  const Promises chosen = only(promises, rows);
  const ValueLimits limits = limits_of(chosen, exact_limits);
  return {
      std::max({chosen.p, limits.distinct, least_values(chosen), least_members(1 / limits.share)}),
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

/// The distance that audits measure t by.
GroundDistance distance_of(const AttributeData& data) {
  if (data.hierarchy != nullptr) return GroundDistance::hierarchical;
  return data.has_numbers || data.is_ordered ? GroundDistance::ordered : GroundDistance::nominal;
}

/// The capacity of an attribute: what promises say of its values, of those with protected ones as
/// one, and of the shares of the table.
PCapacity capacity_of(const RelationData& data, int number, const Promises& promises,
                      Ticker& ticker) {
  const AttributeData& column = data.attributes[number];
  const std::vector<std::int32_t> one_class(static_cast<std::size_t>(data.rows), 0);
  const bool of_persons = data.unit_of != nullptr;
  SensitiveAttribute attribute;
  attribute.ranks.assign(column.codes, column.codes + data.rows);
  attribute.distance = distance_of(column);
  attribute.t = promises.t_of(static_cast<std::size_t>(number));
  const TableNeeds needs = needs_of_table(attribute, promises, of_persons, ticker);
  const bool is_protected = column.protected_values != nullptr;
  Needed needed = needed_of(promises, is_protected ? unlifted_rows : all_rows, of_persons);
  needed.values = std::max(needed.values, needs.values);
  PublishedAttribute counted;
  counted.code_of = std::move(attribute.ranks);
  PCapacity capacity = capacity_within(ClassHistogram(one_class, counted, ticker), needed, ticker);
  capacity.max_clusters = std::min(capacity.max_clusters, needs.classes);
  if (!is_protected) return capacity;
  for (std::int32_t& code : counted.code_of)
    code = column.protected_values->lifted[static_cast<std::size_t>(code)];
  PCapacity lifted = capacity_within(ClassHistogram(one_class, counted, ticker),
                                     needed_of(promises, lifted_rows, of_persons), ticker);
  lifted.max_clusters = std::min(lifted.max_clusters, capacity.max_clusters);
  return lifted;
}

/// Every class needs as many units as values, and as many as fill it within the promised share.
PCapacity capacity_of_units(const RelationData& data, const Promises& promises, Ticker& ticker) {
  Needed needed = {needed_of(promises, all_rows, true).values, 1};
  if (promises.dominance > 0) {
    needed.share = promises.dominance;
    needed.values = std::max(needed.values, least_members(1 / promises.dominance));
  }
  PublishedAttribute units;
  units.code_of.assign(data.unit_of, data.unit_of + data.rows);
  const std::vector<std::int32_t> one_class(units.code_of.size(), 0);
  return capacity_within(ClassHistogram(one_class, units, ticker), needed, ticker);
}

/// The current memory context owns the result.
const Capacities& capacities_of(const RelationData& data, const Promises& promises) {
  BackendTicker ticker;
  auto owned = std::make_unique<Capacities>();
  Capacities& capacities = *owned;
  for (int a = 0; a < data.attribute_count; ++a)
    capacities.attributes.push_back(capacity_of(data, a, promises, ticker));
  if (data.unit_of != nullptr)
    capacities.attributes.push_back(capacity_of_units(data, promises, ticker));
  capacities.joint = joint_p_capacity(capacities.attributes, promises.p);
  for (const PCapacity& each : capacities.attributes)
    capacities.joint.max_clusters = std::min(capacities.joint.max_clusters, each.max_clusters);
  capacities.joint.max_clusters =
      std::min(capacities.joint.max_clusters, classes_within_risk(promises, data.rows));
  return own_in_context(std::move(owned));
}

/// Shares of a class's persons are not those of its rows.
void refuse_shares_of_persons(const Spec& spec) {
  const Promise* relative = find_made(spec.options.promises, relative_rows);
  if (relative == nullptr || spec.unit.count == 0) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("%s bounds no classes of persons", relative->name),
                  errdetail("Its bound follows from shares of rows."),
                  errhint("Leave it out, or the unit.")));
}

Datum bigint_array(const std::vector<std::int64_t>& numbers) {
  const auto count = static_cast<int>(numbers.size());
  Datum* elements = allocate<Datum>(count);
  for (int i = 0; i < count; ++i) elements[i] = Int64GetDatum(numbers[static_cast<std::size_t>(i)]);
  return PointerGetDatum(
      construct_array(elements, count, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
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
  refuse_shares_of_persons(spec);
  const RelationData data = read_relation(
      relation,
      {{}, spec.sensitive, spec.unit, spec.categories, spec.hierarchies, spec.protected_values});
  const Capacities& capacities = capacities_of(data, spec.options.promises);
  for (int a = 0; a < data.attribute_count; ++a)
    write_capacity(data.attributes[a].name, capacities.attributes[static_cast<std::size_t>(a)],
                   result);
  if (data.unit_of != nullptr)
    write_capacity(comma_list(spec.unit.names, spec.unit.count), capacities.attributes.back(),
                   result);
  write_capacity(nullptr, capacities.joint, result);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_capacity) {
  return anonkit::pg::capacity(fcinfo);
}
