// The bodies of anon_audit and anon_assert: the level of a relation under each privacy model.

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"

#include "pg/audit/aggregate_audit.hpp"
#include "pg/audit/audit.hpp"
#include "pg/audit/grouped_k.hpp"
#include "pg/audit/judged_rows.hpp"
#include "pg/audit/population_audit.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/relation_reader.hpp"
#include "pg/spec/promised.hpp"
#include "pg/spec/spec_check.hpp"

extern "C" {
#include "access/xact.h"
}

namespace anonkit::pg {
namespace {

/// The classes that fall short of a requested level.
struct Shortfall {
  const AskedLevel* asked = nullptr;
  int64 classes = 0;
  int64 members = 0;  ///< of these classes: records, or persons with a unit
};

/// One measurement of a model, for one attribute (-1: none).
struct Measured {
  const Model* model;
  int attribute;
  Level level;
  Shortfall shortfall;
};

struct Measurements {
  std::vector<Measured> list;
  std::vector<std::int32_t> class_sizes;  ///< in persons, with a unit
  int64 withheld = 0;                     ///< records of the classes that withhold their values
};

/// By coarser partition and class: the coarser class that contains it.
std::vector<std::vector<std::int32_t>> supersets_of(const RelationData& data,
                                                    std::int32_t classes) {
  std::vector<std::vector<std::int32_t>> supersets;
  for (int j = 0; j < data.coarser_count; ++j) {
    supersets.emplace_back(static_cast<std::size_t>(classes));
    for (int64 row = 0; row < data.rows; ++row)
      supersets.back()[static_cast<std::size_t>(data.class_of[row])] = data.coarser[j][row];
  }
  return supersets;
}

/// By record, its person; empty without a unit.
std::vector<std::int32_t> units_of(const RelationData& data) {
  if (data.unit_of == nullptr) return {};
  return {data.unit_of, data.unit_of + data.rows};
}

bool is_about_attribute(const AskedLevel& asked, int attribute) {
  return asked.attribute == kAnyAttribute || asked.attribute == attribute;
}

/// The shortfall of an attribute (-1: none) under a model; empty for a model without levels by
/// class.
Shortfall shortfall_of(const Model& model, int attribute, const Level& level,
                       const AskedLevels& asked, const std::vector<std::int32_t>& class_sizes) {
  Shortfall shortfall;
  for (int i = 0; i < asked.count; ++i)
    if (asked.list[i].model == &model && is_about_attribute(asked.list[i], attribute))
      shortfall.asked = &asked.list[i];
  if (level.by_class.size() != class_sizes.size()) shortfall.asked = nullptr;
  for (std::size_t c = 0; shortfall.asked != nullptr && c < class_sizes.size(); ++c) {
    if (model.keeps(shortfall.asked->level, level.by_class[c])) continue;
    ++shortfall.classes;
    shortfall.members += class_sizes[c];
  }
  return shortfall;
}

/// True if the model is promised or asked about; without promises every model is.
bool is_wanted(const PromisedLevels* promised, const AskedLevels& asked, const Model& model) {
  if (promised == nullptr) return true;
  bool wanted = false;
  for (int i = 0; i < promised->count; ++i) wanted |= promised->list[i].model == &model;
  for (int i = 0; i < asked.count; ++i) wanted |= asked.list[i].model == &model;
  return wanted;
}

/// Measures the models of sensitive values on the classes that show them.
void measure_values(const RelationData& data, const Spec& spec, const ModelParameters& parameters,
                    const PromisedLevels* promised, std::int32_t classes, Measurements& measured) {
  BackendTicker ticker;
  if (data.attribute_count == 0) return;
  const JudgedRows judged = judged_rows(data, classes, spec.withheld);
  measured.withheld = data.rows - static_cast<int64>(judged.rows.size());
  std::vector<std::int32_t> sizes;
  for (const std::int32_t c : judged.classes)
    sizes.push_back(measured.class_sizes[static_cast<std::size_t>(c)]);
  for (int a = 0; a < data.attribute_count; ++a) {
    const PublishedAttribute attribute = attribute_of(judged, data.attributes[a]);
    const ClassHistogram histogram(judged.class_of, attribute, ticker, judged.unit_of);
    for (const Model& model : models()) {
      if (!is_wanted(promised, spec.asked, model) || !model.is_about(histogram, parameters))
        continue;
      Level level = model.measure(histogram, parameters, ticker);
      const Shortfall shortfall = shortfall_of(model, a, level, spec.asked, sizes);
      level.by_class = {};
      level.worst_class = judged.classes[static_cast<std::size_t>(level.worst_class)];
      measured.list.push_back({&model, a, level, shortfall});
    }
  }
}

/// Measures every applicable model, or only the wanted ones. O(rows log rows) per attribute.
Measurements measure(const RelationData& data, ModelParameters parameters, const Spec& spec,
                     const PromisedLevels* promised) {
  BackendTicker ticker;
  Measurements measured;
  const std::vector<std::int32_t> class_of(data.class_of, data.class_of + data.rows);
  const std::vector<std::int32_t> unit_of = units_of(data);
  const ClassHistogram sizes(class_of, ticker, unit_of);
  const std::vector<std::vector<std::int32_t>> supersets = supersets_of(data, sizes.classes());
  parameters.supersets = &supersets;
  for (std::int32_t c = 0; c < sizes.classes(); ++c)
    measured.class_sizes.push_back(sizes.class_size(c));
  for (const Model& model : models()) {
    if (!is_wanted(promised, spec.asked, model) || !model.is_about_classes(sizes.has_units()))
      continue;
    Level level = model.measure(sizes, parameters, ticker);
    const Shortfall shortfall = shortfall_of(model, -1, level, spec.asked, measured.class_sizes);
    level.by_class = {};
    measured.list.push_back({&model, -1, level, shortfall});
  }
  measure_values(data, spec, parameters, promised, sizes.classes(), measured);
  return measured;
}

/// The measurements of a relation. The current memory context owns them.
const Measurements& audit(Oid relation, const Spec& spec, const ModelParameters& parameters,
                          RelationData& data, const PromisedLevels* promised = nullptr,
                          const char* condition = nullptr) {
  data = read_relation(relation, spec.qi, spec.sensitive, spec.unit, spec.categories,
                       spec.hierarchies, spec.protected_values, parameters.n > 0, condition);
  return own_in_context(std::make_unique<Measurements>(measure(data, parameters, spec, promised)));
}

/// The size of a class.
struct ClassExtent {
  int64 rows;
  int64 persons;  ///< -1 if unknown
};

/// The published values and the size of the worst class.
Datum detail_json(const Measured& measured, Datum values, ClassExtent extent, int64 withheld,
                  const ModelParameters& parameters) {
  JsonObject json;
  if (withheld > 0 && measured.attribute >= 0) json.add("withheld", withheld);
  // In (k,p,q,r)-anonymity, no class may have a rare value.
  if (!(std::isinf(measured.level.level) && measured.model->comparison == Comparison::at_least)) {
    JsonbValue object;
    JsonbToJsonbValue(DatumGetJsonbP(values), &object);
    json.add_value("class", &object);
    json.add("size", extent.rows);
    if (extent.persons >= 0) json.add("persons", extent.persons);
  }
  if (measured.model->needs == AttributeNeed::any_with_l)
    json.add("l", static_cast<int64>(parameters.l));
  if (measured.model->needs == AttributeNeed::any_with_q) {
    json.add("q", parameters.q);
    json.add("variance_of", parameters.variance_of == VarianceOf::rare ? "rare" : "all");
  }
  if (measured.model->needs == AttributeNeed::any_with_n)
    json.add("n", static_cast<int64>(parameters.n));
  if (measured.model == find_model(kRecordsAtRisk.levels[0].model))
    json.add("threshold", parameters.risk_threshold);
  if (measured.shortfall.asked != nullptr) {
    json.add("asked", measured.shortfall.asked->level);
    json.add("classes_short", measured.shortfall.classes);
    json.add(extent.persons >= 0 ? "persons_short" : "records_short", measured.shortfall.members);
  }
  return JsonbPGetDatum(json.finish());
}

ClassExtent* class_extents_of(const RelationData& data, const std::vector<std::int32_t>& persons) {
  const auto classes = static_cast<int64>(persons.size());
  auto* extents = allocate<ClassExtent>(classes);
  for (int64 c = 0; c < classes; ++c)
    extents[c] = {0, data.unit_of != nullptr ? persons[static_cast<std::size_t>(c)] : -1};
  for (int64 i = 0; i < data.rows; ++i) ++extents[data.class_of[i]].rows;
  return extents;
}

void write_measurements(const RelationData& data, const Measurements& measured,
                        const ModelParameters& parameters, ReturnSetInfo* result) {
  const int count = static_cast<int>(measured.list.size());
  int32* worst = allocate<int32>(count);
  for (int i = 0; i < count; ++i)
    worst[i] = measured.list[static_cast<std::size_t>(i)].level.worst_class;
  const Datum* values_of_worst = read_class_values(data, worst, count);
  const ClassExtent* extents = class_extents_of(data, measured.class_sizes);
  for (int i = 0; i < count; ++i) {
    const Measured& one = measured.list[static_cast<std::size_t>(i)];
    Datum values[4] = {
        CStringGetTextDatum(one.model->name), 0, Float8GetDatum(one.level.level),
        detail_json(one, values_of_worst[i], extents[worst[i]], measured.withheld, parameters)};
    bool nulls[4] = {false, one.attribute < 0, false, false};
    if (one.attribute >= 0) values[1] = CStringGetTextDatum(data.attributes[one.attribute].name);
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
}

void check_promise(Oid named, const RelationData& data, const Measured& found,
                   const AskedLevel& promised) {
  if (found.model != promised.model || found.model->keeps(promised.level, found.level.level) ||
      (promised.attribute != kAnyAttribute && promised.attribute != found.attribute))
    return;
  const char* attribute = found.attribute >= 0 ? data.attributes[found.attribute].name : nullptr;
  ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
                  attribute != nullptr ? errmsg("relation \"%s\" violates %s of column \"%s\"",
                                                get_rel_name(named), found.model->name, attribute)
                                       : errmsg("relation \"%s\" violates %s", get_rel_name(named),
                                                found.model->name),
                  errdetail("Promised is %s %g, found is %.6g.", words_of(found.model->comparison),
                            promised.level, found.level.level)));
}

/// True if a promise or a question is about sensitive columns, and not about classes alone.
bool is_about_values(const PromisedLevels& promised, const AskedLevels& asked) {
  bool about_values = asked.count > 0;
  for (int i = 0; i < promised.count; ++i)
    about_values |= !promised.list[i].model->is_about_classes(true);
  return about_values;
}

/// The measurements, all of which keep their promises, of the rows that satisfy the condition.
const Measurements& assert_levels(const Judged& judged, const Spec& spec,
                                  const PromisedLevels& promised, RelationData& data,
                                  const char* condition = nullptr) {
  Spec needed = spec;
  if (!is_about_values(promised, spec.asked)) needed.sensitive = {nullptr, 0};
  const Measurements& measured =
      audit(judged.rows, needed, promised.parameters, data, &promised, condition);
  for (int i = 0; i < promised.count; ++i) {
    bool applied = false;
    for (const Measured& found : measured.list) {
      check_promise(judged.named, data, found, promised.list[i]);
      applied = applied || found.model == promised.list[i].model;
    }
    if (!applied)
      ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                      errmsg("%s needs a numeric sensitive column", promised.list[i].model->name)));
  }
  return measured;
}

/// Asserts k without holding the rows in memory, if nothing else is promised or asked, and the rows
/// are stored class by class or too many. False if there is more to do.
bool assert_k_alone(const Judged& judged, const Spec& spec, const PromisedLevels& promised,
                    const char* condition = nullptr) {
  if (promised.count != 1 || promised.list[0].model != find_model("k-anonymity") ||
      condition != nullptr || spec.unit.count > 0 || spec.qi.count == 0 ||
      (spec.sensitive.count > 0 && spec.asked.count > 0))
    return false;
  const AskedLevel& k = promised.list[0];
  const bool large = is_larger_than_memory(judged.rows);
  if ((large || get_rel_relkind(judged.named) == RELKIND_MATVIEW) &&
      runs_reach(judged.rows, spec.qi, static_cast<int64>(std::ceil(k.level))))
    return true;
  if (!large) return false;
  Measured found = {k.model, -1, {}, {}};
  found.level.level = static_cast<double>(grouped_k(judged.rows, spec.qi));
  check_promise(judged.named, {}, found, k);
  return true;
}

/// The relation and the columns with the original values of a relation; names are equal.
Originals source_argument(FunctionCallInfo fcinfo, const Spec& spec) {
  const int source = argument_place(fcinfo, "source");
  if (!PG_ARGISNULL(source)) require_relation(PG_GETARG_OID(source));
  return {PG_ARGISNULL(source) ? InvalidOid : PG_GETARG_OID(source), spec.qi};
}

/// An error for a unit with aggregates: an attacker's aggregate of a row does not reveal its
/// person.
void refuse_unit_of_aggregates(const Spec& spec) {
  if (spec.unit.count > 0)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("%s cannot be combined with a unit", aggregate_model(spec.options.aggregate)),
             errdetail("It counts rows, not persons.")));
}

/// The sensitive column whose values count among the candidate records.
const char* told_apart_by(const Spec& spec) {
  return spec.sensitive.count == 1 ? spec.sensitive.names[0] : nullptr;
}

/// Writes the level against attackers who know aggregates, as an additional row.
void write_aggregates(Oid relation, const Spec& spec, const Originals& originals,
                      ReturnSetInfo* result) {
  refuse_unit_of_aggregates(spec);
  const AggregateKnowledge& knowledge = spec.options.aggregate;
  double* widths = allocate<double>(knowledge.count);
  const AggregateLevel found =
      audit_aggregates(relation, spec.qi, told_apart_by(spec), originals, knowledge, widths);
  JsonObject json;
  json.add("guarantee", knowledge.identical ? "identical" : "candidates");
  json.add("d", knowledge.d);
  for (int i = 0; i < knowledge.count; ++i)
    json.add(psprintf("mean width of %s", knowledge.functions[i]), widths[i]);
  if (spec.sensitive.count == 1) json.add("p", static_cast<int64>(found.distinct));
  Datum values[4] = {CStringGetTextDatum(aggregate_model(knowledge)),
                     CStringGetTextDatum(aggregate_attribute(knowledge)), Float8GetDatum(found.k),
                     JsonbPGetDatum(json.finish())};
  bool nulls[4] = {false, false, false, false};
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

}  // namespace

void write_levels(Oid relation, const Spec& spec, ReturnSetInfo* result) {
  RelationData data;
  const ModelParameters parameters = promised_by(spec).parameters;
  const Measurements& measured = audit(relation, spec, parameters, data);
  write_measurements(data, measured, parameters, result);
}

void audit_relation(FunctionCallInfo fcinfo, Oid relation, const Spec& spec) {
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  write_levels(relation, spec, result);
  if (spec.options.aggregate.functions != nullptr)
    write_aggregates(relation, spec, source_argument(fcinfo, spec), result);
  const int population = argument_place(fcinfo, "population");
  if (!PG_ARGISNULL(population))
    write_population(relation, PG_GETARG_OID(population), spec, result);
}

namespace {

/// Raises check_violation unless attackers who know aggregates are left with k records and p
/// sensitive values.
void assert_aggregates(const Judged& judged, const Spec& spec, const Originals& originals, int k) {
  refuse_unit_of_aggregates(spec);
  const AggregateKnowledge& knowledge = spec.options.aggregate;
  const AggregateLevel found =
      audit_aggregates(judged.rows, spec.qi, told_apart_by(spec), originals, knowledge, nullptr);
  if (found.k < k)
    ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
                    errmsg("relation \"%s\" violates %s of %s", get_rel_name(judged.named),
                           aggregate_model(knowledge), aggregate_attribute(knowledge)),
                    errdetail("Promised is at least %d, found is %d.", k, found.k)));
  if (found.distinct < spec.options.promises.p)
    ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
                    errmsg("relation \"%s\" violates p-sensitivity of column \"%s\" against %s",
                           get_rel_name(judged.named), spec.sensitive.names[0],
                           aggregate_attribute(knowledge)),
                    errdetail("Promised is at least %d, found is %d.", spec.options.promises.p,
                              found.distinct)));
}

}  // namespace

namespace {

/// An error for a model that compares the relation with another one.
void check_measurable(const AskedLevels& levels) {
  for (int i = 0; i < levels.count; ++i)
    if (levels.list[i].model->measure == nullptr)
      ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                      errmsg("%s of one relation cannot be asserted", levels.list[i].model->name),
                      errhint("anon_audit and anon_audit_versions measure it.")));
}

}  // namespace

void assert_relation(FunctionCallInfo fcinfo, Oid relation, const Spec& spec) {
  check_protected(spec);
  check_supersets(spec);
  check_threshold(spec);
  const PromisedLevels promised = {asked_by(spec), promised_by(spec).parameters};
  check_measurable(promised);
  Spec needed = spec;
  needed.asked = {};
  const int k_f = spec.options.aggregate.k;
  if (promised.count == 0 && k_f == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("nothing to assert"),
                    errhint("Give a level, such as k => 5.")));
  RelationData data;
  if (promised.count > 0 && !assert_k_alone(relation, needed, promised))
    assert_levels(relation, needed, promised, data);
  if (k_f > 0) assert_aggregates(relation, spec, source_argument(fcinfo, spec), k_f);
}

bool keeps_unit(const Spec& spec) {
  for (int i = 0; i < spec.unit.count; ++i) {
    bool kept = false;
    for (int j = 0; j < spec.keep.count; ++j)
      kept = kept || pg_strcasecmp(spec.keep.names[j], spec.unit.names[i]) == 0;
    if (!kept) return false;
  }
  return true;
}

Spec spec_of_readers(const Spec& released) {
  Spec spec = released;
  spec.withheld = withholds_values(spec);
  if (spec.unit.count == 0 || keeps_unit(spec)) return spec;
  Spec of_rows = spec;
  of_rows.unit = {nullptr, 0};
  of_rows.options.promises = only(spec.options.promises, upward_closed_rows);
  of_rows.options.unit_rows_together = false;
  return of_rows;
}

namespace {

/// Warns of classes with a single value, which reveals the value of each of their persons.
void warn_of_single_values(const RelationData& data, const Measurements& measured) {
  for (const Measured& one : measured.list)
    if (one.shortfall.asked != nullptr && one.shortfall.classes > 0)
      ereport(
          NOTICE,
          (errmsg("sensitive column \"%s\" has a single value in " INT64_FORMAT " of the classes",
                  data.attributes[one.attribute].name, one.shortfall.classes),
           errdetail("An attacker who knows that a person is in such a class knows the value."),
           errhint("Promise a p of 2 or more, or leave the column out.")));
}

/// Asserts the promises that readers can measure.
void assert_classes(const Judged& release, const Spec& spec, Occasion occasion,
                    const char* condition) {
  Spec of_readers = spec_of_readers(spec);
  AskedLevel two_values = {find_model("p-sensitivity"), 2};
  if (occasion == Occasion::publish) of_readers.asked = {&two_values, 1};
  const PromisedLevels promised = promised_by(of_readers);
  if (assert_k_alone(release, of_readers, promised, condition)) return;
  RelationData data;
  const Measurements& measured = assert_levels(release, of_readers, promised, data, condition);
  warn_of_single_values(data, measured);
}

}  // namespace

void assert_release(const Judged& release, const Spec& spec, const Originals& originals,
                    Occasion occasion, const char* condition) {
  // Makes the rows just written visible to the caller's snapshot.
  CommandCounterIncrement();
  PushCopiedSnapshot(GetActiveSnapshot());
  UpdateActiveSnapshotCommandId();
  if (spec.method->of_aggregates)
    assert_aggregates(release, spec, originals, spec.options.k);
  else
    assert_classes(release, spec, occasion, condition);
  PopActiveSnapshot();
}

}  // namespace anonkit::pg
